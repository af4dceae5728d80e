/**
 * `npm run still-can -- --program OLD/dist/cli.cjs`: what agents can still do after a conversion, by another version of
 * Troupe and by this one. Both convert the same definitions; the evaluator of test/oracle counts calls that were possible
 * before and are not after. Only what both have written is compared; what only one refuses is counted apart.
 */
import { parseArgs } from 'node:util'
import { type CliResult, convertByCli } from '../test/oracle/cli-convert.ts'
import { readCorpus } from '../test/oracle/corpus.ts'
import { createDice } from '../test/oracle/dice.ts'
import { drawDefinition } from '../test/oracle/draw/definition.ts'
import { callsFor } from '../test/oracle/probes.ts'
import { type Dialect, dialects, read } from '../test/oracle/read.ts'
import { type Comparison, compare, type Lost } from '../test/oracle/wider.ts'
import { putSection } from './sections.ts'

const { values } = parseArgs({
  options: {
    /** The other version. */
    program: { type: 'string' },
    ours: { type: 'string', default: 'dist/cli.cjs' },
    seed: { type: 'string', default: '1' },
    conversions: { type: 'string', default: '3000' },
    /** Real agents of a folder instead of random ones; at most as many per dialect as `conversions` allows. */
    corpus: { type: 'string' },
    /** How many examples of what only this version loses are shown. */
    show: { type: 'string', default: '0' },
    pairs: { type: 'string' },
    /** Writes the table into docs/proof.md. */
    record: { type: 'boolean', default: false },
  },
})
if (values.program === undefined) {
  console.error('usage: npm run still-can -- --program OLD/dist/cli.cjs [--seed N] [--conversions N] [--corpus FOLDER]')
  process.exit(2)
}

interface Side {
  refused: number
  other: number
  lost: number
  wider: number
}

interface Tally {
  both: number
  possible: number
  readonly old: Side
  readonly ours: Side
  /** By the code of the finding: what only this version refuses. */
  readonly refusals: Map<string, number>
  /** By tool: calls that only one of the two loses. */
  readonly onlyOurs: Map<string, number>
  readonly onlyOld: Map<string, number>
  readonly examples: Example[]
}

interface Example {
  readonly text: string
  readonly old: string
  readonly ours: string
  readonly tools: string
}

const FOLDER = 40
const tallies = new Map<string, Tally>()
const each = Math.ceil(Number(values.conversions) / (dialects.length * (dialects.length - 1)))
const real = values.corpus === undefined ? null : readCorpus(values.corpus)

for (const from of dialects) {
  const texts = textsOf(from)
  for (let at = 0; at < texts.length; at += FOLDER) {
    const some = texts.slice(at, at + FOLDER)
    const old = convertByCli(from, some, values.program)
    const ours = convertByCli(from, some, values.ours)
    for (const to of dialects.filter((one) => one !== from))
      for (const index of some.keys()) take(from, to, index, old, ours)
  }
}
report()
if (values.record) record()

function textsOf(from: Dialect): string[] {
  if (real === null)
    return Array.from({ length: each }, (_, one) => drawDefinition(createDice(Number(values.seed) * 7919 + one), from))
  const own = real.filter(([dialect]) => dialect === from).map(([, text]) => text)
  const step = Math.ceil(own.length / each)
  return own.filter((_, index) => index % step === 0)
}

function take(from: Dialect, to: Dialect, index: number, old: readonly CliResult[], ours: readonly CliResult[]): void {
  const find = (all: readonly CliResult[]) => all.find((one) => one.index === index && one.to === to)
  const [before, after] = [find(old), find(ours)]
  const tally = tallyOf(`${from} -> ${to}`)
  countStatus(tally.old, before)
  countStatus(tally.ours, after)
  const text = after?.text ?? before?.text ?? ''
  if (before?.output != null && after?.status === 'refused')
    for (const code of new Set(after.problems)) add(tally.refusals, code)
  if (before?.output != null && after === undefined) add(tally.refusals, 'not-an-agent')
  if (before?.output == null || after?.output == null) return
  tally.both++
  const source = { dialect: from, reading: read(from, text), text }
  const [one, other] = [before.output, after.output].map((output) => ({
    dialect: to,
    reading: read(to, output),
    text: output,
  }))
  if (one === undefined || other === undefined) return
  // The same calls for both, independent of their output.
  const calls = callsFor(
    [source, one, other].map(({ reading }) => reading),
    [text, one.text, other.text],
  )
  const was = compare(source, one, calls)
  const is = compare(source, other, calls)
  tally.possible += is.possible
  count(tally.old, was)
  count(tally.ours, is)
  const onlyOurs = without(is.lost, was.lost)
  addTools(tally.onlyOurs, onlyOurs)
  addTools(tally.onlyOld, without(was.lost, is.lost))
  const tools = [...new Set(onlyOurs.map(toolOf))].join(' ')
  if (tools !== '') tally.examples.push({ text, old: one.text, ours: other.text, tools })
}

function tallyOf(pair: string): Tally {
  const side = () => ({ refused: 0, other: 0, lost: 0, wider: 0 })
  const fresh = { both: 0, possible: 0, old: side(), ours: side(), examples: [] }
  const tally = tallies.get(pair) ?? { ...fresh, refusals: new Map(), onlyOurs: new Map(), onlyOld: new Map() }
  tallies.set(pair, tally)
  return tally
}

function countStatus(side: Side, result: CliResult | undefined): void {
  if (result?.status === 'refused') side.refused++
  else if (result?.output == null) side.other++
}

function count(side: Side, { lost, wider }: Comparison): void {
  side.lost += lost.length
  if (wider.length > 0) side.wider++
}

function toolOf({ call: { tool } }: Lost): string {
  return tool.startsWith('mcp:') ? 'mcp' : tool
}

function without(some: readonly Lost[], others: readonly Lost[]): Lost[] {
  const key = ({ call: { tool, argument }, role }: Lost) => `${role} ${tool} ${argument}`
  const known = new Set(others.map(key))
  return some.filter((one) => !known.has(key(one)))
}

function addTools(counts: Map<string, number>, losses: readonly Lost[]): void {
  for (const one of losses) add(counts, toolOf(one))
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function record(): void {
  const kinds = ([...counts]: ReadonlyMap<string, number>) =>
    counts.map(([word, times]) => `${word} ${times}`).join(', ') || '-'
  putSection('docs/proof.md', 'Agents still can', [
    'Real agents, converted by version 0.1.0 and by this one. The evaluator counts the calls that were possible before and are not',
    'after (`npm run still-can`). Only agents that both versions write are compared; the last column counts the others.',
    '',
    '| pair | agents | calls possible before | lost in 0.1.0 | lost now | wider in 0.1.0 | wider now | lost only now | refused only now |',
    '|---|--:|--:|--:|--:|--:|--:|---|---|',
    ...[...tallies].map(
      ([pair, { both, possible, old, ours, onlyOurs, refusals }]) =>
        `| ${[pair.replace('->', 'to'), both, possible, old.lost, ours.lost, old.wider, ours.wider, kinds(onlyOurs), kinds(refusals)].join(' | ')} |`,
    ),
    '',
    'Lost only now, and why:',
    '',
    '- *fetch* (and *search*, where one switch covers both) from a sandbox of Codex: there the agent asks before it uses the network, and these targets',
    '  would not ask.',
    '- *delegate* to some agents: Claude Code honours `Agent(name)` in a main session and gives the whole tool to a child.',
    '- *mcp*: a server with a list of its tools. OpenCode joins names, so what is denied of `docs` is denied of a server `docs_more` as well.',
    '- *write* by `rename`: VS Code renames symbols with it; 0.1.0 treated it as a grant of every edit.',
    '- *dead-grants*: the harness knows no name on the list, so the agent had none of these tools; `--revive` overrides it.',
    '- *limiting-key*: a key that seems to restrict the agent and that no harness knows; `--ignore-key` overrides it.',
    '- *not-an-agent*: a file without front matter, which Qwen Code does not load; 0.1.0 wrote an agent that may do everything.',
    '- *wider-access*: main sessions of Copilot always have skills, so agents that deny them are refused.',
  ])
}

function report(): void {
  const shown = (counts: ReadonlyMap<string, number>) =>
    [...counts]
      .sort(([, one], [, other]) => other - one)
      .map(([tool, times]) => `${tool} ${times}`)
      .join(', ') || '-'
  const percent = (some: number, all: number) => `${((100 * some) / Math.max(1, all)).toFixed(1)} %`
  console.log(
    '| pair | both | refused old/new | none old/new | possible | lost old | lost new | wider old/new | only new loses | only old loses | only new refuses |',
  )
  console.log('|---|---|---|---|---|---|---|---|---|---|---|')
  for (const [pair, { both, possible, old, ours, onlyOurs, onlyOld, refusals }] of tallies) {
    const cells = [
      ...[pair, both, `${old.refused}/${ours.refused}`, `${old.other}/${ours.other}`, possible],
      ...[`${old.lost} (${percent(old.lost, possible)})`, `${ours.lost} (${percent(ours.lost, possible)})`],
      ...[`${old.wider}/${ours.wider}`, shown(onlyOurs), shown(onlyOld), shown(refusals)],
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
  const wanted = values.pairs?.split(',')
  for (const [pair, { examples }] of tallies) {
    if (wanted !== undefined && !wanted.includes(pair.replace(' -> ', ':'))) continue
    // The shortest are clearest.
    const best = examples.toSorted((one, other) => one.text.length - other.text.length).slice(0, Number(values.show))
    for (const { text, old, ours, tools } of best)
      console.log(`\n## ${pair}: ${tools}\n--- source\n${text}\n--- old\n${old}\n--- new\n${ours}`)
  }
}
