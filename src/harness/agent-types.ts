/** Fixed kinds of agents: which of them an agent becomes, and what it can do as one. */
import type { Layer } from '../model/access.ts'
import { neutralTools, powers } from '../model/tools.ts'
import { hasPower, type Intent, powerGroup } from './intent.ts'
import type { AgentType, Harness } from './schema/harness.ts'
import { ownUnit } from './units.ts'

export interface ChosenType {
  readonly type: AgentType
  /** False: it is the nearest one, and cannot do all that the agent is for. */
  readonly isFit: boolean
}

/** By its tools: whoever may do more than look needs a type for that; whoever only looks can do with any. */
export function chooseAgentType(harness: Harness, intent: Intent): ChosenType | null {
  const { agentTypes = [] } = harness
  const wanted = doesMoreThanLook(intent) ? 'full' : 'read-only'
  const [exact] = closestFirst(
    harness,
    intent,
    agentTypes.filter((type) => type.for === wanted),
  )
  if (exact !== undefined) return { type: exact, isFit: true }
  const [nearest] = agentTypes
  return nearest === undefined ? null : { type: nearest, isFit: wanted === 'read-only' }
}

/** Of several, first the one that can do all that the agent may, and least besides. */
function closestFirst(harness: Harness, intent: Intent, types: readonly AgentType[]): readonly AgentType[] {
  if (types.length < 2) return types
  const there = new Set(Object.values(harness.units).flatMap(({ grants }) => grants))
  const needed = neutralTools.filter((tool) => there.has(tool) && intent.extent(tool) !== 'none')
  const cost = ({ tools }: AgentType) => {
    const has = new Set(tools?.flatMap((tool) => ownUnit(harness, tool)?.grants ?? []) ?? there)
    const lacks = needed.filter((tool) => !has.has(tool)).length
    return (
      lacks * neutralTools.length +
      [...has].filter((tool) => hasPower(tool) && !needed.some((one) => one === tool)).length
    )
  }
  return [...types].sort((a, b) => cost(a) - cost(b))
}

const looking: ReadonlySet<string> = new Set<string>(powers.read)
/** They give no power, but whoever works with others does not only look. */
const together: ReadonlySet<string> = new Set(['message', 'team'])
const telling = neutralTools.filter((tool) => (hasPower(tool) && !looking.has(tool)) || together.has(tool))

function doesMoreThanLook(intent: Intent): boolean {
  return [...telling, 'mcp:*', ...intent.mcp].some((tool) => intent.extent(tool) !== 'none')
}

const layers = new WeakMap<AgentType, Layer>()

/** What an agent can do as one of this type, whatever its definition says; null: everything. */
export function agentTypeLayer(harness: Harness, type: AgentType): Layer | null {
  if (type.tools === undefined) return null
  let layer = layers.get(type)
  if (layer === undefined) {
    const rules = type.tools.map((native) => ({
      tools: ownUnit(harness, native)?.grants ?? [],
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
    layers.set(type, layer)
  }
  return layer
}

/** A type is one switch for all its tools: whoever is to have one of them has those of the same power too. */
export function sharedInType(isGranted: (tool: string) => boolean): (tool: string) => readonly string[] {
  return (tool) => [...new Set([tool, ...powerGroup(tool).filter(isGranted)])]
}
