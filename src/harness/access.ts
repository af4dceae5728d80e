/** From the access keys of a file to layers of rules. */
import type { Access, Layer, Role, Rule } from '../model/access.ts'
import type { Json } from '../model/agent.ts'
import type { DataNode } from '../text/tree.ts'
import { codecs, type Decoded, type KeyedRules, neutralRule } from './codecs.ts'
import { plainForm } from './rule-form.ts'
import type { AccessLayerSpec, Carrier, Harness } from './schema/harness.ts'
import { namedTool } from './units.ts'

export interface AccessInput {
  readonly harness: Harness
  readonly all: readonly Harness[]
  readonly text: string
  /** Keys whose values had to be recovered from broken text. */
  readonly recovered: readonly string[]
  /** The value under a key of the definition; dotted keys reach into tables. */
  readonly valueOf: (key: string) => DataNode | null
  /** How this kind of file writes rules; absent: as maps. */
  readonly carrier?: Carrier
  /** The neutral value of a concept, where the definition sets it. */
  readonly valueOfField: (field: string) => Json | undefined
}

export interface BuiltAccess {
  readonly access: Access
  readonly tools: readonly string[] | null
  /** Access keys whose value could not be understood; they were read as "nothing is allowed". */
  readonly unreadable: readonly string[]
}

interface DecodedLayer {
  readonly spec: AccessLayerSpec
  readonly decoded: Decoded
}

const certain = { main: 'observed', child: 'observed' } as const
const unheld = { main: 'no', child: 'no' } as const

export function buildAccess(input: AccessInput): BuiltAccess {
  const { harness } = input
  const unreadable: string[] = []
  const layers: DecodedLayer[] = []
  for (const spec of harness.access.layers) {
    const written = input.valueOf(spec.key)
    const node = written === null || input.carrier === undefined ? written : plainForm(input.carrier, spec, written)
    if (node === null || (isEmpty(node) && spec.empty === 'absent')) continue
    const read = codecs[spec.codec]({ harness, all: input.all, spec, text: input.text, node })
    const decoded = read !== null && input.recovered.includes(spec.key) && isDoubtful(harness, read) ? null : read
    if (decoded === null) unreadable.push(spec.key)
    // What the harness drops restricts nobody there, whatever its author meant by it.
    const dropped = decoded === null && (spec.invalid ?? harness.invalidValue) === 'field-dropped'
    layers.push({ spec: dropped ? { ...spec, enforced: unheld } : spec, decoded: decoded ?? nothing(spec, node) })
  }
  const base = baseOf(harness)
  const access =
    harness.access.combine === 'concatenate'
      ? [concatenated(harness, base.rules, layers)]
      : [base, ...layers.map((layer) => separate(input, layer))]
  return { access, tools: namedTools(layers), unreadable }
}

/**
 * What is written, but held only as far as the harness sees it: where it mends broken text in its own way,
 * a list can lose names or vanish altogether.
 */
export function heldAsSeen(written: Access, seen: Access): Access {
  return written.map((layer) => {
    const same = seen.find(({ origin }) => origin === layer.origin)
    if (same === undefined) return { ...layer, enforced: unheld }
    const units = new Set(same.rules.map(({ unit }) => unit))
    const rules = layer.rules.map((rule): Rule => (units.has(rule.unit) ? rule : { ...rule, ignored: 'rule' }))
    return { ...layer, rules, enforced: same.enforced }
  })
}

/** A denial recovered from broken text that names nothing anybody knows: what was meant to be denied is not certain. */
function isDoubtful(harness: Harness, { keyed, otherwise }: Decoded): boolean {
  if (otherwise === 'deny') return false
  const unknown = `native:${harness.id}/`
  return keyed.some(
    ({ rules }) => rules.length === 0 || rules.some(({ tools }) => tools.every((tool) => tool.startsWith(unknown))),
  )
}

function isEmpty(node: DataNode): boolean {
  if (node.kind === 'list') return node.items.length === 0
  return node.kind === 'scalar' && (node.value === null || node.value === '')
}

/** A restriction nobody can read restricts everything: the author meant one, and guessing could widen it. */
function nothing(spec: AccessLayerSpec, node: DataNode): Decoded {
  const rule: Rule = {
    tools: ['*'],
    subject: 'none',
    pattern: null,
    syntax: 'wildcard',
    action: 'deny',
    native: spec.key,
    range: node.range,
  }
  return { keyed: [{ key: spec.key, rules: [rule] }], otherwise: 'deny', tools: [] }
}

function namedTools(layers: readonly DecodedLayer[]): readonly string[] | null {
  return layers.find(({ decoded }) => decoded.tools !== null)?.decoded.tools ?? null
}

const bases = new WeakMap<Harness, Layer>()

/** What the harness does of itself is the same for every agent. */
function baseOf(harness: Harness): Layer {
  let base = bases.get(harness)
  if (base === undefined) {
    const rules = harness.access.base.map((rule) => neutralRule(rule, 'default', null))
    const { resolution } = harness.access
    base = { origin: 'default', resolution, rules, otherwise: null, enforced: certain }
    bases.set(harness, base)
  }
  return base
}

function separate(input: AccessInput, { spec, decoded }: DecodedLayer): Layer {
  const { harness } = input
  const rules: Rule[] = []
  for (const one of decoded.keyed) rules.push(...one.rules)
  if (spec.codec === 'allow-list') rules.push(...grantedAnyway(input))
  const resolution = resolutionOf[spec.codec] ?? harness.access.resolution
  const { otherwise } = decoded
  return { origin: spec.key, resolution, rules, otherwise, enforced: spec.enforced ?? certain }
}

/** In a list every entry counts; only maps of rules have an order. */
const resolutionOf: { readonly [codec in AccessLayerSpec['codec']]?: Layer['resolution'] } = {
  'allow-list': 'widest',
  'deny-list': 'deny-ask-allow',
}

/** What a tool list cannot keep out: tools the harness always gives, and those another field brings along. */
function grantedAnyway(input: AccessInput): Rule[] {
  const { harness } = input
  const always = alwaysGranted(harness, input.all)
  const implied = harness.access.implies.flatMap(({ field, grants, servers }) => {
    const value = input.valueOfField(field)
    const { values } = harness.fields[field as keyof typeof harness.fields] ?? {}
    // A value that the harness drops brings nothing along.
    if (value === undefined || (values !== undefined && !values.includes(String(value)))) return []
    const why = `because of ${field}`
    const tools = grants.map((name) => granted(namedTool(harness, input.all, name).grants, `${name} (${why})`, name))
    const own = servers
      ? serverNames(value).map((server) => granted([`mcp:${server}/*`], `${server} (${why})`, server))
      : []
    return [...tools, ...own]
  })
  return [...always, ...implied]
}

const alwaysThere = new WeakMap<readonly Harness[], Map<Harness, readonly Rule[]>>()

/** The same for every agent, as long as the same harnesses are known. */
function alwaysGranted(harness: Harness, all: readonly Harness[]): readonly Rule[] {
  const known = alwaysThere.get(all) ?? new Map<Harness, readonly Rule[]>()
  alwaysThere.set(all, known)
  let rules = known.get(harness)
  if (rules === undefined) {
    rules = harness.access.always.map(({ tool, role }) =>
      granted(namedTool(harness, all, tool).grants, `${tool} (always there)`, tool, role),
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
  } as const
  return role === undefined ? rule : { ...rule, role }
}

function serverNames(value: Json): string[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : []
}

/** Base rules, then the file's, as one list. A later key of the same name takes the earlier one's position. */
function concatenated(harness: Harness, base: readonly Rule[], layers: readonly DecodedLayer[]): Layer {
  const keyed = new Map<string, KeyedRules>()
  for (const { decoded } of layers) for (const one of decoded.keyed) keyed.set(one.key, one)
  const after = harness.access.after.filter(({ unlessKey }) => !keyed.has(unlessKey))
  const rules = [
    ...base,
    ...[...keyed.values()].flatMap((one) => one.rules),
    ...after.map((rule) => neutralRule(rule, 'default', null)),
  ]
  const origin = layers[layers.length - 1]?.spec
  const { resolution } = harness.access
  return {
    origin: origin?.key ?? 'default',
    resolution,
    rules,
    otherwise: 'ask',
    enforced: origin?.enforced ?? certain,
  }
}
