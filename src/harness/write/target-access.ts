/** What a target really allows an agent: with the keys to be written, or as one of its fixed agent types. */

import { fromData } from '../../formats/data.ts'
import { type Access, effectiveAccess, type Layer, type Role, writtenAccess } from '../../model/access/rules.ts'
import type { Json } from '../../model/agent.ts'
import { equivalentTools, hasPower, neutralTools, powerGroup, toolsByCapability } from '../../model/tools.ts'
import { buildAccess } from '../read/access.ts'
import type { Registry } from '../registry.ts'
import type { AgentType, Harness } from '../schema/harness.ts'
import { findUnit } from '../units.ts'
import type { AccessKeys } from './access.ts'
import { type AccessIntent, grantedTools, substituteTools } from './intent.ts'

/** The access that results from reading the keys back. */
export function accessOfKeys(
  registry: Registry,
  harness: Harness,
  keys: AccessKeys,
  fields: ReadonlyMap<string, Json>,
): Access {
  const nodes = new Map([...limitingFields(harness, fields), ...keys].map(([key, value]) => [key, fromData(value)]))
  return buildAccess({
    harness,
    all: registry.all,
    text: '',
    recovered: [],
    isClear: () => true,
    isUnbounded: true,
    valueOf: (key) => nodes.get(key) ?? null,
    valueOfField: (field) => fields.get(field),
  }).access
}

/** Written modes that limit what an agent may do. */
export function limitingFields(harness: Harness, fields: ReadonlyMap<string, Json>): [key: string, value: Json][] {
  return Object.entries(harness.fields).flatMap(([concept, spec]): [string, Json][] => {
    const value = spec?.limits === undefined ? undefined : fields.get(concept)
    return spec?.key === undefined || value === undefined ? [] : [[spec.key, value]]
  })
}

/** As the harness enforces it; if no harness runs the file, as it is written. */
export function enforcedAccess(harness: Harness, access: Access, role: Role): Access {
  return harness.prompt[role] === null ? writtenAccess(access, role) : effectiveAccess(access, role)
}

export function accessInRole(harness: Harness, access: Access, role: Role): Access {
  return [...enforcedAccess(harness, access, role), absentTools(harness)]
}

const absent = new WeakMap<Harness, Layer>()

/** Tools that the harness does not have are denied to all agents. */
function absentTools(harness: Harness): Layer {
  let layer = absent.get(harness)
  if (layer === undefined) {
    const there = grantedTools(harness)
    // A word for everything grants only existing tools.
    const missing = neutralTools.filter((tool) => !there.has(tool))
    layer = absentLayer(harness, [...missing, ...(hasServers(harness) ? [] : ['mcp:*'])])
    absent.set(harness, layer)
  }
  return layer
}

/**
 * What an agent may not do although its harness has no tool for it: an agent that may not read may not list folders
 * either. Without this the target's own tool would seem to be allowed, because no rule mentions it.
 */
export function deniedMissingTools(harness: Harness, { extent }: Pick<AccessIntent, 'extent'>): Layer[] {
  const tools = equivalentTools.flatMap((group) => {
    const missing = group.filter((tool) => !isGrantable(harness, tool))
    const isFree = (tool: string) => !missing.includes(tool) && extent(tool) === 'whole'
    return missing.length < group.length && !group.some(isFree) ? missing : []
  })
  return tools.length === 0 ? [] : [absentLayer(harness, tools)]
}

function absentLayer(harness: Harness, tools: readonly string[]): Layer {
  const native = `not in ${harness.title}`
  const rule = { tools, subject: 'none', pattern: null, syntax: 'names', action: 'deny', native, range: null } as const
  const certain = { main: 'observed', child: 'observed' } as const
  return { origin: 'absent', resolution: 'last-match', rules: [rule], otherwise: null, enforced: certain }
}

/** Whether the harness has the tool, or another one that does the same. */
export function hasTool(harness: Harness, tool: string): boolean {
  return isGrantable(harness, tool) || (harness.words[tool] ?? null) !== null
}

/** By names for their tools, or by one name for all of them. */
function hasServers(harness: Harness): boolean {
  return harness.mcp !== null || grantedTools(harness).has('mcp:*')
}

/** Whether the harness has the tool itself. */
export function isGrantable(harness: Harness, tool: string): boolean {
  if (tool === '*') return true
  if (tool.startsWith('mcp:')) return hasServers(harness)
  return grantedTools(harness).has(tool)
}

/** For each tool, those of the same power, granted by name, that share a switch of this harness with it. */
export function sharedSwitches(
  harness: Harness,
  isGranted: (tool: string) => boolean,
): (tool: string) => readonly string[] {
  const known = new Map<string, readonly string[]>()
  return (tool) => {
    const group = powerGroup(tool)
    if (group.length < 2) return group
    let shared = known.get(tool)
    if (shared === undefined) {
      const together = Object.values(harness.units)
        .filter(({ grants, alias }) => alias === undefined && grants.includes(tool))
        .flatMap(({ grants }) => grants.filter((one) => group.includes(one) && isGranted(one)))
      const inPlaceOf = group.filter((one) => isGranted(one) && substituteTools(harness, one).includes(tool))
      shared = [...new Set([tool, ...together, ...inPlaceOf])]
      known.set(tool, shared)
    }
    return shared
  }
}

/** Fixed agent types: which one an agent becomes, and what it can do as one. */
interface ChosenType {
  readonly type: AgentType
  /** False: it is the nearest one, and cannot do everything that the agent needs. */
  readonly isFit: boolean
}

/** By its tools: an agent that is not read-only needs a type for that; a read-only one can use any. */
export function chooseAgentType(harness: Harness, intent: AccessIntent): ChosenType | null {
  const { agentTypes = [] } = harness
  const wanted = isMoreThanReadOnly(intent) ? 'full' : 'read-only'
  const [exact] = closestFirst(
    harness,
    intent,
    agentTypes.filter((type) => type.for === wanted),
  )
  if (exact !== undefined) return { type: exact, isFit: true }
  const [nearest] = agentTypes
  return nearest === undefined ? null : { type: nearest, isFit: wanted === 'read-only' }
}

/** Of several, first the one that can do all that the agent may, and the least beyond that. */
function closestFirst(harness: Harness, intent: AccessIntent, types: readonly AgentType[]): readonly AgentType[] {
  if (types.length < 2) return types
  const there = new Set(Object.values(harness.units).flatMap(({ grants }) => grants))
  const needed = neutralTools.filter((tool) => there.has(tool) && intent.extent(tool) !== 'none')
  const cost = ({ tools }: AgentType) => {
    const has = new Set(tools?.flatMap((tool) => findUnit(harness, tool)?.grants ?? []) ?? there)
    const lacks = needed.filter((tool) => !has.has(tool)).length
    return (
      lacks * neutralTools.length +
      [...has].filter((tool) => hasPower(tool) && !needed.some((one) => one === tool)).length
    )
  }
  return [...types].sort((a, b) => cost(a) - cost(b))
}

const readOnlyTools: ReadonlySet<string> = new Set<string>(toolsByCapability.read)
/** They grant no power, but an agent that works with others is not read-only. */
const coordinationTools: ReadonlySet<string> = new Set(['message', 'team'])
const activeTools = neutralTools.filter(
  (tool) => (hasPower(tool) && !readOnlyTools.has(tool)) || coordinationTools.has(tool),
)

function isMoreThanReadOnly(intent: AccessIntent): boolean {
  return [...activeTools, 'mcp:*', ...intent.mcp].some((tool) => intent.extent(tool) !== 'none')
}

const typeLayers = new WeakMap<AgentType, Layer>()

/** What an agent can do as one of this type, regardless of its definition; null: everything. */
export function agentTypeLayer(harness: Harness, type: AgentType): Layer | null {
  if (type.tools === undefined) return null
  let layer = typeLayers.get(type)
  if (layer === undefined) {
    const rules = type.tools.map((native) => ({
      tools: findUnit(harness, native)?.grants ?? [],
      subject: 'none' as const,
      pattern: null,
      syntax: 'names' as const,
      action: 'offer' as const,
      native,
      unit: native,
      range: null,
    }))
    const enforced = { main: 'claimed', child: 'claimed' } as const
    layer = { origin: `agent type ${type.name}`, resolution: 'widest', rules, otherwise: 'deny', enforced }
    typeLayers.set(type, layer)
  }
  return layer
}

/** A type is one switch for all its tools: an agent with one of them has those of the same power too. */
export function sharedInType(isGranted: (tool: string) => boolean): (tool: string) => readonly string[] {
  return (tool) => [...new Set([tool, ...powerGroup(tool).filter(isGranted)])]
}
