/** Data that records which layer set each part; merging, and the fields built from it. */

import { type DataNode, fromData, jsonOf } from '../../formats/data.ts'
import type { Json } from '../../model/agent.ts'
import type { EffectiveField, Origin } from '../../model/effective.ts'

interface TrackedValue {
  readonly kind: 'value'
  readonly value: Json
  readonly origin: Origin
  readonly overruled: readonly Origin[]
}

export interface TrackedMap {
  readonly kind: 'map'
  /** A plain object, not a `Map`: its order, in which numeric names come first, is the one that decides. */
  readonly entries: Readonly<Record<string, Tracked>>
  readonly origin: Origin
}

export type Tracked = TrackedValue | TrackedMap

/** `originAt`: the origin of the text at an offset. */
export function track(
  node: DataNode,
  originAt: (offset: number) => Origin,
  origin = originAt(node.range.start),
): Tracked {
  if (node.kind !== 'map') return trackedValue(jsonOf(node), origin)
  const entries: Record<string, Tracked> = emptyEntries()
  for (const { key, value, keyRange } of node.entries) {
    entries[key] = track(value, originAt, originAt(keyRange.start))
  }
  return { kind: 'map', entries, origin }
}

/** Plain data with a single origin. */
export function trackData(value: unknown, origin: Origin): Tracked {
  return track(fromData(value), () => origin)
}

export function trackedValue(value: Json, origin: Origin): TrackedValue {
  return { kind: 'value', value, origin, overruled: [] }
}

export function trackedMap(entries: Readonly<Record<string, Tracked>>, origin: Origin): TrackedMap {
  return { kind: 'map', entries: Object.assign(emptyEntries(), entries), origin }
}

/** A key keeps its position in the first layer; maps are merged, everything else is replaced. */
export function mergeTracked(below: Tracked, above: Tracked): Tracked {
  if (below.kind === 'map' && above.kind === 'map') return mergeMaps(below, above)
  if (above.kind === 'map') return above
  return { ...above, overruled: [...overruledBy(below), below.origin, ...above.overruled] }
}

export function mergeMaps(below: TrackedMap, above: TrackedMap): TrackedMap {
  const entries: Record<string, Tracked> = Object.assign(emptyEntries(), below.entries)
  for (const [key, value] of Object.entries(above.entries)) {
    const known = entries[key]
    entries[key] = known === undefined ? value : mergeTracked(known, value)
  }
  return { kind: 'map', entries, origin: above.origin }
}

function overruledBy(tracked: Tracked): readonly Origin[] {
  return tracked.kind === 'value' ? tracked.overruled : []
}

/** Follows keys; undefined as soon as one is missing. */
export function trackedAt(tracked: Tracked, path: readonly string[]): Tracked | undefined {
  let here: Tracked | undefined = tracked
  for (const key of path) here = here?.kind === 'map' ? here.entries[key] : undefined
  return here
}

export function plainData(tracked: Tracked): Json {
  if (tracked.kind === 'value') return tracked.value
  return Object.fromEntries(Object.entries(tracked.entries).map(([key, value]) => [key, plainData(value)]))
}

/** Without a prototype, so that keys such as `__proto__` are ordinary. */
function emptyEntries(): Record<string, Tracked> {
  return Object.create(null) as Record<string, Tracked>
}

/** Tracked data as fields of an agent, and the origins outside of layers. */
export const builtInOrigin: Origin = { from: 'built-in', path: null, line: null, column: null }
export const defaultOrigin: Origin = { from: 'default', path: null, line: null, column: null }

export function effectiveField(key: string, tracked: Tracked | undefined): EffectiveField | null {
  if (tracked === undefined) return null
  const field = { key, value: plainData(tracked), origin: tracked.origin }
  if (tracked.kind === 'value') return { ...field, overruled: tracked.overruled }
  const parts = Object.entries(tracked.entries).map(([name, part]) => [name, part.origin] as const)
  return { ...field, overruled: [], parts: Object.fromEntries(parts) }
}

/** An empty map sets nothing. */
export function isEmptyField({ value, own }: EffectiveField): boolean {
  if (value === null) return own === undefined
  return typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0
}
