/** What a target will really let an agent do, with the keys that are about to be written. */
import { type Access, effectiveAccess, type Layer, type Role, writtenAccess } from '../model/access.ts'
import type { Json } from '../model/agent.ts'
import { equalPowers, neutralTools } from '../model/tools.ts'
import { nodeOf } from '../text/data.ts'
import { buildAccess } from './access.ts'
import { type Intent, powerGroup, standIns } from './intent.ts'
import type { Registry } from './registry.ts'
import type { Harness } from './schema/harness.ts'
import type { AccessKeys } from './write-access.ts'

/** The access that reading the keys back would give. */
export function accessOfKeys(
  registry: Registry,
  harness: Harness,
  keys: AccessKeys,
  fields: ReadonlyMap<string, Json>,
): Access {
  const nodes = new Map([...limitingFields(harness, fields), ...keys].map(([key, value]) => [key, nodeOf(value)]))
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

/** Modes that are written and limit what an agent may do. */
export function limitingFields(harness: Harness, fields: ReadonlyMap<string, Json>): [key: string, value: Json][] {
  return Object.entries(harness.fields).flatMap(([concept, spec]): [string, Json][] => {
    const value = spec?.limits === undefined ? undefined : fields.get(concept)
    return spec?.key === undefined || value === undefined ? [] : [[spec.key, value]]
  })
}

/** As the harness holds to it; where no program runs the file, as it is written. */
export function heldAccess(harness: Harness, access: Access, role: Role): Access {
  return harness.prompt[role] === null ? writtenAccess(access, role) : effectiveAccess(access, role)
}

export function accessInRole(harness: Harness, access: Access, role: Role): Access {
  return [...heldAccess(harness, access, role), absentTools(harness)]
}

const absent = new WeakMap<Harness, Layer>()

/** Tools that the harness does not have at all are denied to everybody. */
function absentTools(harness: Harness): Layer {
  let layer = absent.get(harness)
  if (layer === undefined) {
    const there = new Set(Object.values(harness.units).flatMap(({ grants, gone }) => (gone === true ? [] : grants)))
    // A word for everything grants only what there is.
    const missing = neutralTools.filter((tool) => !there.has(tool))
    layer = absentLayer(harness, [...missing, ...(harness.mcp === null ? ['mcp:*'] : [])])
    absent.set(harness, layer)
  }
  return layer
}

/**
 * What an agent may not do where its harness has no tool for it: whoever may not read may not list folders either. Without
 * this the target's own tool would seem to be allowed, because nothing was said about it.
 */
export function deniedTwins(harness: Harness, { extent }: Pick<Intent, 'extent'>): Layer[] {
  const tools = equalPowers.flatMap((group) => {
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

/** Whether the harness has the tool at all, if only by another that does the same. */
export function hasTool(harness: Harness, tool: string): boolean {
  return isGrantable(harness, tool) || (harness.words[tool] ?? null) !== null
}

/** Whether the harness has the tool itself. */
export function isGrantable({ units, mcp }: Harness, tool: string): boolean {
  if (tool === '*') return true
  if (tool.startsWith('mcp:')) return mcp !== null
  return Object.values(units).some(({ grants, gone }) => gone !== true && grants.includes(tool))
}

/** For each tool, those of the same power, granted by name, that a switch of this harness governs together with it. */
export function sharedSwitches(
  harness: Harness,
  isGranted: (tool: string) => boolean,
): (tool: string) => readonly string[] {
  return (tool) => {
    const group = powerGroup(tool)
    if (group.length < 2) return group
    const together = Object.values(harness.units)
      .filter(({ grants, alias }) => alias === undefined && grants.includes(tool))
      .flatMap(({ grants }) => grants.filter((one) => group.includes(one) && isGranted(one)))
    const inPlaceOf = group.filter((one) => isGranted(one) && standIns(harness, one).includes(tool))
    return [...new Set([tool, ...together, ...inPlaceOf])]
  }
}
