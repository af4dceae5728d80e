/** Reads one TOML value that is not valid TOML. */
import { splitOutsideParentheses } from './recover-value.ts'
import { tomlString } from './render.ts'

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

/** `source` is trimmed and stands behind the sign. */
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

/** Without its quotes, if the last ones are there, and without the line end that may follow the first. */
function multiLine(source: string, quotes: string): string {
  const text = source.slice(3).replaceAll('\r\n', '\n').replace(/^\n/, '')
  const close = text.lastIndexOf(quotes)
  return close < 0 ? text.trimEnd() : text.slice(0, close)
}

/** What is no escape keeps its backslash: a Windows path or a regular expression was meant. */
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

/** A `#` inside quotes that close again is no comment. */
function withoutComment(source: string): string {
  const quote = source[0]
  const closed = quote === '"' || quote === "'" ? source.lastIndexOf(quote) : 0
  const comment = source.slice(closed).search(/[ \t]#/)
  return (comment < 0 ? source : source.slice(0, closed + comment)).trim()
}

export function renderRawToml(value: RawToml): string {
  return typeof value === 'string' ? tomlString(value) : `[${value.map((item) => tomlString(item)).join(', ')}]`
}
