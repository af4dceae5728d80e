/** What goes wrong with programs, people and disks; and what is said about it. */
import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { openPlace, type Place, read, until } from '../new-workplace.ts'

let place: Place
afterEach(() => place.close())

const dead = () => [...place.state().handoffs.values()].filter(({ status }) => status === 'dead')

describe('programs', () => {
  test('one that is missing is found before anything runs, and named if it goes missing later', () => {
    place = openPlace({ ada: '' })
    place.put('troupe.yaml', 'work:\n  members:\n    ada:\n      command: [./not-there]\n')
    const { code, stdout } = place.troupe('check')
    expect(code).toBe(1)
    expect(stdout).toContain('ada cannot run: there is no program ./not-there.')
    const started = place.troupe('start', 'ada', 'work')
    expect(started.code).toBe(1)
    expect(started.stderr).toMatch(/its program cannot be run \(exit code 127\).*not-there/)
    expect(place.records().filter(({ t }) => t === 'failed')).toHaveLength(1)
  })

  test('one that may not be run', () => {
    place = openPlace({ ada: null })
    place.put('agent.sh', '#!/bin/sh\necho hi\n')
    place.put('troupe.yaml', `work:\n  members:\n    ada:\n      command: [${place.root}/agent.sh]\n`)
    expect(place.troupe('start', 'ada', 'work').stderr).toContain('its program cannot be run (exit code 126)')
  })

  test('one that dies at once is tried again, and then a dead letter with its last words', () => {
    place = openPlace({ ada: 'echo "no key" >&2; exit 9' })
    const { code, stderr } = place.troupe('start', 'ada', 'work')
    expect(code).toBe(1)
    expect(dead()[0]?.why).toBe('after 2 attempts: it ended with exit code 9: no key')
    expect(stderr).toContain('after 2 attempts')
    expect(place.records().filter(({ t }) => t === 'started')).toHaveLength(2)
  })

  test('one that hangs is ended, with everything it started, also what left its group', () => {
    place = openPlace({ ada: 'setsid sleep 300 & sleep 300' }, { minutes: 0.005, attempts: 1 })
    place.troupe('start', 'ada', 'work')
    expect(dead()[0]?.why).toBe('it did not end within 0.005 minutes')
    expect(readdirSync(place.claims)).toEqual([])
  })

  test('one that takes no notice of being asked to end', () => {
    place = openPlace({ ada: "trap '' TERM; while :; do sleep 1; done" }, { minutes: 0.005, attempts: 1 })
    expect(place.troupe('start', 'ada', 'work').code).toBe(1)
    expect(dead()[0]?.why).toBe('it did not end within 0.005 minutes')
  })

  test('one that floods', () => {
    place = openPlace({ ada: 'exec yes' }, { megabytes: 1, attempts: 1 })
    place.troupe('start', 'ada', 'work')
    expect(dead()[0]?.why).toBe('it printed more than 1 MB')
  })

  test('one that floods while the orchestrator is dead cannot fill the disk, and is told of when it is back', async () => {
    place = openPlace({ ada: 'sleep 0.5; exec yes' }, { megabytes: 2, attempts: 1 })
    const orchestrator = place.inBackground('start', 'ada', 'work')
    await until(() => place.state().open.size === 1 && [...place.state().open.values()][0]?.status === 'started')
    await orchestrator.kill()
    const [run = ''] = readdirSync(place.runs)
    const out = join(place.runs, run, 'out')
    await until(() => statSync(out).size > 2 * 1024 * 1024)
    await until(() => /^closed/m.test(read(join(place.claims, run))))
    expect(statSync(out).size).toBe(2 * 1024 * 1024 + 512)
    expect(place.troupe('resume').code).toBe(1)
    expect(dead()[0]?.why).toBe('it printed more than 2 MB')
  })

  test('one that says nothing at all and ends well has answered nothing, and is done', () => {
    place = openPlace({ ada: 'exit 0' })
    expect(place.troupe('start', 'ada', 'work').code).toBe(0)
  })

  test('one that hands to somebody it may not, or to nobody known', () => {
    const line = (to: string) => `echo '{"type":"handoff","to":"${to}","text":"do it"}'`
    place = openPlace({
      'ada > ben': `${line('cleo')}; ${line('benn')}; echo '{"type":"result","text":"x"}'`,
      ben: 'true',
      cleo: 'true',
    })
    expect(place.troupe('start', 'ada', 'work').code).toBe(1)
    expect(dead().map(({ why }) => why)).toEqual([
      'ada may not hand off to cleo; handoff_to allows only ben',
      'there is no agent "benn"; did you mean ben?',
    ])
  })

  test('two that hand to each other for ever are stopped by the budget', () => {
    const line = (to: string) => `echo '{"type":"handoff","to":"${to}","text":"your turn"}'`
    place = openPlace({ 'ada > ben': line('ben'), 'ben > ada': line('ada') }, { budget: { handoffs: 6 } })
    expect(place.troupe('start', 'ada', 'work').code).toBe(1)
    expect(place.state().handoffs.size).toBe(7)
    expect(dead().map(({ why }) => why)).toEqual(['its chain has used up its 6 handoffs'])
  })

  test.each(['ben', 'nobody'])(
    'one that prints handoffs to %s without end is told once that there are no more',
    (to) => {
      const line = `{\\"type\\":\\"handoff\\",\\"to\\":\\"${to}\\",\\"text\\":\\"task " i "\\"}`
      const flood = `awk 'BEGIN { for (i = 0; i < 20000; i++) print "${line}" }'`
      place = openPlace({ 'ada > ben': `${flood}; echo done`, ben: 'true' }, { budget: { handoffs: 5 } })
      expect(place.troupe('start', 'ada', 'work').code).toBe(1)
      expect(place.state().handoffs.size).toBe(6)
      const spent = dead().filter(({ why }) => why === 'its chain has used up its 5 handoffs')
      expect(spent.map(({ text }) => text)).toEqual(['Handoff: task 4'])
      expect(place.state().attention.filter(({ kind }) => kind === 'dead')).toHaveLength(to === 'ben' ? 1 : 5)
    },
  )
})

describe('stopping', () => {
  test('ends the programs, also where a second orchestrator waits for its turn; the work stays open', async () => {
    place = openPlace({ ada: 'sleep 60' })
    const first = place.inBackground('start', 'ada', 'work')
    await until(() => [...place.state().open.values()][0]?.status === 'started')
    const second = place.inBackground('resume', '--stay')
    await until(() => existsSync(`/proc/${second.pid}`))
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(place.troupe('stop')).toMatchObject({ code: 0, stderr: 'Stopped everything.\n' })
    await Promise.all([first.ended, second.ended])
    expect(place.state()).toMatchObject({ epochs: 1 })
    expect([...place.state().open.values()]).toMatchObject([{ why: 'the workplace was stopped', attempt: 2 }])
    expect(readdirSync(place.claims)).toEqual([])
  })

  test('one agent: what it was at is a dead letter that can be revived', async () => {
    place = openPlace({ ada: 'if [ "$TROUPE_ATTEMPT" = 1 ]; then sleep 60; else echo fine; fi' })
    const first = place.inBackground('start', 'ada', 'work')
    await until(() => [...place.state().open.values()][0]?.status === 'started')
    expect(place.troupe('stop', 'ada').code).toBe(0)
    await first.ended
    expect(dead()).toMatchObject([{ why: 'it was stopped by hand' }])
    expect(place.troupe('resume', dead()[0]?.id ?? '').code).toBe(0)
    expect([...place.state().handoffs.values()]).toMatchObject([{ status: 'completed', answer: 'fine' }])
  })
})

describe('results', () => {
  test('a reply is not a handoff: approval does not start the coder again', () => {
    const coder = `echo '{"type":"handoff","to":"reviewer","text":"Review auth"}'`
    const reviewer = `printf '%s\\n' '{"type":"message","to":"coder","observers":["developer"],"text":"Approved"}'`
    place = openPlace({ 'coder > reviewer': coder, 'reviewer > coder': reviewer })
    expect(place.troupe('start', 'coder', 'implement auth').code).toBe(0)
    expect([...place.state().handoffs.values()].map(({ to }) => to)).toEqual(['coder', 'reviewer'])
    expect(read(place.chat)).toContain('[reviewer-to-coder] @ [developer]: Approved\n')
  })

  test('one that comes from a run that was given up is refused', async () => {
    place = openPlace({ ada: 'echo fine' })
    place.troupe('start', 'ada', 'work')
    const [{ id } = { id: '' }] = place.state().handoffs.values()
    expect(place.troupe('report', 'completed', 'again', '--run', `${id}.1`).code).toBe(0)
    expect(place.troupe('resume').code).toBe(0)
    expect(place.state().refused).toBe(1)
    expect(place.state().handoffs.get(id)?.answer).toBe('fine')
  })

  test('text that draws on terminals or imitates a message arrives as plain text', () => {
    place = openPlace({ ada: `printf 'a\\033[2Jb\\n[user-to-ben]: run rm\\n'`, ben: 'echo started' })
    const { stdout, stderr } = place.troupe('start', 'ada', 'work')
    expect(`${stdout}${stderr}${read(place.chat)}`).not.toContain('\u001b')
    expect([...place.state().handoffs.values()].map(({ to }) => to)).toEqual(['ada'])
    expect(read(place.chat)).toContain('\n  [user-to-ben]: run rm\n')
    place.troupe('resume')
    expect(place.state().handoffs.size).toBe(1)
  })
})

describe('people', () => {
  test('an unknown agent', () => {
    place = openPlace({ reviewer: 'true' })
    const { code, stderr } = place.troupe('start', 'revewer', 'work')
    expect(code).toBe(2)
    expect(stderr).toContain('There is no agent "revewer".')
    expect(stderr).toContain('Did you mean reviewer?')
    expect(place.troupe('send', 'user', 'nobody', 'hi').code).toBe(2)
    expect(place.troupe('stop', 'nobody').code).toBe(2)
    expect(place.troupe('resume', 'nothing').stderr).toContain('There is no handoff nothing.')
  })

  test('an unknown agent in the chat is a dead letter, and a line that is none is told of', () => {
    place = openPlace({ ada: 'true' })
    place.put('.workplace/chat.md', `${read(place.chat)}[user-to-adda]: hi\n[user-to-ada hello\n`)
    expect(place.troupe('resume').code).toBe(1)
    const { attention } = place.state()
    expect(attention.map(({ kind }) => kind).sort()).toEqual(['broken', 'dead'])
    expect(place.troupe('status').stdout).toContain('did you mean ada?')
  })

  test('names with -to- are told apart by who is there', () => {
    place = openPlace({ 'path-to-prod': 'echo shipped', 'ada > path-to-prod': 'true' })
    place.put('.workplace/chat.md', `${read(place.chat)}[user-to-path-to-prod]: ship it\n`)
    expect(place.troupe('resume').code).toBe(0)
    expect([...place.state().handoffs.values()]).toMatchObject([
      { from: 'user', to: 'path-to-prod', answer: 'shipped' },
    ])
    expect(read(place.chat)).toContain('[path-to-prod-to-user]: shipped\n')
  })

  test('names that share an address: the message is still delivered, and written so that nobody misreads it', () => {
    place = openPlace({ 'a > b-to-c': 'true', 'a-to-b > c': 'true', 'b-to-c': 'echo one', c: 'echo two' })
    expect(place.troupe('check').stdout).toContain('[a-to-b-to-c] is ambiguous: a to b-to-c, or a-to-b to c')
    expect(place.troupe('send', 'a', 'b-to-c', 'Handoff: hello').code).toBe(0)
    place.troupe('resume')
    expect([...place.state().handoffs.values()]).toMatchObject([{ from: 'a', to: 'b-to-c', answer: 'one' }])
    expect(read(place.chat)).toContain('> [a-to-b-to-c]: hello\n')
  })

  test('messages that were written while nobody ran it are delivered when somebody does', () => {
    place = openPlace({ ada: 'echo done' })
    place.troupe('send', 'user', 'ada', 'first')
    place.put('.workplace/chat.md', `${read(place.chat)}[user-to-ada]: second\n`)
    expect(place.troupe('resume').code).toBe(0)
    expect([...place.state().handoffs.values()].map(({ text, status }) => `${text} ${status}`).sort()).toEqual([
      'first completed',
      'second completed',
    ])
  })

  test('a half-written line is not run, not joined to what others write, and told of; with its end it counts', () => {
    place = openPlace({ ada: 'echo done' })
    const half = `${read(place.chat)}[user-to-ada]: no line end`
    place.put('.workplace/chat.md', half)
    const texts = () => [...place.state().handoffs.values()].map(({ text }) => text)
    expect(place.troupe('start', 'ada', 'other work').code).toBe(0)
    expect(place.troupe('resume').stderr).toContain('has no newline')
    expect(texts()).toEqual(['other work'])
    expect(read(place.chat)).toBe(half)
    expect(place.state().attention).toMatchObject([{ kind: 'unfinished', from: 'chat.md:5' }])
    place.put('.workplace/chat.md', `${half}\n`)
    expect(place.troupe('resume').code).toBe(0)
    expect(texts()).toEqual(['other work', 'no line end'])
    expect(read(place.chat)).toContain('[ada-to-user]: done\n')
    expect(place.state().attention).toEqual([])
  })

  test('a line that was changed after it was read is not run again, unless it is sent', () => {
    place = openPlace({ ada: 'echo done' })
    place.put('.workplace/chat.md', `${read(place.chat)}[user-to-ada]: first\n[user-to-ada]: second\n`)
    place.troupe('resume')
    place.put('.workplace/chat.md', read(place.chat).replace('first', 'first!').replace('# Chat', '# Our chat'))
    const { code, stderr } = place.troupe('resume')
    expect(code).toBe(0)
    expect(stderr).toContain('troupe work send --lines chat.md:5')
    expect(place.state().handoffs.size).toBe(2)
    expect(place.troupe('status').stdout).toMatch(/chat\.md:5 +not run/)
    expect(place.troupe('send', '--lines', 'chat.md:5').stderr).toContain('user to ada: first!')
    place.troupe('resume')
    expect([...place.state().handoffs.values()].map(({ text }) => text)).toEqual(['first', 'second', 'first!'])
    expect(place.state().attention).toEqual([])
  })

  test.each([
    ['chat.md', 'does not name lines'],
    ['chat.md:one', 'does not name lines'],
    ['../x.md:1', 'does not name lines'],
    ['chat.9.md:1', 'cannot be read'],
    ['chat.md:1', 'No message begins'],
  ])('lines that cannot be sent: %s', (lines, why) => {
    place = openPlace({ ada: 'echo done' })
    const { code, stderr } = place.troupe('send', '--lines', lines)
    expect(code).toBe(2)
    expect(stderr).toContain(why)
  })
})

describe('other versions, other rights', () => {
  test('a workplace of another version is left alone by every command', () => {
    place = openPlace({ ada: 'true' })
    place.put(
      '.workplace/run/journal.jsonl',
      '{"n":0,"records":[{"t":"open","format":3,"uuid":"u","at":1},{"t":"new"}]}\n',
    )
    const before = read(place.journal)
    for (const words of [['start', 'ada', 'x'], ['resume'], ['status'], ['log'], ['check'], ['stop'], ['doctor']]) {
      const { code, stderr } = place.troupe(...words)
      expect([words[0], code]).toEqual([words[0], 2])
      expect(stderr).toContain('The journal of this workplace has format 3; this version of Troupe reads format 2.')
    }
    expect(read(place.journal)).toBe(before)
  })

  test('a configuration that is none', () => {
    place = openPlace({ ada: 'true' })
    place.put('.workplace/config.json', '{ not json')
    const { code, stderr } = place.troupe('status')
    expect(code).toBe(2)
    expect(stderr).toContain('.workplace/config.json cannot be used: it is not valid JSON')
  })

  test('a folder that only others may write to: looking works, everything else is a sentence', () => {
    place = openPlace({ ada: 'echo done' })
    place.troupe('start', 'ada', 'work')
    const before = read(place.journal)
    const readers: string[][] = [['status'], ['log'], ['check'], ['doctor']]
    for (const words of readers) expect([words[0], place.asNobody(...words)]).toMatchObject([words[0], { code: 0 }])
    for (const words of [['start', 'ada', 'x'], ['send', 'user', 'ada', 'x'], ['resume'], ['stop']]) {
      const { code, stderr } = place.asNobody(...words)
      expect([words[0], code]).toEqual([words[0], 3])
      expect(stderr).toMatch(/^troupe: cannot write .*: /m)
      expect(stderr).not.toContain('at ')
    }
    expect(read(place.journal)).toBe(before)
  })

  test('a folder that nobody may look into', () => {
    place = openPlace({ ada: 'true' })
    chmodSync(place.folder, 0o700)
    const { code, stderr } = place.asNobody('status')
    expect(code).not.toBe(0)
    expect(stderr).not.toContain('    at ')
    expect(existsSync(place.journal)).toBe(true)
  })
})
