/** The fidelity of a conversion: four classes of outcome, one formula, sub-scores by area. */
import type { Area, Feature, FidelityReport, Gap, GapResolution, Outcome } from './conversion.ts'

/** In tenths, so that a half is a half and not a little less. */
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

/** Null where there is nothing to score. */
function percent(points: number, total: number): number | null {
  return total === 0 ? null : Math.round((points * 10) / total)
}

export function scoreBand(score: number): Pick<FidelityReport, 'band' | 'label'> {
  if (score >= 80) return { band: 'green', label: 'High fidelity' }
  return score >= 50 ? { band: 'yellow', label: 'Moderate fidelity' } : { band: 'red', label: 'Low fidelity' }
}

/** What a decision about a gap makes of it. */
export function gapOutcome(resolution: GapResolution): Outcome {
  if (resolution === 'revive' || resolution === 'widen') return 'workaround'
  return resolution === 'omit' ? 'omitted' : resolution
}

/** How many gaps were closed by a workaround, rather than left out or left to do. */
function gapScore(gaps: readonly Gap[]): number | null {
  const points = gaps.reduce((sum, { resolution }) => sum + weights[gapOutcome(resolution)], 0)
  return percent(points, gaps.length)
}
