/** Where a member was is kept when it fails, for the status and for the one who goes on. */
import { afterEach, expect, test } from 'vitest'
import { openPlace, type Place, read, until } from '../../new-workplace.ts'

let place: Place
afterEach(() => place.close())

const entry = (name: string) => JSON.parse(read(place.status))[name]
const printed = (text: string, file: string) => `echo '{"type":"progress","text":"${text}","files":["${file}"]}'`

test('progress that was reported stays when an error is reported', () => {
  place = openPlace({
    ada: 'troupe work report progress "tests are written" --files a.ts; troupe work report error "no database"',
  })
  expect(place.troupe('start', 'ada', 'work').code).toBe(1)
  expect(entry('ada')).toMatchObject({
    status: 'error',
    error: 'no database',
    progress: { lastSummary: 'tests are written', files: ['a.ts'] },
  })
})

test('progress that was printed stays too, and the last one counts', () => {
  place = openPlace({
    ada: `${printed('first', 'a.ts')}; ${printed('second', 'b.ts')}; echo '{"type":"error","text":"no database"}'`,
  })
  place.troupe('start', 'ada', 'work')
  expect(entry('ada')).toMatchObject({ error: 'no database', progress: { lastSummary: 'second', files: ['b.ts'] } })
})

test('the next attempt is told, also when the one in between said nothing', () => {
  const line = `case $TROUPE_ATTEMPT in 1) ${printed('half way', 'a.ts')}; exit 7;; 2) exit 7;; *) cat;; esac`
  place = openPlace({ ada: line }, { attempts: 3 })
  const { code, stdout } = place.troupe('start', 'ada', 'work')
  expect(code).toBe(0)
  expect(stdout).toContain('Its last progress: half way\nFiles it named: a.ts\n')
})

test('an orchestrator that is killed loses none of it', async () => {
  const line = `if [ $TROUPE_ATTEMPT = 1 ]; then ${printed('half way', 'a.ts')}; touch said; while [ ! -e go ]; do sleep 0.05; done; exit 7; fi; cat`
  place = openPlace({ ada: line })
  const orchestrator = place.inBackground('start', 'ada', 'work')
  await until(() => [...place.state().open.values()][0]?.progress?.lastSummary === 'half way')
  // The status is written after the journal.
  await until(() => entry('ada')?.status === 'running')
  await orchestrator.kill()
  place.put('go', '')
  expect(place.troupe('resume').code).toBe(0)
  const [handoff] = place.state().handoffs.values()
  expect(handoff?.answer).toContain('Its last progress: half way')
})
