/** Section "Frontmatter Translations", agents: what every row is about, before it is known what kind of file it goes to. */
import type { Concept } from '../../model/agent.ts'
import type { Harness } from '../schema/harness.ts'
import { type Adapter, placeOf, rowsOf } from './adapter.ts'
import { type Cell, parseCell } from './cell.ts'
import type { Row } from './document.ts'

export interface Entry {
  readonly row: Row
  readonly cell: Cell
}

export interface FrontMatter {
  readonly name: Entry | null
  /** Where the prompt stands, if the adapter says so at all. */
  readonly prompt: Entry | null
  /** The list of tools that an agent may use, and the list of those that it may not. */
  readonly allowed: Entry | null
  readonly denied: Entry | null
  readonly concepts: ReadonlyMap<Concept, Entry>
}

type Subject = 'name' | 'prompt' | 'allowed' | 'denied' | { readonly concept: Concept }

export function readFrontMatter(adapter: Adapter): FrontMatter {
  const { source, log } = adapter
  const rows = rowsOf(adapter, 'Frontmatter Translations', /^(?!.*types)(?=.*agent)/i)
  if (rows.length === 0 && adapter.sections.has('Frontmatter Translations'))
    log.refuse(placeOf(adapter, 'Frontmatter Translations'), 'There is no table "Agent Frontmatter".')
  const found = new Map<string, Entry>()
  const concepts = new Map<Concept, Entry>()
  for (const row of rows) {
    const subject = subjectOf(source, row.key)
    const entry = { row, cell: parseCell(row.value) }
    if (subject === null) log.leave(row.range, `\`${row.key}\` is no key of ${source.title}.`)
    else if (typeof subject === 'string' ? found.has(subject) : concepts.has(subject.concept))
      log.leave(row.range, `\`${row.key}\` stands here a second time; the first one counts.`)
    else if (typeof subject === 'string') found.set(subject, entry)
    else concepts.set(subject.concept, entry)
  }
  const get = (subject: Exclude<Subject, object>) => found.get(subject) ?? null
  return { name: get('name'), prompt: get('prompt'), allowed: get('allowed'), denied: get('denied'), concepts }
}

/** The rows about commands, by concept: agents that become commands have what commands have. */
export function readCommandFields(adapter: Adapter): ReadonlyMap<Concept, Entry> {
  const concepts = new Map<Concept, Entry>()
  for (const row of rowsOf(adapter, 'Frontmatter Translations', /skill|command/i)) {
    const subject = subjectOf(adapter.source, row.key)
    if (typeof subject === 'object' && subject !== null && !concepts.has(subject.concept))
      concepts.set(subject.concept, { row, cell: parseCell(row.value) })
  }
  return concepts
}

function subjectOf({ carriers, access, fields }: Harness, key: string): Subject | null {
  if (key === carriers[0]?.name.key) return 'name'
  if (/^\(?(?:body|(?:system )?prompt)\)?$/i.test(key)) return 'prompt'
  if (/^\(.*subagent.*\)$/i.test(key)) return { concept: 'mode' }
  const layer = access.layers.find((one) => one.key === key)
  if (layer !== undefined) return layer.codec === 'deny-list' ? 'denied' : 'allowed'
  const concept = Object.entries(fields).find(([, spec]) => spec?.key === key || spec?.aliases?.includes(key))
  return concept === undefined ? null : { concept: concept[0] as Concept }
}
