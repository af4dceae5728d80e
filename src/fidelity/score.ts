/** The fidelity of a conversion: four classes of outcome, one formula, sub-scores by area. */
import { type Area, areas, type Feature, type FidelityReport, type Gap, type Outcome } from '../model/conversion.ts'

/** In tenths, so that a half is a half and not a little less. */
const weights: Readonly<Record<Outcome, number>> = { direct: 10, workaround: 7, todo: 2, omitted: 0 }

export function scoreFidelity(features: readonly Feature[], gaps: readonly Gap[]): FidelityReport {
  const counts = { direct: 0, workaround: 0, todo: 0, omitted: 0 }
  const byArea = {
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
  const points = areas.reduce((sum, area) => sum + byArea[area].points, 0)
  const score = percent(points, features.length) ?? 0
  const inArea = (area: Area) => percent(byArea[area].points, byArea[area].total)
  return {
    score,
    ...bandOf(score),
    counts,
    total: features.length,
    areas: {
      fields: inArea('fields'),
      tools: inArea('tools'),
      body: inArea('body'),
      skills: inArea('skills'),
      gaps: gapScore(gaps),
    },
  }
}

/** Null where there is nothing to score. */
function percent(points: number, total: number): number | null {
  return total === 0 ? null : Math.round((points * 10) / total)
}

export function bandOf(score: number): Pick<FidelityReport, 'band' | 'label'> {
  if (score >= 80) return { band: 'green', label: 'High fidelity' }
  return score >= 50 ? { band: 'yellow', label: 'Moderate fidelity' } : { band: 'red', label: 'Low fidelity' }
}

/** How many gaps were closed by a workaround, rather than left out or left to do. */
function gapScore(gaps: readonly Gap[]): number | null {
  const points = gaps.reduce((sum, { resolution }) => sum + weights[resolution === 'omit' ? 'omitted' : resolution], 0)
  return percent(points, gaps.length)
}
