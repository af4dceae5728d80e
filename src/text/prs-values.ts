/** Values of PromptScript, whatever is inside them: fields in braces, lists, texts. */
import type { PrsCursor } from './prs-cursor.ts'
import { isReserved } from './prs-names.ts'
import { entryOf, nothingAt, scalar } from './prs-nodes.ts'
import { readPlaceholder, readScalar } from './prs-scalars.ts'
import { innerText, unescaped } from './prs-text.ts'
import type { Token } from './prs-tokens.ts'
import type { DataNode, ListNode, MapEntry, MapNode, ScalarNode } from './tree.ts'

// Far beyond any file; it keeps recursion over the tree harmless.
const MAX_DEPTH = 200

/** `key`: of the field whose value it is. */
export function readValue(cursor: PrsCursor, depth: number, key?: string): DataNode {
  if (depth > MAX_DEPTH && (cursor.is('{') || cursor.is('['))) return tooDeep(cursor)
  if (cursor.is('{{')) return readPlaceholder(cursor)
  if (cursor.is('{')) return readFields(cursor, depth)
  if (cursor.is('[')) return list(cursor, depth)
  const { kind } = cursor.now()
  if (kind !== 'end' && kind !== 'mark') return readScalar(cursor, key)
  cursor.complain('a value is expected here')
  return nothingAt(cursor.last().end)
}

/**
 * The fields in a pair of braces. In a block, other things can stand among them, and no commas: `readOther` takes what
 * comes next if it is one of those.
 */
export function readFields(cursor: PrsCursor, depth: number, readOther?: () => boolean): MapNode {
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
      cursor.complain('the name of a field is expected here')
      cursor.take()
      cursor.skipUntil(() => cursor.is('}') || cursor.is('@') || (isKey(cursor.now()) && cursor.beginsLine()))
    }
  }
  if (cursor.is('}')) cursor.take()
  else cursor.complain('{ is not closed', open)
  return { kind: 'map', entries, range: { start: open.start, end: Math.max(open.end, cursor.last().end) } }
}

export function isKey({ kind }: Token): boolean {
  return kind === 'word' || kind === 'string'
}

function comma(cursor: PrsCursor, isBlock: boolean): void {
  if (isBlock) cursor.complain('between the fields of a block there are no commas', undefined, 'warning')
  cursor.take()
}

function field(cursor: PrsCursor, depth: number): MapEntry | null {
  const token = cursor.take()
  const key = token.kind === 'string' ? unescaped(innerText(token.text)) : token.text
  if (token.kind === 'word' && isReserved(key)) cursor.wantsQuotes(token)
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
