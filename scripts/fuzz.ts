/** Converts random definitions, every dialect into every other, and asks an independent evaluator whether access grew. */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { judgeByCli } from '../test/oracle/cli-trial.ts'
import { readCorpus } from '../test/oracle/corpus.ts'
import { createDice } from '../test/oracle/dice.ts'
import { drawDefinition } from '../test/oracle/draw/definition.ts'
import { mutate } from '../test/oracle/draw/mutate.ts'
import { disagreements, readObservations } from '../test/oracle/observations.ts'
import { type Dialect, dialects } from '../test/oracle/read.ts'
import { judgeRepair } from '../test/oracle/repair.ts'
import { judge, kindOf, shrink, type Trial } from '../test/oracle/trial.ts'
import type { Wider } from '../test/oracle/wider.ts'
import { putSection } from './sections.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seed: { type: 'string', default: '1' },
    conversions: { type: 'string' },
    /** The number of the first conversion, to continue where another run ended. */
    first: { type: 'string', default: '0' },
    corpus: { type: 'string' },
    pairs: { type: 'string' },
    show: { type: 'string', default: '40' },
    /** How many folders of forty agents go through the built program. */
    folders: { type: 'string', default: '6' },
    json: { type: 'boolean', default: false },
    /** Writes the figures into docs/proof.md. */
    record: { type: 'boolean', default: false },
  },
})

interface Kind {
  count: number
  readonly trial: Trial
  readonly wider: Wider
}

interface Tally {
  written: number
  refused: number
  possible: number
  lost: number
}

const pairs: [Dialect, Dialect][] =
  values.pairs === undefined
    ? dialects.flatMap((from) => dialects.filter((to) => to !== from).map((to): [Dialect, Dialect] => [from, to]))
    : values.pairs.split(',').map((pair) => pair.split(':') as [Dialect, Dialect])
const seed = Number(values.seed)
const limit = Number(values.conversions ?? (values.minutes === undefined ? 20_000 : Number.POSITIVE_INFINITY))
const end = values.minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + Number(values.minutes) * 60_000
const corpus = values.corpus === undefined ? [] : readCorpus(values.corpus)

const kinds = new Map<string, Kind>()
const tallies = new Map<string, Tally>(
  pairs.map((pair) => [pair.join(' -> '), { written: 0, refused: 0, possible: 0, lost: 0 }]),
)
let done = 0
let written = 0
let refused = 0
let widerFiles = 0
let foreignFiles = 0
let noted = 0
let calls = 0
let unloadable = 0
const crashes = new Map<string, { count: number; trial: Trial; problem: string }>()
const unloaded = new Map<string, string>()
const repairs = { made: 0, wider: [] as string[] }
const started = Date.now()

for (; done < limit && Date.now() < end; done++) {
  const number = Number(values.first) + done
  const dice = createDice(seed * 1_000_003 + number)
  const [from, to] = pairs[number % pairs.length] as [Dialect, Dialect]
  const own = corpus.filter(([dialect]) => dialect === from)
  const text = own.length > 0 && dice.often(60) ? mutate(dice, dice.pick(own)[1]) : drawDefinition(dice, from)
  const trial = { from, to, text: dice.often(10) ? mutate(dice, text) : text }
  if (number % 10 === 0) repair(from, trial.text)
  const verdict = judge(trial)
  const tally = tallies.get(`${from} -> ${to}`) as Tally
  if (verdict.kind === 'crashed') {
    const key = verdict.problem.split('\n').slice(0, 2).join(' ')
    const crash = crashes.get(key) ?? { count: 0, trial, problem: verdict.problem }
    crashes.set(key, { ...crash, count: crash.count + 1 })
  }
  if (verdict.kind === 'refused') {
    refused++
    tally.refused++
  }
  if (verdict.kind !== 'written') continue
  written++
  tally.written++
  tally.possible += verdict.possible
  tally.lost += verdict.lost.length
  noted += verdict.noted
  calls += verdict.calls
  if (!verdict.loads) {
    unloadable++
    if (unloaded.size < 12) unloaded.set(`${from} -> ${to}`, `${text}\n=====\n${verdict.output}`)
  }
  if (verdict.wider.length > 0) widerFiles++
  if (verdict.wider.length > 0 && verdict.wider.every((one) => one.kind === 'foreign')) foreignFiles++
  for (const kind of new Set(verdict.wider.map((one) => kindOf(trial, one)))) {
    const wider = verdict.wider.find((one) => kindOf(trial, one) === kind) as Wider
    const known = kinds.get(kind)
    // A long run reports at once, not only at its end.
    if (known === undefined) console.error(`${kind}\n${JSON.stringify(trial)}`)
    // The shortest example is the best one.
    const isBetter = known === undefined || text.length < known.trial.text.length
    kinds.set(kind, {
      count: (known?.count ?? 0) + 1,
      trial: isBetter ? trial : known.trial,
      wider: isBetter ? wider : known.wider,
    })
  }
}

const seconds = (Date.now() - started) / 1000
const busy = process.cpuUsage().user / 1e6
const folders = { written: 0, refused: 0, wider: 0, kinds: new Map<string, number>() }
for (let index = 0; index < Number(values.folders); index++) runFolder(index)
report()
if (values.record) record()
process.exitCode = kinds.size > 0 || folders.wider > 0 || folders.kinds.size > 0 || repairs.wider.length > 0 ? 1 : 0

/** What `check --fix` does with it. */
function repair(dialect: Dialect, text: string): void {
  const judged = judgeRepair(dialect, text)
  if (judged === null) return
  repairs.made++
  const [first] = judged.wider
  if (first === undefined) return
  repairs.wider.push(dialect)
  console.error(`repair of ${dialect}: ${JSON.stringify(first)}\n${JSON.stringify(text)}`)
}

function report(): void {
  const sorted = [...kinds].sort(([, one], [, other]) => other.count - one.count)
  for (const [kind, { count, trial }] of sorted.slice(0, Number(values.show))) {
    const small = shrink(trial, kind)
    const verdict = judge(small)
    if (verdict.kind !== 'written') continue
    const shown = verdict.wider.find((one) => kindOf(small, one) === kind)
    console.log(`\n## ${kind} (${count})`)
    console.log(
      `call: ${shown?.call.tool} ${JSON.stringify(shown?.call.argument)} as ${shown?.role}: ${shown?.before} -> ${shown?.after}`,
    )
    console.log(`--- source\n${small.text}\n--- output\n${verdict.output}`)
  }
  for (const [problem, { count, trial }] of crashes)
    console.log(`\n## crash (${count}): ${problem}\n${JSON.stringify(trial)}`)
  console.log('\nlost calls, of those that were possible before')
  for (const [pair, { written: some, refused: others, possible, lost }] of tallies) {
    const share = possible === 0 ? 0 : (100 * lost) / possible
    console.log(
      `${pair.padEnd(28)} written ${some}, refused ${others}, lost ${lost} of ${possible} (${share.toFixed(1)} %)`,
    )
  }
  console.log(
    `\n${done} conversions in ${seconds.toFixed(1)} s (${(done / busy).toFixed(0)} a second of its own time), seed ${seed}`,
  )
  console.log(
    `written ${written}, refused ${refused}, crashed ${[...crashes.values()].reduce((sum, { count }) => sum + count, 0)}`,
  )
  console.log(
    `wider ${widerFiles} files (${foreignFiles} only by a tool that the source lacks) in ${kinds.size} kinds, over ${calls} calls; noted ${noted}; outputs that do not load ${unloadable}`,
  )
  console.log(`repaired ${repairs.made}, wider ${repairs.wider.length}`)
  console.log(
    `through the program: written ${folders.written}, refused ${folders.refused}, wider ${folders.wider} files`,
  )
  for (const [kind, count] of folders.kinds) if (kind.includes('and written')) console.log(`  ${kind} (${count})`)
  if (values.json) console.log(JSON.stringify([...unloaded]))
}

function record(): void {
  const today = new Date().toISOString().slice(0, 10)
  const figures = (...numbers: readonly number[]) => numbers.map((one) => one.toLocaleString('en')).join(' | ')
  const runs = written + folders.written
  const page = 'docs/proof.md'
  const isRun = (line: string) => /^\| [\d,]+(?: \| [\d,]+){6} \| /.test(line)
  // With --first it is the same run once more, where it had found something.
  const before = values.first === '0' ? [] : readFileSync(page, 'utf8').split('\n').filter(isRun)
  putSection(page, 'Access never grows', [
    'An evaluator that shares no code with `src/` (`test/oracle/`) was written from observations of the real programs. It agrees',
    'with them on every call that was observed:',
    '',
    '| harness | runs of the real program | calls |',
    '|---|--:|--:|',
    ...dialects.map((dialect) => {
      const observations = readObservations(dialect)
      const calls = observations.map((one) => disagreements(dialect, one).calls)
      return `| ${dialect} | ${figures(
        observations.length,
        calls.reduce((sum, one) => sum + one, 0),
      )} |`
    }),
    '',
    'A fuzzer generates definitions and changes real ones, converts every dialect to every other, and asks the evaluator',
    'whether any call is wider than before. `npm test` does this for a few hundred; this is a longer run. What it finds is fixed, and',
    'those conversions are run again, in further rows:',
    '',
    '| seed | minutes | conversions | written | refused | calls compared | wider | date |',
    '|--:|--:|--:|--:|--:|--:|--:|---|',
    ...before,
    `| ${figures(seed, Math.round(seconds / 60), done + folders.written + folders.refused, runs, refused + folders.refused, calls, widerFiles + folders.wider)} | ${today} |`,
    '',
    'Each defect that once widened access is kept as a patch in `test/defects/`; `npm run test:defects -- hole` applies it and shows',
    'that a test detects it.',
  ])
}

/** The same through the built program, which detects, refuses, names and merges. */
function runFolder(index: number): void {
  const from = dialects[index % dialects.length] as Dialect
  const texts = Array.from({ length: 40 }, (_, one) =>
    drawDefinition(createDice(seed * 7919 + index * 1000 + one), from),
  )
  const run = judgeByCli(from, texts)
  folders.written += run.written
  folders.refused += run.refused
  for (const { trial, wider, unwanted } of run.findings) {
    if (wider.length > 0) folders.wider++
    for (const kind of new Set(wider.map((one) => kindOf(trial, one)))) {
      countFolder(kind)
    }
    if (unwanted !== null) countFolder(`${trial.from} -> ${trial.to}: ${unwanted}, and written`)
  }
}

function countFolder(kind: string): void {
  folders.kinds.set(kind, (folders.kinds.get(kind) ?? 0) + 1)
}
