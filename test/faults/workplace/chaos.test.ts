/** Hundreds of handoffs, and everything that can go wrong: each has one accepted completion, or a dead letter with a reason. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { killProcesses } from '../../../src/disk/processes.ts'
import type { Figures } from './account.ts'
import { type Play, playChaos } from './chaos.ts'
import { wantedFaults } from './mischief.ts'
import { brokenPromises, faultNames, faultsPage, formOf, PAGE } from './page.ts'
import { processesIn } from './scene.ts'

const isUpdate = process.env.UPDATE !== undefined
const seeds = process.env.SEED?.split(',').map(Number) ?? (isUpdate ? [20261115, 20261116, 20261117] : [20261118])
const messages = Number(process.env.HANDOFFS ?? (isUpdate ? 600 : 200))
/** The most that one play may take (ms). */
const LIMIT = Math.max(240_000, messages * 1000)
const folder = mkdtempSync(join(tmpdir(), 'troupe-chaos-'))
/** Disks that can be filled; never memory without a limit. */
const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'none', '/mnt']).status === 0
const plays: Figures[] = []

beforeAll(async () => {
  plays.push(...(await Promise.all(seeds.map(playWith))))
  const rows = faultsPage(plays)
    .split('\n')
    .filter((line) => line.startsWith('| '))
  console.log(rows.join('\n'))
  for (const { reasons } of plays)
    for (const [reason, times] of Object.entries(reasons)) console.log(`dead: ${reason} (${times})`)
  // What to look at where a message is missing.
  for (const { lost, held, story } of plays) if (lost.length > 0) console.log([...story, ...held].join('\n'))
  if (isUpdate) writeFileSync(PAGE, faultsPage(plays))
}, LIMIT + 20_000)

async function playWith(seed: number): Promise<Figures> {
  const [root, ledger] = [join(folder, `disk-${seed}`), join(folder, `ledger-${seed}`)]
  for (const path of [root, ledger]) mkdirSync(path)
  const play: Play = { root, ledger, cli: resolve('dist/cli.cjs'), seed, messages, hasDisks: canMount }
  return canMount ? playOnSmallDisks(play) : playChaos(play)
}

/** In a process of its own, because only that one sees the disks. */
async function playOnSmallDisks(play: Play): Promise<Figures> {
  const program = join(folder, `chaos-${play.seed}.cjs`)
  const contents = `
    import { playChaos } from './chaos.ts'
    playChaos(JSON.parse(process.argv[2])).then((figures) => console.log(JSON.stringify(figures)))
  `
  const stdin = { contents, resolveDir: resolve('test/faults/workplace'), loader: 'ts' } as const
  const options = {
    bundle: true,
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
  } satisfies BuildOptions
  await build({ stdin, outfile: program, logLevel: 'error', ...options })
  const mount = 'mount -t tmpfs -o size=64m none "$1" && exec "$0" "$2" "$3"'
  const words = ['-rm', 'sh', '-c', mount, process.execPath, play.root, program, JSON.stringify(play)]
  const child = spawn('unshare', words, { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.on('data', (data) => {
    printed += data
  })
  const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT)
  await new Promise((resolve) => child.on('close', resolve))
  clearTimeout(limit)
  return JSON.parse(printed)
}

afterAll(() => {
  for (const seed of seeds)
    killProcesses(processesIn(join(folder, `disk-${seed}`), join(folder, `ledger-${seed}`)).map(Number))
  rmSync(folder, { recursive: true, force: true })
})

describe('after all of that', () => {
  test('no message is lost, none became two handoffs, and nothing ran that was not sent', () => {
    for (const figures of plays) {
      expect(figures).toMatchObject({ lost: [], doubled: [], strange: [] })
      expect(figures.handoffs).toBeGreaterThanOrEqual(messages)
    }
  })

  test('every handoff has exactly one accepted completion, or is a dead letter with a reason', () => {
    for (const figures of plays) {
      expect(figures).toMatchObject({ completedTwice: [], undecided: [] })
      expect(Object.keys(figures.reasons)).not.toContain('')
    }
  })

  test('what was completed was done, and never begun again', () => {
    for (const figures of plays) expect(figures).toMatchObject({ unearned: [], begunAgain: [] })
  })

  test('no run was started twice, although two orchestrators were there', () => {
    for (const { startedTwice } of plays) expect(startedTwice).toEqual([])
  })

  test('nothing is left behind: no process, no claim, no draft, no lock', () => {
    for (const figures of plays) expect(figures).toMatchObject({ orphans: [], leftovers: [] })
  })

  test('no orchestrator stumbled', () => {
    for (const { broken } of plays) expect(broken).toEqual([])
  })

  test('everything that should have gone wrong did', () => {
    for (const { faults } of plays) {
      expect(wantedFaults(canMount).filter((name) => (faults[name] ?? 0) === 0)).toEqual([])
      expect(Object.keys(faults).filter((name) => !faultNames.includes(name))).toEqual([])
    }
  })
})

test('the page tells of such plays, and of nothing that must never happen', () => {
  expect(existsSync(PAGE)).toBe(true)
  const page = readFileSync(PAGE, 'utf8')
  expect(formOf(page)).toBe(formOf(faultsPage(plays)))
  expect(brokenPromises(page)).toEqual([])
})
