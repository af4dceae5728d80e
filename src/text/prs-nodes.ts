/** Parts of the tree that PromptScript is read into. */
import type { Range } from '../model/place.ts'
import type { DataNode, MapEntry, ScalarNode, ScalarValue } from './tree.ts'

export function scalar(value: ScalarValue, { start, end }: Range): ScalarNode {
  return { kind: 'scalar', value, range: { start, end } }
}

/** Where a value is missing. */
export function nothingAt(place: number): ScalarNode {
  return scalar(null, { start: place, end: place })
}

export function entryOf(key: string, { start, end }: Range, from: number, value: DataNode): MapEntry {
  return { key, keyRange: { start, end }, value, range: { start: from, end: Math.max(end, value.range.end) } }
}
