/** Sections "Composition Mechanism" and "Path Resolution": how one file leads to another. */
import { type Adapter, rowsOf, valuesOf } from './adapter.ts'
import { parseCell } from './cell.ts'
import { type Folders, joined } from './folders.ts'
import { firstSentence, instructionFile } from './sentences.ts'

const mechanisms = ['import', 'include', 'inline', 'reference', 'none'] as const

export interface Composition {
  readonly mechanism: (typeof mechanisms)[number]
  readonly syntax?: string
  readonly note?: string
}

export function readComposition(adapter: Adapter): Composition {
  const { log, sections } = adapter
  const values = valuesOf(adapter, 'Composition Mechanism')
  const told = values.get('mechanism')
  const mechanism = mechanisms.find((one) => one === told?.toLowerCase()) ?? 'none'
  if (told !== undefined && told !== null && mechanism !== told.toLowerCase())
    log.leave(values.at('mechanism'), `\`${told}\` is none of ${mechanisms.join(', ')}; \`none\` is used.`)
  else if (told === undefined && sections.has('Composition Mechanism'))
    log.assume(values.at('mechanism'), 'How files refer to each other is not told: not at all.')
  const syntax = mechanism === 'none' ? null : readSyntax(adapter)
  const note = values.get('notes') ?? null
  log.understand('composition', syntax === null ? mechanism : `${mechanism}, ${syntax}`)
  return {
    mechanism,
    ...(syntax === null ? {} : { syntax }),
    ...(note === null ? {} : { note: firstSentence(note) }),
  }
}

/** With `{name}` where the name of a skill stands, whatever the adapter calls it. */
function readSyntax(adapter: Adapter): string | null {
  const values = valuesOf(adapter, 'Composition Mechanism')
  const told = values.get('syntax') ?? null
  if (told === null) return null
  const syntax = told.replace(/\{(?:skill|skill[-_]?name|name|id)\}|\bskill-name\b/i, '{name}')
  if (syntax.includes('{name}')) return syntax
  adapter.log.leave(values.at('syntax'), `\`${told}\` does not say where the name of a skill stands.`)
  return null
}

export interface Paths {
  readonly root: string
  readonly instructions?: string
  readonly rootVariable: string | null
  readonly skills: readonly string[]
}

export function readPaths(adapter: Adapter, folders: Folders): Paths {
  const values = valuesOf(adapter, 'Path Resolution')
  const notes = (['Platform Metadata', 'Directory Structure', 'Composition Mechanism'] as const).map(
    (title) => valuesOf(adapter, title).get('notes') ?? '',
  )
  const instructions = instructionFile(notes)
  if (instructions !== null) adapter.log.understand('instructions', instructions)
  const isSkill = folders.skills !== null && folders.skills !== '' && /\{name\}\/SKILL\.md$/i.test(folders.skillFile)
  return {
    root: folders.root === '' ? '.' : folders.root,
    ...(instructions === null ? {} : { instructions }),
    rootVariable: values.get('root_variable') ?? null,
    skills: isSkill ? [joined(folders.skills ?? '')] : [],
  }
}

/** Why hooks have no place; events that the target does have are of another form than an agent's own hooks. */
export function readHooks(adapter: Adapter): string | null {
  const rows = rowsOf(adapter, 'Hook/Lifecycle Event Mappings')
  const mapped = rows.filter(({ value }) => ['name', 'partial', 'composite'].includes(parseCell(value).kind))
  const [first] = mapped
  if (first !== undefined) {
    const events = mapped.map(({ key }) => key).join(', ')
    adapter.log.leave(first.range, `Events (${events}): hooks of agents are not translated, only their names are told.`)
    return null
  }
  const reason = rows.find(({ notes }) => notes !== '')?.notes
  return reason === undefined ? null : firstSentence(reason)
}
