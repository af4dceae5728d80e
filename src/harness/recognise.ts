/**
 * What a file is: an agent of a dialect, or something else. The strongest evidence counts: what a manifest says of it, then
 * the folders of harnesses, then what is in it. Nothing else in Troupe takes a file for an agent.
 */
import { entry, isMap } from '../text/data.ts'
import { detectDialects } from './detect.ts'
import { type Document, isUncut, parseDocument } from './document.ts'
import { expandBraces, suffixPattern } from './glob.ts'
import { placeOf } from './places.ts'
import type { Registry } from './registry.ts'
import type { Carrier, ComponentKind, Harness } from './schema/harness.ts'
import { documentNames, otherHarnesses, tellingKeys, usualFolders } from './signs.ts'
import { harnessKeys, vocabularyOf } from './vocabulary.ts'

export type FileKind = 'agent' | ComponentKind | 'document' | 'other-harness' | 'unknown'

/** What speaks for it, the strongest first. */
export type Evidence = 'manifest' | 'folder' | 'content'

export type Recognised =
  | {
      readonly kind: 'agent'
      readonly by: Evidence
      readonly harness: Harness
      readonly carrier: Carrier
      /** Path below the folder that this kind of file lives in. */
      readonly relativePath: string
      /** Its harness loads it, but nothing in it says that it is meant as an agent. */
      readonly isUnclear: boolean
    }
  | {
      readonly kind: Exclude<FileKind, 'agent'>
      readonly by: Evidence
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
  if (declared?.kind === 'agent') return judged(input, declared, 'manifest')
  if (declared !== undefined && declared !== null) return other(declared.kind, 'manifest')
  const place = placeOf(registry, path)
  if (place !== null && (harness === undefined || place.harness.id === harness.id))
    return judged(input, place, 'folder')
  if (harness === undefined) {
    const component = componentAt(registry, path)
    if (component !== null) return other(component, 'folder')
    const owner = otherOwner(path)
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

const seeming: Readonly<Record<ComponentKind | 'document' | 'unknown', string>> = {
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

function other(kind: keyof typeof seeming, by: Evidence, leftOutBy: Harness | null = null): Recognised {
  return { kind, by, seems: seeming[kind], leftOutBy }
}

function belongsTo(title: string): string {
  return `belongs to ${title}, which Troupe does not know; --harness ID or --from ID reads it as another dialect`
}

/** A file where agents are kept: whether it is one, told by the least that its harness needs. */
function judged(
  input: RecogniseInput,
  place: Omit<Extract<Declared, { kind: 'agent' }>, 'kind'>,
  by: Evidence,
): Recognised {
  const { harness, carrier, relativePath } = place
  const text = input.text()
  // What cannot be read may be an agent: reading it will say what is wrong.
  const verdict = text === null ? 'agent' : judge(input.registry, place, input.path, text)
  if (verdict === 'document') return other('document', by, harness)
  return { kind: 'agent', by, harness, carrier, relativePath, isUnclear: verdict === 'unclear' }
}

/** Document: its harness leaves it out, and nothing in it says that an agent was meant. */
export function judge(
  registry: Registry,
  { harness, carrier }: Pick<Extract<Declared, { kind: 'agent' }>, 'harness' | 'carrier'>,
  path: string,
  text: string,
): 'agent' | 'unclear' | 'document' {
  if (carrier.agents !== undefined || carrier.plain === true || carrier.format !== 'markdown') return 'agent'
  if (isPlainlyMeant(text)) return 'agent'
  const document = parseDocument(text, carrier.format, vocabularyOf(registry))
  if (isMeant(harness, document)) return 'agent'
  const consequence = carrier.absent ?? harness.frontMatter.absent
  if (consequence !== 'accepted') return 'document'
  const isUsual = carrier.absent === undefined && text.trim() !== '' && !isDocument(nameOf(path))
  return isUsual ? 'agent' : 'unclear'
}

/** Nearly all agents say so in a line that needs no parser. */
function isPlainlyMeant(text: string): boolean {
  const close = text.startsWith('---\n') ? text.indexOf('\n---\n') : -1
  return close > 0 && /^(?:name|description):/m.test(text.slice(0, close))
}

/** Front matter with a key of its harness, or front matter that is broken: somebody began to define an agent. */
function isMeant(harness: Harness, document: Document): boolean {
  const { root, frontMatter, findings } = document
  if (isUncut(document)) return true
  if (frontMatter === null || frontMatter.yaml === null) return false
  if (!isMap(root)) return findings.length > 0 && frontMatter.yaml.end > frontMatter.yaml.start
  const known = harnessKeys(harness)
  return root.entries.some(({ key }) => key === 'name' || key === 'description' || known.has(key))
}

function byContent(input: RecogniseInput): Recognised {
  const { registry, path, harness, otherwise } = input
  const name = nameOf(path)
  if (harness === undefined) {
    if (/^SKILL\.md$/i.test(name)) return other('skill', 'content')
    if (instructionNames(registry).has(name)) return other('instructions', 'content')
    if (isDocument(name)) return other('document', 'content')
  }
  const text = input.text()
  if (text === null) return other('unknown', 'content')
  const said = harness === undefined ? saidBy(registry, path, text) : null
  if (said !== null) return other(said, 'content')
  const detected = detectDialects(registry, path, text)
  const best = harness === undefined ? detected[0] : detected.find((one) => one.harness.id === harness.id)
  if (best !== undefined) return found(best.harness, best.carrier, path)
  const plain = plainCarrier(input, text, harness ?? otherwise)
  if (plain !== null) return found(plain.harness, plain.carrier, path)
  return other(path.endsWith('.md') && !/^\s*---/.test(text) ? 'document' : 'unknown', 'content')
}

function found(harness: Harness, carrier: Carrier, path: string): Recognised {
  const parts = path.split('/').slice(carrier.name.path === 'folder' ? -2 : -1)
  return { kind: 'agent', by: 'content', harness, carrier, relativePath: parts.join('/'), isUnclear: false }
}

/** Markdown of a dialect that was named: with front matter, or without where that dialect needs none. */
function plainCarrier({ registry, path, harness }: RecogniseInput, text: string, owner: Harness | undefined) {
  const carrier = owner?.carriers.find(({ format, plugin }) => format === 'markdown' && plugin !== true)
  if (owner === undefined || carrier === undefined || !path.endsWith('.md')) return null
  const { root } = parseDocument(text, 'markdown', vocabularyOf(registry))
  const isSaid = entry(root, 'name') !== undefined || entry(root, 'description') !== undefined
  const isEnough = isSaid || (harness !== undefined && judge(registry, { harness, carrier }, path, text) === 'agent')
  return isEnough ? { harness: owner, carrier } : null
}

/** What its keys say that agents do not have. */
function saidBy(registry: Registry, path: string, text: string): ComponentKind | null {
  const isMarkdown = path.endsWith('.md')
  if (!isMarkdown && !/\.jsonc?$/.test(path)) return null
  const { root, body } = parseDocument(text, isMarkdown ? 'markdown' : 'jsonc', vocabularyOf(registry))
  if (!isMap(root)) return null
  const has = (keys: readonly string[]) => keys.some((key) => entry(root, key) !== undefined)
  if (isMarkdown) {
    if (has(tellingKeys.rules)) return 'rules'
    const isNamed = has(['name'])
    const takesArguments = body !== null && text.includes('$ARGUMENTS', body.start)
    return !isNamed && (takesArguments || has(tellingKeys.command) || has(['allowed-tools'])) ? 'command' : null
  }
  if (has(tellingKeys.servers) && !has(['agent'])) return 'servers'
  if (has(tellingKeys.manifest)) return 'manifest'
  return has(tellingKeys.hooks) && !has(['name']) ? 'hooks' : null
}

/** In a folder of loose files: what the names of the folders say, seen from the folder that was asked about. */
export function usualKind(path: string): ComponentKind | 'document' | null {
  const folders = path.split('/').slice(0, -1)
  // Whatever a skill brings along is read when the skill is, agents included.
  if (folders.some((folder) => folder === 'skills' || folder === 'skill')) return 'skill'
  for (const folder of folders.reverse()) {
    if (folder === 'agents' || folder === 'agent') return null
    if (Object.hasOwn(usualFolders, folder)) return usualFolders[folder as keyof typeof usualFolders]
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
function otherOwner(path: string): string | null {
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
