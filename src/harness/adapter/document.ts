/** The text of an adapter: sections, tables, the grammar of cells, prose. */

import { lineStop, nextLine } from '../../formats/lines.ts'
import type { Range } from '../../model/range.ts'

export interface AdapterRow {
  readonly key: string
  readonly value: string
  readonly notes: string
  /** Its line. */
  readonly range: Range
}

interface AdapterTable {
  /** The nearest heading above it, within the section. */
  readonly heading: string
  /** The title of the first column, which shows whose words it contains. */
  readonly first: string
  readonly rows: readonly AdapterRow[]
}

export interface AdapterSection {
  readonly title: string
  /** Its heading. */
  readonly range: Range
  readonly tables: readonly AdapterTable[]
}

/** The headings of the format, for comparison. */
export const sectionTitles = [
  'Platform Metadata',
  'Directory Structure',
  'Tool Name Mappings',
  'Model Tier Mappings',
  'Frontmatter Translations',
  'Hook/Lifecycle Event Mappings',
  'Composition Mechanism',
  'Config File Format',
  'Path Resolution',
  'Adapter Version',
] as const
export type SectionTitle = (typeof sectionTitles)[number]

/** In file order; text before the first second-level heading belongs to none. */
export function readSections(text: string): AdapterSection[] {
  const { headings, hidden } = readOutline(text)
  const tables = readTables(text, hidden)
  const sections: { title: string; range: Range; tables: AdapterTable[] }[] = []
  let next = 0
  const takeTables = (until: number, heading: string) => {
    for (; next < tables.length && tables[next]!.start < until; next++) {
      const { first, rows } = tables[next]!
      sections.at(-1)?.tables.push({ heading, first, rows })
    }
  }
  let above = ''
  for (const { level, title, range } of headings) {
    takeTables(range.start, above)
    above = title
    if (level === 2) sections.push({ title, range, tables: [] })
  }
  takeTables(text.length, above)
  return sections
}

interface Heading {
  readonly level: number
  readonly title: string
  readonly range: Range
}

interface Outline {
  /** Below the first level. */
  readonly headings: readonly Heading[]
  /** Where lines of code and comments start. */
  readonly hidden: ReadonlySet<number>
}

/** Also behind a list marker. */
const FENCE = /^[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)?(`{3,}(?=[^`]*$)|~{3,})/
const INDENTED = /^(?: {4}| {0,3}\t)/
const HEADING = /^ {0,3}(#{2,6})(?=[ \t]|$)/
const COMMENT = /^ {0,3}<!--/

/**
 * Line by line, without a Markdown library: those need seconds for a few kilobytes of hostile text, and adapters need
 * only ATX headings, fences and comments.
 */
function readOutline(text: string): Outline {
  const headings: Heading[] = []
  const hidden = new Set<number>()
  /** What ends the open code block or comment. */
  let isEnd: ((line: string) => boolean) | null = null
  for (let start = 0; start < text.length; start = nextLine(text, start)) {
    const line = text.slice(start, lineStop(text, start))
    const mark = HEADING.exec(line)?.[1]
    const fence = FENCE.exec(line)?.[1]
    if (isEnd !== null || fence !== undefined || INDENTED.test(line) || COMMENT.test(line)) hidden.add(start)
    else if (mark !== undefined) headings.push(headingIn(line, mark, start))
    if (isEnd !== null) isEnd = isEnd(line) ? null : isEnd
    else if (fence !== undefined) isEnd = (next) => closesFence(next, fence)
    else if (COMMENT.test(line) && !line.includes('-->')) isEnd = (next) => next.includes('-->')
  }
  return { headings, hidden }
}

/** A run of the same character, at least as long, with nothing behind it. */
function closesFence(line: string, fence: string): boolean {
  const run = line.trim()
  return run.length >= fence.length && run === fence[0]!.repeat(run.length)
}

function headingIn(line: string, mark: string, start: number): Heading {
  const at = line.indexOf(mark)
  const title = line.slice(at + mark.length).trim()
  const range = { start: start + at, end: start + line.trimEnd().length }
  return { level: mark.length, title: title.replace(/(?:^|[ \t])#+$/, '').trim(), range }
}

interface FoundTable {
  readonly start: number
  readonly first: string
  readonly rows: readonly AdapterRow[]
}

const DELIMITER = /^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?[ \t]*)?$/

function readTables(text: string, hidden: ReadonlySet<number>): FoundTable[] {
  const tables: FoundTable[] = []
  let before: Range | null = null
  for (let start = 0; start < text.length; ) {
    const isHidden = hidden.has(start)
    const line = { start, end: lineStop(text, start) }
    start = nextLine(text, start)
    if (!isHidden && before !== null && DELIMITER.test(text.slice(line.start, line.end))) {
      const table = readTable(text, before, start)
      tables.push(table)
      start = table.end
      before = null
    } else before = !isHidden && text.slice(line.start, line.end).includes('|') ? line : null
  }
  return tables
}

/** From the header row to the first line without a bar. */
function readTable(text: string, titles: Range, from: number): FoundTable & { readonly end: number } {
  const columns = rowCells(text.slice(titles.start, titles.end)).map((title) => title.toLowerCase())
  const at = (pattern: RegExp, otherwise: number) => {
    const index = columns.findIndex((title, column) => column > 0 && pattern.test(title))
    return index < 0 ? otherwise : index
  }
  const valueAt = at(/value|target|equivalent|tools/, 1)
  const notesAt = at(/notes?|description|rationale/, 2)
  const rows: AdapterRow[] = []
  let start = from
  while (start < text.length) {
    const range = { start, end: lineStop(text, start) }
    const line = text.slice(range.start, range.end)
    if (!line.includes('|')) break
    const cells = rowCells(line)
    rows.push({ key: cells[0] ?? '', value: cells[valueAt] ?? '', notes: cells[notesAt] ?? '', range })
    start = nextLine(text, start)
  }
  return { start: titles.start, first: rowCells(text.slice(titles.start, titles.end))[0] ?? '', rows, end: start }
}

/** The cells of one line of a Markdown table; an escaped bar is part of its cell. */
export function rowCells(line: string): string[] {
  const cells: string[] = []
  let cell = ''
  for (let at = 0; at < line.length; at++) {
    const letter = line[at]!
    if (letter === '\\' && line[at + 1] === '|') {
      cell += '|'
      at++
    } else if (letter === '|') {
      cells.push(cell)
      cell = ''
    } else cell += letter
  }
  cells.push(cell)
  // A line may begin and end with a bar that separates nothing.
  if (cells[0]?.trim() === '' && line.trimStart().startsWith('|')) cells.shift()
  if (cells.at(-1)?.trim() === '' && cells.length > 1) cells.pop()
  return cells.map((one) => withoutMarkup(one.trim()))
}

/** A cell that is one code span, or one emphasized word, is unwrapped. */
function withoutMarkup(cell: string): string {
  return /^`([^`]+)`$/.exec(cell)?.[1]?.trim() ?? /^\*\*([^*]+)\*\*$/.exec(cell)?.[1]?.trim() ?? cell
}

/** The grammar of values in an adapter: a name, nothing, a partial match, several things, or another place. */
export type Cell =
  /** `null`, `N/A`: the target has no equivalent. */
  | { readonly kind: 'none' }
  /** Empty, or unchanged from the template. */
  | { readonly kind: 'unsaid' }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'partial'; readonly name: string }
  | { readonly kind: 'composite'; readonly names: readonly string[] }
  | { readonly kind: 'embedded'; readonly place: string }
  /** A place in a configuration file, with `{name}` in it. */
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'broken' }

export function parseCell(value: string): Cell {
  const text = value.trim()
  if (text === '' || isPlaceholder(text)) return { kind: 'unsaid' }
  if (/^(?:null|n\/a|-|–|—)$/i.test(text)) return { kind: 'none' }
  const [, mark, rest = ''] = /^(partial|composite|embedded):(.*)$/s.exec(text) ?? []
  const named = rest.trim().replace(/^`|`$/g, '')
  if (mark !== undefined && named === '') return { kind: 'broken' }
  if (mark === 'partial') return { kind: 'partial', name: named }
  if (mark === 'embedded') return { kind: 'embedded', place: named }
  if (mark === 'composite') return composite(named)
  if (/(?:^|\.)\{name\}(?:\.|$)/.test(text) && /^[\w.{}$-]+$/.test(text)) return { kind: 'path', path: text }
  return { kind: 'name', name: text }
}

function composite(text: string): Cell {
  const names = text
    .split('+')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length === 0) return { kind: 'broken' }
  return { kind: 'composite', names: [...new Set(names)] }
}

/** `{value}`, `{path or empty}`: not filled in. */
function isPlaceholder(text: string): boolean {
  return /^\{[^{}]*\}$/.test(text) && text !== '{name}'
}

/** A name as programs use it: without spaces. */
export function looksLikeToolName(name: string): boolean {
  return /^[\p{L}\p{N}_][^\s|`'"(){}[\],;]*$/u.test(name) && name.length <= 100
}

/** The first sentence, which is mostly enough; a dot within a name or an abbreviation does not end it. */
export function firstSentence(text: string): string {
  const end = /(?<!\b(?:e\.g|i\.e|etc|vs))[.!?](?=\s+[\p{Lu}`"*_])/u.exec(text)
  return (end === null ? text : text.slice(0, end.index + 1)).trim()
}

/** Sentences, split at semicolons too. */
export function clauses(text: string): string[] {
  return text.split(/(?<!\b(?:e\.g|i\.e|etc|vs))[.;](?=\s|$)/).filter((clause) => clause.trim() !== '')
}

/** The first file of that kind that is named as code, such as `settings.json`. */
export function namedFile(texts: readonly string[], endings: string): string | null {
  const pattern = new RegExp(`\`(?:\\./)?([\\w.-][\\w./-]*\\.(?:${endings}))\``)
  for (const text of texts) {
    const found = pattern.exec(text)?.[1]
    if (found !== undefined && !found.includes('..')) return found
  }
  return null
}

/** "the `AGENTS.md` project context file": where a project's instructions are. */
export function instructionFile(texts: readonly string[]): string | null {
  const pattern = /`([\w.-]+\.md)`\s*\(?(?:project\s+)?(?:context|instructions?)\b/
  for (const text of texts) {
    const found = pattern.exec(text)?.[1]
    if (found !== undefined) return found
  }
  return null
}
