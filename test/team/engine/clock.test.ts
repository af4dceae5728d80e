/** The clock by which time limits are kept: the same for all processes, and it stands still while the machine sleeps. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'troupe-clock-'))
const program = join(folder, 'clock.cjs')
const contents = `import { systemClock } from './engine.ts'; console.log(systemClock.steady())`
beforeAll(async () => {
  const stdin = { contents, resolveDir: resolve('src/team/engine'), loader: 'ts' } as const
  await build({ stdin, outfile: program, bundle: true, platform: 'node', target: 'node20', logLevel: 'error' })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** To what runs in it, the machine has slept for so many seconds: it is up for longer than it was awake. */
const slept = (seconds: number) => ['unshare', '-r', '-T', '--boottime', `${seconds}`, '--fork', '--mount-proc', '-p']
const [command = '', ...rest] = slept(1_000_000)
const canSleep = spawnSync(command, [...rest, 'true']).status === 0

function steadyIn(...around: string[]): number {
  const [first = '', ...words] = [...around, process.execPath, program]
  return Number(spawnSync(first, words, { encoding: 'utf8' }).stdout)
}

test.runIf(canSleep)('a machine that slept for eleven days has not worked for eleven days', () => {
  const awake = steadyIn()
  const after = steadyIn(...slept(1_000_000))
  expect(after).toBeGreaterThan(awake)
  // A minute at the most lies between two processes, and not what was slept.
  expect(after - awake).toBeLessThan(500_000_000)
})

test('a later process reads a later time', () => {
  const [first, second] = [steadyIn(), steadyIn()]
  expect(first).toBeGreaterThan(0)
  expect(second).toBeGreaterThan(first)
})
