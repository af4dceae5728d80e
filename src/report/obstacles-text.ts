/** Why outputs of a build were not written, where the reason is not what they would gain. */
import type { Conversion } from '../model/conversion.ts'
import type { Drift } from '../model/drift.ts'
import { refusalLines } from './conversion-gaps-text.ts'
import type { Paper } from './paper.ts'
import { groupRefusals, refusalOf } from './refusals.ts'

export function obstaclesText(results: readonly Conversion[], drifts: readonly Drift[], paper: Paper): string[] {
  const seen = new Set<string>()
  const told = results.filter((result) => {
    const refusal = refusalOf(result)
    if (refusal === null || refusal.code === 'wider-access' || isTold(result, drifts)) return false
    // What is wrong with an agent is wrong for every target, and said once.
    const key = `${result.source.path}\n${refusal.message}`
    return seen.has(key) ? false : seen.add(key)
  })
  return groupRefusals(told)
    .flatMap((group) => refusalLines(paper, group))
    .slice(1)
}

/** Files that somebody else made or changed are told of as such. */
function isTold({ name, target }: Conversion, drifts: readonly Drift[]): boolean {
  return drifts.some(
    ({ kind, agent, target: id }) =>
      (kind === 'edited' || kind === 'foreign') && agent === name && id === target.harness,
  )
}
