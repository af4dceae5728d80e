/** A quick way through front matter that is nothing but simple keys and values; anything else is left to the library. */
import type { DataNode, ListNode, MapEntry, ScalarNode, ScalarValue } from './tree.ts'
import type { View } from './view.ts'
import { readSimpleBlock } from './yaml-simple-block.ts'
import type { StrictYaml } from './yaml-tree.ts'

// What is accepted here must mean to the library exactly what it means here; test/properties compares the two.
const KEY = /(?!(?:null|Null|NULL) *:)[A-Za-z_][\w-]{0,99}:/y
const DASH = /( *)- /y
const PLAIN = /^[^\s\-?:,[\]{}#&*!|>'"%@`.+][^\t\r\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]*$/
const SPECIAL = /: | #|:$|^0/
const NULL_OR_BOOLEAN = /^(?:null|Null|NULL|~|true|True|TRUE|false|False|FALSE)$/
const NUMERIC = /^[\da-fA-FxXoO.eE+_-]+$/
const DOUBLE = /^"(?:[^"\\\u0000-\u001f\u007f-\u009f\ufeff]|\\["\\nt])*"$/
const SINGLE = /^'(?:[^'\u0000-\u001f\u007f-\u009f\ufeff]|'')*'$/
const EMPTY_LIST = /^\[ *\]$/
const FLOW_LIST = /^\[ *[^\s,[\]{}][^,[\]{}]*(?:,[^,[\]{}]+)*\]$/

// The expressions above need stack in proportion to the length of a value.
const MAX_LENGTH = 50_000

/** Null when something is not simple, be it valid or not. */
export function readSimpleYaml(view: View): StrictYaml | null {
  const { text } = view
  if (text.length > MAX_LENGTH) return null
  const entries: MapEntry[] = []
  const keys = new Set<string>()
  let line = 0
  while (line < text.length) {
    const { stop, next } = endOfLine(text, line)
    if (stop === line) {
      line = next
      continue
    }
    KEY.lastIndex = line
    const match = KEY.exec(text)
    if (match === null) return null
    const colon = line + match[0].length
    const key = match[0].slice(0, -1)
    if (keys.has(key)) return null
    keys.add(key)
    const value = colon < stop ? readInline(view, colon, stop) : readBelow(view, colon, next)
    if (value === null) return null
    const start = view.toFile(line)
    const { node } = value
    const keyRange = { start, end: start + key.length }
    entries.push({ key, keyRange, value: node, range: { start, end: Math.max(node.range.end, keyRange.end) } })
    line = value.next ?? next
  }
  if (entries.length === 0) return null
  const range = { start: entries[0]!.range.start, end: entries.at(-1)!.range.end }
  return { root: { kind: 'map', entries, range }, duplicates: [], problems: [] }
}

interface Reading {
  readonly node: DataNode
  /** Where to go on, when that is not simply the next line. */
  readonly next?: number
}

function endOfLine(text: string, from: number): { stop: number; next: number } {
  const end = text.indexOf('\n', from)
  if (end < 0) return { stop: text.length, next: text.length }
  return { stop: end > from && text.charCodeAt(end - 1) === 13 ? end - 1 : end, next: end + 1 }
}

function readInline(view: View, colon: number, stop: number): Reading | null {
  if (view.text[colon] !== ' ') return null
  let start = colon + 1
  while (view.text[start] === ' ' && start < stop) start++
  const sign = view.text[start]
  if (sign === '|' || sign === '>') return readSimpleBlock(view, start)
  const node = sign === '[' ? readFlowList(view, start, stop) : readScalar(view, start, stop)
  return node && { node }
}

/** Names between commas; a quoted comma or bracket is not simple. */
function readFlowList(view: View, start: number, stop: number): ListNode | null {
  const source = view.text.slice(start, endOfWord(view.text, start, stop))
  const isEmpty = EMPTY_LIST.test(source)
  if (!isEmpty && !FLOW_LIST.test(source)) return null
  const items: ScalarNode[] = []
  let from = start + 1
  for (const part of isEmpty ? [] : source.slice(1, -1).split(',')) {
    let first = from
    while (view.text[first] === ' ') first++
    const item = readScalar(view, first, from + part.length)
    if (item === null) return null
    items.push(item)
    from += part.length + 1
  }
  const place = view.toFile(start)
  return { kind: 'list', items, range: { start: place, end: place + source.length } }
}

function readScalar(view: View, start: number, stop: number): ScalarNode | null {
  const source = view.text.slice(start, endOfWord(view.text, start, stop))
  const value = simpleValue(source)
  if (value === undefined) return null
  const from = view.toFile(start)
  return { kind: 'scalar', value, range: { start: from, end: from + source.length } }
}

/** Only spaces are trimmed: other white space may be part of a value. */
function endOfWord(text: string, start: number, stop: number): number {
  let end = stop
  while (end > start && text[end - 1] === ' ') end--
  return end
}

function simpleValue(source: string): ScalarValue | undefined {
  const initial = source[0]
  if (initial === '"') return DOUBLE.test(source) ? withEscapesRead(source.slice(1, -1)) : undefined
  if (initial === "'") return SINGLE.test(source) ? source.slice(1, -1).replaceAll("''", "'") : undefined
  if (!PLAIN.test(source) || SPECIAL.test(source)) return undefined
  if (NULL_OR_BOOLEAN.test(source)) return namedValue(source)
  if (!NUMERIC.test(source)) return source
  if (/^\d{1,15}$/.test(source)) return Number(source)
  // Hexadecimal letters alone are words, such as "cafe"; whatever has a digit goes the long way.
  return /\d/.test(source) ? undefined : source
}

function withEscapesRead(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter === 't' ? '\t' : letter))
}

function namedValue(source: string): boolean | null {
  const initial = source[0]
  return initial === 't' || initial === 'T' ? true : initial === 'f' || initial === 'F' ? false : null
}

/** Behind a bare `key:` there may be a list of simple values; its dashes stand in one column. */
function readBelow(view: View, colon: number, from: number): Reading | null {
  const { text } = view
  const items: ScalarNode[] = []
  let line = from
  let indent: number | undefined
  let start = 0
  while (line < text.length) {
    DASH.lastIndex = line
    const match = DASH.exec(text)
    if (match === null) break
    indent ??= match[1]!.length
    if (match[1]!.length !== indent) return null
    const { stop, next } = endOfLine(text, line)
    const item = readScalar(view, line + match[0].length, stop)
    if (item === null) return null
    if (items.length === 0) start = view.toFile(line + indent)
    items.push(item)
    line = next
  }
  const place = view.toFile(colon)
  if (items.length === 0) {
    return endsHere(text, from) ? { node: { kind: 'scalar', value: null, range: { start: place, end: place } } } : null
  }
  return { node: { kind: 'list', items, range: { start, end: items.at(-1)!.range.end } }, next: line }
}

/** Whether a key may follow; an indented line or a comment would belong to what came before. */
function endsHere(text: string, from: number): boolean {
  return from >= text.length || /[A-Za-z_]/.test(text[from]!)
}
