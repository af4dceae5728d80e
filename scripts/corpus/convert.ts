/** Converts a whole corpus and checks Troupe's promises: nothing crashes, nothing is wider, everything comes back. */

import { readFileSync, writeFileSync } from 'node:fs'
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser'
import { parse } from 'yaml'
import type { Source } from '../../src/convert/agent/source.ts'
import type { Converted } from '../../src/convert/convert.ts'
import type { Target } from '../../src/convert/plan.ts'
import { sameData, toData } from '../../src/formats/data.ts'
import { createRegistry } from '../../src/harness/registry.ts'
import { createIntent } from '../../src/harness/write/intent.ts'
import { accessInRole, sharedSwitches } from '../../src/harness/write/target-access.ts'
import { compareAccess } from '../../src/model/access/compare.ts'
import { accessCeiling, roles } from '../../src/model/access/rules.ts'
import { isSwitchedOff } from '../../src/workbench/inventory.ts'
import { whyNotConvertible } from '../../src/workbench/refusal.ts'
import { recomputed } from '../../test/convert/recompute.ts'
import { dialects } from '../../test/oracle/read.ts'
import { judgeOutput } from '../../test/oracle/trial.ts'
import {
  type CorpusAgent,
  convertTo,
  corpusAgents,
  isRestored,
  sourceOfOutput,
  targetIds,
  targetsOf,
} from './conversions.ts'
import { printTable } from './table.ts'

interface Figures {
  agents: number
  written: number
  refused: number
  /** Not written for any target until a person decides something. */
  asked: number
  narrowed: number
  fidelity: number
  restored: number
}

const registry = createRegistry()
const figures = new Map<string, Map<string, Figures>>()
const complaints: string[] = []
/** Why agents are refused for every target, with the number per dialect. */
const asked = new Map<string, Map<string, number>>()
let judged = 0
/** Calls that the evaluator compared, and the number of conversions. */
let compared = { conversions: 0, calls: 0 }

/** `record`: later runs are compared with these figures. */
export function convertCorpus(folder: string, record: boolean): void {
  const targets = targetsOf(registry)
  for (const one of corpusAgents(folder, registry)) {
    const question = questionOf(one.source)
    if (question !== null) count(asked, one.source.harness.id, question)
    for (const target of targets) judge(one, target, question !== null)
  }
  report(record)
}

/** What its harness leaves open, so that a person must decide first; null: nothing. */
function questionOf(source: Source): string | null {
  if (isSwitchedOff(source.agent)) return 'switched off'
  const problem = whyNotConvertible(source.path, source.agent.name, source.agent, false, undefined)
  if (problem !== null) return /^(`[^`]+`(?:, `[^`]+`)*)/.exec(problem.message)?.[1] ?? problem.code
  return null
}

function count(counts: Map<string, Map<string, number>>, row: string, column: string): void {
  const known = counts.get(row) ?? new Map<string, number>()
  counts.set(row, known.set(column, (known.get(column) ?? 0) + 1))
}

function judge({ file, source }: CorpusAgent, target: Target, isAsked: boolean): void {
  const figure = figureFor(source.harness.id, target.harness.id)
  figure.agents++
  if (isAsked && source.harness.id !== target.harness.id) {
    figure.asked++
    return
  }
  judged++
  const complain = (what: string) =>
    complaints.push(`${file.repository}/${file.shown} to ${target.harness.id}: ${what}`)
  try {
    const converted = convertTo(source, target)
    const { record, output } = converted
    const { widened, narrowed } = record.access
    if (converted.refusal !== null) {
      figure.asked++
      if (target.harness.id === lastTarget(source)) count(asked, source.harness.id, converted.refusal.code)
      return
    }
    figure.fidelity += record.fidelity.score
    if (narrowed.some(({ after }) => after === 'deny')) figure.narrowed++
    if (widened.length > 0) {
      figure.refused++
      if (widened.some(({ why }) => why === undefined || why === '')) complain('refused without a reason')
      return
    }
    figure.written++
    if (output.kind !== 'file') return
    if (source.harness.id === target.harness.id) {
      const isAlike = source.carrier.agents === undefined
      if (isAlike && output.text !== source.text) complain('not the same bytes within one dialect')
      return
    }
    for (const problem of problemsOf(source, target, converted)) complain(problem)
    if (isRestored(registry, source, target, converted)) figure.restored++
    else complain('not restored on the way back')
  } catch (error) {
    complain(`crashed: ${(error as Error).stack?.split('\n').slice(0, 3).join(' ')}`)
  }
}

/** Each agent is counted once, at the last target. */
function lastTarget({ harness }: Source): string | undefined {
  return targetIds.findLast((id) => id !== harness.id)
}

/** The evaluator of test/oracle shares no code with the converter; it knows files of one agent each. */
function* widerByEvaluator({ harness, carrier, text }: Source, target: Target, output: string): Generator<string> {
  const [from, to] = [harness.id, target.harness.id].map((id) => dialects.find((one) => one === id))
  if (from === undefined || to === undefined || carrier.agents !== undefined) return
  const { wider, calls } = judgeOutput({ from, to, text }, output)
  compared = { conversions: compared.conversions + 1, calls: compared.calls + calls }
  for (const { call, before, after } of wider.slice(0, 1))
    yield `is wider by the evaluator: ${call.tool} ${call.argument} ${before} -> ${after}`
}

function* problemsOf(source: Source, target: Target, converted: Converted): Generator<string> {
  const { output, record } = converted
  if (output.kind !== 'file') return
  const again = sourceOfOutput(registry, target, converted)
  const strict = strictData(target, output.text)
  if (strict === undefined) yield 'strict parsers reject it'
  else if (!sameData(strict, toData(again.document.root))) yield 'strict parsers read other data'
  if (again.agent.name !== record.target.name) yield `is called ${again.agent.name} and not ${record.target.name}`
  if (!sameData(factsOf(again.agent), factsOf(converted.agent))) yield 'is read back as another agent'
  if (isWider(source, target, again)) yield 'is wider when read back'
  yield* widerByEvaluator(source, target, output.text)
  const second = convertTo(source, target)
  if (second.output.kind !== 'file' || second.output.text !== output.text) yield 'differs on the second run'
  for (const problem of recomputed(source, again.agent, record)) yield problem
}

function factsOf({ name, fields, extras, prompt }: Source['agent']) {
  const values = Object.entries(fields).map(([concept, field]) => [concept, field?.value])
  return {
    name,
    fields: Object.fromEntries(values),
    extras: extras.map(({ key, value }) => [key, value]),
    prompt: prompt.text,
  }
}

/** Checked again on what a reader gets from the text alone. */
function isWider(source: Source, { harness }: Target, again: Source): boolean {
  const possible = harness.fields.mode?.roles ?? roles.filter((role) => harness.prompt[role] !== null)
  const mode = again.agent.fields.mode?.value
  const inRoles = mode === 'subagent' ? ['child' as const] : mode === 'primary' ? ['main' as const] : possible
  return inRoles.some((role) => {
    const before = accessCeiling(source.agent.access, role)
    const shared = sharedSwitches(harness, createIntent(before).grants)
    return compareAccess(before, accessInRole(harness, again.agent.access, role), shared).widened.length > 0
  })
}

function strictData({ carrier }: Target, text: string): unknown {
  try {
    if (carrier.format === 'toml') return getStaticTOMLValue(parseTOML(text))
    const header = /^---\r?\n([\s\S]*?)^---\r?\n/m.exec(text)?.[1]
    return header === undefined ? undefined : parse(header, { logLevel: 'error' })
  } catch {
    return undefined
  }
}

function figureFor(from: string, to: string): Figures {
  const row = figures.get(from) ?? new Map<string, Figures>()
  figures.set(from, row)
  const figure = row.get(to) ?? { agents: 0, written: 0, refused: 0, asked: 0, narrowed: 0, fidelity: 0, restored: 0 }
  row.set(to, figure)
  return figure
}

/** The share of agents that must be written, where the target can restrict an agent at all. */
const LEAST = 0.95
const unable = ['codex']
/** Half of the OpenCode agents deny skills by name, and a main session of Copilot always has them. */
const apart = ['opencode to copilot']

function report(record: boolean): void {
  const head = ['from', 'to', 'agents', 'written', 'refused', 'asked', 'narrowed', 'fidelity', 'restored']
  const rows: string[][] = []
  for (const [from, row] of [...figures].sort(([a], [b]) => (a < b ? -1 : 1))) {
    for (const to of targetIds) {
      const figure = row.get(to)
      if (figure === undefined || from === to) continue
      const { agents, written, refused, asked: open, narrowed, fidelity, restored } = figure
      rows.push([
        from,
        to,
        ...[agents, written, refused, open, narrowed].map(String),
        `${Math.round(fidelity / (agents - open))} %`,
        String(restored),
      ])
      if (written / (agents - open) < LEAST && !unable.includes(to) && !apart.includes(`${from} to ${to}`))
        complaints.push(`${from} to ${to}: fewer than 95 % were written`)
      if (!record) complaints.push(...drops(from, to, written))
    }
  }
  printTable(head, rows)
  for (const [from, reasons] of asked) console.log(`asked about, ${from}: ${inWords(reasons)}`)
  console.log(`the evaluator compared ${compared.calls} calls of ${compared.conversions} conversions`)
  if (record) writeFileSync('docs/fidelity.md', fidelityPage(head, rows))
  for (const complaint of complaints.slice(0, 40)) console.log(`✗ ${complaint}`)
  const failed = new Set(complaints.map((one) => one.split(': ')[0])).size
  console.log(`conversions: ${judged - failed} passed, ${failed} failed`)
  process.exitCode = complaints.length === 0 && judged > 0 ? 0 : 1
}

function inWords(reasons: ReadonlyMap<string, number>): string {
  const sorted = [...reasons].sort((a, b) => b[1] - a[1])
  return sorted.map(([reason, number]) => `${reason} (${number})`).join(', ')
}

/** Fewer than recorded in `docs/fidelity.md`. */
function drops(from: string, to: string, written: number): string[] {
  const line = recorded().find((cells) => cells[0] === from && cells[1] === to)
  const before = Number(line?.[3] ?? 0)
  return written < before ? [`${from} to ${to}: ${written} written, and ${before} were written before`] : []
}

function recorded(): string[][] {
  try {
    const text = readFileSync('docs/fidelity.md', 'utf8')
    return text.split('\n').map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    )
  } catch {
    return []
  }
}

function fidelityPage(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    '# Fidelity on real agents',
    '',
    'Every agent of the corpus, converted to every harness (`npm run corpus -- FOLDER --convert --record` writes this page).',
    'A later run that writes fewer agents fails.',
    '',
    line(head),
    line(head.map((_title, column) => (column < 2 ? '---' : '---:'))),
    ...rows.map(line),
    '',
    '- **written**: converted; access did not grow.',
    '- **refused**: its access would have grown, and no one accepted that. Codex CLI ignores the restrictions of agent files, so most',
    '  restricted agents are refused there. Main sessions of Copilot always have skills, so agents that deny them are refused, too.',
    '- **asked**: not written for any target until a person decides: a key that seems to restrict the agent and that no harness knows',
    '  (`--ignore-key`), a list of which the harness knows no name (`--revive`), or',
    '  a prompt that is only a reference to a missing file.',
    ...[...asked].map(([from, reasons]) => `  - ${from}: ${inWords(reasons)}.`),
    '- **narrowed**: something that the agent could do before is denied in the target.',
    '- **fidelity**: the mean over agents of direct 1, workaround 0.7, todo 0.2, omitted 0, over all features.',
    '- **restored**: converted back, with the help of the lock file, to the same bytes.',
    '',
  ].join('\n')
}
