/** Those behind `@`: never started, but shown what was said. */
import { afterEach, expect, test } from 'vitest'
import { openPlace, type Place, read } from '../new-workplace.ts'

let place: Place
afterEach(() => place.close())

const message = (to: string, text: string, observers: readonly string[]) =>
  `printf '%s\\n' '${JSON.stringify({ type: 'message', to, text, observers })}'`

test('a member is shown the message with its next work, once, and until then in the status', () => {
  place = openPlace({ ada: `${message('user', 'The port is 8080', ['ben'])}`, ben: 'cat' })
  expect(place.troupe('start', 'ada', 'choose a port').code).toBe(0)
  expect([...place.state().handoffs.values()].map(({ to }) => to)).toEqual(['ada'])
  expect(place.troupe('status').stdout).toMatch(/ben +idle +1 to read/)
  expect(place.troupe('start', 'ben', 'use it').stdout).toContain(
    'Messages between others that you watch; you need not act on them:\n[ada-to-user] @ [ben]: The port is 8080\n',
  )
  expect(place.troupe('status').stdout).not.toContain('to read')
  expect(place.troupe('start', 'ben', 'again').stdout).not.toContain('8080')
})

test('a further attempt is shown it again', () => {
  place = openPlace({ ada: 'echo x', ben: 'if [ $TROUPE_ATTEMPT = 1 ]; then exit 7; else cat; fi' })
  place.put('.workplace/chat.md', `${read(place.chat)}[user-to-ada] @ [ben]: the port is 8080\n`)
  place.troupe('resume')
  expect(place.troupe('start', 'ben', 'use it').stdout).toContain('[user-to-ada] @ [ben]: the port is 8080\n')
})

test('the person sees it in the status', () => {
  place = openPlace({ 'ada > ben': message('ben', 'Handoff: check it', ['developer']), ben: 'echo fine' })
  expect(place.troupe('start', 'ada', 'work').code).toBe(0)
  expect(place.troupe('status').stdout).toContain('Nothing needs your attention.')
  expect(place.troupe('status').stdout).toMatch(/For you to read \(1\)\n {2}ada \u2192 ben {2}check it/)
})

test('a completed entry of process-status.json keeps its session', () => {
  place = openPlace({ ada: 'echo fine' })
  place.troupe('start', 'ada', 'work')
  const [handoff] = place.state().handoffs.values()
  expect(JSON.parse(read(place.status)).ada).toMatchObject({
    status: 'completed',
    sessionKey: `agent:ada:run:${handoff?.id}.1`,
  })
})
