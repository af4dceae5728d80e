/** Ctrl-C, and two runs at once. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, utimesSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
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
        hint: 'Wait until it has ended, then try again.',
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

  const dead = () => spawnSync(process.execPath, ['-e', '0']).pid
  const cases: [string, () => string, boolean][] = [
    ['a process that is gone', () => `${dead()} 123 ${hostname()}`, true],
    ['another process with its number', () => `${process.pid} 123 ${hostname()}`, existsSync('/proc')],
    ['rubbish, long ago', () => 'rubbish', true],
    ['another machine, long ago', () => '1 123 elsewhere', true],
  ]
  test.each(cases)('the turn of %s is taken over', (_title, who, taken) => {
    mkdirSync(join(root, '.troupe'))
    const turn = join(root, '.troupe/running')
    put(root, '.troupe/running', who())
    utimesSync(turn, 1, 1)
    const opened = openRun(root, 'convert')
    expect('run' in opened).toBe(taken)
    if ('refused' in opened) return
    expect(readlinkSync(turn)).toContain(`${process.pid} `)
    opened.run.abort()
    expect(existsSync(turn)).toBe(false)
  })

  test('one that has ended and was not fetched by its parent is dead', async () => {
    const parent = spawn('/bin/sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] })
    const [line] = await once(parent.stdout, 'data')
    const pid = Number(line)
    const stat = () => readFileSync(`/proc/${pid}/stat`, 'utf8')
    await vi.waitFor(() => expect(stat()).toContain(') Z '), { timeout: 10_000 })
    mkdirSync(join(root, '.troupe'))
    symlinkSync(`${pid} ${stat().split(' ')[21]} ${hostname()}`, join(root, '.troupe/running'))
    open(root).commit()
    parent.kill('SIGKILL')
  })

  test('another machine, just now, is believed', () => {
    mkdirSync(join(root, '.troupe'))
    symlinkSync('1 123 elsewhere', join(root, '.troupe/running'))
    expect(openRun(root, 'convert')).toMatchObject({ refused: { reason: 'busy' } })
    expect(lstatSync(join(root, '.troupe/running')).isSymbolicLink()).toBe(true)
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
