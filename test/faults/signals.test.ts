/** Ctrl-C, and two runs at once. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { formatIdentity, ownIdentity } from '../../src/disk/processes.ts'
import { readLockFile } from '../../src/project/read-text.ts'
import { openRun } from '../../src/sync/run/run.ts'
import { buildProgram, type Program } from './program.ts'
import { leftovers, liesOfLock, newRoot, open, put, removeRoots, snapshot, undone } from './stage.ts'

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

describe('Ctrl-C', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends the run tidily', async (signal, code) => {
    const { child, said, ended } = program.start('many', root, '100000', 'word')
    await said('300 files')
    child.kill(signal)
    expect(await ended).toMatchObject({ code, signal: null, stderr: '' })
    const files = Object.keys(snapshot(root)).filter((path) => path.endsWith('.md'))
    expect(files.length).toBeGreaterThan(299)
    expect(files.length).toBeLessThan(100_000)
    expect([...readLockFile(root).lock.keys()].sort()).toEqual(files.sort())
    expect(liesOfLock(root)).toEqual([])
    expect(leftovers(root)).toEqual([])
    undone(root)
    expect(snapshot(root)).toEqual({})
  })

  test('leaves the handling of signals as it was', () => {
    const before = process.listenerCount('SIGINT')
    const run = open(root)
    expect(process.listenerCount('SIGINT')).toBe(before + 1)
    run.commit()
    expect(process.listenerCount('SIGINT')).toBe(before)
    expect(process.listenerCount('exit')).toBeLessThan(10)
  })
})

describe('two runs at once', () => {
  test('the second is told so, and the first goes on', async () => {
    const { child, said, ended } = program.start('many', root, '100000', 'word')
    await said('100 files')
    const opened = openRun(root, 'convert')
    expect(opened).toEqual({
      refused: {
        reason: 'busy',
        message: `Another troupe is writing here (process ${child.pid}).`,
        hint: 'Wait until it finishes, then try again.',
      },
    })
    child.kill('SIGINT')
    expect((await ended).code).toBe(130)
    open(root).commit()
  })

  test('many at the same moment: one of them at a time', async () => {
    const results = await Promise.all(
      Array.from({ length: 6 }, (_, i) => program.start('many', root, '300', `word${i}`).ended),
    )
    const done = results.filter(({ code }) => code === 0)
    const refused = results.filter(({ stderr }) => stderr.includes('Another troupe is writing here'))
    expect(done.length).toBeGreaterThan(0)
    expect(done.length + refused.length).toBe(6)
    expect(liesOfLock(root)).toEqual([])
    expect(leftovers(root)).toEqual([])
  })

  /** A lock with somebody's name on it, as a run leaves it that is killed. */
  const leave = (who: string) => put(root, '.troupe/lock.7', who)
  const dead = () => spawnSync(process.execPath, ['-e', '0']).pid
  const me = ownIdentity()

  test.each<[string, () => string]>([
    ['a process that is gone', () => formatIdentity({ ...me, pid: dead() })],
    ['another process with its number', () => formatIdentity({ ...me, start: '123' })],
    ['rubbish', () => 'rubbish'],
  ])('the turn of %s is taken over', (_title, who) => {
    leave(who())
    const opened = openRun(root, 'convert')
    if ('refused' in opened) throw new Error(opened.refused.message)
    expect(readFileSync(join(root, '.troupe/lock.8'), 'utf8')).toBe(formatIdentity(me))
    expect(existsSync(join(root, '.troupe/lock.7'))).toBe(false)
    opened.run.abort()
    expect(readFileSync(join(root, '.troupe/lock.8'), 'utf8')).toBe('free')
  })

  test('one that has ended and was not fetched by its parent is dead', async () => {
    const parent = spawn('/bin/sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] })
    const [line] = await once(parent.stdout, 'data')
    const pid = Number(line)
    const stat = () => readFileSync(`/proc/${pid}/stat`, 'utf8')
    await vi.waitFor(() => expect(stat()).toContain(') Z '), { timeout: 10_000 })
    leave(formatIdentity({ ...me, pid, start: stat().split(' ')[21] ?? '' }))
    open(root).commit()
    parent.kill('SIGKILL')
  })

  const spaces = ['unshare', '--user', '--map-root-user', '--pid', '--kill-child', '--mount-proc']
  const inContainer = (...words: string[]) =>
    spawn('unshare', [...spaces.slice(1), process.execPath, program.path, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const canUnshare = spawnSync(spaces[0] ?? '', [...spaces.slice(1), 'true']).status === 0

  test.runIf(canUnshare)('one in a container, which nobody can ask: it is believed, and named', async () => {
    const child = inContainer('hold', root)
    await once(child.stdout, 'data')
    const opened = openRun(root, 'convert')
    expect(opened).toMatchObject({
      refused: {
        reason: 'busy',
        message: `Another troupe is writing here (process 1 on ${me.host}, in another container or on another machine).`,
      },
    })
    child.kill('SIGKILL')
    await once(child, 'close')
  })

  test.runIf(canUnshare)(
    'one that was killed in a container: its silence is waited for, and what it did is known',
    async () => {
      const child = inContainer('hold', root)
      await once(child.stdout, 'data')
      child.kill('SIGKILL')
      await once(child, 'close')
      const run = open(root)
      expect(run.continues).toBe('convert')
      run.commit()
      expect(liesOfLock(root)).toEqual([])
    },
  )

  test('one that was stopped so long that another took over writes nothing any more', async () => {
    const { child, said, ended } = program.start('many', root, '5000', 'word')
    await said('100 files')
    child.kill('SIGSTOP')
    const [held] = readdirSync(join(root, '.troupe')).filter((name) => /^lock\./.test(name))
    // As a process does that cannot see this one: it takes the next number, and removes the last.
    put(root, '.troupe/lock.99', formatIdentity(me))
    rmSync(join(root, `.troupe/${held}`))
    const before = snapshot(root)
    // Longer than the time in which it need not look.
    await new Promise((resolve) => setTimeout(resolve, 3100))
    child.kill('SIGCONT')
    const { code, stderr } = await ended
    expect(code).toBe(3)
    expect(stderr).toContain('Not written: another troupe has taken over while this one was stopped.')
    const after = snapshot(root)
    // The one file that it was writing when it was stopped may be there.
    expect(Object.keys(after).length - Object.keys(before).length).toBeLessThanOrEqual(1)
    expect(after['troupe.lock']).toBe(before['troupe.lock'])
    expect(readFileSync(join(root, '.troupe/lock.99'), 'utf8')).toBe(formatIdentity(me))
  })

  test('a program that fails in the middle gives its turn back, and what it wrote is known', async () => {
    const { code, stderr } = await program.start('crash', root).ended
    expect(code).toBe(1)
    expect(stderr).toContain('a defect')
    expect(leftovers(root)).toEqual([])
    const run = open(root)
    expect(run.continues).toBe('convert')
    expect([...run.owned.keys()]).toEqual(['a.md'])
    run.commit()
    expect(liesOfLock(root)).toEqual([])
  })
})
