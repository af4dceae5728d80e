/** Reads the access keys of a file into layers of rules. */

import { type DataNode, fromData } from '../../formats/data.ts'
import type { Access, Layer, Role, Rule } from '../../model/access/rules.ts'
import type { Json } from '../../model/agent.ts'
import { inKilobytes, limits } from '../../model/limits.ts'
import type { Range } from '../../model/range.ts'
import { mcpServerOf, powerlessTools } from '../../model/tools.ts'
import type { AccessLayerSpec, Carrier, Harness } from '../schema/harness.ts'
import { resolveTool } from '../units.ts'
import { codecs, statedRule } from './codecs.ts'
import type { DecodedAccess, KeyedRules } from './map-rules.ts'
import { modeLayers } from './mode-limits.ts'
import { toPatternMaps } from './rule-form.ts'
import { filterLayers } from './server-filters.ts'
import { toolEntries } from './tool-list.ts'
import { certainPart, everythingDenied, isDoubtful, notEnforced, nothingAllowed, nowhere } from './uncertain-access.ts'

interface BuildAccessInput {
  readonly harness: Harness
  readonly all: readonly Harness[]
  readonly text: string
  /** Keys whose values had to be recovered from broken text. */
  readonly recovered: readonly string[]
  /** Whether the value of a key can be read without guessing. */
  readonly isClear: (key: string) => boolean
  /** The value under a key of the definition; dotted keys reach into tables. */
  readonly valueOf: (key: string) => DataNode | null
  /** No limits apply: for access that Troupe is about to write, and must know completely. */
  readonly isUnbounded?: true
  /** How this kind of file writes rules; absent: as maps. */
  readonly carrier?: Carrier
  /** The neutral value of a concept, if the definition sets it. */
  readonly valueOfField: (field: string) => Json | undefined
}

export interface BuiltAccess {
  readonly access: Access
  readonly tools: readonly string[] | null
  /** Access keys whose value could not be understood; they were read as "nothing is allowed". */
  readonly unreadable: readonly string[]
  /** For a definition that exceeds Troupe's limits, and so was read as "nothing is allowed": where, and which limit. */
  readonly excess: Excess | null
}

interface Excess {
  readonly key: string
  /** The limit exceeded. */
  readonly what: string
}

interface DecodedLayer {
  readonly spec: AccessLayerSpec
  readonly decoded: DecodedAccess
  /** Part of it cannot be understood: `decoded` denies everything. */
  readonly isUnread?: boolean
}

const enforcedInBoth = { main: 'observed', child: 'observed' } as const
export function buildAccess(input: BuildAccessInput): BuiltAccess {
  const { harness } = input
  const unreadable: string[] = []
  const layers: DecodedLayer[] = []
  const servers = () => namedServers(input)
  for (const spec of harness.access.layers) {
    const written = input.valueOf(spec.key)
    const node = written === null ? written : toPatternMaps(input.carrier ?? {}, spec, written)
    const isLost = node === null && !input.isClear(spec.key)
    const unsaid = node === null && !isLost ? withoutKey(spec) : null
    if (unsaid !== null) layers.push({ spec, decoded: unsaid })
    if (!isLost && (node === null || (isEmpty(node) && spec.empty === 'absent' && input.isClear(spec.key)))) continue
    if (node === null) {
      unreadable.push(spec.key)
      layers.push({ spec: { ...spec, enforced: notEnforced }, decoded: nothingAllowed(spec, nowhere), isUnread: true })
      continue
    }
    // A list this long is not even decoded.
    if (!input.isUnbounded && hasTooManyEntries(node)) {
      layers.push({ spec, decoded: tooManyEntries })
      continue
    }
    const decode = (value: DataNode) =>
      codecs[spec.codec]({ harness, all: input.all, spec, text: input.text, node: value, servers })
    const read = decode(node)
    const isNothing = read?.keyed.length === 0 && spec.empty === 'absent' && input.isClear(spec.key)
    if (isNothing && node.kind === 'scalar') continue
    const isRecovered = input.recovered.includes(spec.key)
    const isGuessed = !input.isClear(spec.key) || (isRecovered && read !== null && isDoubtful(harness, read))
    const decoded = isGuessed ? null : read
    if (decoded === null) unreadable.push(spec.key)
    // A value that the harness drops restricts nothing there, regardless of its author's intent.
    const isDropped = (spec.invalid ?? harness.invalidValue) === 'field-dropped' && spec.wrongShape === undefined
    const left = read === null && spec.otherItems === 'dropped' ? decode(textItems(node)) : null
    const isUnheld = (decoded === null && isDropped) || isNothing || left !== null
    const held = isUnheld ? { ...spec, enforced: notEnforced } : spec
    layers.push({ spec: held, decoded: decoded ?? nothingAllowed(spec, node.range), isUnread: decoded === null })
    if (left !== null) layers.push({ spec, decoded: left, isUnread: false })
    const clear = decoded === null ? null : certainPart(spec, input.text, node, decoded)
    if (clear !== null) {
      // The harness reads it somehow; what its author meant is unknown.
      unreadable.push(spec.key)
      layers.push({ spec: { ...spec, enforced: notEnforced }, decoded: clear, isUnread: true })
    }
  }
  const excess = input.isUnbounded ? null : excessOf(input, layers)
  if (excess !== null) return closedAccess(harness, layers, excess)
  const base = baseOf(harness)
  const access: Layer[] =
    harness.access.combine === 'concatenate'
      ? [
          concatenated(harness, base.rules, layers.filter(isRuleLayer)),
          // A layer that closes the list, or is unreadable, is not undone by a later rule.
          ...layers.filter((layer) => !isRuleLayer(layer)).map((layer) => separateLayer(input, layer)),
        ]
      : [base, ...layers.map((layer) => separateLayer(input, layer))]
  const modes = modeLayers(harness, input.all, input.valueOf)
  access.push(...layers.flatMap(ineffectiveLayer), ...serverFilters(input), ...modes)
  return { access, tools: namedTools(layers), unreadable, excess: null }
}

/** What the absence of a key means by itself; null: nothing. */
function withoutKey({ codec, absent }: AccessLayerSpec): DecodedAccess | null {
  if (codec === 'approve-list') return { keyed: [], otherwise: 'offer', tools: null }
  return absent === 'none' ? { keyed: [], otherwise: 'deny', tools: [] } : null
}

/** Restrictions in words that have no effect in the harness. */
function ineffectiveLayer({ spec, decoded: { said = [] } }: DecodedLayer): Layer[] {
  if (said.length === 0) return []
  return [{ origin: spec.key, resolution: 'deny-ask-allow', rules: said, otherwise: null, enforced: notEnforced }]
}

/** The servers that a definition mentions: its own, and those whose tools other lists name. */
function namedServers(input: BuildAccessInput): readonly string[] {
  const { harness } = input
  const value = input.valueOfField(SERVERS)
  const items: readonly Json[] = Array.isArray(value) ? value : [value ?? null]
  const own = items.flatMap((one) =>
    typeof one === 'string' ? [one] : typeof one === 'object' && one !== null ? Object.keys(one) : [],
  )
  const lists = harness.access.layers.filter(({ codec }) => codec.endsWith('-list'))
  const named = lists.flatMap((spec) => {
    const node = input.valueOf(spec.key)
    const entries = node === null || hasTooManyEntries(node) ? [] : (toolEntries(input.text, node, spec) ?? [])
    return entries.flatMap(({ name }) => resolveTool(harness, input.all, name).grants.map(mcpServerOf))
  })
  return [...new Set([...own, ...named.filter((one) => one !== null)])]
}

/** What the entries of its own servers define for their tools. */
function serverFilters(input: BuildAccessInput): Layer[] {
  const { harness } = input
  const { key = SERVERS } = harness.fields[SERVERS] ?? {}
  const value = input.valueOfField(SERVERS)
  const isRenamed = harness.fields[SERVERS]?.servers?.named !== undefined
  const node = (isRenamed ? null : input.valueOf(key)) ?? (value === undefined ? null : fromData(value))
  return node === null ? [] : filterLayers(harness, input.all, node, key)
}

/** A list without the items that the harness skips. */
function textItems(node: DataNode): DataNode {
  if (node.kind !== 'list') return node
  return { ...node, items: node.items.filter((one) => one.kind === 'scalar' && typeof one.value === 'string') }
}

/** Nothing is allowed, regardless of the keys. */
function closedAccess(harness: Harness, layers: readonly DecodedLayer[], excess: Excess): BuiltAccess {
  const keys = new Set([...layers.map(({ spec }) => spec.key), excess.key])
  const closed = [...keys].map((key) => closedLayer(key, nowhere))
  return { access: [baseOf(harness), ...closed], tools: [], unreadable: [], excess }
}

/** For a definition that was not read at all. */
export function noAccess(harness: Harness, range: Range): Access {
  return [baseOf(harness), closedLayer('front matter', range)]
}

export function closedLayer(origin: string, range: Range): Layer {
  const rules = [everythingDenied(origin, range)]
  return { origin, resolution: 'deny-ask-allow', rules, otherwise: 'deny', enforced: enforcedInBoth }
}

const SERVERS = 'mcpServers'
/** Represents more entries than are counted. */
const tooManyEntries: DecodedAccess = { keyed: [], otherwise: 'deny', tools: [] }

function hasTooManyEntries(node: DataNode): boolean {
  if (node.kind === 'scalar') return false
  if (node.kind === 'list') return node.items.length > limits.rules
  let entries = 0
  for (const { value } of node.entries) {
    entries += value.kind === 'map' ? value.entries.length : 1
    if (entries > limits.rules) return true
  }
  return false
}

/** More rules, or longer ones, than can be compared with each other in reasonable time. */
function excessOf(input: BuildAccessInput, layers: readonly DecodedLayer[]): Excess | null {
  if (serverNames(input.valueOfField(SERVERS) ?? null).length > limits.servers)
    return { key: SERVERS, what: `${limits.servers} servers` }
  const key = layers[0]?.spec.key ?? ''
  const tooMany = { key, what: `${limits.rules} rules` }
  if (layers.some(({ decoded }) => decoded === tooManyEntries)) return tooMany
  let rules = 0
  let characters = 0
  for (const { spec, decoded } of layers) {
    if (spec.codec === 'allow-list') rules += unlistedGrants(input).length
    for (const one of decoded.keyed) {
      // Rules that only record an intent come on top of the written ones.
      rules += one.rules.filter(({ ignored }) => ignored !== 'rule').length || 1
      characters += one.key.length
      for (const { pattern } of one.rules) characters += pattern?.length ?? 0
    }
  }
  if (rules > limits.rules) return tooMany
  return characters > limits.patterns ? { key, what: `${inKilobytes(limits.patterns)} of rules` } : null
}

function isRuleLayer({ decoded }: DecodedLayer): boolean {
  return decoded.otherwise !== 'deny'
}

function isEmpty(node: DataNode): boolean {
  if (node.kind === 'list') return node.items.length === 0
  return node.kind === 'scalar' && (node.value === null || node.value === '')
}

function namedTools(layers: readonly DecodedLayer[]): readonly string[] | null {
  return layers.find(({ decoded }) => decoded.tools !== null)?.decoded.tools ?? null
}

function defaultRule(rule: Harness['access']['base'][number]): Rule {
  return { ...statedRule(rule, 'default', null), isDefault: true }
}

const bases = new WeakMap<Harness, Layer>()

/** The harness's own rules are the same for every agent. */
function baseOf(harness: Harness): Layer {
  let base = bases.get(harness)
  if (base === undefined) {
    const rules = harness.access.base.map(defaultRule)
    const { resolution } = harness.access
    base = { origin: 'default', resolution, rules, otherwise: null, enforced: enforcedInBoth }
    bases.set(harness, base)
  }
  return base
}

function separateLayer(input: BuildAccessInput, { spec, decoded, isUnread }: DecodedLayer): Layer {
  const { harness } = input
  const rules: Rule[] = []
  for (const one of decoded.keyed) rules.push(...one.rules)
  if (spec.codec === 'allow-list' && !isUnread) rules.push(...unlistedGrants(input))
  const resolution = resolutionOf[spec.codec] ?? harness.access.resolution
  const { otherwise, sandbox } = decoded
  const layer = { origin: spec.key, resolution, rules, otherwise, enforced: spec.enforced ?? enforcedInBoth }
  return sandbox === undefined ? layer : { ...layer, sandbox }
}

/** In a list every entry counts; only maps of rules have an order. */
const resolutionOf: { readonly [codec in AccessLayerSpec['codec']]?: Layer['resolution'] } = {
  'allow-list': 'widest',
  'approve-list': 'widest',
  'deny-list': 'deny-ask-allow',
}

/** What a tool list cannot exclude: tools the harness always grants, and those another field adds. */
function unlistedGrants(input: BuildAccessInput): Rule[] {
  const { harness } = input
  const always = alwaysGranted(harness, input.all)
  const implied = harness.access.implies.flatMap(({ field, grants, servers }) => {
    const value = input.valueOfField(field)
    const { key = field, values } = harness.fields[field as keyof typeof harness.fields] ?? {}
    // A value that the harness drops adds nothing.
    if (value === undefined || (values !== undefined && !values.includes(String(value)))) return []
    const why = `because of ${field}`
    const tools = grants.map((name) => granted(resolveTool(harness, input.all, name).grants, `${name} (${why})`, name))
    const own =
      servers && input.isClear(key)
        ? serverNames(value).map((server) => ({
            ...granted([`mcp:${server}/*`], `${server} (${why})`, server),
            isDefault: false,
          }))
        : []
    return [...tools, ...own]
  })
  return [...always, ...implied]
}

const alwaysThere = new WeakMap<readonly Harness[], Map<Harness, readonly Rule[]>>()

/** The same for every agent, for a given set of harnesses. */
function alwaysGranted(harness: Harness, all: readonly Harness[]): readonly Rule[] {
  const known = alwaysThere.get(all) ?? new Map<Harness, readonly Rule[]>()
  alwaysThere.set(all, known)
  let rules = known.get(harness)
  if (rules === undefined) {
    rules = harness.access.always.map(({ tool, role }) =>
      granted(resolveTool(harness, all, tool).grants, `${tool} (always there)`, tool, role),
    )
    known.set(harness, rules)
  }
  return rules
}

function granted(tools: readonly string[], native: string, unit: string, role?: Role): Rule {
  const rule = {
    tools,
    subject: 'none',
    pattern: null,
    syntax: 'names',
    action: 'offer',
    native,
    unit,
    range: null,
    isDefault: true,
  } as const
  return role === undefined ? rule : { ...rule, role }
}

function serverNames(value: Json): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([name, server]) => (isReachable(server) ? [name] : []))
}

/** A server with neither a program nor an address does not count. */
function isReachable(server: Json): boolean {
  if (typeof server !== 'object' || server === null || Array.isArray(server)) return false
  const { command, url, httpUrl } = server as { readonly [key: string]: Json }
  return [command, url, httpUrl].some((one) => typeof one === 'string' && one.trim() !== '')
}

/** Base rules, then the file's, as one list. A later key of the same name takes the earlier one's position. */
function concatenated(harness: Harness, base: readonly Rule[], layers: readonly DecodedLayer[]): Layer {
  const { resolution } = harness.access
  const keyed = new Map<string, KeyedRules>()
  const replaced: Rule[] = []
  for (const { decoded } of layers) {
    for (const one of decoded.keyed) {
      replaced.push(...(keyed.get(one.key)?.rules ?? []))
      keyed.set(one.key, one)
    }
  }
  // A denial that is replaced decides nothing. Of a tool without power it still says that it was denied by its name.
  const isNamed = ({ action, tools }: Rule) => action === 'deny' && powerlessTools.some((tool) => tools.includes(tool))
  const said = resolution === 'last-match' ? replaced.filter(isNamed) : []
  const after = harness.access.after.filter(({ unlessKey }) => !keyed.has(unlessKey))
  const rules = [...said, ...base, ...[...keyed.values()].flatMap((one) => one.rules), ...after.map(defaultRule)]
  const origin = layers[layers.length - 1]?.spec
  return {
    origin: origin?.key ?? 'default',
    resolution,
    rules,
    otherwise: 'ask',
    enforced: origin?.enforced ?? enforcedInBoth,
  }
}
