/** Merges the definitions of one agent in several files where their harness does so. */
import { mergeDefinitions } from '../harness/effective/definitions.ts'
import type { ReadAgent } from '../harness/read/agents.ts'
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { Rule } from '../model/access/rules.ts'
import type { EffectiveAgent } from '../model/effective.ts'
import type { Candidate } from './file.ts'

/** A definition, and its path as shown. */
export interface AgentDefinition extends ReadAgent {
  readonly path: string
  readonly file: { readonly candidate: Candidate }
}

export interface Merging {
  /** From the weakest to the strongest. */
  readonly sort: <T extends AgentDefinition>(definitions: readonly T[]) => T[]
  readonly merge: (definitions: readonly AgentDefinition[], owner: AgentDefinition) => ReadAgent
  /** Those in one folder with another of the same name, where it is unknown which of them counts. */
  readonly twinsAmong: <T extends AgentDefinition>(definitions: readonly T[], owner: AgentDefinition) => T[]
}

interface LayerRank {
  readonly index: number
  readonly counts: boolean
}

/** What the user's own machine adds is left out: the agents of a project are the same everywhere. */
export function createMerging(registry: Registry, agentsOf: (harness: Harness) => readonly EffectiveAgent[]): Merging {
  const orders = new Map<Harness, ReadonlyMap<string, LayerRank>>()
  const orderIn = (harness: Harness) => {
    let order = orders.get(harness)
    if (order === undefined) {
      const places = agentsOf(harness).flatMap(({ name, layers }) =>
        layers.map(({ origin, counts }, index) => [`${name}\n${origin.path}`, { index, counts }] as const),
      )
      order = new Map(places)
      orders.set(harness, order)
    }
    return order
  }
  const standingOf = ({ agent, path, file: { candidate } }: AgentDefinition) =>
    orderIn(candidate.harness).get(`${agent.name}\n${path}`)
  const sort: Merging['sort'] = (definitions) => {
    const placeOf = (one: AgentDefinition) =>
      standingOf(one)?.index ?? (one.file.candidate.carrier.agents === undefined ? 1000 : 0)
    return definitions.toSorted((a, b) => placeOf(a) - placeOf(b))
  }
  const twinsAmong: Merging['twinsAmong'] = (definitions, owner) => {
    const isHidden = (one: AgentDefinition) => standingOf(one)?.counts === false
    const isOwnerHidden = isHidden(owner)
    const isFile = ({ file: { candidate } }: AgentDefinition) => candidate.carrier.agents === undefined
    return definitions.filter((one) => one !== owner && isFile(one) && (isOwnerHidden || isHidden(one)))
  }
  return {
    sort,
    twinsAmong,
    merge: (definitions, owner) => {
      const twins = new Set(twinsAmong(definitions, owner))
      const counting = sort(definitions).filter((one) => !twins.has(one))
      const merged = mergeDefinitions(registry, owner.file.candidate.harness, counting, owner)
      return restrictedByAll(merged, [...twins])
    },
  }
}

/** It is unknown which of them counts, so the agent may do only what all of them allow. */
function restrictedByAll(merged: ReadAgent, twins: readonly AgentDefinition[]): ReadAgent {
  if (twins.length === 0) return merged
  const rangeless = (rule: Rule) => (rule.range === null ? rule : { ...rule, range: null })
  const layers = twins.flatMap(({ agent }) =>
    agent.access.map((layer) => ({ ...layer, rules: layer.rules.map(rangeless) })),
  )
  return { ...merged, agent: { ...merged.agent, access: [...merged.agent.access, ...layers] } }
}

export function twinMessage({ title }: Harness, name: string, path: string): string {
  return `${title} has another agent "${name}" in ${path}. It does not always pick the same one.`
}

interface Grouped {
  readonly candidate: Candidate
  /** The name its harness uses. */
  readonly name: string
}

/** Groups definitions that their harness treats as one agent. */
export function groupMerged<T extends Grouped>(all: readonly T[]): T[][] {
  const groups = new Map<string, T[]>()
  for (const [index, one] of all.entries()) {
    const { harness } = one.candidate
    const key = harness.layers.merge === 'deep' ? `${harness.id}\n${one.name}` : String(index)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [one])
    else group.push(one)
  }
  return [...groups.values()]
}

/** Of several definitions the one that represents the agent: a file of its own before an entry of settings. */
export function owningDefinition<T>(group: readonly T[], candidateOf: (one: T) => Candidate): T | undefined {
  return group.findLast((one) => candidateOf(one).carrier.agents === undefined) ?? group.at(-1)
}
