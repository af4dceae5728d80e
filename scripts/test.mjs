/**
 * `npm test` and the other tiers of the suite: says what will happen, installs and builds what is missing, runs it, and closes with the
 * slowest tests and one line of figures. `node scripts/test.mjs [TIER] [FILTER...]`; the tiers are in test/tiers.mjs.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { everyday, tiers } from '../test/tiers.mjs'
import { ensureInstalled } from './ensure.mjs'
import { labSummary, offline, prepareLab } from './lab.mjs'

const words = process.argv.slice(2).filter((word) => word !== '--bail')
/** `--bail`: build and test only, and stop at the first failure. */
const bail = process.argv.includes('--bail')
const tier = Object.hasOwn(tiers, words[0] ?? '') ? words[0] : null
const filters = tier === null ? words : words.slice(1)
const began = Date.now()
let passed = 0
let failed = 0

announce()
ensureInstalled()
if (tier === null && !bail) runStages(checksBeforeTests())
else if (tier === null || tiers[tier].needsBuild) runStages([['build', node('scripts/build.mjs', '--if-needed')]])
const tests = bail && failed > 0 ? [] : await runTests(tier === null ? everyday : [tier])
if (tier === 'lab') for (const line of labSummary()) console.log(line)
printSlowest(tests)
console.log(`\nIn ${minutes(Date.now() - began)}${failed > 0 ? ', with failures' : ''}:`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

function announce() {
  const { what, takes } =
    tier === null
      ? {
          what: 'build, generated files, format, types, rooms, unused code, and all tests that need nothing but npm packages',
          takes: 'about 4 minutes on 2 cores',
        }
      : tiers[tier]
  console.log(`${tier === null ? 'npm test' : tier}: ${what}. Takes ${takes}.\n`)
}

function checksBeforeTests() {
  return [
    // Before the build, which writes them again.
    ['generated files are up to date', node('scripts/run.mjs', 'scripts/generate.ts', '--check')],
    ['build', node('scripts/build.mjs')],
    ['format and lint', node('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings')],
    ['types', node('node_modules/typescript/bin/tsc', '-p', '.')],
    ['rooms', node('scripts/rooms.mjs')],
    ['nothing unused', node('node_modules/knip/bin/knip.js')],
  ]
}

function node(...words) {
  return words
}

function runStages(stages) {
  for (const [name, words] of stages) {
    const started = Date.now()
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
    if (status === 0) passed++
    else {
      failed++
      console.log(stdout + stderr)
    }
    console.log(`${status === 0 ? '\u2713' : '\u2717'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`)
  }
}

/** Runs the tiers as projects of vitest; gives back every test with its duration. */
async function runTests(names) {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-test-'))
  const report = join(folder, 'report.json')
  const vitest = [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...names.flatMap((name) => ['--project', name]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    // A defect that is in the code already does not apply once more.
    ...(bail ? ['--bail=1'] : []),
    ...filters,
  ]
  if (tier === 'lab') await prepareLab()
  const [program, all] = tier === 'lab' ? offline(vitest) : [process.execPath, vitest]
  spawnSync(program, all, { stdio: 'inherit', env: { ...process.env, ...tiers[tier]?.environment } })
  const tests = readReport(report)
  rmSync(folder, { recursive: true, force: true })
  return tests
}

/** A run that left no report behind has failed as a whole. */
function readReport(path) {
  try {
    const { numPassedTests, numFailedTests, success, testResults } = JSON.parse(readFileSync(path, 'utf8'))
    passed += numPassedTests
    failed += numFailedTests + (success || numFailedTests > 0 ? 0 : 1)
    return testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ fullName, duration }) => ({ file: name, title: fullName, duration: duration ?? 0 })),
    )
  } catch {
    failed++
    return []
  }
}

function printSlowest(tests) {
  const sorted = tests.toSorted((a, b) => b.duration - a.duration).slice(0, 10)
  if (sorted.length > 0) console.log('\nThe slowest:')
  for (const { file, title, duration } of sorted) {
    const place = file.replace(`${process.cwd()}/`, '')
    console.log(`${(duration / 1000).toFixed(1).padStart(7)} s  ${place}: ${title}`.slice(0, 160))
  }
}

function minutes(ms) {
  const seconds = Math.round(ms / 1000)
  return seconds < 90 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
