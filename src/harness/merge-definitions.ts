/** Several definitions of one agent as the one that a harness makes of them, where it merges them key by key. */
import type { Agent, Json, Sourced } from '../model/agent.ts'
import { setOwn, toData } from '../text/data.ts'
import { type ReadAgent, readAgents } from './read.ts'
import type { Registry } from './registry.ts'
import type { Harness } from './schema/harness.ts'

type Data = { readonly [key: string]: Json }

/** `definitions`: from the weakest to the strongest; `owner`: the one whose places count, because what others say has none here. */
export function mergeDefinitions(
  registry: Registry,
  harness: Harness,
  definitions: readonly ReadAgent[],
  owner: ReadAgent,
): ReadAgent {
  const carrier = harness.carriers.find(({ agents }) => agents?.as === 'map' && agents.at !== '')
  if (carrier === undefined || definitions.length < 2) return owner
  const { name } = owner.agent
  const whole = definitions.reduce<Data>((below, { map }) => merge(below, normal(harness, toData(map))), {})
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

/** One word for all rules stands for a map with one rule. */
function normal({ access }: Harness, data: unknown): Data {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return {}
  const known = data as Data
  const layer = access.layers.find(({ key, codec }) => codec === 'rule-map' && typeof known[key] === 'string')
  return layer === undefined ? known : { ...known, [layer.key]: { '*': known[layer.key] ?? null } }
}

/** Keys stay where they were first; maps are merged, everything else is replaced. */
function merge(below: Data, above: Data): Data {
  const result: Record<string, Json> = { ...below }
  for (const [key, value] of Object.entries(above)) {
    const known = Object.hasOwn(result, key) ? result[key] : undefined
    setOwn(result, key, isData(known) && isData(value) ? merge(known, value) : value)
  }
  return result
}

function isData(value: Json | undefined): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
