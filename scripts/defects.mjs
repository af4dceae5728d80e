/**
 * `npm run test:defects [-- NAME...]`: shows that the suite still bites. Each patch in test/defects/ puts one defect into a copy of the
 * clone; `npm test`, or else the tier that the patch names, must fail. Takes about a minute and a half for each. Where a patch
 * names one test, that test alone must see it, which takes seconds: `npm run test:defects -- hole`.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { ensureInstalled } from './ensure.mjs'

const folder = resolve('test/defects')
const wanted = process.argv.slice(2)

ensureInstalled()
const defects = readdirSync(folder)
  .filter((name) => name.endsWith('.patch'))
  .map((name) => ({ name: basename(name, '.patch'), ...readHeader(join(folder, name)) }))
  .filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)))
const copy = copyClone()
const rows = []
try {
  for (const one of new Map(
    defects.map(({ tier, test }) => [test, { tier: test === null ? null : tier, test }]),
  ).values()) {
    const [failing, how] = firstFailure(one)
    if (failing !== null) throw new Error(`The copy fails without any defect, so it would prove nothing: ${how}`)
  }
  for (const defect of defects) rows.push(tryDefect(defect))
} finally {
  rmSync(copy, { recursive: true, force: true })
}
const by = (tiers) => rows.filter(({ caughtBy }) => tiers(caughtBy)).length
console.log('')
for (const one of new Set(rows.map(({ caughtBy }) => caughtBy)))
  if (one !== null) console.log(`${one} catches ${by((tier) => tier === one)} of ${rows.length}.`)
console.log(`${by((tier) => tier !== null)} passed, ${by((tier) => tier === null)} failed`)
process.exitCode = rows.every(({ caughtBy }) => caughtBy !== null) ? 0 : 1

/**
 * A patch begins with what is wrong. It may name the tier that sees it where `npm test` cannot (`Tier: faults`), or the one
 * test that must see it, whatever others do (`Test: test/oracle/fuzz.test.ts`).
 */
function readHeader(path) {
  const text = readFileSync(path, 'utf8')
  const [what = ''] = text.split('\n')
  const named = (word) => new RegExp(`^${word}: (\\S+)$`, 'm').exec(text)?.[1] ?? null
  return { path, what, tier: named('Tier'), test: named('Test') }
}

/** What git tracks or would track, but for the test that every patch applies: it would see each of them. The packages are shared. */
function copyClone() {
  const root = mkdtempSync(join(tmpdir(), 'troupe-defects-'))
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { encoding: 'utf8' })
  for (const path of stdout.split('\0').filter((one) => one !== '' && one !== 'test/defects/defects.test.ts'))
    cpSync(path, join(root, path))
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  return root
}

function tryDefect(defect) {
  const { name, path, what } = defect
  const started = Date.now()
  apply(path)
  const [caughtBy, how] = firstFailure(defect)
  apply(path, '--reverse')
  const seconds = Math.round((Date.now() - started) / 1000)
  console.log(`${caughtBy === null ? '\u2717' : '\u2713'} ${name}: ${what}`)
  console.log(`    ${caughtBy === null ? 'not seen' : `seen by ${caughtBy}: ${how}`} (${seconds} s)`)
  return { caughtBy }
}

function apply(path, ...more) {
  const { status, stderr } = spawnSync('git', ['apply', ...more, path], { cwd: copy, encoding: 'utf8' })
  if (status === 0) return
  console.error(`${path} no longer applies: ${stderr}`)
  process.exit(1)
}

/** The command or the test that fails, and what failed first in it. */
function firstFailure({ tier, test }) {
  const tries = test === null ? [[], ...(tier === null ? [] : [[tier]])] : [[...(tier === null ? [] : [tier]), test]]
  for (const words of tries) {
    const { status, stdout } = spawnSync(process.execPath, ['scripts/test.mjs', ...words, '--bail'], {
      cwd: copy,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    })
    if (status === 0) continue
    const how = /(?:FAIL|\u2717|\u00d7)\s+(.*)/.exec(stdout.replace(/\u001b\[[\d;]*m/g, ''))?.[1] ?? 'it ended'
    return [test ?? words[0] ?? 'npm test', how.trim()]
  }
  return [null, null]
}
