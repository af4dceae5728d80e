/**
 * What a file is: an agent of a dialect, or something else. The strongest evidence counts: a manifest's declaration,
 * then the folders of harnesses, then the content. Nothing else in Troupe decides whether a file is an agent.
 */
import { getEntry, isMap } from '../../formats/data.ts'
import { harnessKeys, vocabularyOf } from '../keys.ts'
import { type Document, isUndelimited, parseDocument } from '../read/document.ts'
import type { Registry } from '../registry.ts'
import type { Carrier, Harness } from '../schema/harness.ts'
import { componentAt, componentPlacesOf, type OtherKind } from './components.ts'
import { conventionalFolders, distinctiveKeys, documentNames, otherHarnesses, unlessKeyed } from './conventions.ts'
import { detectDialects } from './dialect.ts'
import { matchPlace } from './places.ts'

export type FileKind = 'agent' | OtherKind | 'document' | 'other-harness' | 'unknown'

/** The evidence, strongest first. */
export type RecognisedBy = 'manifest' | 'folder' | 'content'

export type Recognised =
  | {
      readonly kind: 'agent'
      readonly by: RecognisedBy
      readonly harness: Harness
      readonly carrier: Carrier
      /** Path below the folder of this kind of file. */
      readonly relativePath: string
      /** Its harness loads it, but nothing in it shows that it is meant as an agent. */
      readonly isUnclear: boolean
    }
  | {
      readonly kind: Exclude<FileKind, 'agent'>
      readonly by: RecognisedBy
      /** What it seems to be, as a predicate for its name. */
      readonly seems: string
      /** It is where a harness keeps its agents, but that harness skips it. */
      readonly leftOutBy: Harness | null
    }

export interface RecogniseInput {
  readonly registry: Registry
  /** With forward slashes. */
  readonly path: string
  /** Read only if needed; null: it cannot be read. */
  readonly text: () => string | null
  /** What a manifest or a project declares for this file, or for its folder. */
  readonly declared?: Declared | null
  /** The dialect specified by the user. */
  readonly harness?: Harness | undefined
  /** The dialect of Markdown with a name or a description, without other evidence. */
  readonly otherwise?: Harness | undefined
}

export type Declared =
  | { readonly kind: 'agent'; readonly harness: Harness; readonly carrier: Carrier; readonly relativePath: string }
  | { readonly kind: OtherKind }

export function recognise(input: RecogniseInput): Recognised {
  const { registry, path, declared, harness } = input
  if (declared?.kind === 'agent') return recogniseInPlace(input, declared, 'manifest')
  if (declared !== undefined && declared !== null) return notAnAgentFile(declared.kind, 'manifest')
  const place = matchPlace(registry, path)
  if (place !== null && (harness === undefined || place.harness.id === harness.id))
    return recogniseInPlace(input, place, 'folder')
  if (harness === undefined) {
    const component = componentAt(registry, path)
    if (component !== null) return notAnAgentFile(component, 'folder')
    const owner = unknownHarnessAt(path)
    if (owner !== null) return { kind: 'other-harness', by: 'folder', seems: belongsTo(owner), leftOutBy: null }
  }
  return byContent(input)
}

/** A sentence for people. */
export function notAnAgent(shown: string, { kind, seems, leftOutBy }: Exclude<Recognised, { kind: 'agent' }>): string {
  // Only a program can skip a file.
  const by = leftOutBy?.oracle === undefined ? '' : ` ${leftOutBy.title} skips it.`
  return kind === 'unknown' || kind === 'document' || kind === 'other-harness'
    ? `${shown} ${seems}.${by}`
    : `${shown} ${seems}, not an agent.${by}`
}

const descriptions: Readonly<Record<OtherKind | 'document' | 'unknown', string>> = {
  skill: 'is part of a skill',
  command: 'holds a slash command',
  hook: 'holds hooks',
  server: 'holds MCP servers',
  instructions: 'holds instructions',
  settings: 'holds settings',
  manifest: 'is a manifest',
  document: 'is a document: nothing in it marks it as an agent',
  unknown: 'holds nothing that Troupe recognises as an agent',
}

function notAnAgentFile(
  kind: keyof typeof descriptions,
  by: RecognisedBy,
  leftOutBy: Harness | null = null,
): Recognised {
  return { kind, by, seems: descriptions[kind], leftOutBy }
}

function belongsTo(title: string): string {
  return `belongs to ${title}, which Troupe does not support; read it as another dialect with --harness ID or --from ID`
}

/** A file in a place for agents: whether it is one, by the minimum that its harness requires. */
function recogniseInPlace(
  input: RecogniseInput,
  place: Omit<Extract<Declared, { kind: 'agent' }>, 'kind'>,
  by: RecognisedBy,
): Recognised {
  const { harness, carrier, relativePath } = place
  const text = input.text()
  // An unreadable file may be an agent: reading it will report the error.
  const verdict = text === null ? 'agent' : classifyAgentFile(input.registry, place, input.path, text)
  if (verdict === 'document') return notAnAgentFile('document', by, harness)
  return { kind: 'agent', by, harness, carrier, relativePath, isUnclear: verdict === 'unclear' }
}

/** Document: its harness skips it, and nothing in it shows that an agent was meant. */
export function classifyAgentFile(
  registry: Registry,
  { harness, carrier }: Pick<Extract<Declared, { kind: 'agent' }>, 'harness' | 'carrier'>,
  path: string,
  text: string,
): 'agent' | 'unclear' | 'document' {
  if (carrier.agents !== undefined || carrier.plain === true || carrier.format !== 'markdown') return 'agent'
  // Where no program reads it, its name decides, as for a loose file.
  if (harness.oracle === undefined && isDocument(nameOf(path), text)) return 'document'
  if (isPlainlyAgent(text)) return 'agent'
  const document = parseDocument(text, carrier.format, vocabularyOf(registry))
  if (isMeantAsAgent(harness, document)) return 'agent'
  const consequence = carrier.absent ?? harness.frontMatter.absent
  if (consequence !== 'accepted') return 'document'
  const isUsual = carrier.absent === undefined && text.trim() !== '' && !isDocument(nameOf(path), text)
  return isUsual ? 'agent' : 'unclear'
}

/** Nearly all agents have a line that shows it without a parser. */
function isPlainlyAgent(text: string): boolean {
  const close = text.startsWith('---\n') ? text.indexOf('\n---\n') : -1
  return close > 0 && /^(?:name|description):/m.test(text.slice(0, close))
}

/** Front matter with a key of its harness, or broken front matter: an agent was meant. */
function isMeantAsAgent(harness: Harness, document: Document): boolean {
  const { root, frontMatter, findings } = document
  if (isUndelimited(document)) return true
  if (frontMatter === null || frontMatter.yaml === null) return false
  if (!isMap(root)) return findings.length > 0 && frontMatter.yaml.end > frontMatter.yaml.start
  const known = harnessKeys(harness)
  return root.entries.some(({ key }) => key === 'name' || key === 'description' || known.has(key))
}

function byContent(input: RecogniseInput): Recognised {
  const { registry, path, harness, otherwise } = input
  const name = nameOf(path)
  if (harness === undefined) {
    if (/^SKILL\.md$/i.test(name)) return notAnAgentFile('skill', 'content')
    if (instructionNames(registry).has(name)) return notAnAgentFile('instructions', 'content')
  }
  const text = input.text()
  if (harness === undefined && isDocument(name, text ?? '')) return notAnAgentFile('document', 'content')
  if (text === null) return notAnAgentFile('unknown', 'content')
  const said = harness === undefined ? kindByKeys(registry, path, text) : null
  if (said !== null) return notAnAgentFile(said, 'content')
  const detected = detectDialects(registry, path, text)
  const best = harness === undefined ? detected[0] : detected.find((one) => one.harness.id === harness.id)
  if (best !== undefined) return agentFile(best.harness, best.carrier, path)
  const plain = plainCarrier(input, text, harness ?? otherwise)
  if (plain !== null) return agentFile(plain.harness, plain.carrier, path)
  return notAnAgentFile(path.endsWith('.md') && !/^\s*---/.test(text) ? 'document' : 'unknown', 'content')
}

function agentFile(harness: Harness, carrier: Carrier, path: string): Recognised {
  const parts = path.split('/').slice(carrier.name.path === 'folder' ? -2 : -1)
  return { kind: 'agent', by: 'content', harness, carrier, relativePath: parts.join('/'), isUnclear: false }
}

/** Markdown of a specified dialect: with front matter, or without if that dialect needs none. */
function plainCarrier({ registry, path, harness }: RecogniseInput, text: string, owner: Harness | undefined) {
  const carrier = owner?.carriers.find(({ format, plugin }) => format === 'markdown' && plugin !== true)
  if (owner === undefined || carrier === undefined || !path.endsWith('.md')) return null
  const { root } = parseDocument(text, 'markdown', vocabularyOf(registry))
  const isSaid = getEntry(root, 'name') !== undefined || getEntry(root, 'description') !== undefined
  const isEnough =
    isSaid || (harness !== undefined && classifyAgentFile(registry, { harness, carrier }, path, text) === 'agent')
  return isEnough ? { harness: owner, carrier } : null
}

/** The kind according to keys that agents do not have. */
function kindByKeys(registry: Registry, path: string, text: string): OtherKind | null {
  const isMarkdown = path.endsWith('.md')
  if (!isMarkdown && !/\.jsonc?$/.test(path)) return null
  const { root, body } = parseDocument(text, isMarkdown ? 'markdown' : 'jsonc', vocabularyOf(registry))
  if (!isMap(root)) return null
  const has = (keys: readonly string[]) => keys.some((key) => getEntry(root, key) !== undefined)
  if (isMarkdown) {
    if (has(distinctiveKeys.instructions)) return 'instructions'
    const isNamed = has(['name'])
    const takesArguments = body !== null && text.includes('$ARGUMENTS', body.start)
    return !isNamed && (takesArguments || has(distinctiveKeys.command) || has(['allowed-tools'])) ? 'command' : null
  }
  if (has(distinctiveKeys.server) && !has(['agent'])) return 'server'
  if (has(distinctiveKeys.manifest)) return 'manifest'
  return has(distinctiveKeys.hook) && !has(['name']) ? 'hook' : null
}

/** In a folder of loose files: the kind according to the folder names, relative to the given folder. */
export function kindByFolder(path: string): OtherKind | 'document' | null {
  const folders = path.split('/').slice(0, -1)
  // Everything in a skill is read with the skill, including agents.
  if (folders.some((folder) => folder === 'skills' || folder === 'skill')) return 'skill'
  for (const folder of folders.reverse()) {
    if (folder === 'agents' || folder === 'agent') return null
    if (Object.hasOwn(conventionalFolders, folder))
      return conventionalFolders[folder as keyof typeof conventionalFolders]
  }
  return null
}

/** The unknown harness that a file belongs to by its folder. */
function unknownHarnessAt(path: string): string | null {
  const part = path.split('/').findLast((one) => Object.hasOwn(otherHarnesses, one))
  return part === undefined ? null : (otherHarnesses[part] ?? null)
}

const instructions = new WeakMap<Registry, ReadonlySet<string>>()

function instructionNames(registry: Registry): ReadonlySet<string> {
  let names = instructions.get(registry)
  if (names === undefined) {
    const places = registry.all.flatMap((harness) => componentPlacesOf(harness, 'project'))
    names = new Set(places.flatMap(({ kind, pattern }) => (kind === 'instructions' ? [nameOf(pattern)] : [])))
    instructions.set(registry, names)
  }
  return names
}

function isDocument(name: string, text: string): boolean {
  const stem = name.replace(/\..*$/, '')
  const isAmong = (names: readonly string[]) => names.some((one) => one === stem || one === stem.toUpperCase())
  return isAmong(documentNames) || (isAmong(unlessKeyed) && !hasAgentKey(text))
}

function hasAgentKey(text: string): boolean {
  const close = /\n---\s*(?:\n|$)/.exec(text)?.index ?? -1
  return close >= 0 && /^(?:name|mode|model|permission|tools)\s*:/m.test(text.slice(0, close))
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
