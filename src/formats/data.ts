/** Parsed data of every format: trees with positions, plain values, and duplicate keys. */

import type { Json, JsonObject } from '../model/agent.ts'
import type { Finding } from '../model/findings.ts'
import { limits } from '../model/limits.ts'
import type { Edit, Range } from '../model/range.ts'
import { lineStart, lineStop, nextLine } from './lines.ts'

export type ScalarValue = string | number | bigint | boolean | null

export interface ScalarNode {
  readonly kind: 'scalar'
  readonly value: ScalarValue
  /** The value's own characters, including quotes; empty at the position of an absent value. */
  readonly range: Range
}

export interface ListNode {
  readonly kind: 'list'
  readonly items: readonly DataNode[]
  readonly range: Range
}

export interface MapEntry {
  readonly key: string
  readonly keyRange: Range
  readonly value: DataNode
  /** Key, value and everything between. */
  readonly range: Range
}

export interface MapNode {
  readonly kind: 'map'
  readonly entries: readonly MapEntry[]
  readonly range: Range
}

export type DataNode = ScalarNode | ListNode | MapNode

/** An entry overridden by a later one with the same key. */
export interface Duplicate {
  readonly entry: MapEntry
  /** The next entry in the same map. */
  readonly next: MapEntry
  /** The keys that lead to it, from the root. */
  readonly path: readonly string[]
}

/** Nothing was read, because the text is too large; a finding reports it. */
interface Unread {
  readonly isUnread?: true
}

/** The result of every parser: always a tree (perhaps empty), and the findings. */
export interface Parsed extends Unread {
  readonly root: DataNode | null
  readonly findings: readonly Finding[]
  /** The top-level keys whose values had to be recovered rather than parsed. */
  readonly recovered: readonly string[]
  /** The paths of repeated keys, in formats whose parsers use the last one. */
  readonly twice?: readonly (readonly string[])[]
}

/** The last one of repeated keys counts. */
export function toData(node: DataNode | null): unknown {
  if (node === null) return null
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.items.map(toData)
  const data: Record<string, unknown> = {}
  for (const { key, value } of node.entries) setOwn(data, key, toData(value))
  return data
}

const NO_RANGE = { start: 0, end: 0 }

/** Plain data, as JSON would hold it: whole numbers beyond its range become text, and what is not a number becomes null. */
export function jsonOf(node: DataNode): Json {
  if (node.kind === 'list') return node.items.map(jsonOf)
  if (node.kind === 'scalar') return jsonScalar(node.value)
  const data: Record<string, Json> = {}
  for (const { key, value } of node.entries) setOwn(data, key, jsonOf(value))
  return data
}

function jsonScalar(value: ScalarValue): Json {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'number') return value
  // JSON has no negative zero.
  return Number.isFinite(value) ? value + 0 : null
}

/** Plain data as a tree, for code that works on trees; it has no position in any text. */
export function fromData(value: unknown): DataNode {
  if (Array.isArray(value)) return { kind: 'list', items: value.map(fromData), range: NO_RANGE }
  if (typeof value !== 'object' || value === null) {
    return { kind: 'scalar', value: (value ?? null) as ScalarValue, range: NO_RANGE }
  }
  const entries = Object.entries(value).map(([key, one]) => ({
    key,
    keyRange: NO_RANGE,
    value: fromData(one),
    range: NO_RANGE,
  }))
  return { kind: 'map', entries, range: NO_RANGE }
}

export function isMap(node: DataNode | null | undefined): node is MapNode {
  return node?.kind === 'map'
}

export function isList(node: DataNode | null | undefined): node is ListNode {
  return node?.kind === 'list'
}

/** The entry that counts: the last one with this key. */
export function getEntry(map: DataNode | null | undefined, key: string): MapEntry | undefined {
  return isMap(map) ? map.entries.findLast((one) => one.key === key) : undefined
}

/** Follows keys and list indices; undefined as soon as something is missing. */
export function getNode(node: DataNode | null | undefined, path: readonly (string | number)[]): DataNode | undefined {
  let here: DataNode | undefined = node ?? undefined
  for (const step of path) {
    if (typeof step === 'string') here = isList(here) ? itemAt(here, step) : getEntry(here, step)?.value
    else here = isList(here) ? here.items[step] : undefined
  }
  return here
}

const ITEM = /^\[([\w-]+)=(.*)\]$/s

/** A step into a list, in a path of keys: the item in which the key has this value. */
export function itemStep(key: string, value: string): string {
  return `[${key}=${value}]`
}

export function isItemStep(step: string): boolean {
  return ITEM.test(step)
}

/** Whether the plain data of an item is what the step leads to. */
export function isItemAt(item: unknown, step: string): boolean {
  const [, key, value] = ITEM.exec(step) ?? []
  if (key === undefined || typeof item !== 'object' || item === null || !Object.hasOwn(item, key)) return false
  return String(own(item, key)) === value
}

function itemAt({ items }: ListNode, step: string): DataNode | undefined {
  const [, key, value] = ITEM.exec(step) ?? []
  if (key === undefined) return undefined
  return items.find((item) => {
    const found = getEntry(item, key)?.value
    return found?.kind === 'scalar' && String(found.value) === value
  })
}

/** The tree with every `<<` replaced by the entries it refers to, for parsers with merge keys; own keys win. */
export function resolveMergeKeys(node: DataNode): DataNode {
  if (node.kind === 'scalar') return node
  if (node.kind === 'list') return { ...node, items: node.items.map(resolveMergeKeys) }
  const own = node.entries
    .filter(({ key }) => key !== '<<')
    .map((one) => ({ ...one, value: resolveMergeKeys(one.value) }))
  const keys = new Set(own.map(({ key }) => key))
  const brought = node.entries
    .filter(({ key }) => key === '<<')
    .flatMap(({ value }) => (value.kind === 'list' ? value.items : [value]))
    .map(resolveMergeKeys)
    .flatMap((one) => (one.kind === 'map' ? one.entries : []))
    .filter(({ key }) => !keys.has(key) && keys.add(key))
  return { ...node, entries: [...brought, ...own] }
}

/** Equal as data: the order of keys does not matter. */
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

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value, wrapped in its missing parents. */
export function nestValue(path: readonly string[], value: Json): Json {
  return path.reduceRight<Json>((inner, key) => (isItemStep(key) ? [inner] : { [key]: inner }), value)
}

/** The common prefix and suffix of two lists stay; `old` items between them are replaced by `now` new ones. */
export function alignLists(
  before: number,
  after: number,
  same: (i: number, j: number) => boolean,
): { readonly head: number; readonly old: number; readonly now: number } {
  const shorter = Math.min(before, after)
  let head = 0
  while (head < shorter && same(head, head)) head++
  let tail = 0
  while (tail < shorter - head && same(before - 1 - tail, after - 1 - tail)) tail++
  return { head, old: before - head - tail, now: after - head - tail }
}

/** Of entries with the same key the last one counts; the others are reported and left out. */
export function describeDuplicates(text: string, duplicates: readonly Duplicate[]): Finding[] {
  const shown = duplicates.slice(0, limits.findings)
  const findings: Finding[] = shown.map(({ entry, next }) => ({
    code: 'duplicate-key',
    message: `The key "${entry.key}" appears again below. This one does not count.`,
    range: entry.range,
    fix: [removeBefore(text, entry, next)],
  }))
  const first = duplicates[shown.length]
  if (first === undefined) return findings
  const message = `${duplicates.length - shown.length} more keys appear again below. These do not count.`
  return [...findings.map(({ fix: _fix, ...one }) => one), { code: 'duplicate-key', message, range: first.entry.range }]
}

/** For callers that must not treat the last one as the only one. */
export function twiceIn(duplicates: readonly Duplicate[]): Pick<Parsed, 'twice'> {
  return duplicates.length === 0 ? {} : { twice: duplicates.map(({ path }) => path) }
}

/** Whole lines if the entry has lines to itself; else everything up to the next entry. */
function removeBefore(text: string, entry: MapEntry, next: MapEntry): Edit {
  const start = lineStart(text, entry.range.start)
  const alone = text.slice(start, entry.range.start).trim() === ''
  const rest = text.slice(entry.range.end, lineStop(text, entry.range.end)).trim()
  const end = nextLine(text, entry.range.end)
  if (alone && (rest === '' || rest.startsWith('#')) && end <= next.range.start) {
    return { range: { start, end }, text: '' }
  }
  return { range: { start: entry.range.start, end: next.range.start }, text: '' }
}

/**
 * The tree without the overridden entries. Where the order of keys matters, the entry that counts may have to take the
 * place of the first: every program that reads JSON into objects does that.
 */
export function withoutDuplicates(
  root: DataNode | null,
  duplicates: readonly Duplicate[],
  place: 'first' | 'last' = 'last',
): DataNode | null {
  if (root === null || duplicates.length === 0) return root
  const dropped = new Set(duplicates.map(({ entry }) => entry))
  const visit = (node: DataNode): DataNode => {
    if (node.kind === 'scalar') return node
    if (node.kind === 'list') return { ...node, items: node.items.map(visit) }
    const counting = node.entries.filter((entry) => !dropped.has(entry))
    const kept = place === 'last' || counting.length === node.entries.length ? counting : inFirstPlaces(node.entries)
    return { ...node, entries: kept.map((entry) => ({ ...entry, value: visit(entry.value) })) }
  }
  return visit(root)
}

function inFirstPlaces(entries: readonly MapEntry[]): MapEntry[] {
  return [...new Map(entries.map((entry) => [entry.key, entry])).values()]
}
