/** Combines all parts of an adapter into one harness file, with cautious defaults for what adapters do not specify. */
import type * as v from 'valibot'
import { Document, isMap, isPair, isScalar, isSeq, type Pair, Scalar, visit } from 'yaml'
import type { harnessSchema } from '../schema/harness.ts'
import type { Convention } from '../write/names.ts'
import type { Adapter, Checked } from './adapter.ts'
import type { ReadTypes } from './agent-types.ts'
import type { AdapterOutput } from './carrier.ts'
import type { AdapterFields, LayerDraft } from './fields.ts'
import type { Composition, Paths } from './files.ts'
import type { Tiers, Tools } from './tools.ts'

export interface HarnessDraft {
  readonly data: v.InferInput<typeof harnessSchema>
  /** The adapter's notes on tools, by neutral tool: kept beside the words as comments. */
  readonly notes: Readonly<Record<string, string>>
}

interface DraftParts {
  readonly checked: Checked
  readonly convention: Convention | undefined
  readonly output: AdapterOutput
  readonly fields: AdapterFields
  readonly layers: readonly LayerDraft[]
  readonly tools: Tools
  readonly types: ReadTypes | null
  readonly tiers: Tiers
  readonly composition: Composition
  readonly paths: Paths
  /** Why agents have no hooks. */
  readonly noHooks: string | null
}

/** Parts of the file that no adapter mentions. */
const assumed = [
  'fields',
  'layers',
  'prompt',
  'frontMatter',
  'unknownKeys',
  'invalidValue',
  'access.base',
  'access.unknownTool',
  'models.unknown',
]

export function draftHarness({ id, title, source }: Adapter, parts: DraftParts): HarnessDraft {
  const { tools, output, types } = parts
  const units = new Map([...tools.units, ...(types?.units ?? [])])
  const words = wordsWith(tools, types)
  const hasKeys = isKeyed(parts)
  const data: HarnessDraft['data'] = {
    id,
    title,
    checked: parts.checked,
    evidence: {
      default: 'claimed',
      claimed: parts.fields.mentioned.map((concept) => `fields.${concept}`),
      suggested: [...assumed, ...tools.unsaid.map((tool) => `words.${tool}`)],
    },
    // A loose file that another harness would read as its own belongs to that harness.
    prior: -1,
    carriers: { [output.kind]: carrierFor(parts, hasKeys) },
    layers: { order: ['project'], merge: 'shadow' },
    prompt: isCalled(output) ? { main: null, child: 'replaces' } : { main: 'adds', child: null },
    frontMatter: { unparsable: 'not-loaded', absent: hasKeys ? 'not-loaded' : 'accepted' },
    unknownKeys: 'field-dropped',
    invalidValue: 'field-dropped',
    fields: parts.fields.fields as HarnessDraft['data']['fields'],
    access: {
      base: [{ tools: '*', action: isMapped(parts) ? 'allow' : 'offer' }],
      combine: isMapped(parts) ? 'concatenate' : 'strictest',
      layers: Object.fromEntries(parts.layers.map(({ key, ...layer }) => [key, layer])),
      unknownTool: 'ignored',
    },
    units: Object.fromEntries([...units].map(([name, grants]) => [name, [...grants]])),
    mcp: tools.mcp === null ? null : { ...tools.mcp },
    words: words as HarnessDraft['data']['words'],
    models: { inherit: null, unknown: 'fails-when-used', tiers: { ...parts.tiers } },
    composition: parts.composition,
    paths: { ...parts.paths, skills: [...parts.paths.skills] },
    ...(types === null || types.types.length === 0 ? {} : { agentTypes: types.types.map(typeDraft) }),
    workarounds: reasonsOf(parts),
    notes: [`Imported from an adapter for ${source.title}; nothing in this file was tried.`],
  }
  return { data, notes: tools.notes }
}

function typeDraft({ name, for: profile, tools }: ReadTypes['types'][number]) {
  return { name, for: profile, ...(tools === undefined ? {} : { tools: [...tools] }) }
}

function carrierFor({ output, convention }: DraftParts, hasKeys: boolean): HarnessDraft['data']['carriers'][string] {
  const { title, format, write, read, nameKey, namePath, promptKey, at } = output
  return {
    title,
    format,
    project: { read: [...read], write },
    ...(at === null ? {} : { agents: { at, as: 'map' } }),
    name: {
      ...(nameKey === null ? {} : { key: nameKey }),
      path: namePath,
      ...(convention === undefined ? {} : { convention }),
    },
    prompt: promptKey === null ? { in: 'body' } : { in: 'key', key: promptKey },
    ...(hasKeys || format !== 'markdown' ? {} : { plain: true }),
  }
}

/** Whether a file can contain anything but the prompt. */
function isKeyed({ fields, layers, output }: DraftParts): boolean {
  const keys = Object.values(fields.fields).some((field) => field?.key !== undefined)
  return keys || layers.length > 0 || output.nameKey !== null
}

function isMapped({ layers }: DraftParts): boolean {
  return layers.some(({ codec }) => codec === 'rule-map')
}

/** Separate agents are called by a session; commands and prompts are part of one. */
function isCalled({ kind }: AdapterOutput): boolean {
  return kind === 'file' || kind === 'entry'
}

/** Names that only agent types mention are words too, if the tables have none. */
function wordsWith({ words }: Tools, types: ReadTypes | null): Tools['words'] {
  const all = { ...words }
  for (const [name, grants] of types?.units ?? []) {
    for (const tool of grants) if (all[tool] === null) all[tool] = name
  }
  return all
}

function reasonsOf({ tools, fields, noHooks }: DraftParts): HarnessDraft['data']['workarounds'] {
  const hooks = noHooks === null ? [] : [['hooks', noHooks] as const]
  const all = [...Object.entries(tools.reasons), ...Object.entries(fields.reasons), ...hooks]
  return Object.fromEntries(all.map(([subject, none]) => [subject, { none }]))
}

/** A harness file as text, one empty line between its parts, with the adapter's notes beside the words. */
export function printHarness({ data, notes }: HarnessDraft): string {
  const document = new Document(data)
  if (!isMap(document.contents)) return ''
  for (const [index, pair] of (document.contents.items as Pair[]).entries()) {
    if (index > 0 && isScalar(pair.key)) pair.key.spaceBefore = isMap(pair.value) || !isScalar(pair.value)
  }
  visit(document, {
    Collection: (_key, node, parents) => {
      // Outer parts span lines; short inner ones are on one line.
      const isShort = isSeq(node)
        ? node.items.every(isScalar)
        : node.items.length <= SHORT && hasPlainValues(node.items)
      if (parents.length > 3 || isSeq(node)) node.flow = isShort
    },
  })
  const words = document.get('words', true)
  for (const pair of isMap(words) ? (words.items as Pair[]) : []) addComment(pair, notes)
  return document.toString({ lineWidth: 120, flowCollectionPadding: true })
}

/** Characters that fit into one line. */
const SHORT = 100

function hasPlainValues(items: readonly unknown[]): boolean {
  return items.every((item) => isPair(item) && isScalar(item.value))
}

/** Behind a plain word, and above one with parts. */
function addComment({ key, value }: Pair, notes: HarnessDraft['notes']): void {
  const name = isScalar(key) ? String(key.value) : ''
  const note = Object.hasOwn(notes, name) ? ` ${notes[name]!.replace(/\s+/g, ' ')}` : null
  if (note === null) return
  if (value instanceof Scalar) value.comment = note
  else if (isScalar(key)) key.commentBefore = note
}
