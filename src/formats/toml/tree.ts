/** TOML, parsed by the library, as the common tree. */
import { type AST, parseTOML } from 'toml-eslint-parser'
import type { Range } from '../../model/range.ts'
import type { DataNode, MapEntry, MapNode, ScalarValue } from '../data.ts'

// Far beyond any agent file; keeps recursion over the tree safe.
const MAX_DEPTH = 200

/** One part of a key, and its position. */
export interface KeyPart {
  readonly name: string
  readonly range: Range
}

/** A tree under construction; it becomes readonly when it is returned. */
interface MutableMap {
  readonly kind: 'map'
  readonly entries: Mutable<MapEntry>[]
  readonly byKey: Map<string, Mutable<MapEntry>>
  range: Range
}
type Mutable<T> = { -readonly [K in keyof T]: T[K] }

export interface TomlBuilder {
  /** `[path]`, or `[[path]]` if `array`: the table of the keys that follow. */
  readonly openTable: (path: readonly KeyPart[], array: boolean, range: Range) => void
  /** Returns the entry that was replaced, if any. */
  readonly set: (path: readonly KeyPart[], value: DataNode, range: Range) => MapEntry | null
  readonly root: () => MapNode
}

export function createTomlBuilder(range: Range): TomlBuilder {
  const root = newMap(range)
  let current = root
  return {
    openTable: (path, array, place) => {
      const parent = descend(root, path.slice(0, -1), place)
      const step = path.at(-1)!
      current = array ? appendTable(parent, step, place) : descend(parent, [step], place)
      widen(current, place)
    },
    set: (path, value, place) => {
      const parent = descend(current, path.slice(0, -1), place)
      const step = path.at(-1)!
      return putEntry(parent, step, value, place)
    },
    root: () => root,
  }
}

function newMap(range: Range): MutableMap {
  return { kind: 'map', entries: [], byKey: new Map(), range }
}

function putEntry(map: MutableMap, step: KeyPart, value: DataNode, place: Range): MapEntry | null {
  widen(map, place)
  const now = { key: step.name, keyRange: step.range, value, range: place }
  const known = map.byKey.get(step.name)
  if (known) {
    const before = { ...known }
    Object.assign(known, now)
    return before
  }
  map.entries.push(now)
  map.byKey.set(step.name, now)
  return null
}

/** Follows a path, creating missing maps; in an array of tables, the last one is meant. */
function descend(from: MutableMap, path: readonly KeyPart[], place: Range): MutableMap {
  let here = from
  for (const step of path) {
    const entry = here.byKey.get(step.name)
    const found = entry?.value.kind === 'list' ? entry.value.items.at(-1) : entry?.value
    if (entry) entry.range = union(entry.range, place)
    if (isMutableMap(found)) here = found
    else {
      const made = newMap(place)
      putEntry(here, step, made, place)
      here = made
    }
    widen(here, place)
  }
  return here
}

function appendTable(parent: MutableMap, step: KeyPart, place: Range): MutableMap {
  const table = newMap(place)
  const entry = parent.byKey.get(step.name)
  if (entry?.value.kind === 'list') {
    ;(entry.value.items as DataNode[]).push(table)
    entry.range = union(entry.range, place)
    ;(entry.value as Mutable<DataNode>).range = entry.range
  } else putEntry(parent, step, { kind: 'list', items: [table], range: place }, place)
  return table
}

function isMutableMap(node: DataNode | undefined): node is MutableMap & MapNode {
  return node?.kind === 'map' && 'byKey' in node
}

function widen(map: MutableMap, place: Range): void {
  map.range = union(map.range, place)
}

function union(a: Range, b: Range): Range {
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) }
}

/** `shift` is where the parsed text begins in the file. */
export function addStatements(builder: TomlBuilder, program: AST.TOMLProgram, shift: number): void {
  for (const node of program.body[0].body) {
    if (node.type === 'TOMLKeyValue') addKeyValue(builder, node, shift)
    else {
      builder.openTable(keyParts(node.key, shift), node.kind === 'array', rangeOf(node, shift))
      for (const pair of node.body) addKeyValue(builder, pair, shift)
    }
  }
}

function addKeyValue(builder: TomlBuilder, node: AST.TOMLKeyValue, shift: number): MapEntry | null {
  return builder.set(keyParts(node.key, shift), tomlNode(node.value, shift), rangeOf(node, shift))
}

/** Throws if a key has more parts than the maximum depth; callers recover from that as from a syntax error. */
export function keyParts(key: AST.TOMLKey, shift: number): KeyPart[] {
  if (key.keys.length > MAX_DEPTH) throw new RangeError('The key is too long')
  return key.keys.map((part) => ({
    name: part.type === 'TOMLBare' ? part.name : part.value,
    range: rangeOf(part, shift),
  }))
}

export function tomlNode(node: AST.TOMLContentNode, shift: number, depth = 0): DataNode {
  if (depth > MAX_DEPTH) throw new RangeError('The data is nested too deeply')
  const range = rangeOf(node, shift)
  if (node.type === 'TOMLArray') {
    return { kind: 'list', items: node.elements.map((one) => tomlNode(one, shift, depth + 1)), range }
  }
  if (node.type === 'TOMLInlineTable') {
    const inner = createTomlBuilder(range)
    for (const { key, value, range: place } of node.body) {
      inner.set(keyParts(key, shift), tomlNode(value, shift, depth + 1), {
        start: place[0] + shift,
        end: place[1] + shift,
      })
    }
    return inner.root()
  }
  return { kind: 'scalar', value: scalarOf(node), range }
}

function scalarOf(node: AST.TOMLValue): ScalarValue {
  if (node.kind === 'integer') return Number.isSafeInteger(node.value) ? node.value : node.bigint
  if (node.kind === 'string' || node.kind === 'float' || node.kind === 'boolean') return node.value
  return node.datetime
}

function rangeOf(node: { range: [number, number] }, shift: number): Range {
  return { start: node.range[0] + shift, end: node.range[1] + shift }
}

/** Throws if the text is not valid; the error's position may then be one behind the end of the text. */
export function parseTomlProgram(text: string): AST.TOMLProgram {
  // If the text ends in 0, the library returns a range without it.
  return parseTOML(`${text}\n`)
}
