/** 500 handoffs, and everything that can go wrong: each has one accepted completion, or a dead letter with a reason. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Figures } from './account.ts'
import { playChaos } from './chaos.ts'
import { brokenPromises, faultNames, faultsPage, formOf, PAGE } from './page.ts'
import { processesIn } from './scene.ts'

const seed = Number(process.env.SEED ?? 20261115)
const HANDOFFS = 500
const folder = mkdtempSync(join(tmpdir(), 'troupe-chaos-'))
/** A disk that can be filled; never memory without a limit. */
const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'none', '/mnt']).status === 0
const root = join(folder, 'disk')
let figures: Figures

beforeAll(async () => {
  mkdirSync(root)
  const cli = resolve('dist/cli.cjs')
  figures = canMount ? await playOnSmallDisk(cli) : await playChaos(root, cli, seed, HANDOFFS, false)
  const rows = faultsPage(figures).split('\n')
  console.log([`seed ${seed}, ${figures.seconds} s`, ...rows.filter((line) => line.startsWith('| '))].join('\n'))
  for (const [reason, times] of Object.entries(figures.reasons)) console.log(`dead: ${reason} (${times})`)
  if (process.env.UPDATE !== undefined) writeFileSync(PAGE, faultsPage(figures))
}, 260_000)

/** In a process of its own, because only that one sees the disk. */
async function playOnSmallDisk(cli: string): Promise<Figures> {
  const program = join(folder, 'chaos.cjs')
  const contents = `
    import { playChaos } from './chaos.ts'
    const [root, cli] = process.argv.slice(2)
    playChaos(root, cli, ${seed}, ${HANDOFFS}, true).then((figures) => console.log(JSON.stringify(figures)))
  `
  const stdin = { contents, resolveDir: resolve('test/faults/workplace'), loader: 'ts' } as const
  await build({ stdin, outfile: program, bundle: true, platform: 'node', target: 'node20', logLevel: 'error' })
  const mount = 'mount -t tmpfs -o size=64m none "$1" && exec "$0" "$2" "$1" "$3"'
  const words = ['-rm', 'sh', '-c', mount, process.execPath, root, program, cli]
  const child = spawn('unshare', words, { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.on('data', (data) => {
    printed += data
  })
  const limit = setTimeout(() => child.kill('SIGKILL'), 240_000)
  await new Promise((resolve) => child.on('close', resolve))
  clearTimeout(limit)
  return JSON.parse(printed)
}

afterAll(() => {
  for (const pid of processesIn(root)) process.kill(Number(pid), 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

describe('after all of that', () => {
  test('no message is lost, and none became two handoffs', () => {
    expect(figures).toMatchObject({ lost: [], doubled: [] })
    expect(figures.handoffs).toBeGreaterThanOrEqual(500)
  })

  test('every handoff has exactly one accepted completion, or is a dead letter with a reason', () => {
    expect(figures).toMatchObject({ completedTwice: [], undecided: [] })
    expect(figures.completed + figures.dead).toBe(figures.handoffs)
    expect(Object.keys(figures.reasons)).not.toContain('')
  })

  test('no run was started twice, although two orchestrators were there', () => {
    expect(figures.startedTwice).toEqual([])
  })

  test('nothing is left behind: no process, no claim, no draft, no lock', () => {
    expect(figures).toMatchObject({ orphans: [], leftovers: [] })
  })

  test('no orchestrator stumbled', () => {
    expect(figures.broken).toEqual([])
  })

  test('everything that should have gone wrong did', () => {
    const wanted = faultNames.filter((name) => canMount || name !== 'times the disk was full')
    expect(wanted.filter((name) => (figures.faults[name] ?? 0) === 0)).toEqual([])
    expect(Object.keys(figures.faults).filter((name) => !(faultNames as readonly string[]).includes(name))).toEqual([])
  })
})

test('the page tells of such a run, and of nothing that must never happen', () => {
  expect(existsSync(PAGE)).toBe(true)
  const page = readFileSync(PAGE, 'utf8')
  expect(formOf(page)).toBe(formOf(faultsPage(figures)))
  expect(brokenPromises(page)).toEqual([])
})
