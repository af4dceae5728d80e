/** Tool words in a table, under a title that says what stands below it: "| Agent | Tools |". */
import type { Page } from '../page/page.ts'
import type { Candidate } from './candidate.ts'
import type { Lexicon } from './lexicon.ts'

const ROW = /^[ \t>]*\|/
const DASHES = /^[ \t>]*\|[\s:|-]+$/
const TITLE =
  /^(?:(?:allowed|available|key|main|primary|required) )?tools?(?: (?:access|available|names?|needed|required|used))?$/i
/** Between two names of a cell. */
const BETWEEN = /\s*(?:[,/+&;]|<br\s*\/?>)\s*|\s+(?:and|or)\s+/
/** Rows between a cell and its title, and characters of a row, at most; tables for people are smaller. */
const FAR = 60
const WIDE = 2000

/** Only where the cell holds names of tools and nothing else. */
export function isInToolColumn(page: Page, { start, prefix }: Candidate, lexicon: Lexicon): boolean {
  if (!prefix.includes('|')) return false
  const lineStart = page.lineStart(start)
  const row = lineAt(page, lineStart)
  if (row.length > WIDE || !ROW.test(row)) return false
  const column = cellsOf(row.slice(0, start - lineStart)).length - 1
  const names = plain(cellsOf(row)[column] ?? '').split(BETWEEN)
  if (!names.every((name) => lexicon.find(name) !== null)) return false
  const titles = titlesAbove(page, lineStart)
  return titles !== null && TITLE.test(plain(titles[column] ?? ''))
}

/** The first row of the table, if dashes stand below it. */
function titlesAbove(page: Page, lineStart: number): string[] | null {
  let below = ''
  let at = lineStart
  for (let rows = 0; rows <= FAR && at > 0; rows++) {
    const above = page.lineStart(at - 1)
    const row = lineAt(page, above)
    if (row.length > WIDE || !ROW.test(row)) return null
    if (DASHES.test(below)) return cellsOf(row)
    below = row
    at = above
  }
  return null
}

function lineAt({ text, lineStop }: Page, start: number): string {
  return text.slice(start, lineStop(start))
}

function cellsOf(row: string): string[] {
  return row.split(/(?<!\\)\|/)
}

/** Without marks of emphasis and code; an underscore is mostly part of a name. */
function plain(cell: string): string {
  return cell.replace(/[*`]/g, '').trim()
}
