/** The result of a build, for people: what is out of date, what was adopted into the source, and a summary line. */
import type { ComponentConversion } from '../model/component.ts'
import type { Acceptance, Conversion } from '../model/conversion.ts'
import type { Adoption, Drift } from '../model/drift.ts'
import type { Diagnostic } from '../model/findings.ts'
import { componentSentence } from './conversion/components.ts'
import { type RunFigures, refusalOf } from './conversion/run.ts'
import { refusalSection } from './conversion/summary.ts'
import { groupRefusals } from './conversion/tally.ts'
import { driftText } from './drift.ts'
import { diagnosticsText } from './findings.ts'
import { cut, displayWidth, oneLine, plural, sentence, wrap } from './layout.ts'
import { printText, type Style, type TerminalOptions } from './print-text.ts'

/** What was left alone was not examined closely enough to know its losses. */
type BuildSummary = Omit<RunFigures, 'fidelity' | 'widened' | 'gaps'>

export function buildSummary(figures: RunFigures, leftAlone: number): BuildSummary {
  const { fidelity: _fidelity, widened: _widened, gaps: _gaps, ...counts } = figures
  return { ...counts, agents: counts.agents + leftAlone, unchanged: counts.unchanged + leftAlone }
}

/** What is said about a conversion; there can be thousands, and the rest of each is large. */
export type ReportedResult = Pick<Conversion, 'name' | 'source' | 'target' | 'status' | 'access' | 'diagnostics'>

export interface BuildReport {
  /** The number of targets. */
  readonly targets: number
  readonly drifts: readonly Drift[]
  readonly adoptions: readonly Adoption[]
  readonly accepted: readonly Acceptance[]
  /** Significant gaps that were settled by default, because they were not decided. */
  readonly undecided: number
  /** Places outside the project where something was changed, as written in `troupe.yaml`. */
  readonly elsewhere: readonly string[]
  /** At least the refused ones. */
  readonly results: readonly ReportedResult[]
  readonly summary: BuildSummary
  /** Everything besides agents. */
  readonly components: readonly ComponentConversion[]
  readonly diagnostics: readonly Diagnostic[]
  readonly isCheck: boolean
  /** Outputs left as others made them. */
  readonly isLeft: (drift: Drift) => boolean
}

/** Everything that needs attention; empty if nothing does. */
export function buildFindings(report: BuildReport, style: Style, columns: number): string[] {
  const { drifts, adoptions, accepted, undecided, results, diagnostics, isLeft } = report
  const shown = diagnostics.filter(({ severity }) => severity !== 'info')
  const parts = [
    adoptedText(adoptions, style),
    driftText(drifts.filter(isLeft), adoptions, style, columns),
    refusedText(results, style, columns),
    obstaclesText(results, drifts.filter(isLeft), { style, columns }),
    acceptanceText(accepted, style, columns),
    diagnosticsText(shown, style, columns),
    undecidedText(undecided, style, columns),
    otherComponentsText(report.components, style, columns),
    otherRootsText(report.elsewhere, style, columns),
  ]
  return parts.filter((lines) => lines.length > 0).flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))
}

function adoptedText(adoptions: readonly Adoption[], style: Style): string[] {
  const adopted = adoptions.filter(({ problem }) => problem === null)
  if (adopted.length === 0) return []
  const lines = adopted.map(({ path, source, changes }) => {
    const what = changes.length === 0 ? 'formatting only' : changes.join(', ')
    return `  ${oneLine(source ?? '')}${style.dim(`  ${what}, from ${oneLine(path)}`)}`
  })
  return [`${style.bold('adopted into the source')}, from ${plural(adopted.length, 'file')}`, ...lines]
}

function undecidedText(count: number, style: Style, columns: number): string[] {
  if (count === 0) return []
  const what = `${plural(count, 'gap')} resolved by default. To decide yourself, add \`answers: FILE\` to troupe.yaml.`
  return wrap(what, columns).map((line) => style.dim(line))
}

function otherComponentsText(components: readonly ComponentConversion[], style: Style, columns: number): string[] {
  const sentence = componentSentence(components)
  return sentence === null ? [] : wrap(sentence, columns).map((line) => style.dim(line))
}

/** Each place has its own journal of runs. */
function otherRootsText(places: readonly string[], style: Style, columns: number): string[] {
  const lines = places.map((place) => `\`troupe undo --out ${place}\` reverts the changes in ${oneLine(place)}.`)
  return lines.flatMap((line) => wrap(line, columns)).map((line) => style.dim(line))
}

/** How many reasons are shown per target. */
const REASONS = 4

function refusedText(results: readonly ReportedResult[], style: Style, columns: number): string[] {
  const refused = results.filter((result) => refusalOf(result)?.code === 'wider-access')
  if (refused.length === 0) return []
  const lines = [`${style.bold('refused')}, ${plural(refused.length, 'output')}`]
  for (const some of groupNonEmpty(refused, ({ target }) => target.harness)) {
    const gains = some.flatMap(({ name, access }) =>
      [...new Set(access.widened.map(({ capability }) => capability))].map((capability) => ({
        agent: name,
        capability,
      })),
    )
    lines.push(`  could do more in ${some[0].target.harness}:`, ...gainsText(gains, style, columns))
    const reasons = new Set(some.flatMap(({ access }) => access.widened.flatMap(({ why }) => why ?? [])))
    for (const why of [...reasons].slice(0, REASONS))
      lines.push(...wrap(oneLine(why), columns - 4).map((line) => `    ${line}`))
  }
  const advice =
    'To accept it for a target, add it with a reason under `accept:` in troupe.yaml. `troupe convert --to` shows more.'
  return [...lines, ...wrap(advice, columns - 2).map((line) => style.dim(`  ${line}`))]
}

/** "6 outputs for 3 targets" */
function buildScope({ summary, targets }: BuildReport): string {
  return `${plural(summary.agents, 'output')} for ${plural(targets, 'target')}`
}

/** "3 written, 15 up to date" */
export function buildTally({ drifts, summary, isCheck, isLeft }: BuildReport): string {
  if (drifts.length === 0 && summary.refused + summary.failed === 0) return 'everything is up to date'
  const unwanted = drifts.filter(({ agent }) => agent === null)
  const removed = isCheck ? 0 : unwanted.filter((drift) => !isLeft(drift)).length
  const left = summary.failed + unwanted.filter((drift) => drift.kind === 'edited' && isLeft(drift)).length
  const parts = [
    summary.written > 0 ? `${summary.written} written` : null,
    removed > 0 ? `${removed} removed` : null,
    summary.refused > 0 ? `${summary.refused} refused` : null,
    left > 0 ? `${left} left alone` : null,
    summary.unchanged > 0 ? `${summary.unchanged} up to date` : null,
  ].filter((part) => part !== null)
  return parts.join(', ') || 'none up to date'
}

export function buildText(report: BuildReport, style: Style, columns: number): string[] {
  const findings = buildFindings(report, style, columns)
  return [...findings, ...(findings.length > 0 ? [''] : []), `${buildScope(report)}: ${buildTally(report)}.`]
}

/** Which agents may do more than the source grants, because `troupe.yaml` accepts it, and why. */
function acceptanceText(accepted: readonly Acceptance[], style: Style, columns: number): string[] {
  if (accepted.length === 0) return []
  const outputs = new Set(accepted.map(({ agent, target }) => `${target} ${agent}`)).size
  const lines = [`${style.bold('accepted in troupe.yaml')}, ${plural(outputs, 'output')}`]
  for (const some of groupNonEmpty(accepted, ({ target, reason }) => JSON.stringify([target, reason]))) {
    const [{ target, reason }] = some
    const why = reason === null ? 'No reason given.' : sentence(reason)
    lines.push(...wrap(`in ${target}: ${why}`, columns - 2).map((line) => `  ${line}`))
    lines.push(...gainsText(some, style, columns))
  }
  return lines
}

/** Why outputs of a build were not written, for reasons other than wider access. */
function obstaclesText(
  results: readonly ReportedResult[],
  drifts: readonly Drift[],
  options: TerminalOptions,
): string[] {
  const seen = new Set<string>()
  const shown = results.filter((result) => {
    const refusal = refusalOf(result)
    if (refusal === null || refusal.code === 'wider-access' || isReportedAsDrift(result, drifts)) return false
    // A problem of an agent is the same for every target, and reported once.
    const key = `${result.source.path}\n${refusal.message}`
    return seen.has(key) ? false : seen.add(key)
  })
  return printText(groupRefusals(shown).map(refusalSection), options)
}

/** Files made or changed by others are reported as drift. */
function isReportedAsDrift({ name, target }: ReportedResult, drifts: readonly Drift[]): boolean {
  return drifts.some(
    ({ kind, agent, target: id }) =>
      (kind === 'edited' || kind === 'foreign') && agent === name && id === target.harness,
  )
}

/** More names than this are only counted. */
const NAMES_SHOWN = 12

interface AgentGain {
  readonly agent: string
  readonly capability: string
}

function gainsText(gains: readonly AgentGain[], style: Style, columns: number): string[] {
  const byAgent = groupNonEmpty(gains, ({ agent }) => agent).map((own) => ({
    agent: own[0].agent,
    gained: own.map(({ capability }) => oneLine(capability)).join(', '),
  }))
  return groupNonEmpty(byAgent, ({ gained }) => gained).flatMap((alike) => {
    const names = alike.slice(0, NAMES_SHOWN).map(({ agent }) => oneLine(agent))
    const more = alike.length > NAMES_SHOWN ? ` and ${alike.length - NAMES_SHOWN} more` : ''
    const text = `${names.join(', ')}${more}: ${alike[0].gained}`
    return wrap(text, columns - 4).map((line) => style.dim(`    ${line}`))
  })
}

type NonEmpty<T> = readonly [T, ...T[]]

function groupNonEmpty<T>(all: readonly T[], keyOf: (one: T) => string): NonEmpty<T>[] {
  const groups = new Map<string, [T, ...T[]]>()
  for (const one of all) {
    const group = groups.get(keyOf(one))
    if (group === undefined) groups.set(keyOf(one), [one])
    else group.push(one)
  }
  return [...groups.values()]
}

/** The output of a watching build: one line per build, and problems when they are new. */
interface WatchedChange {
  /** As shown to people. */
  readonly path: string
  readonly kind: 'changed' | 'added' | 'removed'
}

/** "17:40:02  agents/writer.md changed: 3 written, 15 up to date."; what does not fit goes below. */
export function watchLines(
  time: Date,
  changes: readonly WatchedChange[],
  outcome: string,
  style: Style,
  columns: number,
): string[] {
  const clock = time.toTimeString().slice(0, 8)
  const margin = ' '.repeat(clock.length + 2)
  const [first, ...others] = changes
  if (first === undefined) return [`${style.dim(clock)}  ${outcome}.`]
  const more = others.length === 0 ? '' : ` and ${plural(others.length, 'other file')}`
  const kinds = new Set(changes.map(({ kind }) => kind))
  const kind = kinds.size === 1 ? first.kind : 'changed'
  const room = columns - margin.length - more.length - kind.length - 2
  const what = `${cut(oneLine(first.path), Math.max(20, room))}${more} ${kind}:`
  const isShort = margin.length + displayWidth(`${what} ${outcome}.`) <= columns
  if (isShort) return [`${style.dim(clock)}  ${what} ${outcome}.`]
  return [`${style.dim(clock)}  ${what}`, ...wrap(`${outcome}.`, columns - margin.length).map((line) => margin + line)]
}

/** "agents and troupe.yaml" */
export function watchedPathsText(paths: readonly string[]): string {
  const last = paths.at(-1) ?? ''
  return paths.length < 2 ? last : `${paths.slice(0, -1).join(', ')} and ${last}`
}
