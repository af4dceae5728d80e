/** Disks that are full, read-only or broken: what failed is said, the rest is whole, and the lock tells the truth. */
import { spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readLockFile } from '../../src/project/read-text.ts'
import { openRun } from '../../src/sync/run/run.ts'
import { type DiskReport, diskReport } from './full-disk.ts'
import { buildProgram, NOBODY, type Program } from './program.ts'
import { type Fault, sabotage } from './saboteur.ts'
import {
  copyOf,
  get,
  leftovers,
  liesOfLock,
  newRoot,
  open,
  put,
  removeRoot,
  removeRoots,
  snapshot,
  undone,
  write,
} from './stage.ts'
import { change, endsOfChange, prepare } from './work.ts'

let program: Program
let root: string

beforeAll(async () => {
  program = await buildProgram()
})
afterAll(() => program.remove())
beforeEach(() => {
  root = newRoot()
})
afterEach(removeRoots)

describe('every change of the disk that can fail', () => {
  const kinds: [Fault, boolean][] = [
    ['ENOSPC', true],
    ['ENOSPC', false],
    ['EACCES', true],
    ['EIO', false],
    ['half', false],
  ]
  test.each(kinds)('%s (lasting: %s)', (fault, lasting) => {
    const { before, after } = endsOfChange()
    let moments = 0
    for (let at = 0, more = true; more; at++) {
      const here = newRoot()
      prepare(here)
      const { failed, count } = sabotagedChange(here, fault, at, lasting)
      more = count > at
      const seen = snapshot(here)
      for (const [path, what] of Object.entries(seen)) {
        if (path !== 'troupe.lock') expect([before[path], after[path]], `${path} after ${at}`).toContain(what)
      }
      const lockFailed = failed === null || failed.has('troupe.lock')
      if (!lockFailed) expect(liesOfLock(here), `after ${at}`).toEqual([])
      if (lockFailed) expect(seen['troupe.lock']).toBe(before['troupe.lock'])
      expect(leftovers(here), `after ${at}`).toEqual([])
      const other = copyOf(here)
      undone(here)
      expect(snapshot(here), `undone after ${at}`).toEqual(before)
      expect(change(other).size).toBe(0)
      expect(snapshot(other), `finished after ${at}`).toEqual(after)
      undone(other)
      // A run that came to its end is the last but one then, and stays.
      expect(lockFailed ? [before] : [before, seen], `finished and undone after ${at}`).toContainEqual(snapshot(other))
      if (failed === null || failed.size > 0) moments++
      for (const one of [here, other]) removeRoot(one)
    }
    expect(moments).toBeGreaterThan(fault === 'half' ? 10 : 20)
  })
})

/** `failed: null`: the run could not even begin. */
function sabotagedChange(here: string, fault: Fault, at: number, lasting: boolean) {
  const spy = sabotage(fault, at, lasting)
  try {
    return { failed: change(here), count: spy.calls.length }
  } catch (error) {
    expect((error as Error).message).toMatch(/^(?:Cannot write into .*: .*|The lock file cannot be read \(.*\))\.$/)
    return { failed: null, count: spy.calls.length }
  } finally {
    spy.stop()
  }
}

describe('a lock that cannot be written', () => {
  test('stays as it was, and what was written is known and can be taken back', () => {
    prepare(root)
    const before = snapshot(root)
    const run = open(root)
    write(run, 'new.md', 'new')
    run.edit('opencode.json', Buffer.from('{}'))
    const spy = sabotage('ENOSPC', 0, true)
    const { failed } = run.commit()
    spy.stop()
    expect(Object.fromEntries(failed)).toEqual({
      'troupe.lock': { message: 'Not written: the disk is full.', code: 'ENOSPC' },
    })
    expect(get(root, 'new.md')).toBe('new')
    expect(snapshot(root)['troupe.lock']).toBe(before['troupe.lock'])
    expect(open(copyOf(root)).plan('new.md', Buffer.from('newer'))).toBe('ours')
    undone(root)
    expect(snapshot(root)).toEqual(before)
  })
})

describe('what cannot be taken back', () => {
  test('stays ours until it can', () => {
    prepare(root)
    const before = snapshot(root)
    change(root)
    const { lock } = readLockFile(root)
    const removals = sabotagedCalls(() => undone(copyOf(root))).indexOf('unlinkSync')
    const spy = sabotage('EACCES', removals)
    const first = undone(root)
    spy.stop()
    expect(Object.values(first ?? {}).sort()).toEqual(['failed', 'removed', ...Array(4).fill('restored')])
    expect(readLockFile(root).lock).toEqual(lock)
    expect(Object.values(undone(root) ?? {}).sort()).toEqual(['removed', 'restored'])
    expect(snapshot(root)).toEqual(before)
  })
})

describe('the order of writing', () => {
  test('the lock comes last, and is on the disk before the run is over', () => {
    const calls = sabotagedCalls(() => {
      const run = open(root)
      for (let i = 0; i < 640; i++) write(run, `agents/${i}.md`, String(i))
      run.commit()
    })
    // Then the turn is given back, which is not for long.
    const last = ['openSync', 'writeSync', 'fsyncSync', 'renameSync', 'fsyncSync', 'writeSync']
    expect(calls.slice(-10)).toEqual([...last, 'openSync', 'openSync', 'writeSync', 'renameSync'])
  })
})

/** What is changed on the disk, by the name of the call, with nothing going wrong. */
function sabotagedCalls(work: () => void): readonly string[] {
  const spy = sabotage('EIO', Number.POSITIVE_INFINITY)
  try {
    work()
    return spy.calls
  } finally {
    spy.stop()
  }
}

describe('folders that must not be written', () => {
  /** The process is somebody else, to whom the project must belong. */
  function handOver(): void {
    if (process.getuid?.() === 0) spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, root])
  }

  test('a read-only folder: its files are named, the others are written', async () => {
    put(root, '.opencode/agents/group-3/mine.md', 'mine')
    const before = snapshot(root)
    chmodSync(join(root, '.opencode/agents/group-3'), 0o555)
    handOver()
    const { code, stderr } = await program.startAsNobody('many', root, '21', 'word').ended
    expect(stderr.trim().split('\n').sort()).toEqual(
      [10, 17, 3].map((i) => `.opencode/agents/group-3/agent-${i}.md: Not written: permission denied.`),
    )
    expect(code).toBe(3)
    expect(liesOfLock(root)).toEqual([])
    expect(Object.keys(snapshot(root)).filter((path) => path.endsWith('.md'))).toHaveLength(19)
    chmodSync(join(root, '.opencode/agents/group-3'), 0o755)
    undone(root)
    expect(snapshot(root)).toEqual(before)
  })

  test('a read-only root: nothing begins', async () => {
    handOver()
    chmodSync(root, 0o555)
    const { code, stderr } = await program.startAsNobody('many', root, '21', 'word').ended
    expect(stderr).toContain(`Cannot write into ${root}: permission denied.`)
    expect(code).toBe(1)
    chmodSync(root, 0o755)
    expect(snapshot(root)).toEqual({})
  })

  test('a file where a folder should be, and a folder where a file should be', () => {
    put(root, '.opencode/agents', 'a file')
    put(root, 'here.md/inside', 'a file')
    const run = open(root, { force: true })
    expect(run.plan('.opencode/agents/a.md', Buffer.from('a'))).toBe('new')
    expect(run.plan('here.md', Buffer.from('a'))).toBe('foreign')
    write(run, '.opencode/agents/a.md', 'a')
    write(run, '.opencode/agents/deep/a.md', 'a')
    write(run, 'here.md', 'a')
    write(run, 'fine.md', 'a')
    run.flush()
    expect([...run.failed.keys()]).toContain('.opencode/agents/a.md')
    const { failed, changed } = run.commit()
    expect([...failed].map(([path, { message }]) => `${path}: ${message}`)).toEqual([
      'here.md: Not written: a folder is in its place.',
      '.opencode/agents/a.md: Not written: a file is in the place of its folder.',
      '.opencode/agents/deep/a.md: Not written: a file is in the place of its folder.',
    ])
    expect(changed).toBe(1)
    expect(liesOfLock(root)).toEqual([])
  })

  test('a folder of Troupe that is no folder, or leads elsewhere', () => {
    put(root, '.troupe', 'a file')
    const opened = openRun(root, 'convert')
    expect('refused' in opened && opened.refused.message).toContain('a file is in the place of its folder')
  })
})

test('a disk that is large enough: nothing to report', () => {
  expect(diskReport('full', root)).toEqual({
    written: 200,
    failures: [],
    torn: [],
    lies: [],
    leftovers: [],
    after: ['.troupe'],
  })
})

/** A disk of 400 kB, seen only by the process that is started with it. */
const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0

describe.runIf(canMount)('a disk of its own', () => {
  function onDisk(task: string, place: string): DiskReport {
    const script = `mount -t tmpfs -o size=400k none "${place}" && exec "${process.execPath}" "${program.path}" ${task} "${root}"`
    const { stdout, stderr } = spawnSync('unshare', ['-rm', 'sh', '-c', script], { encoding: 'utf8' })
    expect(stderr).toBe('')
    return JSON.parse(stdout)
  }

  test('that fills up half way', () => {
    const report = onDisk('full', root)
    expect(report.written).toBeGreaterThan(20)
    expect(report.failures).toEqual(['Not written: the disk is full.'])
    expect(report).toMatchObject({ torn: [], leftovers: [], after: ['.troupe'] })
  })

  test('inside the root: files get there too', () => {
    put(root, '.opencode/keep', '')
    const report = onDisk('mounted', join(root, '.opencode'))
    expect(report).toMatchObject({ written: 5, failures: [], torn: [], lies: [], leftovers: [] })
  })
})
