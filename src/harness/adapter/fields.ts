/** Fields and access of the harness file, from the rows about agents and the kind of file they become. */
import { type Concept, type ConceptType, concepts } from '../../model/agent.ts'
import type { Adapter } from './adapter.ts'
import type { Output } from './carrier.ts'
import type { Config } from './config.ts'
import type { Entry, FrontMatter } from './front-matter.ts'
import { firstSentence } from './sentences.ts'

type Shape = 'string' | 'number' | 'boolean' | 'list'

export interface FieldDraft {
  readonly key?: string
  readonly shape?: Shape
  readonly embedded?: 'filename' | 'configKey' | 'body' | 'presence'
  readonly config?: { readonly file: string; readonly path: string }
  readonly default?: string
  readonly partial?: string
  readonly note?: string
}

export interface FieldsInput {
  readonly frontMatter: FrontMatter
  readonly commandFields: ReadonlyMap<Concept, Entry>
  readonly config: Config | null
  readonly output: Output
}

export interface Fields {
  readonly fields: Readonly<Record<Concept, FieldDraft | null>>
  /** Those that the adapter speaks of. */
  readonly told: readonly Concept[]
  /** By concept: why there is none. */
  readonly reasons: Readonly<Record<string, string>>
}

const shapes: Readonly<Record<ConceptType, Shape | null>> = {
  text: 'string',
  number: 'number',
  flag: 'boolean',
  words: 'list',
  model: 'string',
  data: null,
}

export function readFields(adapter: Adapter, input: FieldsInput): Fields {
  const { frontMatter, commandFields, output } = input
  const fields: Partial<Record<Concept, FieldDraft | null>> = {}
  const reasons: Record<string, string> = {}
  const spoken: Concept[] = []
  const told: string[] = []
  const missing: string[] = []
  for (const concept of Object.keys(concepts) as Concept[]) {
    const own = frontMatter.concepts.get(concept)
    const other = output.kind === 'command' ? commandFields.get(concept) : undefined
    const entry = own?.cell.kind === 'none' && other?.cell.kind === 'name' ? other : own
    const draft = entry === undefined ? null : fieldFor(adapter, input, concept, entry)
    fields[concept] = draft ?? (concept === 'mode' ? usualMode(output) : null)
    if (entry === undefined) continue
    spoken.push(concept)
    if (draft !== null) told.push(`${entry.row.key} -> ${entry.row.value}`)
    else missing.push(entry.row.key)
    if (draft === null && entry.row.notes !== '') reasons[concept] = firstSentence(entry.row.notes)
  }
  if (input.config?.modelPath && fields.model === null) {
    fields.model = configField(input, input.config.modelPath)
    told.push(`model -> ${input.config.modelPath}`)
    spoken.push('model')
  }
  if (told.length > 0) adapter.log.understand('fields', told.join(', '))
  if (missing.length > 0) adapter.log.understand('no field for', missing.join(', '))
  return { fields: fields as Fields['fields'], told: [...new Set(spoken)], reasons }
}

function fieldFor(adapter: Adapter, input: FieldsInput, concept: Concept, { cell, row }: Entry): FieldDraft | null {
  const { log } = adapter
  const shape = shapes[concepts[concept].type]
  const shaped = shape === null ? {} : { shape }
  switch (cell.kind) {
    case 'name':
      return keyField(adapter, input, row.range, cell.name, shaped)
    case 'partial': {
      const note = row.notes === '' ? 'less than the original' : firstSentence(row.notes)
      const field = keyField(adapter, input, row.range, cell.name, shaped)
      return field === null ? null : { ...field, partial: note }
    }
    case 'path': {
      const field = configField(input, cell.path)
      return field?.key === undefined ? field : { ...field, ...shaped }
    }
    case 'embedded':
      return embeddedField(adapter, row.range, cell.place)
    case 'unsaid':
      log.assume(row.range, `Nothing is said about \`${row.key}\`: there is no such field.`)
      return null
    case 'none':
      return null
    default:
      log.leave(row.range, `\`${row.value}\` says nothing about a field.`)
      return null
  }
}

/** A mere prompt has no keys. */
function keyField(
  { log }: Adapter,
  { output }: FieldsInput,
  range: Entry['row']['range'],
  key: string,
  shaped: { readonly shape?: Shape },
): FieldDraft | null {
  if (/^[\w$-]+(?:\.[\w$-]+)*$/.test(key) && output.kind !== 'prompt') return { key, ...shaped }
  log.leave(range, output.kind === 'prompt' ? `A prompt file has no \`${key}\`.` : `\`${key}\` is no key.`)
  return null
}

/** Within the agent's own entry the rest of the path is the key. */
function configField({ config, output }: FieldsInput, path: string): FieldDraft | null {
  const entry = `${output.at}.{name}.`
  if (output.kind === 'entry' && path.startsWith(entry)) return { key: path.slice(entry.length) }
  return config === null ? null : { config: { file: config.file, path } }
}

const places = { filename: 'filename', 'config-key': 'configKey', body: 'body', presence: 'presence' } as const

function embeddedField({ log }: Adapter, range: Entry['row']['range'], place: string): FieldDraft | null {
  if (Object.hasOwn(places, place)) return { embedded: places[place as keyof typeof places] }
  log.leave(range, `\`embedded:${place}\` is no place that Troupe knows.`)
  return null
}

/** An agent file is called by the session; a command or a prompt is part of it. */
function usualMode({ kind }: Output): FieldDraft {
  return kind === 'file' || kind === 'entry'
    ? { embedded: 'presence', default: 'subagent' }
    : { embedded: 'presence', default: 'primary', note: 'runs in the session that calls it' }
}
