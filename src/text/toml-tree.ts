/** Builds the common tree from TOML's statements: tables, dotted keys and arrays of tables come together by path. */
import type { AST } from 'toml-eslint-parser'
import type { Range } from '../model/place.ts'
import type { DataNode, MapEntry, MapNode, ScalarValue } from './tree.ts'

// Far beyond any agent file; it keeps recursion over the tree harmless.
const MAX_DEPTH = 200

/** One word of a key, and where it stands. */
export interface Step {
  readonly name: string
  readonly range: Range
}

/** A tree that still grows; it only becomes readonly when it is handed out. */
interface GrowingMap {
  readonly kind: 'map'
  readonly entries: Growing<MapEntry>[]
  readonly byKey: Map<string, Growing<MapEntry>>
  range: Range
}
type Growing<T> = { -readonly [K in keyof T]: T[K] }

export interface TomlBuilder {
  /** `[path]`, or `[[path]]` when `array`: where the keys that follow belong. */
  readonly openTable: (path: readonly Step[], array: boolean, range: Range) => void
  /** Gives back what had to make room, if something did. */
  readonly set: (path: readonly Step[], value: DataNode, range: Range) => MapEntry | null
  readonly root: () => MapNode
}

export function growToml(range: Range): TomlBuilder {
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
      return put(parent, step, value, place)
    },
    root: () => root,
  }
}

function newMap(range: Range): GrowingMap {
  return { kind: 'map', entries: [], byKey: new Map(), range }
}

function put(map: GrowingMap, step: Step, value: DataNode, place: Range): MapEntry | null {
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

/** Goes down a path, making maps where there is nothing; in an array of tables, the last one is meant. */
function descend(from: GrowingMap, path: readonly Step[], place: Range): GrowingMap {
  let here = from
  for (const step of path) {
    const entry = here.byKey.get(step.name)
    const found = entry?.value.kind === 'list' ? entry.value.items.at(-1) : entry?.value
    if (entry) entry.range = union(entry.range, place)
    if (isGrowing(found)) here = found
    else {
      const made = newMap(place)
      put(here, step, made, place)
      here = made
    }
    widen(here, place)
  }
  return here
}

function appendTable(parent: GrowingMap, step: Step, place: Range): GrowingMap {
  const table = newMap(place)
  const entry = parent.byKey.get(step.name)
  if (entry?.value.kind === 'list') {
    ;(entry.value.items as DataNode[]).push(table)
    entry.range = union(entry.range, place)
    ;(entry.value as Growing<DataNode>).range = entry.range
  } else put(parent, step, { kind: 'list', items: [table], range: place }, place)
  return table
}

function isGrowing(node: DataNode | undefined): node is GrowingMap & MapNode {
  return node?.kind === 'map' && 'byKey' in node
}

function widen(map: GrowingMap, place: Range): void {
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
      builder.openTable(stepsOf(node.key, shift), node.kind === 'array', rangeOf(node, shift))
      for (const pair of node.body) addKeyValue(builder, pair, shift)
    }
  }
}

function addKeyValue(builder: TomlBuilder, node: AST.TOMLKeyValue, shift: number): MapEntry | null {
  return builder.set(stepsOf(node.key, shift), toNode(node.value, shift), rangeOf(node, shift))
}

/** Throws when a key has more words than any data has levels; callers recover from that as from a syntax error. */
export function stepsOf(key: AST.TOMLKey, shift: number): Step[] {
  if (key.keys.length > MAX_DEPTH) throw new RangeError('The key is too long')
  return key.keys.map((part) => ({
    name: part.type === 'TOMLBare' ? part.name : part.value,
    range: rangeOf(part, shift),
  }))
}

export function toNode(node: AST.TOMLContentNode, shift: number, depth = 0): DataNode {
  if (depth > MAX_DEPTH) throw new RangeError('The data is nested too deeply')
  const range = rangeOf(node, shift)
  if (node.type === 'TOMLArray') {
    return { kind: 'list', items: node.elements.map((one) => toNode(one, shift, depth + 1)), range }
  }
  if (node.type === 'TOMLInlineTable') {
    const inner = growToml(range)
    for (const { key, value, range: place } of node.body) {
      inner.set(stepsOf(key, shift), toNode(value, shift, depth + 1), {
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
