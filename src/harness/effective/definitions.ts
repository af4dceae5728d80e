/** Definitions before and after merging: one normalized, several as one. */

import { toData } from '../../formats/data.ts'
import type { Agent, Json, Sourced } from '../../model/agent.ts'
import type { Origin } from '../../model/effective.ts'
import { harnessKeys } from '../keys.ts'
import { type ReadAgent, readAgents } from '../read/agents.ts'
import { type Data, mergeData, normalizedData, ruleKey } from '../read/definitions-in.ts'
import type { Registry } from '../registry.ts'
import type { Harness } from '../schema/harness.ts'
import { mergeMaps, type Tracked, type TrackedMap, trackedMap, trackedValue } from './tracked.ts'

/** Older spellings under the proper key, unknown keys among the options, and all rules in one map. */
export function normalizeDefinition(harness: Harness, definition: TrackedMap): TrackedMap {
  const { entries, origin } = definition
  const rules = rulesOf(harness, entries, origin)
  return trackedMap(
    { ...entries, ...properlySpelled(harness, entries), ...optionsOf(harness, definition), ...rules },
    origin,
  )
}

type Entries = TrackedMap['entries']

function properlySpelled(harness: Harness, entries: Entries): Entries {
  const proper: Record<string, Tracked> = {}
  for (const spec of Object.values(harness.fields)) {
    const found = [spec?.key, ...(spec?.aliases ?? [])].find((key) => key !== undefined && entries[key] !== undefined)
    if (spec?.key !== undefined && found !== undefined && entries[found] !== undefined)
      proper[spec.key] = entries[found]
  }
  return proper
}

function optionsOf(harness: Harness, { entries, origin }: TrackedMap): Entries {
  const key = harness.fields.options?.key
  if (harness.unknownKeys !== 'sent-to-provider' || key === undefined) return {}
  const known = harnessKeys(harness)
  const strange = Object.fromEntries(Object.entries(entries).filter(([name]) => !known.has(name)))
  const written = entries[key]
  return { [key]: trackedMap({ ...(written?.kind === 'map' ? written.entries : {}), ...strange }, origin) }
}

/** If an older map and the current one name the same switch, the current one counts, at the older one's position. */
function rulesOf(harness: Harness, entries: Entries, origin: Origin): Entries {
  const layer = harness.access.layers.find(({ codec }) => codec === 'rule-map')
  if (layer === undefined) return {}
  const old = harness.access.layers.filter(({ legacy }) => legacy === true)
  const maps = [...old.map(({ key }) => flagRules(harness, key, entries[key])), wholeRules(entries[layer.key])]
  const together = maps.reduce<Record<string, Tracked>>((all, map) => Object.assign(all, map?.entries), {})
  return { [layer.key]: trackedMap(together, origin) }
}

/** A map of tool switches, as rules. */
export function flagRules(harness: Harness, layer: string, flags: Tracked | undefined): TrackedMap | null {
  if (flags?.kind !== 'map') return null
  const rules: Record<string, Tracked> = {}
  for (const [name, flag] of Object.entries(flags.entries)) {
    const isOn = flag.kind === 'value' && flag.value === true
    rules[ruleKey(harness, layer, name)] = trackedValue(isOn ? 'allow' : 'deny', flag.origin)
  }
  return trackedMap(rules, flags.origin)
}

/** A single word instead of a map applies to everything. */
export function wholeRules(rules: Tracked | undefined): TrackedMap | null {
  if (rules === undefined) return null
  return rules.kind === 'map' ? rules : trackedMap({ '*': rules }, rules.origin)
}

export function mergeRules(below: TrackedMap | null, above: TrackedMap | null): TrackedMap | null {
  return below === null || above === null ? (above ?? below) : mergeMaps(below, above)
}

/**
 * Several definitions of one agent, merged key by key as the harness does. `definitions`: from lowest to highest precedence; `owner`: the one whose positions count, because those of the others
 * are not in this file.
 */
export function mergeDefinitions(
  registry: Registry,
  harness: Harness,
  definitions: readonly ReadAgent[],
  owner: ReadAgent,
): ReadAgent {
  const carrier = harness.carriers.find(({ agents }) => agents?.as === 'map' && agents.at !== '')
  if (carrier === undefined || definitions.length < 2) return owner
  const { name } = owner.agent
  const whole = definitions.reduce<Data>((below, { map }) => mergeData(below, normalizedData(harness, toData(map))), {})
  const nested = (carrier.agents?.at ?? '')
    .split('.')
    .reduceRight<Json>((inner, key) => ({ [key]: inner }), { [name]: whole } as Json)
  const surroundings = { readBeside: () => null, environment: () => undefined }
  const text = JSON.stringify(nested)
  const [read] = readAgents({ registry, harness, carrier, text, relativePath: '', surroundings }).agents
  if (read === undefined) return owner
  const speaker = definitions.findLast(({ agent }) => agent.prompt.text !== '') ?? owner
  const { prompt } = speaker.agent
  const agent: Agent = {
    ...read.agent,
    name,
    nameRange: owner.agent.nameRange,
    carrier: owner.agent.carrier,
    fields: fieldsOf(read.agent, owner.agent),
    prompt: speaker === owner ? prompt : { ...prompt, range: null },
    access: read.agent.access.map((layer) => ({
      ...layer,
      rules: layer.rules.map((rule) => (rule.range === null ? rule : { ...rule, range: null })),
    })),
    extras: read.agent.extras.map((extra) => owner.agent.extras.find(({ key }) => key === extra.key) ?? extra),
    recovered: definitions.some((one) => one.agent.recovered),
  }
  const unclear = [...definitions, read].flatMap((one) => one.unreadAccess ?? [])
  return { ...owner, agent, ...(unclear.length > 0 ? { unreadAccess: unclear } : {}) }
}

function fieldsOf({ fields }: Agent, owner: Agent): Agent['fields'] {
  const own = owner.fields as Readonly<Record<string, Sourced<Json> | undefined>>
  const merged = Object.entries(fields).map(([concept, field]) => {
    const said = own[concept]
    const isOwn = said !== undefined && JSON.stringify(said.value) === JSON.stringify(field.value)
    return [concept, isOwn ? said : { ...field, range: null }]
  })
  return Object.fromEntries(merged)
}
