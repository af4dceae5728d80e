/** From words to data: the grammar of PromptScript, going on behind whatever does not fit it. */
import type { Finding } from '../model/diagnostics.ts'
import type { Range } from '../model/place.ts'
import { openCursor, type PrsCursor } from './prs-cursor.ts'
import { innerText, PROSE, readBlock, readProse, unescaped } from './prs-text.ts'
import type { Token } from './prs-tokens.ts'
import type { DataNode, ListNode, MapEntry, ScalarNode, ScalarValue } from './tree.ts'

/** Words with a meaning of their own; the first three can be names of fields all the same. */
const TYPES = ['string', 'number', 'boolean']
const KEYWORDS = [...TYPES, 'meta', 'inherit', 'use', 'as', 'into', 'extend', 'true', 'false', 'null', 'range', 'enum']

/** A field or a block may bear this name without quotes. */
export function isPlainName(name: string): boolean {
  return /^[a-zA-Z_][a-zA-Z0-9_-]*$/.test(name) && !KEYWORDS.includes(name)
}

// Far beyond any file; it keeps recursion over the tree harmless.
const MAX_DEPTH = 200

/** Blocks and declarations in their order; each is named by its word, and by what it extends where it extends something. */
export function parseProgram(text: string, tokens: readonly Token[], findings: Finding[]): MapEntry[] {
  const cursor = openCursor(text, tokens, findings)
  const entries: MapEntry[] = []
  while (cursor.now().kind !== 'end') {
    const entry = cursor.is('@') ? declaration(cursor) : null
    if (entry !== null) entries.push(entry)
    else {
      cursor.complain('a block that begins with @ is expected here')
      cursor.skipUntil(() => cursor.is('@'))
    }
  }
  return entries
}

function declaration(cursor: PrsCursor): MapEntry | null {
  const at = cursor.take()
  const name = cursor.now()
  if (name.kind !== 'word') return null
  cursor.take()
  if (name.text === 'use' || name.text === 'inherit') return reference(cursor, at, name)
  const isAddressed = name.text === 'extend' || (name.text === 'override' && !cursor.is('{'))
  const key = isAddressed ? `${name.text} ${address(cursor)}` : name.text
  const keyRange = { start: name.start, end: cursor.last().end }
  if (!cursor.is('{')) {
    cursor.complain(`{ is missing behind @${key}`)
    cursor.skipUntil(() => cursor.is('@'))
    return entryOf(key, keyRange, at.start, nothingAt(keyRange.end))
  }
  const isValue = name.text === 'override' && isAddressed && !holdsFields(cursor)
  const value = isValue ? bracedValue(cursor) : fields(cursor, name.text !== 'meta', 0)
  return entryOf(key, keyRange, at.start, value)
}

/** `a.b.c` */
function address(cursor: PrsCursor): string {
  const { start } = cursor.now()
  if (cursor.now().kind !== 'word') cursor.complain('the name of what is meant is missing')
  while (cursor.now().kind === 'word' || cursor.is('.')) cursor.take()
  return cursor.text({ start, end: cursor.last().end })
}

/** Whether the brace that comes next holds what a block holds, and not a value. */
function holdsFields(cursor: PrsCursor): boolean {
  const [first, second] = [cursor.ahead(1), cursor.ahead(2)]
  if (first.kind === 'block' || ['}', '-', '@'].includes(first.text)) return true
  return isKey(first) && [':', '?', '!'].includes(second.text)
}

/** `@use PATH (name: value) as alias into "folder"`: its value is the path. */
function reference(cursor: PrsCursor, at: Token, name: Token): MapEntry {
  const path = cursor.now()
  if (path.kind === 'path') cursor.take()
  else cursor.complain(`behind @${name.text} a path is expected, like ./file or @name/file`)
  if (cursor.is('(')) argumentsOf(cursor)
  if (follows(cursor, 'as', 'word')) cursor.take()
  if (follows(cursor, 'into', 'string')) cursor.take()
  const value = path.kind === 'path' ? scalar(path.text, path) : nothingAt(name.end)
  return { ...entryOf(name.text, name, at.start, value), range: { start: at.start, end: cursor.last().end } }
}

/** Takes the word, if what belongs to it comes behind it. */
function follows(cursor: PrsCursor, word: string, kind: Token['kind']): boolean {
  const isThere = cursor.now().kind === 'word' && cursor.now().text === word && cursor.ahead(1).kind === kind
  if (isThere) cursor.take()
  return isThere
}

function argumentsOf(cursor: PrsCursor): void {
  cursor.take()
  while (!cursor.is(')') && cursor.now().kind !== 'end' && !cursor.is('@')) {
    const name = cursor.take()
    if (name.kind === 'word' && cursor.is(':')) {
      cursor.take()
      readValue(cursor, 1)
    }
    if (cursor.is(',')) cursor.take()
  }
  cursor.expect(')', '( is not closed')
}

/** A block that holds one text and nothing else is that text. */
function fields(cursor: PrsCursor, isBlock: boolean, depth: number): DataNode {
  const open = cursor.take()
  const entries: MapEntry[] = []
  const texts: ScalarNode[] = []
  for (;;) {
    const token = cursor.now()
    if (cursor.is('}') || token.kind === 'end') break
    if (isBlock && token.kind === 'block') texts.push(scalar(readBlock(innerText(cursor.take().text)), token))
    else if (isBlock && cursor.is('-')) listed(cursor)
    else if (isBlock && cursor.is('@') && isInside(cursor)) inside(cursor)
    else if (cursor.is('@')) break
    else if (isKey(token)) {
      const entry = field(cursor, depth)
      if (entry !== null) entries.push(entry)
      if (cursor.is(',')) comma(cursor, isBlock)
    } else {
      cursor.complain('the name of a field is expected here')
      cursor.take()
      cursor.skipUntil(() => cursor.is('}') || cursor.is('@') || (isKey(cursor.now()) && cursor.beginsLine()))
    }
  }
  if (cursor.is('}')) cursor.take()
  else cursor.complain('{ is not closed', open)
  const range = { start: open.start, end: Math.max(open.end, cursor.last().end) }
  const [only] = texts
  return entries.length === 0 && only !== undefined ? only : { kind: 'map', entries, range }
}

function isKey({ kind }: Token): boolean {
  return kind === 'word' || kind === 'string'
}

/** `- "text"` */
function listed(cursor: PrsCursor): void {
  cursor.take()
  if (cursor.now().kind === 'string') cursor.take()
  else cursor.complain('behind - a text in quotes is expected')
}

function isInside(cursor: PrsCursor): boolean {
  const { text } = cursor.ahead(1)
  return text === 'use' || text === 'header'
}

/** `@use` and `@header` inside a block. */
function inside(cursor: PrsCursor): void {
  const at = cursor.take()
  const name = cursor.take()
  if (name.text === 'use') {
    reference(cursor, at, name)
    return
  }
  if (cursor.now().kind === 'word') cursor.take()
  if (cursor.now().kind === 'string') cursor.take()
  else cursor.complain('behind @header a title in quotes is expected')
}

function comma(cursor: PrsCursor, isBlock: boolean): void {
  if (isBlock) cursor.complain('between the fields of a block there are no commas', undefined, 'warning')
  cursor.take()
}

function field(cursor: PrsCursor, depth: number): MapEntry | null {
  const token = cursor.take()
  const key = token.kind === 'string' ? unescaped(innerText(token.text)) : token.text
  if (token.kind === 'word' && KEYWORDS.includes(key) && !TYPES.includes(key)) cursor.wantsQuotes(token)
  if (cursor.is('?') || cursor.is('!')) cursor.take()
  if (cursor.is('{')) cursor.wantsColon(token)
  else if (cursor.is(':')) cursor.take()
  else {
    cursor.complain(`behind ${token.text} a colon is missing`, token)
    return null
  }
  const value = beginsField(cursor) ? absent(cursor, token) : readValue(cursor, depth + 1, key)
  const entry = entryOf(key, token, token.start, value)
  if (!cursor.is('=')) return entry
  cursor.take()
  const { range } = readValue(cursor, depth + 1)
  return { ...entry, range: { start: token.start, end: range.end } }
}

/** Whether a line begins here with a name and a colon, so that something else was never finished. */
function beginsField(cursor: PrsCursor): boolean {
  return isKey(cursor.now()) && cursor.ahead(1).text === ':' && cursor.beginsLine()
}

function absent(cursor: PrsCursor, key: Token): ScalarNode {
  cursor.complain(`the value of ${key.text} is missing`, key)
  return nothingAt(cursor.last().end)
}

function readValue(cursor: PrsCursor, depth: number, key?: string): DataNode {
  if (depth > MAX_DEPTH && (cursor.is('{') || cursor.is('['))) return tooDeep(cursor)
  if (cursor.is('{{')) return placeholder(cursor)
  if (cursor.is('{')) return fields(cursor, false, depth)
  if (cursor.is('[')) return list(cursor, depth)
  const token = cursor.now()
  if (token.kind === 'end' || token.kind === 'mark') {
    cursor.complain('a value is expected here')
    return nothingAt(cursor.last().end)
  }
  cursor.take()
  if (token.kind === 'block') return scalar((key === PROSE ? readProse : readBlock)(innerText(token.text)), token)
  if (token.kind === 'string') return scalar(unescaped(innerText(token.text)), token)
  if (token.kind === 'variable') return scalar(token.text, token)
  if (token.kind === 'word' && cursor.is('(')) return typeExpression(cursor, token)
  return bareValue(cursor, token)
}

/** `{{name}}` */
function placeholder(cursor: PrsCursor): ScalarNode {
  const { start } = cursor.take()
  while (cursor.now().kind === 'word') cursor.take()
  cursor.expect('}}', '{{ is not closed')
  const range = { start, end: cursor.last().end }
  return scalar(cursor.text(range), range)
}

/** `range(1..10)`, `enum("a", "b")` */
function typeExpression(cursor: PrsCursor, { start }: Token): ScalarNode {
  cursor.take()
  cursor.skipUntil(() => cursor.is(')') || cursor.is('}') || cursor.is('@') || cursor.is('{'))
  cursor.expect(')', '( is not closed')
  const range = { start, end: cursor.last().end }
  return scalar(cursor.text(range), range)
}

const CONSTANTS: Readonly<Record<string, ScalarValue>> = { true: true, false: false, null: null }

/** A word or a number; what cannot be one and stands there without quotes is taken as text. */
function bareValue(cursor: PrsCursor, token: Token): ScalarNode {
  while (isJoined(cursor)) cursor.take()
  const { end } = cursor.last()
  const range = { start: token.start, end }
  const text = cursor.text(range)
  const isKeyword = token.kind === 'word' && KEYWORDS.includes(text) && !TYPES.includes(text)
  if (isKeyword && Object.hasOwn(CONSTANTS, text)) return scalar(CONSTANTS[text]!, range)
  if (end > token.end || token.kind === 'path' || token.kind === 'strange' || isKeyword) cursor.wantsQuotes(range)
  else if (token.kind === 'number') return scalar(Number(text), range)
  return scalar(text, range)
}

/** Nothing but what has no meaning between values stands before the next word, which is no mark with a meaning either. */
function isJoined(cursor: PrsCursor): boolean {
  const { kind, text, start } = cursor.now()
  if (kind === 'end' || kind === 'string' || kind === 'block') return false
  if (kind === 'mark' && !['.', '..', '-', '@', ':', '?', '!'].includes(text)) return false
  return !/\s|#/.test(cursor.text({ start: cursor.last().end, end: start }))
}

function list(cursor: PrsCursor, depth: number): ListNode {
  const open = cursor.take()
  const items: DataNode[] = []
  while (!cursor.is(']') && cursor.now().kind !== 'end') {
    if (cursor.is(',')) {
      cursor.take()
      continue
    }
    // Here begins something else: the list was never closed.
    if (cursor.is('}') || cursor.is('@') || beginsField(cursor)) break
    const before = cursor.now()
    const value = readValue(cursor, depth + 1)
    if (cursor.now() === before) cursor.take()
    else items.push(value)
    const { kind } = cursor.now()
    if (kind !== 'mark' && kind !== 'end' && !beginsField(cursor)) cursor.complain('a comma is missing')
  }
  if (cursor.is(']')) cursor.take()
  else cursor.complain('[ is not closed', open)
  return { kind: 'list', items, range: { start: open.start, end: Math.max(open.end, cursor.last().end) } }
}

/** The value of an override. */
function bracedValue(cursor: PrsCursor): DataNode {
  cursor.take()
  const value = readValue(cursor, 1)
  cursor.expect('}', '{ is not closed')
  return value
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
  return scalar(null, { start: open.start, end: cursor.last().end })
}

function scalar(value: ScalarValue, { start, end }: Range): ScalarNode {
  return { kind: 'scalar', value, range: { start, end } }
}

function nothingAt(place: number): ScalarNode {
  return scalar(null, { start: place, end: place })
}

function entryOf(key: string, { start, end }: Range, from: number, value: DataNode): MapEntry {
  return { key, keyRange: { start, end }, value, range: { start: from, end: Math.max(end, value.range.end) } }
}
