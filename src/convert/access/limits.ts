/** Limits: capabilities without the patterns that limit them, and what an original known only from a lock file takes away. */
import type { Harness } from '../../harness/schema/harness.ts'
import { accessInRole } from '../../harness/write/target-access.ts'
import { allCalls, strictestAnswer } from '../../model/access/call-sets.ts'
import { type AccessChange, compareAccess, isWider } from '../../model/access/compare.ts'
import { decide } from '../../model/access/decide.ts'
import { witnessOf } from '../../model/access/patterns.ts'
import { type Access, type Action, type Role, strictest, widest } from '../../model/access/rules.ts'
import { type Capability, capabilities, coversTool, powerlessTools, toolsByCapability } from '../../model/tools.ts'
import { isAccessKey } from '../agent/keys.ts'
import type { KeptSource } from '../restore/kept.ts'

/** What may be kept although the target cannot limit it as the definition does. */
export type Limited = Capability | typeof ALL_SERVERS

export const ALL_SERVERS = 'mcp:*'

/**
 * The same access, with all calls of these capabilities where some were allowed. Of servers only those are denied that have
 * a name: `github_*` means the server github, and no other that begins like it.
 */
export function withoutLimits(access: Access, kept: readonly Limited[]): Access {
  const whole = new Set<string>(kept.flatMap((one) => (one === ALL_SERVERS ? [] : toolsWith(one))))
  const namesServers = kept.includes(ALL_SERVERS)
  return access.map((layer) => ({
    ...layer,
    rules: layer.rules.flatMap((given) => {
      const rule = namesServers ? { ...given, tools: given.tools.map(asServer) } : given
      const tools = rule.tools.filter((tool) => whole.has(tool))
      if (rule.pattern === null || tools.length === 0) return [rule]
      const others = rule.tools.filter((tool) => !whole.has(tool))
      const rest = others.length === 0 ? [] : [{ ...rule, tools: others }]
      return rule.action === 'deny' ? rest : [...rest, { ...rule, tools, pattern: null }]
    }),
  }))
}

/** The one server that the beginning of a joined name spells out. */
export function asServer(tool: string): string {
  return tool.replace(/^mcp:([\w-]+)_\*$/, 'mcp:$1/*')
}

export function capabilityOf(tool: string): Capability | null {
  return capabilities.find((capability) => toolsWith(capability).includes(tool)) ?? null
}

export function toolsWith(capability: Capability): readonly string[] {
  return toolsByCapability[capability]
}

/** What can be reached in the target because it lacks a guard that the definition sets. */
export function lostGuards(source: Harness, target: Harness, before: Access, after: Access): AccessChange[] {
  return Object.entries(source.units).flatMap(([name, { guards = [], grants }]) => {
    if (guards.length === 0) return []
    const isKept = Object.values(target.units).some((unit) => unit.grants.some((one) => grants.includes(one)))
    // A wildcard does not mean guards in particular.
    const isSet = before.some(({ rules }) =>
      rules.some(({ range, tools }) => range !== null && tools.some((one) => grants.includes(one))),
    )
    if (isKept || !isSet) return []
    const answer = strictest(grants.map((tool) => strictestAnswer(before, allCalls(tool))))
    return guards.flatMap((capability) => {
      const general = (access: Access) =>
        widest(toolsByCapability[capability].map((tool) => decide(access, { tool }).action))
      const change = { before: strictest([answer, general(before)]), after: general(after) }
      const isLost = isWider({ before: answer, after: change.after }) && general(before) !== 'deny'
      return isLost ? [{ capability, pattern: name, ...change }] : []
    })
  })
}

/** Whether some call gets more from the restored access, the target's own switches and harmless tools included. */
export function exceeds(target: Harness, ordinary: Access, restored: Access, inRoles: readonly Role[]): boolean {
  const units = Object.values(target.units).flatMap(({ grants }) => grants)
  const others = [...new Set([...powerlessTools, ...units.filter((tool) => tool.startsWith('native:'))])]
  return inRoles.some((role) => {
    const before = accessInRole(target, ordinary, role)
    const after = accessInRole(target, restored, role)
    if (compareAccess(before, after).widened.length > 0) return true
    return others.some((tool) =>
      argumentsFor(after, tool).some((argument) => {
        const call = argument === undefined ? { tool } : { tool, argument }
        return givesMore(decide(before, call).action, decide(after, call).action)
      }),
    )
  })
}

function argumentsFor(access: Access, tool: string): (string | undefined)[] {
  const rules = access.flatMap((layer) => layer.rules.filter(({ tools }) => tools.some((one) => coversTool(one, tool))))
  return [undefined, ...rules.flatMap(({ pattern, syntax }) => (pattern === null ? [] : [witnessOf(syntax, pattern)]))]
}

function givesMore(before: Action, after: Action): boolean {
  return (before === 'deny' && after !== 'deny') || (before === 'ask' && after === 'allow')
}

/** The original's access, as limits on the new conversion; they have no place in the file that is converted. */
export function asLimits(access: Access): Access {
  return access.map((layer) => ({ ...layer, rules: layer.rules.map((rule) => ({ ...rule, range: null })) }))
}

/** The same without the original's access keys; null where they cannot be separated from others. */
export function withoutAccess(harness: Harness, kept: KeptSource): KeptSource | null {
  if (kept.data !== undefined || kept.solid !== undefined) return null
  const header = kept.header.map((entry) => {
    const key = typeof entry === 'string' ? entry : entry[0]
    return isAccessKey(harness, key) ? key : entry
  })
  return { ...kept, header }
}
