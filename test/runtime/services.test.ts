/** Persistent members: they end with the work they were started for, unless they are to stay, and that is said. */
import { rmSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { isRunning } from '../../src/runtime/processes.ts'
import { openPlace, type Place, read, until } from './place.ts'

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
  expect(stderr).toContain('eye ran for this work and has ended with it; --keep leaves it running.\n')
  expect(service()).toMatchObject({ process: null, why: null })
  expect(entry('eye').status).toBe('stopped')
  expect(place.troupe('status').stdout).toMatch(/eye +stopped/)
  expect(place.troupe('doctor').stdout).toContain('not running')
})

test('with --keep it goes on, which is said, until it is stopped; work brings it back', async () => {
  openTeam()
  const { stderr } = place.troupe('start', 'ada', 'work', '--keep')
  expect(stderr).toMatch(/eye goes on in the background, pid \d+\. `troupe work stop` ends it\.\n/)
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
