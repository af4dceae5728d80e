/** `npm run bench`: CPU time of the commands against a baseline, and with `--peers` against rulesync, in one run. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import module from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { findSources, isStrictYaml, makeProject } from './agents.ts'
import { measureBuild } from './build.ts'
import { measureHud } from './hud.ts'
import { measure, type Row } from './measure.ts'
import { installPeer, measureRulesync } from './peers.ts'

if (!existsSync('dist/cli.cjs')) spawnSync(process.execPath, ['scripts/build.mjs', '--quick'], { stdio: 'inherit' })
const troupe = resolve('dist/cli.cjs')
const loop = resolve('bench/read-loop.cjs')
const copy = resolve('bench/copy-loop.cjs')
const wantsPeers = process.argv.includes('--peers')
const peer = wantsPeers ? installPeer() : null
if (wantsPeers && peer === null) process.exit(1)
const { texts, isCorpus } = findSources()
if (!isCorpus) {
  const broken = texts.filter((text) => !isStrictYaml(text)).length
  console.log(`There is no corpus: the ${texts.length} agents of examples/.claude are repeated instead.`)
  console.log(`The limits were set with the corpus; broken YAML, as in ${broken} of these, costs more to read.`)
}
// In memory where possible: the program is measured, not the disk.
const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'troupe-bench-'))

try {
  const small = join(root, 'small')
  const middle = join(root, 'middle')
  const large = join(root, 'large')
  makeProject(small, 60, texts)
  makeProject(middle, 400, texts)
  makeProject(large, 10_000, texts)
  const floor = measure(['-e', '0'], 21)
  let outs = 0
  const out = () => join(root, `out-${outs++}`)
  // Refused agents make the command exit with 1; that is not a failure of the bench.
  const convert = (runs: number, cwd: string) =>
    measure(() => [troupe, 'convert', '--to', 'opencode', '--yes', '--out', out()], runs, cwd)
  process.env.TROUPE_THREADS = '1'
  const copied = measure(() => [copy, out()], 3, large)
  const few = convert(5, small)
  const some = convert(5, middle)
  const all = convert(3, large)
  // Immediately after it, because the load of the machine changes by the minute.
  const rulesync = peer && measureRulesync(peer, join(root, 'peer'), 10_000, texts)
  process.env.TROUPE_THREADS = '2'
  const both = convert(3, large)
  delete process.env.TROUPE_THREADS
  // With a compile cache, from the second start on.
  const start = 'enableCompileCache' in module ? 60 : 130
  const rows: Row[] = [
    { name: 'node -e 0', measured: floor },
    { name: 'troupe --version', measured: measure([troupe, '--version'], 21), must: floor.least + 15 },
    { name: 'read 60 files', measured: measure([loop], 21, small) },
    { name: 'troupe list, 60 agents', measured: measure([troupe, 'list'], 21, small), must: floor.least + start },
    { name: 'read 10,000 files', measured: measure([loop], 5, large) },
    { name: 'troupe list, 10,000 agents', measured: measure([troupe, 'list'], 5, large) },
    { name: 'troupe check, 10,000 agents', measured: measure([troupe, 'check', '--json'], 3, large) },
    { name: 'copy 10,000 files', measured: copied },
    { name: 'troupe convert, 60 agents', measured: few },
    { name: 'troupe convert, 400', measured: some, must: floor.least * 20 },
    { name: 'troupe convert, 10,000', measured: all, must: copied.least * 18, room: 400 },
    { name: 'the same on two threads', measured: both, room: 400 },
    ...measureBuild(troupe, large),
  ]
  if (rulesync) rows.push({ name: 'rulesync 17 convert, 10,000', ...rulesync })
  print(rows)
  for (const { name, ms: cost, must } of measureHud()) {
    const isFine = cost <= must
    console.log(`${name.padEnd(28)}${cost.toFixed(3).padStart(7)} ms  must ${must}: ${isFine ? 'holds' : 'MISSED'}`)
    if (!isFine) process.exitCode = 1
  }
  const share = both.wall / all.wall
  const isQuicker = share <= 0.65
  console.log(`two threads need ${share.toFixed(2)} of the clock of one  must 0.65: ${isQuicker ? 'holds' : 'MISSED'}`)
  const each = (ms: number, agents: number) => ((ms - few.least) / (agents - 60)) * 1000
  const [early, late] = [each(some.least, 400), each(all.least, 10_000)]
  const isLinear = late <= early * 1.25
  console.log(
    `one more agent costs ${early.toFixed(0)} µs among 400 and ${late.toFixed(0)} µs among 10,000: ${isLinear ? 'linear' : 'NOT LINEAR'}`,
  )
  if (!isLinear || !isQuicker) process.exitCode = 1
} finally {
  rmSync(root, { recursive: true, force: true })
}

function print(rows: readonly Row[]): void {
  console.log(`Node ${process.version}; CPU ms, user plus system; least of all runs, the middle one, and peak memory`)
  for (const { name, measured, must, room, note = '' } of rows) {
    const figures = `${ms(measured.least)}  ${ms(measured.middle)}  ${measured.peak.toFixed(0).padStart(5)} MB`
    const verdict =
      must === undefined ? '' : `  must ${must.toFixed(0)}: ${measured.least <= must ? 'holds' : 'MISSED'}`
    const space = room === undefined ? '' : `  ${room} MB: ${measured.peak <= room ? 'holds' : 'MISSED'}`
    console.log(`${name.padEnd(28)}${figures}${verdict}${space}${note}`)
    if ((must !== undefined && measured.least > must) || (room !== undefined && measured.peak > room))
      process.exitCode = 1
  }
}

function ms(value: number): string {
  return value.toFixed(0).padStart(7)
}
