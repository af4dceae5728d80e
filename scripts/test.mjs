/** `npm test`: installs what is missing, then runs everything that must hold, and closes with one line of figures. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled } from './ensure.mjs'
import { labCommand, labSummary } from './lab.mjs'

ensureInstalled()

const bin = (name) => [process.execPath, [`node_modules/${name}`]]
const stages = [
  ['build', process.execPath, ['scripts/build.mjs']],
  ['generated files are up to date', 'git', ['diff', '--exit-code', '--stat', '--', 'schema', 'docs']],
  ['format and lint', ...withWords(bin('@biomejs/biome/bin/biome'), ['check', '--error-on-warnings'])],
  ['types', ...withWords(bin('typescript/bin/tsc'), ['-p', '.'])],
  ['rooms', process.execPath, ['scripts/rooms.mjs']],
  ['nothing unused', ...withWords(bin('knip/bin/knip.js'), [])],
]

let passed = 0
let failed = 0
for (const [name, program, words] of stages) {
  const started = Date.now()
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' })
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  if (status === 0) passed++
  else {
    failed++
    console.log(stdout + stderr)
  }
  console.log(`${status === 0 ? '\u2713' : '\u2717'} ${name} (${seconds} s)`)
}

const folder = mkdtempSync(join(tmpdir(), 'troupe-test-'))
const reporters = (name) => ['--reporter=default', '--reporter=json', `--outputFile.json=${join(folder, name)}`]
const unit = ['node_modules/vitest/vitest.mjs', 'run', ...reporters('unit.json')]
spawnSync(process.execPath, [...unit, ...process.argv.slice(2)], { stdio: 'inherit' })
count('unit.json')

const [program, words] = await labCommand(reporters('lab.json'))
spawnSync(program, words, { stdio: 'inherit' })
count('lab.json')
for (const line of labSummary()) console.log(line)

rmSync(folder, { recursive: true, force: true })
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

/** A run that left no report behind has failed as a whole. */
function count(name) {
  try {
    const { numPassedTests, numFailedTests, success } = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    passed += numPassedTests
    failed += numFailedTests + (success || numFailedTests > 0 ? 0 : 1)
  } catch {
    failed++
  }
}

function withWords([program, first], more) {
  return [program, [...first, ...more]]
}
