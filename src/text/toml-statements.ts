/** Cuts broken TOML into statements by looking for where each one must end. */
import type { Range } from '../model/place.ts'
import { lineStop, nextLine } from './lines.ts'

export interface Statement {
  readonly kind: 'pair' | 'table' | 'junk'
  readonly range: Range
  /** Of a pair: what stands before and after the sign; of a table: what stands between its brackets. */
  readonly key: Range
  readonly value: Range
}

/** How many characters may still be looked at in search of brackets, so that junk does not cost its square. */
type Patience = { left: number }

const PAIR = /[ \t]*((?:"[^"\n]*"|'[^'\n]*'|[^"'=:#[\]{}\n\r])+?)[ \t]*[=:][ \t]*/y
const TABLE = /[ \t]*(\[\[?)([^\]\n\r]*)(\]?\]?)[ \t]*(?:#[^\n]*)?$/my

export function cutStatements(text: string, from: number): Statement[] {
  const statements: Statement[] = []
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

function junk(start: number, end: number): Statement {
  return { kind: 'junk', range: { start, end }, key: { start, end }, value: { start: end, end } }
}

function readTable(text: string, line: number, stop: number): Statement | null {
  TABLE.lastIndex = line
  const match = TABLE.exec(text)
  if (!match) return null
  const start = skipSpace(text, line, stop)
  const key = { start: start + match[1]!.length, end: start + match[1]!.length + match[2]!.length }
  return { kind: 'table', range: { start, end: key.end + match[3]!.length }, key, value: { start: stop, end: stop } }
}

function readPair(text: string, line: number, stop: number, patience: Patience): Statement | null {
  PAIR.lastIndex = line
  const match = PAIR.exec(text)
  if (!match) return null
  const start = skipSpace(text, line, stop)
  const value = { start: line + match[0].length, end: valueEnd(text, line + match[0].length, patience) }
  return { kind: 'pair', range: { start, end: value.end }, key: { start, end: start + match[1]!.trim().length }, value }
}

/** A text in three quotes ends at the next three, or at the end of the file; brackets where they balance; the rest with its line. */
function valueEnd(text: string, start: number, patience: Patience): number {
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

/** Gives up at a line that looks like the next statement, so that one missing bracket costs one value. */
function findBalance(text: string, start: number, patience: Patience): number {
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
