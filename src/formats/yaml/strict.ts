/** Strict YAML 1.2 with bounded cost, parsed by the `yaml` library, as the common tree. */
import {
  type Alias,
  Composer,
  type Document,
  type DocumentOptions,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  Pair,
  type ParseOptions,
  Parser,
  Scalar,
  Schema,
  type SchemaOptions,
  YAMLMap,
} from 'yaml'
import type { Range } from '../../model/range.ts'
import type { DataNode, Duplicate, MapEntry, ScalarNode, ScalarValue } from '../data.ts'
import type { TextView } from './view.ts'

// `convertDocument` finds duplicates, because the library compares every key with every other.
// Known tags would produce dates, sets and bytes, which no other format here has.
const YAML_OPTIONS = {
  version: '1.2',
  // Made once: the library would make one for each text.
  schema: new Schema({ schema: 'core', resolveKnownTags: false }),
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'error',
} as const

/** How the library passes a position: an offset, a pair of them, or a token. */
type ErrorSource = number | readonly [number, number, number?] | { readonly offset: number }

// The library takes seconds and hundreds of megabytes to reject this.
const TOO_DEEP = 600

function isTooDeep(text: string): boolean {
  let open = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === 0x5b || c === 0x7b) {
      if (++open > TOO_DEEP) return true
    } else if ((c === 0x5d || c === 0x7d) && open > 0) open--
  }
  return false
}

interface YamlRefusal {
  readonly message: string
  readonly start: number
  readonly end: number
}

type Composed = { readonly document: Document.Parsed } | { readonly refusal: YamlRefusal }

/** The single document of a text, or the library's first error. */
export function composeYaml(
  text: string,
  options: DocumentOptions & ParseOptions & SchemaOptions = YAML_OPTIONS,
): Composed {
  if (isTooDeep(text)) return { refusal: { message: 'The data is nested too deeply', start: 0, end: text.length } }
  let first: { readonly message: string; readonly place: number } | null = null
  const composer = new Composer(options)
  // The library collects every error, at some cost each. One is enough to reject the text, so the first stops it.
  Object.assign(composer, {
    onError(source: ErrorSource, _code: string, message: string, warning?: boolean) {
      if (warning) return
      first ??= { message, place: placeOf(source) }
      throw new Error(first.message)
    },
  })
  let document: Document.Parsed | null = null
  try {
    for (const one of composer.compose(new Parser().parse(text), true, text.length)) {
      const [start, , end] = one.range
      if (document !== null) return { refusal: { message: 'There is more than one document', start, end } }
      document = one as Document.Parsed
    }
  } catch (error) {
    const { message, place } = first ?? { message: error instanceof Error ? error.message : String(error), place: 0 }
    return { refusal: { message, start: place, end: place + 1 } }
  }
  const left = document?.errors[0]
  if (document !== null && !left) return { document }
  return {
    refusal: { message: left?.message ?? 'There is no document', start: left?.pos[0] ?? 0, end: left?.pos[1] ?? 0 },
  }
}

export function readStrictYaml(view: TextView): StrictYaml {
  const composed = composeYaml(view.text)
  if ('document' in composed) return convertDocument(composed.document, view)
  const { message, start, end } = composed.refusal
  return refusedYaml(view, message, start, end)
}

function placeOf(source: ErrorSource): number {
  if (typeof source === 'number') return source
  return 'offset' in source ? source.offset : source[0]
}

/** Converts a document of the `yaml` library to the common tree, with aliases resolved and duplicate keys recorded. */
interface YamlProblem {
  readonly message: string
  readonly range: Range
}

export interface StrictYaml {
  readonly root: DataNode | null
  readonly duplicates: readonly Duplicate[]
  /** Empty if the text is valid except for duplicate keys. */
  readonly problems: readonly YamlProblem[]
}

// Far beyond any agent file; enough to stop a hostile text.
const MAX_DEPTH = 500
const MAX_ALIASES = 1000

type Anchored = { node: DataNode | null }

interface YamlConversion {
  readonly document: Document.Parsed
  readonly view: TextView
  /** The value of each anchor so far; without a node while that is still being built. */
  readonly anchors: Map<string, Anchored>
  readonly duplicates: Duplicate[]
  readonly path: string[]
  aliases: number
  /** Why this document is not a tree: a loop, or a limit exceeded. */
  trouble: string | null
}

function convertDocument(document: Document.Parsed, view: TextView): StrictYaml {
  const conversion: YamlConversion = {
    document,
    view,
    anchors: new Map(),
    duplicates: [],
    path: [],
    aliases: 0,
    trouble: null,
  }
  const root = document.contents === null ? null : convert(conversion, document.contents)
  if (conversion.aliases > 0) conversion.trouble ??= tryAliases(document)
  if (conversion.trouble !== null) return refusedYaml(view, conversion.trouble, 0, view.text.length)
  return { root, duplicates: conversion.duplicates, problems: [] }
}

function refusedYaml(view: TextView, message: string, start: number, end: number): StrictYaml {
  const range = { start: view.toFile(start), end: view.toFile(Math.max(start, end)) }
  return { root: null, duplicates: [], problems: [{ message, range }] }
}

/** The library limits how far aliases may multiply; its limit applies here too. */
function tryAliases(document: Document.Parsed): string | null {
  try {
    document.toJS()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function convert(conversion: YamlConversion, node: Node): DataNode {
  if (isAlias(node)) return resolveAlias(conversion, node)
  const name = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined
  if (name === undefined) return convertPlain(conversion, node)
  const anchored: Anchored = { node: null }
  conversion.anchors.set(name, anchored)
  anchored.node = convertPlain(conversion, node)
  return anchored.node
}

function convertPlain(conversion: YamlConversion, node: Node): DataNode {
  if (isScalar(node)) return { kind: 'scalar', value: scalarValue(node), range: rangeOf(conversion, node) }
  if (conversion.path.length > MAX_DEPTH) conversion.trouble ??= 'The data is nested too deeply'
  if (conversion.trouble !== null) return absent(conversion, node.range?.[0] ?? 0)
  if (isMap<Node, Node | null>(node)) return convertMap(conversion, node)
  if (isSeq<Node>(node)) {
    conversion.path.push('-')
    const items = node.items.map((item) => convert(conversion, item))
    conversion.path.pop()
    return { kind: 'list', items, range: rangeOf(conversion, node, items.at(-1)) }
  }
  return absent(conversion, node.range?.[0] ?? 0)
}

function convertMap(conversion: YamlConversion, node: YAMLMap<Node, Node | null>): DataNode {
  const entries: MapEntry[] = []
  const seen = new Map<string, number>()
  for (const { key, value } of node.items) {
    const keyRange = rangeOf(conversion, key)
    const name = keyText(conversion, key)
    conversion.path.push(name)
    const converted = value === null ? absent(conversion, key.range![1]) : convert(conversion, value)
    conversion.path.pop()
    const range = { start: keyRange.start, end: Math.max(keyRange.end, converted.range.end) }
    entries.push({ key: name, keyRange, value: converted, range })
    if (isScalar(key)) noteDuplicate(conversion, entries, seen, `${typeof key.value} ${String(key.value)}`)
  }
  return { kind: 'map', entries, range: rangeOf(conversion, node, entries.at(-1)) }
}

function noteDuplicate(
  conversion: YamlConversion,
  entries: MapEntry[],
  seen: Map<string, number>,
  identity: string,
): void {
  const before = seen.get(identity)
  seen.set(identity, entries.length - 1)
  if (before === undefined) return
  const entry = entries[before]!
  conversion.duplicates.push({ entry, next: entries[before + 1]!, path: [...conversion.path, entry.key] })
}

/** Keys become strings as in the library's own `toJS`. */
function keyText(conversion: YamlConversion, key: Node): string {
  if (isScalar(key) && key.anchor === undefined) return plainKey(key.value)
  const converted = convert(conversion, key)
  if (converted.kind === 'scalar') return plainKey(converted.value)
  if (conversion.trouble !== null) return ''
  const alone = new YAMLMap<Node, null>()
  alone.items.push(new Pair(key, null))
  try {
    return Object.keys(alone.toJS(conversion.document))[0] ?? ''
  } catch (error) {
    conversion.trouble = error instanceof Error ? error.message : String(error)
    return ''
  }
}

function plainKey(value: unknown): string {
  return value === null || value === undefined ? '' : typeof value === 'symbol' ? value.description! : String(value)
}

/** The alias shares the value of its anchor, but has its own position. */
function resolveAlias(conversion: YamlConversion, alias: Alias): DataNode {
  const target = conversion.anchors.get(alias.source)
  if (++conversion.aliases > MAX_ALIASES) conversion.trouble ??= 'There are too many aliases'
  if (target === undefined) conversion.trouble ??= `There is no anchor for the alias *${alias.source}`
  if (target?.node === null) conversion.trouble ??= `The alias *${alias.source} contains itself`
  if (!target?.node) return absent(conversion, alias.range![0])
  return { ...target.node, range: rangeOf(conversion, alias) }
}

function absent(conversion: YamlConversion, offset: number): ScalarNode {
  const place = conversion.view.toFile(offset)
  return { kind: 'scalar', value: null, range: { start: place, end: place } }
}

function scalarValue(node: Scalar): ScalarValue {
  const { value } = node
  if (value === undefined) return null
  // Dates and other typed values exist only in YAML 1.1; their text is equivalent.
  return typeof value === 'object' && value !== null ? (node.source ?? String(value)) : (value as ScalarValue)
}

/** Block values of the library end after their last line end; ours end before it, so that a replacement keeps it. */
function rangeOf({ view }: YamlConversion, node: Node, last?: { range: Range }): Range {
  const [start, end] = node.range ?? [0, 0]
  const from = view.toFile(start)
  const flow = (isMap(node) || isSeq(node)) && node.flow
  if (last && !flow) return { start: from, end: last.range.end }
  if (!isScalar(node) || (node.type !== Scalar.BLOCK_LITERAL && node.type !== Scalar.BLOCK_FOLDED)) {
    return { start: from, end: view.toFile(end) }
  }
  let stop = end
  if (view.text[stop - 1] === '\n') stop -= view.text[stop - 2] === '\r' ? 2 : 1
  return { start: from, end: view.toFile(Math.max(start, stop)) }
}
