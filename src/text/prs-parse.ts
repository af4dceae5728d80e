/** The blocks and declarations of a PromptScript file, going on behind whatever does not fit the grammar. */
import type { Finding } from '../model/diagnostics.ts'
import { openCursor, type PrsCursor } from './prs-cursor.ts'
import { entryOf, nothingAt, scalar } from './prs-nodes.ts'
import { readScalar } from './prs-scalars.ts'
import type { Token } from './prs-tokens.ts'
import { isKey, readFields, readValue } from './prs-values.ts'
import type { DataNode, MapEntry, ScalarNode } from './tree.ts'

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
  const value = isValue ? bracedValue(cursor) : name.text === 'meta' ? readFields(cursor, 0) : block(cursor)
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
function block(cursor: PrsCursor): DataNode {
  const texts: ScalarNode[] = []
  const map = readFields(cursor, 0, () => {
    if (cursor.now().kind === 'block') texts.push(readScalar(cursor))
    else if (cursor.is('-')) listed(cursor)
    else if (cursor.is('@') && isInside(cursor)) inside(cursor)
    else return false
    return true
  })
  const [only] = texts
  return map.entries.length === 0 && only !== undefined ? only : map
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

/** The value of an override. */
function bracedValue(cursor: PrsCursor): DataNode {
  cursor.take()
  const value = readValue(cursor, 1)
  cursor.expect('}', '{ is not closed')
  return value
}
