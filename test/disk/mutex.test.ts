/** The lock of a workplace: many want it, owners are killed, and never do two have it; also where they cannot see each other. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Mutex, readMutexOwner } from '../../src/disk/mutex.ts'
import { formatIdentity, ownIdentity } from '../../src/disk/processes.ts'
import { workplacePaths } from '../../src/team/engine/paths.ts'

const folder = mkdtempSync(join(tmpdir(), 'troupe-lock-'))
const program = join(folder, 'contend.cjs')

/** Takes the lock again and again; whoever has it finds nobody alive who also has it. Some are killed with it. */
const contents = `
  import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
  import { Mutex } from '../../disk/mutex.ts'
  import { workplacePaths } from './paths.ts'
  const [root, count, patience, deadly] = process.argv.slice(2)
  const contender = new Mutex(workplacePaths(root), Number(patience))
  const inside = root + '/inside'
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  async function main() {
    for (let had = 0; had < Number(count); ) {
      const lock = contender.take()
      if ('busy' in lock) { await pause(Math.random() * 3); continue }
      had++
      let other = null
      try { other = readFileSync(inside, 'utf8') } catch {}
      if (other !== null && other !== 'dying') appendFileSync(root + '/log', 'two at once\\n')
      writeFileSync(inside, 'alive')
      if (!lock.holds()) appendFileSync(root + '/log', 'lost\\n')
      await pause(Math.random() * 3)
      appendFileSync(root + '/log', 'had\\n')
      if (deadly === 'deadly' && Math.random() < 0.15) {
        writeFileSync(inside, 'dying')
        process.kill(process.pid, 'SIGKILL')
      }
      rmSync(inside)
      lock.release()
      await pause(0)
    }
  }
  main()
`

beforeAll(async () => {
  const stdin = { contents, resolveDir: resolve('src/team/engine'), loader: 'ts' } as const
  await build({ stdin, outfile: program, bundle: true, platform: 'node', target: 'node20', logLevel: 'error' })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function newRoot(name: string): string {
  const root = join(folder, name)
  mkdirSync(workplacePaths(root).run, { recursive: true })
  return root
}

/** Six of them, each behind its own words; whoever is killed comes back. */
async function contend(root: string, count: string, patience: string, around: readonly string[][]): Promise<string[]> {
  const one = (before: readonly string[], left: number): Promise<void> =>
    new Promise((resolve) => {
      const deadly = before.length === 0 ? 'deadly' : 'peaceful'
      const [command = '', ...words] = [...before, process.execPath, program, root, count, patience, deadly]
      const child: ChildProcess = spawn(command, words, { stdio: 'ignore' })
      child.on('exit', (_code, signal) => resolve(signal === 'SIGKILL' && left > 0 ? one(before, left - 1) : undefined))
    })
  await Promise.all(around.map((before) => one(before, 4)))
  return readFileSync(join(root, 'log'), 'utf8').trim().split('\n')
}

const spaces = ['unshare', '--user', '--map-root-user', '--net', '--pid', '--fork', '--mount-proc']
const canUnshare = spawnSync(spaces[0] ?? '', [...spaces.slice(1), 'true']).status === 0

describe('many want it', () => {
  test('six contend, some are killed with it in their hands, and never do two have it', async () => {
    const root = newRoot('contend')
    const lines = await contend(root, '12', '30000', [[], [], [], [], [], []])
    expect(new Set(lines)).toEqual(new Set(['had']))
    expect(lines.length).toBeGreaterThan(30)
    // Whatever happened, it is free now.
    const lock = new Mutex(workplacePaths(root)).take()
    expect('busy' in lock).toBe(false)
    if (!('busy' in lock)) lock.release()
    expect(readdirSync(workplacePaths(root).run).filter((name) => /^lock\./.test(name)).length).toBeLessThanOrEqual(1)
  })

  test.runIf(canUnshare)(
    'six in network and process namespaces of their own, which cannot see each other',
    async () => {
      const root = newRoot('spaces')
      const lines = await contend(root, '12', '30000', [spaces, spaces, spaces, spaces, spaces, spaces])
      expect(new Set(lines)).toEqual(new Set(['had']))
      expect(lines).toHaveLength(72)
    },
  )

  test('one who has it has it until he lets go', () => {
    const places = workplacePaths(newRoot('held'))
    const lock = new Mutex(places).take()
    expect(new Mutex(places).take()).toEqual({ busy: true })
    expect(readMutexOwner(places)).toMatchObject({ pid: process.pid, isUp: true })
    if ('busy' in lock) throw new Error('it was free')
    expect(lock.holds()).toBe(true)
    lock.release()
    expect(readMutexOwner(places)).toBe(null)
    const next = new Mutex(places).take()
    expect('busy' in next).toBe(false)
    if (!('busy' in next)) next.release()
  })
})

describe('an owner that cannot be asked', () => {
  const elsewhere = { ...ownIdentity(), space: 'pid:[1]' }
  const beat = (places: { run: string }, at: number) => utimesSync(join(places.run, 'lock.7'), at, at)
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
  }

  test.each([
    ['in another process namespace', elsewhere],
    ['on a machine that was started anew', { ...ownIdentity(), boot: 'another' }],
  ])('%s is believed while its heart beats, whatever the clock says', async (_where, who) => {
    const places = workplacePaths(newRoot(`beats-${who.boot}`))
    writeFileSync(join(places.run, 'lock.7'), formatIdentity(who))
    const contender = new Mutex(places, 40)
    // Times that a clock which jumps could leave there.
    for (const at of [0, 2_000_000_000, 10, 1_500_000_000, 5]) {
      beat(places, at)
      expect(contender.take()).toEqual({ busy: true })
      await new Promise((resolve) => setTimeout(resolve, 15))
    }
    await until(() => {
      const lock = contender.take()
      if (!('busy' in lock)) lock.release()
      return !('busy' in lock)
    })
  })

  test('one that comes back finds out that it no longer has it', async () => {
    const places = workplacePaths(newRoot('back'))
    const stopped = new Mutex(places, 20, elsewhere).take()
    if ('busy' in stopped) throw new Error('it was free')
    const contender = new Mutex(places, 20)
    await until(() => !('busy' in contender.take()))
    expect(stopped.holds()).toBe(false)
    // Letting go of what it does not have takes it from nobody.
    stopped.release()
    expect(new Mutex(places).take()).toEqual({ busy: true })
  })
})

describe('what holds nothing', () => {
  test.each(['9007199254740992', '99999999999999999999999', '007'])('number %s', (number) => {
    const places = workplacePaths(newRoot(`number-${number}`))
    writeFileSync(join(places.run, `lock.${number}`), 'free')
    const lock = new Mutex(places).take()
    if ('busy' in lock) throw new Error('it was free')
    expect(lock.holds()).toBe(true)
    lock.release()
  })

  test('the last number that can be counted is followed by none', () => {
    const places = workplacePaths(newRoot('last'))
    writeFileSync(join(places.run, 'lock.9007199254740991'), 'free')
    expect(() => new Mutex(places).take()).toThrow('a number that none can follow')
  })

  test.each([
    ['the number of a process that somebody else has by now', formatIdentity({ ...ownIdentity(), start: '1' })],
    ['rubbish in its place', 'what is this'],
    ['nothing in its place', ''],
  ])('%s', (name, text) => {
    const places = workplacePaths(newRoot(name))
    writeFileSync(join(places.run, 'lock.3'), text)
    const lock = new Mutex(places).take()
    expect('busy' in lock).toBe(false)
    if (!('busy' in lock)) lock.release()
  })
})

test('a workplace that was removed does not come back', () => {
  const root = join(folder, 'removed')
  expect(() => new Mutex(workplacePaths(root)).take()).toThrow('ENOENT')
  expect(existsSync(root)).toBe(false)
})
