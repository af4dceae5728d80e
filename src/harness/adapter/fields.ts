/** Fields and access of the harness file, from the rows about agents and the kind of file they become. */
import { type Concept, type ConceptType, concepts } from '../../model/agent.ts'
import type { Adapter } from './adapter.ts'
import type { AdapterOutput, Entry, FrontMatter } from './carrier.ts'
import { firstSentence } from './document.ts'
import type { AdapterConfig } from './files.ts'

type Shape = 'string' | 'number' | 'boolean' | 'list'

interface FieldDraft {
  readonly key?: string
  readonly shape?: Shape
  readonly embedded?: 'filename' | 'configKey' | 'body' | 'presence'
  readonly config?: { readonly file: string; readonly path: string }
  readonly default?: string
  readonly partial?: string
  readonly note?: string
}

interface AdapterFieldsInput {
  readonly frontMatter: FrontMatter
  readonly commandFields: ReadonlyMap<Concept, Entry>
  readonly config: AdapterConfig | null
  readonly output: AdapterOutput
}

export interface AdapterFields {
  readonly fields: Readonly<Record<Concept, FieldDraft | null>>
  /** Concepts that the adapter mentions. */
  readonly mentioned: readonly Concept[]
  /** By concept: why it has no field. */
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

export function readAdapterFields(adapter: Adapter, input: AdapterFieldsInput): AdapterFields {
  const { frontMatter, commandFields, output } = input
  const fields: Partial<Record<Concept, FieldDraft | null>> = {}
  const reasons: Record<string, string> = {}
  const mentioned: Concept[] = []
  const shown: string[] = []
  const missing: string[] = []
  for (const concept of Object.keys(concepts) as Concept[]) {
    const own = frontMatter.concepts.get(concept)
    const other = output.kind === 'command' ? commandFields.get(concept) : undefined
    const entry = own?.cell.kind === 'none' && other?.cell.kind === 'name' ? other : own
    const draft = entry === undefined ? null : fieldFor(adapter, input, concept, entry)
    fields[concept] = draft ?? (concept === 'mode' ? usualMode(output) : null)
    if (entry === undefined) continue
    mentioned.push(concept)
    if (draft !== null) shown.push(`${entry.row.key} -> ${entry.row.value}`)
    else missing.push(entry.row.key)
    if (draft === null && entry.row.notes !== '') reasons[concept] = firstSentence(entry.row.notes)
  }
  if (input.config?.modelPath && fields.model === null) {
    fields.model = configField(input, input.config.modelPath)
    shown.push(`model -> ${input.config.modelPath}`)
    mentioned.push('model')
  }
  if (shown.length > 0) adapter.log.understand('fields', shown.join(', '))
  if (missing.length > 0) adapter.log.understand('no field for', missing.join(', '))
  return { fields: fields as AdapterFields['fields'], mentioned: [...new Set(mentioned)], reasons }
}

function fieldFor(
  adapter: Adapter,
  input: AdapterFieldsInput,
  concept: Concept,
  { cell, row }: Entry,
): FieldDraft | null {
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
      log.assume(row.range, `The adapter does not mention \`${row.key}\`: there is no such field.`)
      return null
    case 'none':
      return null
    default:
      log.leave(row.range, `\`${row.value}\` says nothing about a field.`)
      return null
  }
}

/** A bare prompt has no keys. */
function keyField(
  { log }: Adapter,
  { output }: AdapterFieldsInput,
  range: Entry['row']['range'],
  key: string,
  shaped: { readonly shape?: Shape },
): FieldDraft | null {
  if (/^[\w$-]+(?:\.[\w$-]+)*$/.test(key) && output.kind !== 'prompt') return { key, ...shaped }
  log.leave(range, output.kind === 'prompt' ? `A prompt file has no \`${key}\`.` : `\`${key}\` is not a valid key.`)
  return null
}

/** Within the agent's own entry the key is the rest of the path. */
function configField({ config, output }: AdapterFieldsInput, path: string): FieldDraft | null {
  const entry = `${output.at}.{name}.`
  if (output.kind === 'entry' && path.startsWith(entry)) return { key: path.slice(entry.length) }
  return config === null ? null : { config: { file: config.file, path } }
}

const places = { filename: 'filename', 'config-key': 'configKey', body: 'body', presence: 'presence' } as const

function embeddedField({ log }: Adapter, range: Entry['row']['range'], place: string): FieldDraft | null {
  if (Object.hasOwn(places, place)) return { embedded: places[place as keyof typeof places] }
  log.leave(range, `\`embedded:${place}\` is not a place that Troupe knows.`)
  return null
}

/** An agent file is called by the session; a command or a prompt is part of it. */
function usualMode({ kind }: AdapterOutput): FieldDraft {
  return kind === 'file' || kind === 'entry'
    ? { embedded: 'presence', default: 'subagent' }
    : { embedded: 'presence', default: 'primary', note: 'runs in the session that calls it' }
}

/** What limits an agent of the target: keys for tools, if the adapter names any. */
export interface LayerDraft {
  readonly key: string
  readonly codec: 'allow-list' | 'deny-list' | 'rule-map'
  readonly shape: 'list' | 'map'
  readonly empty: 'absent'
  readonly grants?: 'offer'
  readonly patterns?: 'void'
  readonly enforced: { readonly main: 'claimed'; readonly child: 'claimed' }
}

export function readAdapterAccess(
  adapter: Adapter,
  { allowed, denied }: FrontMatter,
  output: AdapterOutput,
): LayerDraft[] {
  const { log } = adapter
  const layers = [allowed, denied].flatMap((entry) => {
    const key = entry === null ? null : accessKey(adapter, output, entry)
    return entry === null || key === null ? [] : [{ entry, layer: layerFor(key, entry === denied) }]
  })
  for (const { entry, layer } of layers) {
    const form = layer.codec === 'rule-map' ? 'a map of tools to allow, ask or deny' : 'a list of tools'
    log.assume(entry.row.range, `The adapter does not say how \`${layer.key}\` is written: ${form} is assumed.`)
  }
  const keys = layers.map(({ layer }) => layer.key).join(', ')
  log.understand('tools of an agent', keys === '' ? 'cannot be restricted' : `restricted by ${keys}`)
  return layers.map(({ layer }) => layer)
}

function accessKey({ log }: Adapter, { kind, at }: AdapterOutput, { cell, row }: Entry): string | null {
  const entry = `${at}.{name}.`
  if (cell.kind === 'path' && kind === 'entry' && cell.path.startsWith(entry)) return cell.path.slice(entry.length)
  const isKey = (cell.kind === 'name' || cell.kind === 'partial') && /^[\w$-]+(?:\.[\w$-]+)*$/.test(cell.name)
  if (isKey && kind !== 'prompt') return cell.name
  if (cell.kind === 'unsaid')
    log.assume(row.range, `The adapter does not mention \`${row.key}\`: tools cannot be restricted.`)
  else if (cell.kind !== 'none')
    log.leave(row.range, `\`${row.value}\` is not a key of an agent, so it cannot restrict tools.`)
  return null
}

/** Whether an empty list means nothing or everything is not specified, so it is never relied on. */
function layerFor(key: string, isDenial: boolean): LayerDraft {
  const enforced = { main: 'claimed', child: 'claimed' } as const
  const common = { empty: 'absent', enforced } as const
  if (/permission/i.test(key)) return { key, codec: 'rule-map', shape: 'map', ...common }
  if (isDenial) return { key, codec: 'deny-list', shape: 'list', patterns: 'void', ...common }
  return { key, codec: 'allow-list', shape: 'list', grants: 'offer', patterns: 'void', ...common }
}
