/**
 * What a file is: an agent of a dialect, or something else. The strongest evidence counts: what a manifest says of it, then
 * the folders of harnesses, then what is in it. Nothing else in Troupe takes a file for an agent.
 */
import { getEntry, isMap } from '../../formats/data.ts'
import { expandBraces, suffixPattern } from '../../model/path-glob.ts'
import { harnessKeys, vocabularyOf } from '../keys.ts'
import { type Document, isUndelimited, parseDocument } from '../read/document.ts'
import type { Registry } from '../registry.ts'
import type { Carrier, ComponentKind, Harness } from '../schema/harness.ts'
import { conventionalFolders, distinctiveKeys, documentNames, otherHarnesses } from './conventions.ts'
import { detectDialects } from './dialect.ts'
import { matchPlace } from './places.ts'

export type FileKind = 'agent' | ComponentKind | 'document' | 'other-harness' | 'unknown'

/** What speaks for it, the strongest first. */
export type RecognisedBy = 'manifest' | 'folder' | 'content'

export type Recognised =
  | {
      readonly kind: 'agent'
      readonly by: RecognisedBy
      readonly harness: Harness
      readonly carrier: Carrier
      /** Path below the folder that this kind of file lives in. */
      readonly relativePath: string
      /** Its harness loads it, but nothing in it says that it is meant as an agent. */
      readonly isUnclear: boolean
    }
  | {
      readonly kind: Exclude<FileKind, 'agent'>
      readonly by: RecognisedBy
      /** What it seems to be, as the rest of a sentence that begins with its name. */
      readonly seems: string
      /** It lies where a harness keeps its agents, and that harness leaves it out. */
      readonly leftOutBy: Harness | null
    }

export interface RecogniseInput {
  readonly registry: Registry
  /** With forward slashes. */
  readonly path: string
  /** Read only where it matters; null: it cannot be read. */
  readonly text: () => string | null
  /** What a manifest or a project says of the very file, or of the folder that it lies in. */
  readonly declared?: Declared | null
  /** The dialect that the user says it is. */
  readonly harness?: Harness | undefined
  /** The dialect of Markdown with a name or a description, where nothing else tells. */
  readonly otherwise?: Harness | undefined
}

export type Declared =
  | { readonly kind: 'agent'; readonly harness: Harness; readonly carrier: Carrier; readonly relativePath: string }
  | { readonly kind: ComponentKind }

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
  // Only a program can leave something out.
  const by = leftOutBy?.oracle === undefined ? '' : ` ${leftOutBy.title} leaves it out.`
  return kind === 'unknown' || kind === 'document' || kind === 'other-harness'
    ? `${shown} ${seems}.${by}`
    : `${shown} ${seems}, not an agent.${by}`
}

const descriptions: Readonly<Record<ComponentKind | 'document' | 'unknown', string>> = {
  skill: 'is part of a skill',
  command: 'holds a slash command',
  hooks: 'holds hooks',
  servers: 'holds MCP servers',
  instructions: 'holds instructions',
  rules: 'holds rules',
  settings: 'holds settings',
  manifest: 'is a manifest',
  document: 'is a document: nothing in it says that it is an agent',
  unknown: 'holds nothing that Troupe takes for an agent',
}

function notAnAgentFile(
  kind: keyof typeof descriptions,
  by: RecognisedBy,
  leftOutBy: Harness | null = null,
): Recognised {
  return { kind, by, seems: descriptions[kind], leftOutBy }
}

function belongsTo(title: string): string {
  return `belongs to ${title}, which Troupe does not know; --harness ID or --from ID reads it as another dialect`
}

/** A file where agents are kept: whether it is one, told by the least that its harness needs. */
function recogniseInPlace(
  input: RecogniseInput,
  place: Omit<Extract<Declared, { kind: 'agent' }>, 'kind'>,
  by: RecognisedBy,
): Recognised {
  const { harness, carrier, relativePath } = place
  const text = input.text()
  // What cannot be read may be an agent: reading it will say what is wrong.
  const verdict = text === null ? 'agent' : classifyAgentFile(input.registry, place, input.path, text)
  if (verdict === 'document') return notAnAgentFile('document', by, harness)
  return { kind: 'agent', by, harness, carrier, relativePath, isUnclear: verdict === 'unclear' }
}

/** Document: its harness leaves it out, and nothing in it says that an agent was meant. */
export function classifyAgentFile(
  registry: Registry,
  { harness, carrier }: Pick<Extract<Declared, { kind: 'agent' }>, 'harness' | 'carrier'>,
  path: string,
  text: string,
): 'agent' | 'unclear' | 'document' {
  if (carrier.agents !== undefined || carrier.plain === true || carrier.format !== 'markdown') return 'agent'
  if (isPlainlyAgent(text)) return 'agent'
  const document = parseDocument(text, carrier.format, vocabularyOf(registry))
  if (isMeantAsAgent(harness, document)) return 'agent'
  const consequence = carrier.absent ?? harness.frontMatter.absent
  if (consequence !== 'accepted') return 'document'
  const isUsual = carrier.absent === undefined && text.trim() !== '' && !isDocument(nameOf(path))
  return isUsual ? 'agent' : 'unclear'
}

/** Nearly all agents say so in a line that needs no parser. */
function isPlainlyAgent(text: string): boolean {
  const close = text.startsWith('---\n') ? text.indexOf('\n---\n') : -1
  return close > 0 && /^(?:name|description):/m.test(text.slice(0, close))
}

/** Front matter with a key of its harness, or front matter that is broken: somebody began to define an agent. */
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
    if (isDocument(name)) return notAnAgentFile('document', 'content')
  }
  const text = input.text()
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

/** Markdown of a dialect that was named: with front matter, or without where that dialect needs none. */
function plainCarrier({ registry, path, harness }: RecogniseInput, text: string, owner: Harness | undefined) {
  const carrier = owner?.carriers.find(({ format, plugin }) => format === 'markdown' && plugin !== true)
  if (owner === undefined || carrier === undefined || !path.endsWith('.md')) return null
  const { root } = parseDocument(text, 'markdown', vocabularyOf(registry))
  const isSaid = getEntry(root, 'name') !== undefined || getEntry(root, 'description') !== undefined
  const isEnough =
    isSaid || (harness !== undefined && classifyAgentFile(registry, { harness, carrier }, path, text) === 'agent')
  return isEnough ? { harness: owner, carrier } : null
}

/** What its keys say that agents do not have. */
function kindByKeys(registry: Registry, path: string, text: string): ComponentKind | null {
  const isMarkdown = path.endsWith('.md')
  if (!isMarkdown && !/\.jsonc?$/.test(path)) return null
  const { root, body } = parseDocument(text, isMarkdown ? 'markdown' : 'jsonc', vocabularyOf(registry))
  if (!isMap(root)) return null
  const has = (keys: readonly string[]) => keys.some((key) => getEntry(root, key) !== undefined)
  if (isMarkdown) {
    if (has(distinctiveKeys.rules)) return 'rules'
    const isNamed = has(['name'])
    const takesArguments = body !== null && text.includes('$ARGUMENTS', body.start)
    return !isNamed && (takesArguments || has(distinctiveKeys.command) || has(['allowed-tools'])) ? 'command' : null
  }
  if (has(distinctiveKeys.servers) && !has(['agent'])) return 'servers'
  if (has(distinctiveKeys.manifest)) return 'manifest'
  return has(distinctiveKeys.hooks) && !has(['name']) ? 'hooks' : null
}

/** In a folder of loose files: what the names of the folders say, seen from the folder that was asked about. */
export function kindByFolder(path: string): ComponentKind | 'document' | null {
  const folders = path.split('/').slice(0, -1)
  // Whatever a skill brings along is read when the skill is, agents included.
  if (folders.some((folder) => folder === 'skills' || folder === 'skill')) return 'skill'
  for (const folder of folders.reverse()) {
    if (folder === 'agents' || folder === 'agent') return null
    if (Object.hasOwn(conventionalFolders, folder))
      return conventionalFolders[folder as keyof typeof conventionalFolders]
  }
  return null
}

interface Pattern {
  readonly kind: ComponentKind
  readonly matches: RegExp
}

const componentPatterns = new WeakMap<Registry, readonly Pattern[]>()

function componentAt(registry: Registry, path: string): ComponentKind | null {
  let patterns = componentPatterns.get(registry)
  if (patterns === undefined) {
    patterns = registry.all.flatMap(({ components }) => patternsOf(components, suffixPattern))
    componentPatterns.set(registry, patterns)
  }
  return patterns.find(({ matches }) => matches.test(path))?.kind ?? null
}

const pluginPatterns = new WeakMap<Harness, readonly Pattern[]>()

/** What of a plugin a file is, seen from the plugin's folder; null: nothing that is known. */
export function pluginComponent(harness: Harness, relativePath: string): ComponentKind | null {
  let patterns = pluginPatterns.get(harness)
  if (patterns === undefined) {
    // Seen from a folder, and not from any.
    patterns = patternsOf(harness.plugins?.components ?? {}, (glob) => suffixPattern(`./${glob}`))
    pluginPatterns.set(harness, patterns)
  }
  return patterns.find(({ matches }) => matches.test(`./${relativePath}`))?.kind ?? null
}

function patternsOf(components: Harness['components'], compile: (glob: string) => RegExp): Pattern[] {
  return Object.entries(components).flatMap(([kind, globs]) =>
    (globs ?? []).flatMap(expandBraces).map((glob) => ({ kind: kind as ComponentKind, matches: compile(glob) })),
  )
}

/** The program that a file belongs to by its folder, where Troupe does not know that program. */
function unknownHarnessAt(path: string): string | null {
  const part = path.split('/').findLast((one) => Object.hasOwn(otherHarnesses, one))
  return part === undefined ? null : (otherHarnesses[part] ?? null)
}

const instructions = new WeakMap<Registry, ReadonlySet<string>>()

function instructionNames(registry: Registry): ReadonlySet<string> {
  let names = instructions.get(registry)
  if (names === undefined) {
    names = new Set(registry.all.flatMap(({ components }) => (components.instructions ?? []).map(nameOf)))
    instructions.set(registry, names)
  }
  return names
}

function isDocument(name: string): boolean {
  const stem = name.replace(/\..*$/, '')
  return documentNames.some((one) => one === stem || one === stem.toUpperCase())
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
