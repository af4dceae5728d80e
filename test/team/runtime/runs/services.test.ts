/** Persistent members: they end with the work they were started for, unless they are to stay, and that is said. */
import { appendFileSync, closeSync, mkdirSync, openSync, readSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { isRunning } from '../../../../src/disk/processes.ts'
import { putInInbox } from '../../../../src/team/engine/inbox.ts'
import { openJournal } from '../../../../src/team/engine/open-journal.ts'
import { openPlace, type Place, read, until } from '../../new-workplace.ts'

let place: Place
afterEach(() => place.close())

const loop = 'while :; do sleep 0.1; done'

function openTeam(): void {
  place = openPlace({
    ada: 'until grep -q \'"t":"up"\' .workplace/run/journal.jsonl; do sleep 0.05; done; echo done',
    eye: null,
  })
  place.put('.workplace/agents/eye.md', '---\nname: eye\nrole: "Watcher"\npersistent: true\n---\nWatch.\n')
  const { work } = JSON.parse(read(`${place.root}/troupe.yaml`))
  work.members.eye = { command: loop }
  place.put('troupe.yaml', JSON.stringify({ work }))
}

const service = () => place.state().services.get('eye')
const entry = (name: string) => JSON.parse(read(place.status))[name]

test('one that was started for the work ends with it', () => {
  openTeam()
  const { code, stderr } = place.troupe('start', 'ada', 'work')
  expect(code).toBe(0)
  expect(stderr).toContain('Stopped with this work: eye. `--keep` leaves it running.\n')
  expect(service()).toMatchObject({ process: null, why: null })
  expect(entry('eye').status).toBe('stopped')
  expect(place.troupe('status').stdout).toMatch(/eye +stopped/)
  expect(place.troupe('doctor').stdout).toContain('not running')
})

test('with --keep it goes on, which is said, until it is stopped; work brings it back', async () => {
  openTeam()
  const { stderr } = place.troupe('start', 'ada', 'work', '--keep')
  expect(stderr).toMatch(/Still running in the background, pid \d+: eye\. `troupe work stop` stops it\.\n/)
  await until(() => place.state().epochs === 2)
  const process = service()?.process ?? { pid: 0, start: '' }
  expect(isRunning(process)).toBe(true)
  // Others who start work leave it as it is.
  expect(place.troupe('start', 'ada', 'more').stderr).not.toContain('eye')
  expect(place.troupe('stop', 'eye').code).toBe(0)
  await until(() => entry('eye').status === 'stopped' && !isRunning(process))
  const orchestrator = place.inBackground('resume', '--stay')
  await until(() => place.state().epochs === 3)
  place.troupe('send', 'user', 'eye', 'look')
  await until(() => entry('eye').status === 'running')
  place.troupe('stop')
  await orchestrator.ended
  expect(entry('eye').status).toBe('stopped')
})

test('process-status.json is made again where it was removed or spoilt, also when nothing happens', async () => {
  place = openPlace({ ada: 'echo done' })
  const orchestrator = place.inBackground('resume', '--stay')
  const isWhole = () => {
    try {
      return entry('server').status === 'running'
    } catch {
      return false
    }
  }
  await until(isWhole)
  rmSync(place.status)
  await until(isWhole)
  place.put('.workplace/process-status.json', '{ not json')
  await until(isWhole)
  await orchestrator.kill()
})

/** The end of what a persistent member finds its work in. */
function inboxTail(): string {
  const path = join(place.runs, service()?.run ?? '', 'inbox.jsonl')
  const bytes = Buffer.alloc(1024 * 1024)
  const file = openSync(path, 'r')
  try {
    const length = readSync(file, bytes, 0, bytes.length, Math.max(0, statSync(path).size - bytes.length))
    return bytes.toString('utf8', 0, length)
  } finally {
    closeSync(file)
  }
}

/** Whoever runs the workplace has looked at everything meanwhile. */
async function looked(): Promise<void> {
  for (const word of ['one', 'two']) {
    const before = place.state().messages.size
    putInInbox(place, {
      kind: 'message',
      from: 'ada',
      to: 'user',
      observers: [],
      text: word,
      run: null,
      worktree: false,
    })
    await until(() => place.state().messages.size > before)
  }
}

test('an inbox of any size takes the next work, once, also from the next process', async () => {
  openTeam()
  const first = place.inBackground('resume', '--stay')
  await until(() => service()?.process != null)
  const path = join(place.runs, service()?.run ?? '', 'inbox.jsonl')
  // More than is ever read of a file, and half a line at its end.
  truncateSync(path, 80 * 1024 * 1024)
  appendFileSync(path, '\n{"handoff":')
  place.troupe('send', 'user', 'eye', 'look')
  const [id] = [...place.state().open.keys()]
  const lines = () =>
    inboxTail()
      .split('\n')
      .filter((line) => line.startsWith(`{"handoff":"${id}","run":"${id}.1","from":"user","text":"look"`))
  await until(() => lines().length > 0)
  await looked()
  await first.kill()
  const second = place.inBackground('resume', '--stay')
  await until(() => place.state().epochs === 2)
  await looked()
  expect(lines()).toHaveLength(1)
  place.troupe('report', 'completed', 'seen', '--run', `${id}.1`)
  await until(() => place.state().handoffs.get(id ?? '')?.answer === 'seen')
  place.troupe('stop')
  await second.ended
})

test('a member that has put something else in the place of its inbox loses its own work, and nothing else', async () => {
  openTeam()
  const orchestrator = place.inBackground('resume', '--stay')
  await until(() => service()?.process != null)
  const path = join(place.runs, service()?.run ?? '', 'inbox.jsonl')
  rmSync(path)
  mkdirSync(path)
  place.troupe('send', 'user', 'eye', 'look')
  await until(() => [...place.state().handoffs.values()].some(({ status }) => status === 'dead'))
  expect([...place.state().handoffs.values()][0]?.why).toContain('its inbox could not be written')
  await looked()
  expect(isRunning(service()?.process ?? { pid: 0, start: '' })).toBe(true)
  place.troupe('stop')
  await orchestrator.ended
})

test('one that was to be stopped by a process that came no further is stopped by the next', async () => {
  openTeam()
  const first = place.inBackground('resume', '--stay')
  await until(() => service()?.process != null)
  const process = service()?.process ?? { pid: 0, start: '' }
  await first.kill()
  const { journal } = openJournal(place.journal, '')
  journal.append([{ t: 'stopped', agent: 'eye', at: 1, key: 'k' }], journal.next)
  journal.close()
  const second = place.inBackground('resume', '--stay')
  await until(() => !isRunning(process) && entry('eye').status === 'stopped')
  place.troupe('stop')
  await second.ended
})
