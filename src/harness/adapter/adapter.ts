/** An adapter that is being read: its sections, the words of the harness it translates from, and the log. */
import type { Range } from '../../model/place.ts'
import type { Harness } from '../schema/harness.ts'
import { parseCell } from './cell.ts'
import { type Row, type Section, type SectionTitle, sectionTitles } from './document.ts'
import type { Log } from './log.ts'

export interface Adapter {
  readonly sections: ReadonlyMap<SectionTitle, Section>
  /** Whose names stand in the first columns. */
  readonly source: Harness
  readonly all: readonly Harness[]
  readonly log: Log
  /** What the target is called, by people and by Troupe. */
  readonly title: string
  readonly id: string
}

const top: Range = { start: 0, end: 0 }

/** By the titles of the format; a title that comes twice counts once. */
export function knownSections(sections: readonly Section[], log: Log): Map<SectionTitle, Section> {
  const known = new Map<SectionTitle, Section>()
  for (const section of sections) {
    const title = sectionTitles.find((one) => letters(one) === letters(section.title))
    if (title === undefined) log.leave(section.range, `"${section.title}" is no section of an adapter.`)
    else if (known.has(title)) log.leave(section.range, `"${title}" stands here a second time; the first one counts.`)
    else known.set(title, section)
  }
  return known
}

/** Case, spaces and slashes make no other title. */
function letters(title: string): string {
  return title.toLowerCase().replace(/[^a-z]/g, '')
}

/** Where a section begins, or the top of the file if it is not there. */
export function placeOf({ sections }: Pick<Adapter, 'sections'>, title: SectionTitle): Range {
  return sections.get(title)?.range ?? top
}

/** The rows of a section; of those under headings that match, where one is asked for. */
export function rowsOf({ sections }: Pick<Adapter, 'sections'>, title: SectionTitle, heading?: RegExp): Row[] {
  const tables = sections.get(title)?.tables ?? []
  return tables.filter((table) => heading === undefined || heading.test(table.heading)).flatMap(({ rows }) => rows)
}

/** A table of fields and values, by field. */
export interface Values {
  /** The text; null where it says that there is none; undefined where it is empty or absent. */
  readonly get: (field: string) => string | null | undefined
  /** Where the field stands; the section's heading if it does not. */
  readonly at: (field: string) => Range
  readonly fields: readonly string[]
  /** Rows about a field that stood there before. */
  readonly repeated: readonly Range[]
}

export function valuesOf(adapter: Pick<Adapter, 'sections'>, title: SectionTitle): Values {
  const rows = new Map<string, Row>()
  const repeated: Range[] = []
  // A table of agent types can stand in the same section.
  for (const row of rowsOf(adapter, title, /^(?!.*agent types)/i)) {
    if (rows.has(row.key)) repeated.push(row.range)
    else rows.set(row.key, row)
  }
  return {
    get: (field) => {
      const row = rows.get(field)
      if (row === undefined) return undefined
      const { kind } = parseCell(row.value)
      return kind === 'unsaid' ? undefined : kind === 'none' ? null : row.value
    },
    at: (field) => rows.get(field)?.range ?? placeOf(adapter, title),
    fields: [...rows.keys()],
    repeated,
  }
}
