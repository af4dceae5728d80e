/** Sections "Platform Metadata" and "Adapter Version": what the target is called, and of which version it is spoken. */
import type { Adapter } from './adapter.ts'
import { placeOf, valuesOf } from './adapter.ts'

export interface Platform {
  readonly id: string
  readonly title: string
}

/** Null where not even a name is told. */
export function readPlatform(adapter: Pick<Adapter, 'sections' | 'log'>, wanted: string | undefined): Platform | null {
  const { log } = adapter
  const values = valuesOf(adapter, 'Platform Metadata')
  const slug = values.get('slug') ?? null
  const title = values.get('name') ?? slug
  if (title === null || title === '') {
    log.refuse(placeOf(adapter, 'Platform Metadata'), 'The platform has no name: `name` and `slug` are missing.')
    return null
  }
  const id = idOf(wanted ?? slug ?? title)
  if (wanted === undefined && slug === null) log.assume(values.at('slug'), `There is no slug; \`${id}\` is used.`)
  else if (wanted === undefined && id !== slug)
    log.assume(values.at('slug'), `\`${slug}\` is no id; \`${id}\` is used.`)
  return { id, title }
}

/** Letters, digits and dashes, beginning with a letter. */
function idOf(text: string): string {
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

export function readVersion({ sections, log }: Adapter, today: string): Checked {
  const values = valuesOf({ sections }, 'Adapter Version')
  const version = values.get('target_platform_version') ?? null
  const date = values.get('last_updated') ?? null
  const isDate = date !== null && /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(date)
  if (date !== null && !isDate) log.assume(values.at('last_updated'), `\`${date}\` is no date; ${today} is used.`)
  if (version === null && sections.has('Adapter Version'))
    log.assume(values.at('target_platform_version'), 'The version of the platform is not told.')
  return { version, date: isDate ? date : today }
}
