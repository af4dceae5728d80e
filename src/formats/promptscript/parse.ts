/** Parses PromptScript; reports what is broken and keeps the rest readable. */
import type { Finding } from '../../model/findings.ts'
import {
  type DataNode,
  type Duplicate,
  describeDuplicates,
  type MapEntry,
  type MapNode,
  type Parsed,
  type ScalarNode,
  twiceIn,
  withoutDuplicates,
} from '../data.ts'
import { createPrsCursor, type PrsCursor, type PrsToken, tokenizePrs } from './tokens.ts'
import { absentNode, isKey, mapEntry, readPrsFields, readPrsScalar, readPrsValue, scalarNode } from './values.ts'

// One brace can make every later word an error.
const MAX_FINDINGS = 20

export interface PrsDocument extends Parsed {
  /** Where each comment begins and ends. */
  readonly comments: ReadonlyMap<number, number>
}

/** An edit parses the same text several times in a row. */
let lastParsed: { readonly text: string; readonly document: PrsDocument } | null = null

export function parsePrs(text: string): PrsDocument {
  if (lastParsed?.text !== text) lastParsed = { text, document: parseDocument(text) }
  return lastParsed.document
}

/** Whether the text is valid apart from spelling that PromptScript wants differently. */
export function isValidPrs({ findings }: Parsed): boolean {
  return findings.every(({ code, severity }) => code !== 'invalid-prs' || severity === 'warning')
}

function parseDocument(text: string): PrsDocument {
  const { tokens, comments, findings: strange } = tokenizePrs(text)
  const findings: Finding[] = [...strange]
  const blocks = parsePrsProgram(text, tokens, findings)
  const root: MapNode = { kind: 'map', entries: mergeBlocks(blocks), range: { start: 0, end: text.length } }
  const duplicates = root.entries.flatMap(({ key, value }) => duplicatesIn(value, [key]))
  findings.push(...describeDuplicates(text, duplicates))
  findings.sort((a, b) => a.range.start - b.range.start)
  return {
    root: withoutDuplicates(root, duplicates),
    findings: findings.slice(0, MAX_FINDINGS),
    recovered: recoveredKeys(root, findings),
    ...twiceIn(duplicates),
    comments,
  }
}

/** Blocks with the same name are merged into the first of them. */
function mergeBlocks(blocks: readonly MapEntry[]): MapEntry[] {
  const fields = new Map<string, MapEntry[]>()
  const result: MapEntry[] = []
  for (const block of blocks) {
    const { key, value } = block
    const known = fields.get(key)
    if (value.kind !== 'map') result.push(block)
    else if (known !== undefined) known.push(...value.entries)
    else {
      const entries = [...value.entries]
      fields.set(key, entries)
      result.push({ ...block, value: { ...value, entries } })
    }
  }
  return result
}

function duplicatesIn(node: DataNode, path: readonly string[]): Duplicate[] {
  if (node.kind === 'scalar') return []
  if (node.kind === 'list') return node.items.flatMap((item) => duplicatesIn(item, [...path, '-']))
  const found: Duplicate[] = []
  const seen = new Map<string, number>()
  for (const [index, { key, value }] of node.entries.entries()) {
    const before = seen.get(key)
    seen.set(key, index)
    if (before !== undefined)
      found.push({ entry: node.entries[before]!, next: node.entries[before + 1]!, path: [...path, key] })
    found.push(...duplicatesIn(value, [...path, key]))
  }
  return found
}

/** The keys, at any depth, whose value contains an error. */
function recoveredKeys(root: MapNode, findings: readonly Finding[]): string[] {
  const wrong = findings.filter(({ code, severity }) => code === 'invalid-prs' && severity !== 'warning')
  const keys = new Set<string>()
  const visit = (node: DataNode): void => {
    if (node.kind === 'list') node.items.forEach(visit)
    if (node.kind !== 'map') return
    for (const { key, value, range } of node.entries) {
      if (!wrong.some((one) => one.range.start >= range.start && one.range.start <= range.end)) continue
      keys.add(key)
      visit(value)
    }
  }
  if (wrong.length > 0) visit(root)
  return [...keys]
}

/** Blocks and declarations in order; each is named by its keyword, and by what it extends, if anything. */
function parsePrsProgram(text: string, tokens: readonly PrsToken[], findings: Finding[]): MapEntry[] {
  const cursor = createPrsCursor(text, tokens, findings)
  const entries: MapEntry[] = []
  while (cursor.now().kind !== 'end') {
    const entry = cursor.is('@') ? declaration(cursor) : null
    if (entry !== null) entries.push(entry)
    else {
      cursor.complain('expected a block that starts with @')
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
    cursor.complain(`{ is missing after @${key}`)
    cursor.skipUntil(() => cursor.is('@'))
    return mapEntry(key, keyRange, at.start, absentNode(keyRange.end))
  }
  const isValue = name.text === 'override' && isAddressed && !holdsFields(cursor)
  const value = isValue ? bracedValue(cursor) : name.text === 'meta' ? readPrsFields(cursor, 0) : block(cursor)
  return mapEntry(key, keyRange, at.start, value)
}

/** `a.b.c` */
function address(cursor: PrsCursor): string {
  const { start } = cursor.now()
  if (cursor.now().kind !== 'word') cursor.complain('expected the name of a block')
  while (cursor.now().kind === 'word' || cursor.is('.')) cursor.take()
  return cursor.text({ start, end: cursor.last().end })
}

/** Whether the next brace opens the contents of a block, not a value. */
function holdsFields(cursor: PrsCursor): boolean {
  const [first, second] = [cursor.ahead(1), cursor.ahead(2)]
  if (first.kind === 'block' || ['}', '-', '@'].includes(first.text)) return true
  return isKey(first) && [':', '?', '!'].includes(second.text)
}

/** `@use PATH (name: value) as alias into "folder"`: its value is the path. */
function reference(cursor: PrsCursor, at: PrsToken, name: PrsToken): MapEntry {
  const path = cursor.now()
  if (path.kind === 'path') cursor.take()
  else cursor.complain(`expected a path after @${name.text}, such as ./file or @name/file`)
  if (cursor.is('(')) argumentsOf(cursor)
  if (follows(cursor, 'as', 'word')) cursor.take()
  if (follows(cursor, 'into', 'string')) cursor.take()
  const value = path.kind === 'path' ? scalarNode(path.text, path) : absentNode(name.end)
  return { ...mapEntry(name.text, name, at.start, value), range: { start: at.start, end: cursor.last().end } }
}

/** Takes the word if it is followed by its operand. */
function follows(cursor: PrsCursor, word: string, kind: PrsToken['kind']): boolean {
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
      readPrsValue(cursor, 1)
    }
    if (cursor.is(',')) cursor.take()
  }
  cursor.expect(')', '( is not closed')
}

/** A block that holds only one text is that text. */
function block(cursor: PrsCursor): DataNode {
  const texts: ScalarNode[] = []
  const map = readPrsFields(cursor, 0, () => {
    if (cursor.now().kind === 'block') texts.push(readPrsScalar(cursor))
    else if (cursor.is('-')) listItem(cursor)
    else if (cursor.is('@') && isNestedDeclaration(cursor)) nestedDeclaration(cursor)
    else return false
    return true
  })
  const [only] = texts
  return map.entries.length === 0 && only !== undefined ? only : map
}

/** `- "text"` */
function listItem(cursor: PrsCursor): void {
  cursor.take()
  if (cursor.now().kind === 'string') cursor.take()
  else cursor.complain('expected a quoted string after -')
}

function isNestedDeclaration(cursor: PrsCursor): boolean {
  const { text } = cursor.ahead(1)
  return text === 'use' || text === 'header'
}

/** `@use` and `@header` inside a block. */
function nestedDeclaration(cursor: PrsCursor): void {
  const at = cursor.take()
  const name = cursor.take()
  if (name.text === 'use') {
    reference(cursor, at, name)
    return
  }
  if (cursor.now().kind === 'word') cursor.take()
  if (cursor.now().kind === 'string') cursor.take()
  else cursor.complain('expected a quoted title after @header')
}

/** The value of an override. */
function bracedValue(cursor: PrsCursor): DataNode {
  cursor.take()
  const value = readPrsValue(cursor, 1)
  cursor.expect('}', '{ is not closed')
  return value
}
