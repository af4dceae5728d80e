/** Broken YAML as raw text: cut into entries by lines, values read and written as valid YAML. */

import type { Range } from '../../model/range.ts'
import { nextLine } from '../lines.ts'
import { doubleQuoted, literalBlock } from '../quoting.ts'
import { yamlScalar } from './render.ts'

/** One top-level entry, as offsets in the text that was cut. */
export interface RawEntry {
  readonly key: string
  /** The start of its first line. */
  readonly start: number
  readonly keyStart: number
  readonly keyEnd: number
  /** Just behind the colon. */
  readonly valueStart: number
  /** The start of the next entry's line. */
  readonly end: number
}

interface EntryRules {
  readonly isKnown: (key: string) => boolean
  readonly isProse: (key: string) => boolean
}

const KEY_LINE = /([ \t]*)([A-Za-z_$][\w$.-]*|"[^"\r\n]*"|'[^'\r\n]*')[ \t]*:/y

/** Text before the first entry belongs to none. */
export function cutEntries(text: string, rules: EntryRules): RawEntry[] {
  const pieces: RawEntry[] = []
  let base = 0
  let current: Omit<RawEntry, 'end'> | null = null
  for (let line = 0; line < text.length; line = nextLine(text, line)) {
    const found = readKeyLine(text, line)
    if (!found || !startsEntry(text, found, current, base, rules)) continue
    if (current) pieces.push({ ...current, end: line })
    else base = found.keyStart - line
    current = found
  }
  if (current) pieces.push({ ...current, end: text.length })
  return pieces
}

function readKeyLine(text: string, line: number): Omit<RawEntry, 'end'> | null {
  KEY_LINE.lastIndex = line
  const match = KEY_LINE.exec(text)
  if (!match) return null
  const keyStart = line + match[1]!.length
  const quoted = match[2]!.startsWith('"') || match[2]!.startsWith("'")
  const key = quoted ? match[2]!.slice(1, -1) : match[2]!
  return { key, start: line, keyStart, keyEnd: keyStart + match[2]!.length, valueStart: line + match[0].length }
}

type EntryStart = Omit<RawEntry, 'end'>

function startsEntry(
  text: string,
  found: EntryStart,
  current: EntryStart | null,
  base: number,
  rules: EntryRules,
): boolean {
  const known = rules.isKnown(found.key)
  const spaced = found.valueStart >= text.length || /\s/.test(text[found.valueStart]!)
  // `name:reviewer` is not a YAML entry, but with a known key it can only be meant as one.
  if (!spaced && !known) return false
  if (!current) return true
  if (found.keyStart - found.start > base) {
    // Nothing can be nested under a plain value, so an indented known key was indented by mistake.
    return known && !rules.isProse(current.key) && hasPlainValue(text, current)
  }
  return known || !rules.isProse(current.key) || followsOneLine(text, found, current)
}

/** Speakers in an example. */
const SPEAKERS = /^(?:user|assistant|human|system|agent|claude|context|example|commentary|note)s?$/

/** A key does not continue prose that ends on its first line: `category: analysis`, not `Context: ...`. */
function followsOneLine(text: string, found: EntryStart, current: EntryStart): boolean {
  const isNext = nextLine(text, current.start) === found.start
  const isBlock = /^[ \t]*[|>]/.test(text.slice(current.valueStart, found.start))
  return isNext && !isBlock && /^[a-z][\w-]*$/.test(found.key) && !SPEAKERS.test(found.key)
}

function hasPlainValue(text: string, piece: EntryStart): boolean {
  return /^[ \t]*[\w./]/.test(text.slice(piece.valueStart, piece.valueStart + 80))
}

/** The value of an entry that is not valid YAML, and how it should have been written. */
export type RawValue = { kind: 'text'; text: string } | { kind: 'list'; items: readonly string[]; dashed: boolean }

/** The value's characters in `text`, without white space and without comment lines before the next entry. */
export function trimValue(text: string, start: number, end: number): Range {
  let stop = end
  while (stop > start) {
    const trimmed = start + text.slice(start, stop).trimEnd().length
    const line = text.lastIndexOf('\n', trimmed - 1) + 1
    if (line <= start || !/^#(?!#)/.test(text.slice(line, line + 2))) {
      stop = Math.max(start, trimmed)
      break
    }
    stop = line
  }
  const lead = text.slice(start, stop).length - text.slice(start, stop).trimStart().length
  return { start: Math.min(start + lead, stop), end: stop }
}

/** `source` is trimmed. A literal backslash and `n` stay as they are. */
export function readRaw(source: string, list: boolean): RawValue {
  const text = source.replaceAll('\r\n', '\n')
  if (list) {
    const items = readList(text)
    if (items) return items
    return { kind: 'text', text: unquote(withoutComment(text)) }
  }
  return { kind: 'text', text: unquote(withoutBlockHeader(text)) }
}

/** Removes one pair of quotes around the whole text. */
function unquote(text: string): string {
  const quote = text[0]
  const paired = text.length >= 2 && (quote === '"' || quote === "'") && text.endsWith(quote)
  return paired ? text.slice(1, -1).trim() : text
}

/** After `|` or `>`, lines that are not indented as a block requires. */
function withoutBlockHeader(text: string): string {
  const header = /^[|>][0-9+-]*[ \t]*(?:#[^\n]*)?\n/.exec(text)
  if (!header) return text
  const lines = text.slice(header[0].length).split('\n')
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length)
  const common = indents.reduce((least, indent) => Math.min(least, indent), Number.POSITIVE_INFINITY)
  return lines
    .map((line) => line.slice(Math.min(common, line.length)))
    .join('\n')
    .trim()
}

function withoutComment(line: string): string {
  return line.replace(/[ \t]#.*$/, '').trim()
}

/** Brackets, dashes, or one item per line; null for a text with commas, which is a string in every harness. */
function readList(text: string): RawValue | null {
  if (text.startsWith('[')) {
    const inner = text.endsWith(']') ? text.slice(1, -1) : text.slice(1)
    return { kind: 'list', items: splitOutsideParentheses(inner).map(cleanItem).filter(Boolean), dashed: false }
  }
  const lines = text
    .split('\n')
    .map(withoutComment)
    .filter((line) => line !== '' && !line.startsWith('#'))
  const dashed = lines.length > 0 && lines.every((line) => /^(?:-(?:\s|$)|[*+•]\s)/.test(line))
  if (dashed) {
    return { kind: 'list', items: lines.map((line) => cleanItem(line.slice(1))).filter(Boolean), dashed: true }
  }
  if (lines.length < 2) return null
  if (lines.some((line) => line.includes(','))) return { kind: 'text', text: unquote(lines.join(' ')) }
  return { kind: 'list', items: lines.map(cleanItem), dashed: true }
}

function cleanItem(item: string): string {
  return unquote(item.trim())
}

/** Splits at commas and line ends, except those inside parentheses or inside a quoted item. */
export function splitOutsideParentheses(text: string): string[] {
  const items: string[] = []
  let depth = 0
  let start = 0
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (character === '(') depth++
    else if (character === ')') depth = Math.max(0, depth - 1)
    else if (character === '"' || character === "'") i = endOfQuoted(text, start, i)
    else if (character === '\n' || (character === ',' && depth === 0)) {
      items.push(text.slice(start, i))
      start = i + 1
      if (character === '\n') depth = 0
    }
  }
  items.push(text.slice(start))
  return items
}

/** Where the quotes around a whole item close; any other quote is an ordinary character. */
function endOfQuoted(text: string, start: number, quote: number): number {
  if (text.slice(Math.max(start, quote - 20), quote).trim() !== '') return quote
  const close = text.indexOf(text[quote]!, quote + 1)
  return close > 0 && /^\s*(?:[,\n]|$)/.test(text.slice(close + 1, close + 20)) ? close : quote
}

/** Valid YAML for the value, to follow the colon and a space; `indent` is that of the key's own line. */
export function renderRaw(value: RawValue, indent: string, lineEnd: string): string {
  if (value.kind === 'text') {
    const block = value.text.includes('\n') ? literalBlock(value.text, `${indent}  `, lineEnd) : null
    return ` ${block ?? doubleQuoted(value.text)}`
  }
  const items = value.items.map((item) => yamlScalar(item))
  if (!value.dashed || items.length === 0)
    return ` [${value.items.map((item) => yamlScalar(item, { flow: true })).join(', ')}]`
  return items.map((item) => `${lineEnd}${indent}  - ${item}`).join('')
}
