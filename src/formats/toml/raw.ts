/** Broken TOML as raw text: cut into statements, values read and written as valid TOML. */
import type { Range } from '../../model/range.ts'
import { lineStop, nextLine } from '../lines.ts'
import { splitOutsideParentheses } from '../yaml/raw.ts'
import { tomlString } from './render.ts'

export interface RawStatement {
  readonly kind: 'pair' | 'table' | 'junk'
  readonly range: Range
  /** For a pair: the text before and after the sign; for a table: the text between its brackets. */
  readonly key: Range
  readonly value: Range
}

/** How many characters may still be searched for brackets, so that junk does not take quadratic time. */
type SearchBudget = { left: number }

const PAIR = /[ \t]*((?:"[^"\n]*"|'[^'\n]*'|[^"'=:#[\]{}\n\r])+?)[ \t]*[=:][ \t]*/y
const TABLE = /[ \t]*(\[\[?)([^\]\n\r]*)(\]?\]?)[ \t]*(?:#[^\n]*)?$/my

export function cutStatements(text: string, from: number): RawStatement[] {
  const statements: RawStatement[] = []
  const patience = { left: 4 * text.length }
  for (let line = from; line < text.length; ) {
    const stop = lineStop(text, line)
    const first = skipSpace(text, line, stop)
    if (first === stop || text[first] === '#') {
      line = nextLine(text, line)
      continue
    }
    const statement = readTable(text, line, stop) ?? readPair(text, line, stop, patience) ?? junk(first, stop)
    statements.push(statement)
    line = nextLine(text, statement.range.end)
  }
  return statements
}

function junk(start: number, end: number): RawStatement {
  return { kind: 'junk', range: { start, end }, key: { start, end }, value: { start: end, end } }
}

function readTable(text: string, line: number, stop: number): RawStatement | null {
  TABLE.lastIndex = line
  const match = TABLE.exec(text)
  if (!match) return null
  const start = skipSpace(text, line, stop)
  const key = { start: start + match[1]!.length, end: start + match[1]!.length + match[2]!.length }
  return { kind: 'table', range: { start, end: key.end + match[3]!.length }, key, value: { start: stop, end: stop } }
}

function readPair(text: string, line: number, stop: number, patience: SearchBudget): RawStatement | null {
  PAIR.lastIndex = line
  const match = PAIR.exec(text)
  if (!match) return null
  const start = skipSpace(text, line, stop)
  const value = { start: line + match[0].length, end: valueEnd(text, line + match[0].length, patience) }
  return { kind: 'pair', range: { start, end: value.end }, key: { start, end: start + match[1]!.trim().length }, value }
}

/**
 * A text in three quotes ends at the next three, or at the end of the file; brackets end where they balance; other
 * values end with their line.
 */
function valueEnd(text: string, start: number, patience: SearchBudget): number {
  const stop = lineStop(text, start)
  for (const quotes of ['"""', "'''"]) {
    if (!text.startsWith(quotes, start)) continue
    const close = findQuotes(text, start + 3, quotes)
    if (close < 0) return start + text.slice(start).trimEnd().length
    return lineStop(text, close + 3)
  }
  if (text[start] === '[' || text[start] === '{') {
    const balanced = findBalance(text, start, patience)
    if (balanced >= 0) return lineStop(text, balanced)
  }
  return stop
}

/** An escaped quote does not close, and up to two more quotes may belong to the text. */
function findQuotes(text: string, from: number, quotes: string): number {
  let place = text.indexOf(quotes, from)
  while (place >= 0 && quotes === '"""' && isEscaped(text, place)) place = text.indexOf(quotes, place + 1)
  if (place < 0) return -1
  let extra = 0
  while (extra < 2 && text[place + 3 + extra] === quotes[0]) extra++
  return place + extra
}

function isEscaped(text: string, place: number): boolean {
  let count = 0
  while (text[place - 1 - count] === '\\') count++
  return count % 2 === 1
}

/** Stops at a line that looks like the next statement, so that one missing bracket costs one value. */
function findBalance(text: string, start: number, patience: SearchBudget): number {
  let depth = 0
  for (let i = start; i < text.length; i++) {
    if (patience.left-- < 0) return -1
    const character = text[i]
    if (character === '[' || character === '{') depth++
    else if (character === ']' || character === '}') {
      if (--depth === 0) return i
    } else if (character === '"' || character === "'") i = endOfString(text, i)
    else if (character === '#') i = lineStop(text, i) - 1
    else if (character === '\n' && NEXT_STATEMENT.test(text.slice(i + 1, i + 200))) return -1
  }
  return -1
}

const NEXT_STATEMENT = /^(?:[\w.-]+[ \t]*[=:]|\[)/

function endOfString(text: string, quote: number): number {
  const stop = lineStop(text, quote)
  for (let i = quote + 1; i < stop; i++) {
    if (text[i] === '\\' && text[quote] === '"') i++
    else if (text[i] === text[quote]) return i
  }
  return quote
}

function skipSpace(text: string, from: number, stop: number): number {
  let place = from
  while (place < stop && (text[place] === ' ' || text[place] === '\t')) place++
  return place
}

/** A value that is not valid TOML, as far as it can be read. */
export type RawToml = string | readonly string[]

const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  e: '\u001b',
  '"': '"',
  '\\': '\\',
}

/** `source` is trimmed and follows the sign. */
export function readRawToml(source: string): RawToml {
  if (source.startsWith('"""')) return unescapeToml(multiLine(source, '"""'))
  if (source.startsWith("'''")) return multiLine(source, "'''")
  return source.startsWith('[') ? readList(source) : readItem(source)
}

function readItem(source: string): string {
  const line = withoutComment(source)
  const quote = line[0]
  if (quote === '"') return unescapeToml(line.slice(1, line.length > 1 && line.endsWith('"') ? -1 : undefined))
  if (quote === "'") return line.slice(1, line.length > 1 && line.endsWith("'") ? -1 : undefined)
  return line
}

/** Without its quotes, if the closing ones exist, and without a line end directly after the opening ones. */
function multiLine(source: string, quotes: string): string {
  const text = source.slice(3).replaceAll('\r\n', '\n').replace(/^\n/, '')
  const close = text.lastIndexOf(quotes)
  return close < 0 ? text.trimEnd() : text.slice(0, close)
}

/** An invalid escape keeps its backslash: a Windows path or a regular expression was meant. */
function unescapeToml(text: string): string {
  return text.replace(/\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|[ \t]*\n\s*|(.)|$)/g, (whole, short, long, letter) => {
    const hex: string | undefined = short ?? long
    if (hex !== undefined) return fromCodePoint(Number.parseInt(hex, 16)) ?? whole
    if (letter !== undefined) return ESCAPES[letter] ?? whole
    return whole.length > 1 ? '' : whole
  })
}

function fromCodePoint(point: number): string | null {
  return point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff) ? null : String.fromCodePoint(point)
}

function readList(source: string): string[] {
  const close = source.lastIndexOf(']')
  const inner = source.slice(1, close > 0 ? close : undefined)
  return splitOutsideParentheses(inner)
    .map((item) => readItem(item.trim()))
    .filter((item) => item !== '')
}

/** A `#` inside closed quotes is not a comment. */
function withoutComment(source: string): string {
  const quote = source[0]
  const closed = quote === '"' || quote === "'" ? source.lastIndexOf(quote) : 0
  const comment = source.slice(closed).search(/[ \t]#/)
  return (comment < 0 ? source : source.slice(0, closed + comment)).trim()
}

export function renderRawToml(value: RawToml): string {
  return typeof value === 'string' ? tomlString(value) : `[${value.map((item) => tomlString(item)).join(', ')}]`
}
