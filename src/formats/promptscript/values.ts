/** Reads PromptScript values: fields, lists, strings, placeholders. */

import type { Range } from '../../model/range.ts'
import type { DataNode, ListNode, MapEntry, MapNode, ScalarNode, ScalarValue } from '../data.ts'
import { innerText, isReserved, PROSE_FIELD, readBlock, readProse, unescapePrs } from './strings.ts'
import type { PrsCursor, PrsToken } from './tokens.ts'

// Far beyond any file; keeps recursion over the tree safe.
const MAX_DEPTH = 200

/** `key`: of the field that has this value. */
export function readPrsValue(cursor: PrsCursor, depth: number, key?: string): DataNode {
  if (depth > MAX_DEPTH && (cursor.is('{') || cursor.is('['))) return tooDeep(cursor)
  if (cursor.is('{{')) return readPlaceholder(cursor)
  if (cursor.is('{')) return readPrsFields(cursor, depth)
  if (cursor.is('[')) return list(cursor, depth)
  const { kind } = cursor.now()
  if (kind !== 'end' && kind !== 'mark') return readPrsScalar(cursor, key)
  cursor.complain('expected a value')
  return absentNode(cursor.last().end)
}

/**
 * The fields in a pair of braces. A block may contain other items too, and has no commas: `readOther` takes the next
 * item if it is one of those.
 */
export function readPrsFields(cursor: PrsCursor, depth: number, readOther?: () => boolean): MapNode {
  const open = cursor.take()
  const entries: MapEntry[] = []
  while (!cursor.is('}') && cursor.now().kind !== 'end') {
    if (readOther?.()) continue
    if (cursor.is('@')) break
    if (isKey(cursor.now())) {
      const entry = field(cursor, depth)
      if (entry !== null) entries.push(entry)
      if (cursor.is(',')) comma(cursor, readOther !== undefined)
    } else {
      cursor.complain('expected the name of a field')
      cursor.take()
      cursor.skipUntil(() => cursor.is('}') || cursor.is('@') || (isKey(cursor.now()) && cursor.beginsLine()))
    }
  }
  if (cursor.is('}')) cursor.take()
  else cursor.complain('{ is not closed', open)
  return { kind: 'map', entries, range: { start: open.start, end: Math.max(open.end, cursor.last().end) } }
}

export function isKey({ kind }: PrsToken): boolean {
  return kind === 'word' || kind === 'string'
}

function comma(cursor: PrsCursor, isBlock: boolean): void {
  if (isBlock) cursor.complain('the fields of a block are not separated by commas', undefined, 'warning')
  cursor.take()
}

function field(cursor: PrsCursor, depth: number): MapEntry | null {
  const token = cursor.take()
  const key = token.kind === 'string' ? unescapePrs(innerText(token.text)) : token.text
  if (token.kind === 'word' && isReserved(key)) cursor.wantsQuotes(token)
  if (cursor.is('?') || cursor.is('!')) cursor.take()
  if (cursor.is('{')) cursor.wantsColon(token)
  else if (cursor.is(':')) cursor.take()
  else {
    cursor.complain(`a colon is missing after ${token.text}`, token)
    return null
  }
  const value = beginsField(cursor) ? absent(cursor, token) : readPrsValue(cursor, depth + 1, key)
  const entry = mapEntry(key, token, token.start, value)
  if (!cursor.is('=')) return entry
  cursor.take()
  const { range } = readPrsValue(cursor, depth + 1)
  return { ...entry, range: { start: token.start, end: range.end } }
}

/** Whether a line begins here with a name and a colon, so that the value before it was never finished. */
function beginsField(cursor: PrsCursor): boolean {
  return isKey(cursor.now()) && cursor.ahead(1).text === ':' && cursor.beginsLine()
}

function absent(cursor: PrsCursor, key: PrsToken): ScalarNode {
  cursor.complain(`the value of ${key.text} is missing`, key)
  return absentNode(cursor.last().end)
}

function list(cursor: PrsCursor, depth: number): ListNode {
  const open = cursor.take()
  const items: DataNode[] = []
  while (!cursor.is(']') && cursor.now().kind !== 'end') {
    if (cursor.is(',')) {
      cursor.take()
      continue
    }
    // Another item begins here: the list was never closed.
    if (cursor.is('}') || cursor.is('@') || beginsField(cursor)) break
    const before = cursor.now()
    const value = readPrsValue(cursor, depth + 1)
    if (cursor.now() === before) cursor.take()
    else items.push(value)
    const { kind } = cursor.now()
    if (kind !== 'mark' && kind !== 'end' && !beginsField(cursor)) cursor.complain('a comma is missing')
  }
  if (cursor.is(']')) cursor.take()
  else cursor.complain('[ is not closed', open)
  return { kind: 'list', items, range: { start: open.start, end: Math.max(open.end, cursor.last().end) } }
}

function tooDeep(cursor: PrsCursor): ScalarNode {
  const open = cursor.now()
  cursor.complain('this is nested too deeply')
  let level = 0
  do {
    const { text } = cursor.take()
    if (text === '{' || text === '[') level++
    if (text === '}' || text === ']') level--
  } while (level > 0 && cursor.now().kind !== 'end')
  return scalarNode(null, { start: open.start, end: cursor.last().end })
}

/** `key`: of the field that has this value. */
export function readPrsScalar(cursor: PrsCursor, key?: string): ScalarNode {
  const token = cursor.take()
  if (token.kind === 'block')
    return scalarNode((key === PROSE_FIELD ? readProse : readBlock)(innerText(token.text)), token)
  if (token.kind === 'string') return scalarNode(unescapePrs(innerText(token.text)), token)
  if (token.kind === 'variable') return scalarNode(token.text, token)
  if (token.kind === 'word' && cursor.is('(')) return typeExpression(cursor, token)
  return bareValue(cursor, token)
}

/** `{{name}}` */
function readPlaceholder(cursor: PrsCursor): ScalarNode {
  const { start } = cursor.take()
  while (cursor.now().kind === 'word') cursor.take()
  cursor.expect('}}', '{{ is not closed')
  const range = { start, end: cursor.last().end }
  return scalarNode(cursor.text(range), range)
}

/** `range(1..10)`, `enum("a", "b")` */
function typeExpression(cursor: PrsCursor, { start }: PrsToken): ScalarNode {
  cursor.take()
  cursor.skipUntil(() => cursor.is(')') || cursor.is('}') || cursor.is('@') || cursor.is('{'))
  cursor.expect(')', '( is not closed')
  const range = { start, end: cursor.last().end }
  return scalarNode(cursor.text(range), range)
}

const CONSTANTS: Readonly<Record<string, ScalarValue>> = { true: true, false: false, null: null }

/** A word or a number; anything else without quotes is read as text. */
function bareValue(cursor: PrsCursor, token: PrsToken): ScalarNode {
  while (isJoined(cursor)) cursor.take()
  const { end } = cursor.last()
  const range = { start: token.start, end }
  const text = cursor.text(range)
  const isKeyword = token.kind === 'word' && isReserved(text)
  if (isKeyword && Object.hasOwn(CONSTANTS, text)) return scalarNode(CONSTANTS[text]!, range)
  if (end > token.end || token.kind === 'path' || token.kind === 'strange' || isKeyword) cursor.wantsQuotes(range)
  else if (token.kind === 'number') return scalarNode(Number(text), range)
  return scalarNode(text, range)
}

/** Whether the next token continues the bare value: nothing separates them, and it is not a mark with a meaning. */
function isJoined(cursor: PrsCursor): boolean {
  const { kind, text, start } = cursor.now()
  if (kind === 'end' || kind === 'string' || kind === 'block') return false
  if (kind === 'mark' && !['.', '..', '-', '@', ':', '?', '!'].includes(text)) return false
  return !/\s|#/.test(cursor.text({ start: cursor.last().end, end: start }))
}

/** Nodes of the tree that PromptScript is parsed into. */
export function scalarNode(value: ScalarValue, { start, end }: Range): ScalarNode {
  return { kind: 'scalar', value, range: { start, end } }
}

/** Where a value is missing. */
export function absentNode(place: number): ScalarNode {
  return scalarNode(null, { start: place, end: place })
}

export function mapEntry(key: string, { start, end }: Range, from: number, value: DataNode): MapEntry {
  return { key, keyRange: { start, end }, value, range: { start: from, end: Math.max(end, value.range.end) } }
}
