/** Stage 5, assemble: keys and prompt become a file, or an entry in one, in the target's own idiom. */

import { setOwn } from '../../formats/data.ts'
import type { Encoding } from '../../formats/decode.ts'
import type { LineEnd } from '../../formats/lines.ts'
import { tomlDocument } from '../../formats/toml/render.ts'
import { yamlEntry } from '../../formats/yaml/render.ts'
import { entryPath } from '../../harness/read/definitions-in.ts'
import { toCarrierForm } from '../../harness/read/rule-form.ts'
import type { Carrier, Harness } from '../../harness/schema/harness.ts'
import type { AccessKeys } from '../../harness/write/access.ts'
import { fileStem } from '../../harness/write/names.ts'
import type { Concept, Json } from '../../model/agent.ts'

/** A key of the target and its value. */
export interface WrittenField {
  readonly key: string
  readonly value: Json
  /** Null: a key of the author's own. */
  readonly concept: Concept | null
}

/** A value for a configuration file of the target. */
export interface ConfigSetting {
  readonly file: string
  readonly path: readonly string[]
  readonly value: Json
  /** It applies to more than this agent, so a value set by the user stays. */
  readonly shared?: true
  /** It is an MCP server, which every agent of the project sees; or the rule that denies it to the others. */
  readonly server?: string
  readonly guards?: string
  /** References of these kinds in it are plain text. */
  readonly literal?: readonly string[]
}

interface AssembleInput {
  readonly target: Harness
  readonly carrier: Carrier
  readonly name: string
  /** The result of `arrangeKeys`. */
  readonly keys: Keys
  readonly prompt: string
  readonly lineEnd: LineEnd
}

export type Keys = Readonly<Record<string, Json>>

/** A file of its own, or settings in a file that others share. */
export type AgentOutput =
  | {
      readonly kind: 'file'
      readonly path: string
      readonly text: string
      readonly encoding?: Encoding
      /** The prompt, where it has a file of its own. */
      readonly beside?: PromptFile | undefined
    }
  | { readonly kind: 'settings'; readonly settings: readonly ConfigSetting[] }

export interface PromptFile {
  readonly path: string
  readonly text: string
}

export function assemble(input: AssembleInput): AgentOutput {
  const { carrier } = input
  const path = outputPath(carrier, input.name)
  if (carrier.agents !== undefined) return { kind: 'settings', settings: entrySettings(input, path) }
  const besides = promptFilePath(carrier, input.name)
  const beside = besides === null ? undefined : { path: besides, text: input.prompt }
  if (carrier.format === 'markdown') return { kind: 'file', path, text: markdownFile(input), beside }
  if (carrier.format === 'toml') return { kind: 'file', path, text: tomlFile(input), beside }
  if (carrier.format === 'yaml') return { kind: 'file', path, text: yamlFile(input), beside }
  const text = JSON.stringify({ ...input.keys, ...promptKey(input) }, null, 2)
  return { kind: 'file', path, text: withLineEnd(`${text}\n`, input.lineEnd), beside }
}

/** Where its prompt is written to, below the root; null: it is part of the definition. */
export function promptFilePath(carrier: Carrier, name: string): string | null {
  if (carrier.prompt.in !== 'beside') return null
  const path = outputPath(carrier, name)
  return path.slice(0, path.lastIndexOf('/') + 1) + (carrier.prompt.file ?? '')
}

const writePlaces = new WeakMap<Carrier, readonly string[]>()

/** The parts before and after the name. */
function writePlace(carrier: Carrier): readonly string[] {
  let place = writePlaces.get(carrier)
  if (place === undefined) {
    place = (carrier.project?.write ?? '').split('{name}')
    writePlaces.set(carrier, place)
  }
  return place
}

/** Where the agent is written to, below the root. */
export function outputPath(carrier: Carrier, name: string): string {
  const [before = '', after] = writePlace(carrier)
  return after === undefined ? before : before + fileStem(carrier, name) + after
}

function markdownFile({ keys, lineEnd, target, carrier, prompt }: AssembleInput): string {
  if (carrier.plain === true) return prompt
  let header = `---${lineEnd}`
  for (const key of Object.keys(keys)) header += headerEntry(target, key, keys[key] as Json, lineEnd) + lineEnd
  return `${header}---${lineEnd}${prompt}`
}

const rendered = new WeakMap<object, string>()

/** The rules of a tool list are one object for all agents that have it, and are rendered once. */
function headerEntry(target: Harness, key: string, value: Json, lineEnd: LineEnd): string {
  if (typeof value !== 'object' || value === null || lineEnd !== '\n') return entryText(target, key, value, lineEnd)
  let text = rendered.get(value)
  if (text === undefined) {
    text = entryText(target, key, value, lineEnd)
    rendered.set(value, text)
  }
  return text
}

function entryText({ access }: Harness, key: string, value: Json, lineEnd: LineEnd): string {
  const flow = Array.isArray(value) && access.layers.some((one) => one.key === key && one.style === 'flow')
  return yamlEntry(key, value, { lineEnd, flow })
}

function yamlFile(input: AssembleInput): string {
  const { lineEnd, target } = input
  const entries = Object.entries({ ...input.keys, ...promptKey(input) })
  return entries.map(([key, value]) => entryText(target, key, value, lineEnd) + lineEnd).join('')
}

function tomlFile(input: AssembleInput): string {
  const { tables, plain } = splitTables(input.keys)
  const text = tomlDocument({ ...plain, ...promptKey(input), ...tables })
  return withLineEnd(text, input.lineEnd)
}

/** In TOML everything after a table's header belongs to the table. */
function splitTables(keys: Keys) {
  const isTable = ([, value]: [string, Json]) => typeof value === 'object' && value !== null && !Array.isArray(value)
  const entries = Object.entries(keys)
  return {
    plain: Object.fromEntries(entries.filter((one) => !isTable(one))),
    tables: Object.fromEntries(entries.filter(isTable)),
  }
}

function entrySettings(input: AssembleInput, file: string): ConfigSetting[] {
  const { expands } = input.carrier.prompt
  const value = { ...input.keys, ...promptKey(input) }
  return [
    { file, path: entryPath(input.carrier, input.name), value, ...(expands === undefined ? {} : { literal: expands }) },
  ]
}

function promptKey({ carrier, prompt }: AssembleInput): Record<string, Json> {
  const key = carrier.prompt.in === 'key' ? carrier.prompt.key : undefined
  return key === undefined ? {} : { [key]: prompt }
}

interface KeysInput {
  readonly target: Harness
  readonly carrier: Carrier
  readonly name: string
  readonly fields: readonly WrittenField[]
  readonly access: AccessKeys
}

/** Name and description, then the lists of tools, then the rest; maps of rules last. */
export function arrangeKeys({ carrier, target, fields, access, name }: KeysInput): Keys {
  const keys: Record<string, Json> = {}
  const put = (key: string, value: Json) =>
    key.includes('.') ? setDeep(keys, key.split('.'), value) : setOwn(keys, key, value)
  // A key of the author's own is a plain word: its dots are not a path.
  const putField = ({ key, value, concept }: WrittenField) =>
    concept === null ? setOwn(keys, key, value) : put(key, value)
  const isList = (key: string) => target.access.layers.some((one) => one.key === key && one.codec.endsWith('-list'))
  if (carrier.name.key !== undefined && isNameWritten(carrier, name)) put(carrier.name.key, name)
  const isFirst = ({ concept }: WrittenField) => concept === 'description' || concept === 'displayName'
  for (const [key, value] of Object.entries(carrier.constants ?? {})) put(key, value)
  for (const field of fields.filter(isFirst)) putField(field)
  const own = (key: string, value: Json) => {
    const layer = target.access.layers.find((one) => one.key === key)
    return layer === undefined ? value : toCarrierForm(carrier, layer, value)
  }
  for (const [key, value] of access) if (isList(key)) put(key, value)
  for (const field of fields.filter((one) => !isFirst(one))) putField(field)
  for (const [key, value] of access) if (!isList(key)) put(key, own(key, value))
  return keys
}

/** Where the path defines the name, a key would only repeat it. */
function isNameWritten(carrier: Carrier, name: string): boolean {
  if (carrier.name.path === 'mapKey') return false
  return carrier.name.path !== 'relative' || fileStem(carrier, name) !== name
}

function setDeep(keys: Record<string, Json>, path: readonly string[], value: Json): void {
  const [first = '', ...rest] = path
  if (rest.length === 0) {
    setOwn(keys, first, value)
    return
  }
  const inner = Object.hasOwn(keys, first) ? keys[first] : undefined
  const table = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? { ...inner } : {}
  setDeep(table as Record<string, Json>, rest, value)
  keys[first] = table
}

function withLineEnd(text: string, lineEnd: LineEnd): string {
  return lineEnd === '\n' ? text : text.replace(/\r?\n/g, lineEnd)
}

export function valuesByConcept(written: readonly WrittenField[]): ReadonlyMap<string, Json> {
  const values = new Map<string, Json>()
  for (const { concept, value } of written) if (concept !== null) values.set(concept, value)
  return values
}
