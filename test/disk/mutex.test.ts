/** The mutex: many want it, owners are killed, and never do two have it; also where they cannot see each other. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
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
import { NOBODY } from '../faults/program.ts'
import { sabotage } from '../faults/saboteur.ts'

const folder = mkdtempSync(join(tmpdir(), 'troupe-lock-'))
const program = join(folder, 'contend.cjs')

/** Takes the lock again and again; whoever has it finds nobody alive who also has it. Some are killed with it. */
const contents = `
  import fs, { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
  import { Mutex } from '../../disk/mutex.ts'
  import { workplacePaths } from './paths.ts'
  const [root, count, patience, deadly] = process.argv.slice(2)
  if (process.env.LINKLESS === '1') fs.linkSync = () => { throw Object.assign(new Error('no links'), { code: 'EPERM' }) }
  const contender = new Mutex(workplacePaths(root).run, { patience: Number(patience) })
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

const asking = join(folder, 'ask.cjs')
const askingText = `
  import { Mutex, ownerText } from './mutex.ts'
  try {
    const lock = new Mutex(process.argv[2]).take()
    if (!('busy' in lock)) lock.release()
    process.stdout.write('busy' in lock ? 'busy' + (lock.isCertain ? ownerText(lock) : ', perhaps') : 'held')
  } catch (error) {
    process.stdout.write(error.code)
  }
`

const trusting = join(folder, 'trust.cjs')
const trustingText = `
  import { changeTrustList } from './trust-store.ts'
  for (let i = 0; i < 8; i++) changeTrustList('trusted-harnesses.json', (list) => [...(list ?? []), process.argv[2] + i])
`

beforeAll(async () => {
  chmodSync(folder, 0o755)
  const make = (text: string, outfile: string, room: string) => {
    const stdin = { contents: text, resolveDir: resolve(room), loader: 'ts' } as const
    return build({ stdin, outfile, bundle: true, platform: 'node', target: 'node20', logLevel: 'error' })
  }
  await make(contents, program, 'src/team/engine')
  await make(askingText, asking, 'src/disk')
  await make(trustingText, trusting, 'src/disk')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function newRoot(name: string): string {
  const root = join(folder, name)
  mkdirSync(workplacePaths(root).run, { recursive: true })
  return root
}

/** Six of them, each behind its own words; whoever is killed comes back. */
async function contend(
  root: string,
  count: string,
  patience: string,
  around: readonly string[][],
  environment = {},
): Promise<string[]> {
  const one = (before: readonly string[], left: number): Promise<void> =>
    new Promise((resolve) => {
      const deadly = before.length === 0 ? 'deadly' : 'peaceful'
      const [command = '', ...words] = [...before, process.execPath, program, root, count, patience, deadly]
      const child: ChildProcess = spawn(command, words, { stdio: 'ignore', env: { ...process.env, ...environment } })
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
    const lock = new Mutex(workplacePaths(root).run).take()
    expect('busy' in lock).toBe(false)
    if (!('busy' in lock)) lock.release()
    expect(readdirSync(workplacePaths(root).run).filter((name) => /^lock\./.test(name)).length).toBeLessThanOrEqual(1)
  })

  test('six on a disk without links, some of which are killed', async () => {
    const root = newRoot('linkless')
    const lines = await contend(root, '12', '30000', Array(6).fill([]), { LINKLESS: '1' })
    expect(new Set(lines)).toEqual(new Set(['had']))
    expect(lines.length).toBeGreaterThan(30)
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
    const lock = new Mutex(places.run).take()
    expect(new Mutex(places.run).take()).toMatchObject({ busy: true })
    expect(readMutexOwner(places.run)).toMatchObject({ pid: process.pid, isUp: true })
    if ('busy' in lock) throw new Error('it was free')
    expect(lock.holds()).toBe(true)
    lock.release()
    expect(readMutexOwner(places.run)).toBe(null)
    const next = new Mutex(places.run).take()
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
    const contender = new Mutex(places.run, { patience: 40 })
    // Times that a clock which jumps could leave there.
    for (const at of [0, 2_000_000_000, 10, 1_500_000_000, 5]) {
      beat(places, at)
      expect(contender.take()).toMatchObject({ busy: true })
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
    const stopped = new Mutex(places.run, { patience: 20, me: elsewhere }).take()
    if ('busy' in stopped) throw new Error('it was free')
    const contender = new Mutex(places.run, { patience: 20 })
    await until(() => !('busy' in contender.take()))
    expect(stopped.holds()).toBe(false)
    // Letting go of what it does not have takes it from nobody.
    stopped.release()
    expect(new Mutex(places.run).take()).toMatchObject({ busy: true })
  })
})

describe('what holds nothing', () => {
  test.each(['9007199254740992', '99999999999999999999999', '007'])('number %s', (number) => {
    const places = workplacePaths(newRoot(`number-${number}`))
    writeFileSync(join(places.run, `lock.${number}`), 'free')
    const lock = new Mutex(places.run).take()
    if ('busy' in lock) throw new Error('it was free')
    expect(lock.holds()).toBe(true)
    lock.release()
  })

  test('the last number that can be counted is followed by none', () => {
    const places = workplacePaths(newRoot('last'))
    writeFileSync(join(places.run, 'lock.9007199254740991'), 'free')
    expect(() => new Mutex(places.run).take()).toThrow('the highest possible number')
  })

  test.each([
    ['the number of a process that somebody else has by now', formatIdentity({ ...ownIdentity(), start: '1' })],
    ['rubbish in its place', 'what is this'],
  ])('%s', (name, text) => {
    const places = workplacePaths(newRoot(name))
    writeFileSync(join(places.run, 'lock.3'), text)
    const lock = new Mutex(places.run).take()
    expect('busy' in lock).toBe(false)
    if (!('busy' in lock)) lock.release()
  })
})

describe('what is not ours', () => {
  /** As somebody without special rights: what `take` answers in a folder. */
  const asNobody = (folder: string) => {
    const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
    const { stdout, stderr } = spawnSync(process.execPath, [asking, folder], { encoding: 'utf8', cwd: '/', ...user })
    expect(stderr).toBe('')
    return stdout
  }

  test('a folder that only others may write into', () => {
    const places = workplacePaths(newRoot('read-only'))
    expect(asNobody(places.run)).toBe('EACCES')
    expect(readdirSync(places.run)).toEqual([])
  })

  test('a folder in which it may write, and see nothing', () => {
    const { run } = workplacePaths(newRoot('blind'))
    chmodSync(run, 0o333)
    expect(asNobody(run)).toBe('EACCES')
  })

  test('the lock of another user, who lives', () => {
    const { run } = workplacePaths(newRoot('other-user'))
    chmodSync(run, 0o777)
    const lock = new Mutex(run).take()
    expect(asNobody(run)).toBe(`busy (process ${process.pid})`)
    if (!('busy' in lock)) lock.release()
    expect(asNobody(run)).toBe('held')
    expect(readdirSync(run)).toEqual(['lock.2'])
  })

  test('the lock of another user, in a folder where it must not be removed', () => {
    const { run } = workplacePaths(newRoot('sticky'))
    chmodSync(run, 0o1777)
    writeFileSync(join(run, 'lock.3'), 'free')
    expect(asNobody(run)).toBe('held')
    expect(asNobody(run)).toBe('held')
    expect(readdirSync(run).sort()).toEqual(['lock.3', 'lock.5'])
  })

  test('the lock of another user, which must not be read: who has it is not known, and only time can tell', () => {
    const { run } = workplacePaths(newRoot('unreadable'))
    chmodSync(run, 0o777)
    const lock = new Mutex(run).take()
    chmodSync(join(run, 'lock.1'), 0o600)
    expect(asNobody(run)).toBe('busy, perhaps')
    if (!('busy' in lock)) lock.release()
  })

  test('a folder, a link and a pipe with the name of a lock', () => {
    const { run } = workplacePaths(newRoot('odd'))
    mkdirSync(join(run, 'lock.1'))
    symlinkSync('/etc/passwd', join(run, 'lock.2'))
    spawnSync('mkfifo', [join(run, 'lock.3')])
    const lock = new Mutex(run).take()
    if ('busy' in lock) throw new Error('it was free')
    expect(lock.number).toBe(4)
    expect(readdirSync(run).sort()).toEqual(['lock.1', 'lock.4'])
    lock.release()
  })
})

describe('a full disk', () => {
  test('who cannot take it says so, and who has it can let go', () => {
    const { run } = workplacePaths(newRoot('full'))
    const lock = new Mutex(run).take()
    if ('busy' in lock) throw new Error('it was free')
    // Not even what needs no space works.
    const spy = sabotage('ENOSPC', 0, true)
    lock.release()
    expect(() => new Mutex(run).take()).toThrow('sabotaged')
    spy.stop()
    const next = new Mutex(run).take()
    if ('busy' in next) throw new Error('it was free')
    expect(next.number).toBe(2)
    expect(new Mutex(run).take()).toMatchObject({ busy: true })
    // In place it does: the first call reads, the second makes a file.
    const other = sabotage('ENOSPC', 1)
    next.release()
    other.stop()
    expect(readFileSync(join(run, 'lock.2'), 'utf8')).toBe('free')
  })
})

describe('an owner that is watched', () => {
  test('an empty file is somebody who is about to write his name, for a while', async () => {
    const { run } = workplacePaths(newRoot('empty'))
    writeFileSync(join(run, 'lock.3'), '')
    const contender = new Mutex(run, { patience: 40 })
    expect(contender.take()).toMatchObject({ busy: true, owner: null, isCertain: false })
    contender.settle()
    const lock = contender.take()
    expect('busy' in lock).toBe(false)
    if (!('busy' in lock)) lock.release()
  })

  test('settling ends with the first sign of life, and writes nothing', () => {
    const { run } = workplacePaths(newRoot('settle'))
    const file = join(run, 'lock.3')
    writeFileSync(file, formatIdentity({ ...ownIdentity(), space: 'pid:[1]' }))
    const contender = new Mutex(run, { patience: 600_000 })
    expect(contender.take()).toMatchObject({ busy: true, isCertain: false })
    utimesSync(file, 1, 1)
    contender.settle()
    expect(contender.take()).toMatchObject({ busy: true, isCertain: true })
    expect(readdirSync(run)).toEqual(['lock.3'])
  })
})

describe('a list that many change', () => {
  test('has everything that each of them added', async () => {
    const home = join(folder, 'home')
    mkdirSync(home)
    const add = (word: string) =>
      new Promise<void>((resolve) => {
        const env = { ...process.env, XDG_CONFIG_HOME: home }
        spawn(process.execPath, [trusting, word], { stdio: 'inherit', env }).on('exit', () => resolve())
      })
    await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(add))
    const list = JSON.parse(readFileSync(join(home, 'troupe/trusted-harnesses.json'), 'utf8'))
    expect(list.sort()).toEqual(
      ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((word) => Array.from({ length: 8 }, (_, i) => word + i)),
    )
  })
})

test('a workplace that was removed does not come back', () => {
  const root = join(folder, 'removed')
  expect(() => new Mutex(workplacePaths(root).run).take()).toThrow('ENOENT')
  expect(existsSync(root)).toBe(false)
})
