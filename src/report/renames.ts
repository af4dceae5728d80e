/** An output that is to go and one that is to come, of the same source for the same target: the agent has another name. */
import type { Drift } from '../model/drift.ts'

export interface Rename {
  readonly from: string
  readonly to: string
  readonly source: string
}

/** Takes the renames out of what is not in step. Where a source holds several agents, nobody can say who became whom. */
export function findRenames(drifts: readonly Drift[]): { renames: readonly Rename[]; others: readonly Drift[] } {
  const places = new Map<string, Drift[]>()
  for (const drift of drifts) {
    if ((drift.kind !== 'missing' && drift.kind !== 'stale') || drift.source === null) continue
    const place = JSON.stringify([drift.source, drift.target])
    places.set(place, [...(places.get(place) ?? []), drift])
  }
  const renames: Rename[] = []
  const told = new Set<Drift>()
  for (const [one, other, ...more] of places.values()) {
    if (one === undefined || other === undefined || more.length > 0 || one.kind === other.kind) continue
    const [stale, missing] = one.kind === 'stale' ? [one, other] : [other, one]
    renames.push({ from: stale.path, to: missing.path, source: one.source ?? '' })
    told.add(one).add(other)
  }
  return { renames, others: drifts.filter((drift) => !told.has(drift)) }
}
