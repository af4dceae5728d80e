/** An adapter file as sections with tables, every row with its place; what stands in code is none of it. */
import type { Range } from '../../model/place.ts'
import { lineStop, nextLine } from '../../text/lines.ts'
import { scanMarkdown } from '../../text/markdown.ts'
import { rowCells } from './row-cells.ts'

export interface Row {
  readonly key: string
  readonly value: string
  readonly notes: string
  /** The line it stands in. */
  readonly range: Range
}

export interface Table {
  /** The nearest heading above it, within the section. */
  readonly heading: string
  /** What the first column is called: it says whose words stand in it. */
  readonly first: string
  readonly rows: readonly Row[]
}

export interface Section {
  readonly title: string
  /** Its heading. */
  readonly range: Range
  readonly tables: readonly Table[]
}

/** The headings of the format, as they are compared. */
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

/** In the order of the file; whatever stands before the first heading of the second level belongs to none. */
export function readSections(text: string): Section[] {
  const spans = scanMarkdown(text)
  const code = spans.filter(({ kind }) => kind === 'fence' || kind === 'indented-code' || kind === 'html-comment')
  const headings = spans.filter(({ kind, level = 0 }) => kind === 'heading' && level > 1)
  const sections: { title: string; range: Range; tables: Table[] }[] = []
  const tables = readTables(
    text,
    code.map(({ range }) => range),
  )
  let next = 0
  const takeTables = (until: number, heading: string) => {
    for (; next < tables.length && tables[next]!.start < until; next++) {
      const { first, rows } = tables[next]!
      sections.at(-1)?.tables.push({ heading, first, rows })
    }
  }
  let above = ''
  for (const { range, content, level } of headings) {
    takeTables(range.start, above)
    above = text.slice(content.start, content.end).trim()
    if (level === 2) sections.push({ title: above, range, tables: [] })
  }
  takeTables(text.length, above)
  return sections
}

interface FoundTable {
  readonly start: number
  readonly first: string
  readonly rows: readonly Row[]
}

const DELIMITER = /^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?[ \t]*)?$/

function readTables(text: string, code: readonly Range[]): FoundTable[] {
  const tables: FoundTable[] = []
  let before: Range | null = null
  let coded = 0
  for (let start = 0; start < text.length; ) {
    const line = { start, end: lineStop(text, start) }
    start = nextLine(text, start)
    while (coded < code.length && code[coded]!.end <= line.start) coded++
    const isCode = coded < code.length && code[coded]!.start <= line.start
    if (!isCode && before !== null && DELIMITER.test(text.slice(line.start, line.end))) {
      const table = readTable(text, before, start)
      tables.push(table)
      start = table.end
      before = null
    } else before = !isCode && text.slice(line.start, line.end).includes('|') ? line : null
  }
  return tables
}

/** From the line of titles on, to the first line without a bar. */
function readTable(text: string, titles: Range, from: number): FoundTable & { readonly end: number } {
  const columns = rowCells(text.slice(titles.start, titles.end)).map((title) => title.toLowerCase())
  const at = (pattern: RegExp, otherwise: number) => {
    const index = columns.findIndex((title, column) => column > 0 && pattern.test(title))
    return index < 0 ? otherwise : index
  }
  const valueAt = at(/value|target|equivalent|tools/, 1)
  const notesAt = at(/notes?|description|rationale/, 2)
  const rows: Row[] = []
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
