/** What the passes found, counted by feature. */
import { type GapResolution, outcomes } from '../../model/conversion.ts'
import type { Proposal } from './proposal.ts'
import type { BodyGap, BodyPattern, DecidedGap } from './types.ts'

/** One line for each feature, with the worst that became of it. */
export function collectPatterns(proposals: readonly Proposal[]): BodyPattern[] {
  const patterns = new Map<string, BodyPattern>()
  for (const { feature, outcome, from, to, range, note } of proposals) {
    const known = patterns.get(feature)
    const isWorse = known === undefined || outcomes.indexOf(outcome) > outcomes.indexOf(known.outcome)
    const occurrences = (known?.occurrences ?? 0) + 1
    const first = known?.first ?? range.start
    const told = note === undefined ? {} : { note }
    patterns.set(
      feature,
      isWorse ? { feature, outcome, from, to, occurrences, first, ...told } : { ...known, occurrences },
    )
  }
  return [...patterns.values()]
}

/** One comment for each feature, unless it is already said in its place. */
export function collectTodos(proposals: readonly Proposal[]): string[] {
  const said = new Set(proposals.flatMap(({ saysTodo, feature }) => (saysTodo === true ? [feature] : [])))
  const todos = proposals.flatMap(({ todo, feature }) => (todo === undefined || said.has(feature) ? [] : [todo]))
  return [...new Set(todos)]
}

/** The gaps behind what was kept. */
export function collectGaps(
  proposals: readonly Proposal[],
  decided: ReadonlyMap<string, { readonly gap: BodyGap; readonly resolution: GapResolution }>,
): DecidedGap[] {
  const gaps: DecidedGap[] = []
  for (const { gap, resolution } of decided.values()) {
    const cause = proposals.find(({ feature }) => feature === gap.feature || feature === `tool: ${gap.feature}`)
    if (cause !== undefined) gaps.push({ ...gap, resolution, first: cause.range.start })
  }
  return gaps.sort((a, b) => a.first - b.first)
}
