/** Two figures for a conversion: its fidelity, which counts features, and how many lines of the prompt are the same. */
import type { Area, Feature, FidelityReport, Gap, GapResolution, Outcome } from './conversion.ts'

/** In tenths, to avoid rounding errors at a half. */
const weights: Readonly<Record<Outcome, number>> = { direct: 10, workaround: 7, todo: 2, omitted: 0 }

export function scoreFidelity(features: readonly Feature[], gaps: readonly Gap[]): FidelityReport {
  const counts = { direct: 0, workaround: 0, todo: 0, omitted: 0 }
  const byArea: Record<Area, { points: number; total: number }> = {
    fields: { points: 0, total: 0 },
    tools: { points: 0, total: 0 },
    body: { points: 0, total: 0 },
    skills: { points: 0, total: 0 },
  }
  for (const { outcome, area } of features) {
    counts[outcome]++
    byArea[area].points += weights[outcome]
    byArea[area].total++
  }
  const { fields, tools, body, skills } = byArea
  const score = percent(fields.points + tools.points + body.points + skills.points, features.length) ?? 0
  const { band, label } = scoreBand(score)
  return {
    score,
    band,
    label,
    counts,
    total: features.length,
    areas: {
      fields: percent(fields.points, fields.total),
      tools: percent(tools.points, tools.total),
      body: percent(body.points, body.total),
      skills: percent(skills.points, skills.total),
      gaps: gapScore(gaps),
    },
  }
}

/** Null if there is nothing to score. */
function percent(points: number, total: number): number | null {
  return total === 0 ? null : Math.round((points * 10) / total)
}

export function scoreBand(score: number): Pick<FidelityReport, 'band' | 'label'> {
  if (score >= 80) return { band: 'green', label: 'High fidelity' }
  return score >= 50 ? { band: 'yellow', label: 'Moderate fidelity' } : { band: 'red', label: 'Low fidelity' }
}

/** The outcome of a resolved gap. */
export function gapOutcome(resolution: GapResolution): Outcome {
  if (resolution === 'revive' || resolution === 'widen') return 'workaround'
  return resolution === 'omit' ? 'omitted' : resolution
}

/** How many gaps were closed by a workaround, rather than left out or left to do. */
function gapScore(gaps: readonly Gap[]): number | null {
  const points = gaps.reduce((sum, { resolution }) => sum + weights[gapOutcome(resolution)], 0)
  return percent(points, gaps.length)
}

/** How many lines of a prompt are the same in another file. Not the fidelity score, which counts features. */
export interface LineCounts {
  /** Lines whose words differ. */
  readonly changedLines: number
  /** Lines that differ in white space only; none of them is among the changed ones. */
  readonly whitespaceLines: number
  /** Changed lines that the converter itself changes. */
  readonly editedLines: number
  /** Of the longer side. */
  readonly totalLines: number
}

/** `missing`: only in the source; `extra`: only in the target. */
export const matchKinds = ['identical', 'whitespace', 'changed', 'missing', 'extra'] as const

type MatchKind = (typeof matchKinds)[number]

export interface AgentMatch extends LineCounts {
  readonly name: string
  /** The file, as its path is shown to people; null if there is none. */
  readonly source: string | null
  readonly compiled: string | null
  /** Percentage of the lines, with one decimal. */
  readonly match: number
  readonly kind: MatchKind
  /** The lines that differ, as unified hunks; only on request. */
  readonly patch?: readonly string[]
}

type LineRating = LineCounts & Pick<AgentMatch, 'match' | 'kind'>

export function rateLines(counts: LineCounts): LineRating {
  const { changedLines, whitespaceLines } = counts
  const kind: MatchKind = changedLines > 0 ? 'changed' : whitespaceLines > 0 ? 'whitespace' : 'identical'
  return { match: linePercent(shareOf(counts)), kind, ...counts }
}

/** An agent on one side only has nothing in common with the other. */
export function rateUnmatched(kind: 'missing' | 'extra', lines: number): LineRating {
  return { match: 0, kind, changedLines: lines, whitespaceLines: 0, editedLines: 0, totalLines: lines }
}

/** The mean over agents; those without a source are not counted. */
export function overallMatch(agents: readonly AgentMatch[]): number {
  const counted = agents.filter(({ kind }) => kind !== 'extra')
  const shares = counted.map((one) => (one.kind === 'missing' ? 0 : shareOf(one)))
  return counted.length === 0 ? 0 : linePercent(shares.reduce((sum, share) => sum + share, 0) / counted.length)
}

/** Two empty prompts are the same. */
function shareOf({ totalLines, changedLines, whitespaceLines }: LineCounts): number {
  return totalLines === 0 ? 1 : (totalLines - changedLines - whitespaceLines) / totalLines
}

/** With one decimal, rounded down: 100 means all of it. The tiny addend corrects sums that are slightly too small. */
function linePercent(share: number): number {
  return Math.floor(share * 1000 + 1e-7) / 10
}
