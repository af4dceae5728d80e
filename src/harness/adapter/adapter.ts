/** An adapter while it is imported: sections, identity and version, log. */

import type { DiagnosticCode, Finding } from '../../model/findings.ts'
import type { Range } from '../../model/range.ts'
import type { Harness } from '../schema/harness.ts'
import { type AdapterRow, type AdapterSection, parseCell, type SectionTitle, sectionTitles } from './document.ts'

export interface Adapter {
  readonly sections: ReadonlyMap<SectionTitle, AdapterSection>
  /** The harness whose names are in the first columns. */
  readonly source: Harness
  readonly all: readonly Harness[]
  readonly log: ImportLog
  /** The target's name, for people and for Troupe. */
  readonly title: string
  readonly id: string
}

const top: Range = { start: 0, end: 0 }

/** By the titles of the format; a repeated title counts once. */
export function knownSections(sections: readonly AdapterSection[], log: ImportLog): Map<SectionTitle, AdapterSection> {
  const known = new Map<SectionTitle, AdapterSection>()
  for (const section of sections) {
    const title = sectionTitles.find((one) => letters(one) === letters(section.title))
    if (title === undefined) log.leave(section.range, `"${section.title}" is not a section of an adapter.`)
    else if (known.has(title)) log.leave(section.range, `"${title}" appears twice; the first one counts.`)
    else known.set(title, section)
  }
  return known
}

/** Titles are compared without case, spaces and slashes. */
function letters(title: string): string {
  return title.toLowerCase().replace(/[^a-z]/g, '')
}

/** Where a section begins, or the top of the file if it is missing. */
export function sectionRange({ sections }: Pick<Adapter, 'sections'>, title: SectionTitle): Range {
  return sections.get(title)?.range ?? top
}

/** The rows of a section; if a heading is given, only those of tables under a matching one. */
export function rowsOf({ sections }: Pick<Adapter, 'sections'>, title: SectionTitle, heading?: RegExp): AdapterRow[] {
  const tables = sections.get(title)?.tables ?? []
  return tables.filter((table) => heading === undefined || heading.test(table.heading)).flatMap(({ rows }) => rows)
}

/** A table of fields and values, by field. */
interface FieldTable {
  /** The text; null if it declares that there is none; undefined if it is empty or absent. */
  readonly get: (field: string) => string | null | undefined
  /** The position of the field; the section's heading if it is missing. */
  readonly at: (field: string) => Range
  readonly fields: readonly string[]
  /** Rows about a field that already had one. */
  readonly repeated: readonly Range[]
}

export function fieldTable(adapter: Pick<Adapter, 'sections'>, title: SectionTitle): FieldTable {
  const rows = new Map<string, AdapterRow>()
  const repeated: Range[] = []
  // A table of agent types can be in the same section.
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
    at: (field) => rows.get(field)?.range ?? sectionRange(adapter, title),
    fields: [...rows.keys()],
    repeated,
  }
}

/** An imported fact, for people. */
export interface Understood {
  readonly what: string
  readonly text: string
}

export interface ImportLog {
  readonly findings: readonly Finding[]
  readonly understood: readonly Understood[]
  readonly understand: (what: string, text: string) => void
  /** Not specified, so a cautious default is used. */
  readonly assume: (range: Range, message: string) => void
  /** Specified, but not usable. */
  readonly leave: (range: Range, message: string) => void
  /** Without it no harness file is possible. */
  readonly refuse: (range: Range, message: string) => void
  readonly isRefused: () => boolean
}

export function createLog(): ImportLog {
  const findings: Finding[] = []
  const understood: Understood[] = []
  const note = (code: DiagnosticCode) => (range: Range, message: string) => void findings.push({ code, message, range })
  return {
    findings,
    understood,
    understand: (what, text) => void understood.push({ what, text }),
    assume: note('adapter-default'),
    leave: note('adapter-unused'),
    refuse: note('broken-adapter'),
    isRefused: () => findings.some(({ code }) => code === 'broken-adapter'),
  }
}

/** Sections "Platform Metadata" and "Adapter Version": the target's name, and the version described. */
interface Platform {
  readonly id: string
  readonly title: string
}

/** Null if not even a name is given. */
export function readPlatform(adapter: Pick<Adapter, 'sections' | 'log'>, wanted: string | undefined): Platform | null {
  const { log } = adapter
  const values = fieldTable(adapter, 'Platform Metadata')
  const slug = values.get('slug') ?? null
  const title = values.get('name') ?? slug
  if (title === null || title === '') {
    log.refuse(sectionRange(adapter, 'Platform Metadata'), 'The platform has no name: `name` and `slug` are missing.')
    return null
  }
  const id = harnessId(wanted ?? slug ?? title)
  if (wanted === undefined && slug === null) log.assume(values.at('slug'), `There is no slug; \`${id}\` is used.`)
  else if (wanted === undefined && id !== slug)
    log.assume(values.at('slug'), `\`${slug}\` is not a valid id; \`${id}\` is used.`)
  return { id, title }
}

/** Letters, digits and dashes, beginning with a letter. */
function harnessId(text: string): string {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  const id = plain.replace(/^[^a-z]+|-+$/g, '')
  return id === '' ? 'imported' : id
}

export interface Checked {
  readonly version: string | null
  readonly date: string
}

export function readAdapterVersion({ sections, log }: Adapter, today: string): Checked {
  const values = fieldTable({ sections }, 'Adapter Version')
  const version = values.get('target_platform_version') ?? null
  const date = values.get('last_updated') ?? null
  const isDate = date !== null && /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(date)
  if (date !== null && !isDate) log.assume(values.at('last_updated'), `\`${date}\` is not a date; ${today} is used.`)
  if (version === null && sections.has('Adapter Version'))
    log.assume(values.at('target_platform_version'), 'The adapter does not give the version of the platform.')
  return { version, date: isDate ? date : today }
}
