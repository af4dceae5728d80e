/** The fidelity of a conversion: four classes of outcome, one formula, sub-scores by area. */
import {
  type Area,
  areas,
  type Feature,
  type FidelityReport,
  type Gap,
  type Outcome,
  outcomes,
} from '../model/conversion.ts'

/** In tenths, so that a half is a half and not a little less. */
const weights: Readonly<Record<Outcome, number>> = { direct: 10, workaround: 7, todo: 2, omitted: 0 }

export function scoreFidelity(features: readonly Feature[], gaps: readonly Gap[]): FidelityReport {
  const counts = countOutcomes(features)
  const score = scoreOf(counts) ?? 0
  const inArea = (area: Area) => scoreOf(countOutcomes(features.filter((one) => one.area === area)))
  const byArea = Object.fromEntries(areas.map((area) => [area, inArea(area)])) as Record<Area, number | null>
  return { score, ...bandOf(score), counts, total: features.length, areas: { ...byArea, gaps: gapScore(gaps) } }
}

export function bandOf(score: number): Pick<FidelityReport, 'band' | 'label'> {
  if (score >= 80) return { band: 'green', label: 'High fidelity' }
  return score >= 50 ? { band: 'yellow', label: 'Moderate fidelity' } : { band: 'red', label: 'Low fidelity' }
}

function countOutcomes(features: readonly Feature[]): Record<Outcome, number> {
  const counts = Object.fromEntries(outcomes.map((one) => [one, 0])) as Record<Outcome, number>
  for (const { outcome } of features) counts[outcome]++
  return counts
}

/** Null where there is nothing to score. */
function scoreOf(counts: Readonly<Record<Outcome, number>>): number | null {
  const total = outcomes.reduce((sum, one) => sum + counts[one], 0)
  if (total === 0) return null
  return Math.round((outcomes.reduce((sum, one) => sum + counts[one] * weights[one], 0) * 10) / total)
}

/** How many gaps were closed by a workaround, rather than left out or left to do. */
function gapScore(gaps: readonly Gap[]): number | null {
  if (gaps.length === 0) return null
  const each = gaps.map(({ resolution }) => weights[resolution === 'omit' ? 'omitted' : resolution])
  return Math.round((each.reduce((sum, one) => sum + one, 0) * 10) / gaps.length)
}
