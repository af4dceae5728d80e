/** What a build did, for people: what is not in step, what went back into the source, and one line that sums it up. */
import type { Acceptance } from '../model/acceptance.ts'
import type { Adoption } from '../model/adoption.ts'
import type { Conversion } from '../model/conversion.ts'
import type { Diagnostic } from '../model/diagnostics.ts'
import type { Drift } from '../model/drift.ts'
import { acceptanceText } from './acceptance-text.ts'
import { diagnosticsText } from './diagnostics-text.ts'
import { driftText } from './drift-text.ts'
import { gainsText, groupsBy } from './gains-text.ts'
import { oneLine, plural, wrap } from './layout.ts'
import type { Figures } from './migration.ts'
import { obstaclesText } from './obstacles-text.ts'
import { refusalOf } from './refusals.ts'
import type { Style } from './style.ts'

/** What was left alone was not looked at closely enough to say how much it lost on the way. */
export type BuildSummary = Omit<Figures, 'fidelity' | 'widened' | 'gaps'>

export function buildSummary(figures: Figures, leftAlone: number): BuildSummary {
  const { fidelity: _fidelity, widened: _widened, gaps: _gaps, ...counts } = figures
  return { ...counts, agents: counts.agents + leftAlone, unchanged: counts.unchanged + leftAlone }
}

export interface BuildReport {
  /** How many targets there are. */
  readonly targets: number
  readonly drifts: readonly Drift[]
  readonly adoptions: readonly Adoption[]
  readonly accepted: readonly Acceptance[]
  /** Gaps of some weight that were settled by default, because nobody has said anything about them. */
  readonly undecided: number
  /** Other places than the project where something was changed, as `troupe.yaml` says them. */
  readonly elsewhere: readonly string[]
  /** At least those that were refused. */
  readonly results: readonly Conversion[]
  readonly summary: BuildSummary
  readonly diagnostics: readonly Diagnostic[]
  readonly isCheck: boolean
  /** Outputs that stay as somebody else made them. */
  readonly isLeft: (drift: Drift) => boolean
}

/** Everything that a person must know about; empty where there is nothing. */
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
    elsewhereText(report.elsewhere, style, columns),
  ]
  return parts.filter((lines) => lines.length > 0).flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))
}

function adoptedText(adoptions: readonly Adoption[], style: Style): string[] {
  const adopted = adoptions.filter(({ problem }) => problem === null)
  if (adopted.length === 0) return []
  const lines = adopted.map(({ path, source, changes }) => {
    const what = changes.length === 0 ? 'nothing but spelling' : changes.join(', ')
    return `  ${oneLine(source ?? '')}${style.dim(`  ${what}, from ${oneLine(path)}`)}`
  })
  return [`${style.bold('taken into the source')}, from ${plural(adopted.length, 'file')}`, ...lines]
}

function undecidedText(count: number, style: Style, columns: number): string[] {
  if (count === 0) return []
  const what = `${plural(count, 'gap')} settled by default. \`answers: FILE\` in troupe.yaml lets you decide, and keeps what you say for everybody.`
  return wrap(what, columns).map((line) => style.dim(line))
}

/** Each place remembers its own runs. */
function elsewhereText(places: readonly string[], style: Style, columns: number): string[] {
  const lines = places.map(
    (place) => `What changed in ${oneLine(place)} is taken back by \`troupe undo --out ${place}\`.`,
  )
  return lines.flatMap((line) => wrap(line, columns)).map((line) => style.dim(line))
}

/** How many reasons are said for each target. */
const REASONS = 4

function refusedText(results: readonly Conversion[], style: Style, columns: number): string[] {
  const refused = results.filter((result) => refusalOf(result)?.code === 'wider-access')
  if (refused.length === 0) return []
  const lines = [`${style.bold('refused')}, ${plural(refused.length, 'output')}`]
  for (const some of groupsBy(refused, ({ target }) => target.harness)) {
    const gains = some.flatMap(({ name, access }) =>
      [...new Set(access.widened.map(({ capability }) => capability))].map((capability) => ({
        agent: name,
        capability,
      })),
    )
    lines.push(`  in ${some[0].target.harness} they could do more:`, ...gainsText(gains, style, columns))
    const reasons = new Set(some.flatMap(({ access }) => access.widened.flatMap(({ why }) => why ?? [])))
    for (const why of [...reasons].slice(0, REASONS))
      lines.push(...wrap(oneLine(why), columns - 4).map((line) => `    ${line}`))
  }
  const advice = '`accept:` in troupe.yaml accepts it for a target, with a reason; `troupe convert --to` says more.'
  return [...lines, ...wrap(advice, columns - 2).map((line) => style.dim(`  ${line}`))]
}

/** "6 outputs for 3 targets" */
export function buildScope({ summary, targets }: BuildReport): string {
  return `${plural(summary.agents, 'output')} for ${plural(targets, 'target')}`
}

/** "3 written, 15 in step" */
export function buildTally({ drifts, summary, isCheck, isLeft }: BuildReport): string {
  if (drifts.length === 0 && summary.refused + summary.failed === 0) return 'everything is in step'
  const unwanted = drifts.filter(({ agent }) => agent === null)
  const removed = isCheck ? 0 : unwanted.filter((drift) => !isLeft(drift)).length
  const left = summary.failed + unwanted.filter((drift) => drift.kind === 'edited' && isLeft(drift)).length
  const parts = [
    summary.written > 0 ? `${summary.written} written` : null,
    removed > 0 ? `${removed} removed` : null,
    summary.refused > 0 ? `${summary.refused} refused` : null,
    left > 0 ? `${left} left alone` : null,
    summary.unchanged > 0 ? `${summary.unchanged} in step` : null,
  ].filter((part) => part !== null)
  return parts.join(', ') || 'none in step'
}

export function buildText(report: BuildReport, style: Style, columns: number): string[] {
  const findings = buildFindings(report, style, columns)
  return [...findings, ...(findings.length > 0 ? [''] : []), `${buildScope(report)}: ${buildTally(report)}.`]
}
