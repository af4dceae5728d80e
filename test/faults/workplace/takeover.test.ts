/** Several orchestrators of one workplace that cannot see each other, or were stopped: one works, and every handoff is done once. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { putInInbox } from '../../../src/team/engine/inbox.ts'
import { openPlace, type Place } from '../../team/new-workplace.ts'

let place: Place
const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) {
    for (const pid of childrenOf(child.pid ?? 0)) process.kill(pid, 'SIGKILL')
    child.kill('SIGKILL')
  }
  place.close()
})

const outside: readonly string[] = []
const network = ['unshare', '--user', '--map-root-user', '--net']
const container = ['unshare', '--user', '--map-root-user', '--net', '--pid', '--fork', '--kill-child', '--mount-proc']
const canUnshare = spawnSync(container[0] ?? '', [...container.slice(1), 'true']).status === 0

/** Who runs it, and where; what it does goes to a file outside of the workplace. */
function orchestrate(where: readonly string[], ...words: string[]): ChildProcess {
  const all = [...where, process.execPath, resolve('dist/cli.cjs'), '-C', place.root, 'work', 'resume', ...words]
  const [command = '', ...rest] = all
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('TROUPE_'))
  const child = spawn(command, rest, { env: { ...Object.fromEntries(own), NO_COLOR: '1' }, stdio: 'ignore' })
  started.push(child)
  return child
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function send(count: number, word: string): void {
  for (let number = 0; number < count; number++) {
    const message = { from: 'user', to: number % 2 ? 'ada' : 'ben', observers: [], text: `${word} ${number}` }
    if (number % 3) putInInbox(place, { kind: 'message', ...message, run: null, worktree: false })
    else appendFileSync(place.chat, `[user-to-${message.to}]: ${message.text}\n`)
  }
}

/** Each run leaves a line in a file that no orchestrator knows of. */
const ran = () =>
  existsSync(join(place.root, 'ran')) ? readFileSync(join(place.root, 'ran'), 'utf8').trim().split('\n') : []
const completed = () => [...place.state().handoffs.values()].filter(({ status }) => status === 'completed')
const open = () => openPlace({ ada: 'echo "$TROUPE_HANDOFF" >> ran; echo done', ben: 'echo "$TROUPE_HANDOFF" >> ran' })

async function until(what: () => boolean): Promise<void> {
  for (const limit = performance.now() + 60_000; !what(); ) {
    if (performance.now() > limit)
      throw new Error(`waited in vain: ${what}\n${JSON.stringify([...place.state().open.values()])}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function expectOnce(count: number): void {
  expect(completed()).toHaveLength(count)
  expect(new Set(ran()).size).toBe(count)
  expect(ran()).toHaveLength(count)
}

describe.runIf(canUnshare)('in namespaces of their own', () => {
  test.each([
    ['the second in another network', outside, network],
    ['the first in another network', network, outside],
    ['the second in a container', outside, container],
    ['the first in a container', container, outside],
    ['two containers', container, container],
  ])('%s: one works, the other waits', async (_where, first, second) => {
    place = open()
    orchestrate(first, '--stay')
    await until(() => place.state().epochs === 1)
    orchestrate(second, '--stay')
    for (let round = 1; round <= 3; round++) {
      send(10, `round ${round}`)
      await until(() => completed().length === 10 * round)
    }
    expectOnce(30)
    expect(place.state().epochs).toBe(1)
    expect(place.troupe('doctor').code).toBe(0)
  })

  test('one that is killed is followed by the other, although that cannot ask whether it lives', async () => {
    place = open()
    const first = orchestrate(container, '--stay')
    await until(() => place.state().epochs === 1)
    orchestrate(outside, '--stay')
    send(4, 'before')
    await until(() => completed().length === 4)
    first.kill('SIGKILL')
    send(4, 'after')
    await until(() => completed().length === 8)
    expectOnce(8)
    expect(place.state().epochs).toBe(2)
  })

  test('one that is stopped for longer than others wait finds out when it goes on, and does nothing', async () => {
    place = open()
    const first = orchestrate(container, '--stay')
    await until(() => place.state().epochs === 1)
    send(4, 'before')
    await until(() => completed().length === 4)
    const [node = 0] = childrenOf(first.pid ?? 0)
    process.kill(node, 'SIGSTOP')
    orchestrate(outside, '--stay')
    await until(() => place.state().epochs === 2)
    send(6, 'meanwhile')
    process.kill(node, 'SIGCONT')
    send(6, 'after')
    await until(() => completed().length === 16)
    expectOnce(16)
    // It watches now, and is there when the other one is gone.
    expect(existsSync(`/proc/${node}`)).toBe(true)
    expect(place.state().epochs).toBe(2)
    expect(place.troupe('stop').code).toBe(0)
  })
})

test('a time limit is kept, however often the orchestrator is killed', async () => {
  place = openPlace({ ada: 'echo x >> ran; sleep 300' }, { minutes: 0.1, attempts: 1 })
  place.put('.workplace/chat.md', `${readFileSync(place.chat, 'utf8')}[user-to-ada]: hang\n`)
  const isDead = () => [...place.state().handoffs.values()].some(({ status }) => status === 'dead')
  for (const limit = performance.now() + 60_000; !isDead() && performance.now() < limit; ) {
    const child = orchestrate(outside)
    const ended = new Promise((resolve) => child.on('exit', resolve))
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 2500))])
    child.kill('SIGKILL')
    await ended
  }
  const [handoff] = [...place.state().handoffs.values()].filter(({ to }) => to === 'ada')
  expect(handoff?.why).toBe('it did not end within 0.1 minutes')
  expect(ran()).toHaveLength(1)
})
