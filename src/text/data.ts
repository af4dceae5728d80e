/** From trees back to plain values, and ways to look into a tree. */
import type { DataNode, ListNode, MapEntry, MapNode, ScalarValue } from './tree.ts'

/** Where a key stands twice the last one counts. */
export function toData(node: DataNode | null): unknown {
  if (node === null) return null
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.items.map(toData)
  const data: Record<string, unknown> = {}
  for (const { key, value } of node.entries) setOwn(data, key, toData(value))
  return data
}

const nowhere = { start: 0, end: 0 }

/** Plain data as a tree, for code that looks at trees; it has no place in any text. */
export function nodeOf(value: unknown): DataNode {
  if (Array.isArray(value)) return { kind: 'list', items: value.map(nodeOf), range: nowhere }
  if (typeof value !== 'object' || value === null) {
    return { kind: 'scalar', value: (value ?? null) as ScalarValue, range: nowhere }
  }
  const entries = Object.entries(value).map(([key, one]) => ({
    key,
    keyRange: nowhere,
    value: nodeOf(one),
    range: nowhere,
  }))
  return { kind: 'map', entries, range: nowhere }
}

export function isMap(node: DataNode | null | undefined): node is MapNode {
  return node?.kind === 'map'
}

export function isList(node: DataNode | null | undefined): node is ListNode {
  return node?.kind === 'list'
}

/** The entry that counts: the last one with this key. */
export function entry(map: DataNode | null | undefined, key: string): MapEntry | undefined {
  return isMap(map) ? map.entries.findLast((one) => one.key === key) : undefined
}

/** Follows keys and list indices; undefined as soon as something is missing. */
export function get(node: DataNode | null | undefined, path: readonly (string | number)[]): DataNode | undefined {
  let here: DataNode | undefined = node ?? undefined
  for (const step of path) {
    if (typeof step === 'string') here = entry(here, step)?.value
    else here = isList(here) ? here.items[step] : undefined
  }
  return here
}

/** The tree with every `<<` replaced by the entries it names, as parsers do that know merge keys; own keys win. */
export function withMerges(node: DataNode): DataNode {
  if (node.kind === 'scalar') return node
  if (node.kind === 'list') return { ...node, items: node.items.map(withMerges) }
  const own = node.entries.filter(({ key }) => key !== '<<').map((one) => ({ ...one, value: withMerges(one.value) }))
  const keys = new Set(own.map(({ key }) => key))
  const brought = node.entries
    .filter(({ key }) => key === '<<')
    .flatMap(({ value }) => (value.kind === 'list' ? value.items : [value]))
    .map(withMerges)
    .flatMap((one) => (one.kind === 'map' ? one.entries : []))
    .filter(({ key }) => !keys.has(key) && keys.add(key))
  return { ...node, entries: [...brought, ...own] }
}

/** Equal as data: order of keys does not matter. */
export function sameData(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((one, i) => sameData(one, b[i]))
  }
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => Object.hasOwn(b, key) && sameData(own(a, key), own(b, key)))
}

function own(value: object, key: string): unknown {
  return (value as Record<string, unknown>)[key]
}

/** A plain assignment to `__proto__` would change the object's prototype. */
export function setOwn(data: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(data, key, { value, writable: true, enumerable: true, configurable: true })
  } else data[key] = value
}
