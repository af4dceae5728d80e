/**
 * What one harness asks about or denies by default and another does not. No definition declares it, so it is no reason
 * to refuse one: it is reported once per pair of harnesses.
 */
import type { Registry } from '../../harness/registry.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import { accessInRole, accessOfKeys } from '../../harness/write/target-access.ts'
import { decide } from '../../model/access/decide.ts'
import { unnamedArgument, witnessOf } from '../../model/access/patterns.ts'
import { type Access, type Action, type Role, type Rule, roles, strictness, widest } from '../../model/access/rules.ts'
import { toolsByCapability } from '../../model/tools.ts'
import { capabilityOf } from './limits.ts'

/** A sentence; null where the other is as strict. */
export function describeDefaults(registry: Registry, from: Harness, to: Harness): string | null {
  // Where no program runs the files, there are no defaults.
  if (roles.every((role) => to.prompt[role] === null)) return null
  const rules = defaultAccess(registry, from).flatMap((layer) =>
    layer.rules.filter(({ isDefault }) => isDefault === true),
  )
  const theirs = defaultAccess(registry, to)
  const said = (['ask', 'deny'] as const).flatMap((action) => {
    const own = rules.filter((rule) => rule.action === action)
    const lost = [...new Set(own.flatMap((rule) => lostCalls(from, to, theirs, rule)))]
    return lost.length === 0 ? [] : [`${verbs[action]} ${lost.join(', ')}`]
  })
  return said.length === 0 ? null : `Defaults differ: ${from.title} ${said.join('; it ')}. ${to.title} does not.`
}

const verbs = { ask: 'asks before', deny: 'denies' } as const

function defaultAccess(registry: Registry, harness: Harness): Access {
  return accessOfKeys(registry, harness, new Map(), new Map())
}

/** For people: the tool with its pattern, or the name of the guard. */
function lostCalls(
  from: Harness,
  to: Harness,
  theirs: Access,
  { tools, pattern, syntax, action, role }: Rule,
): string[] {
  const argument = pattern === null ? unnamedArgument : witnessOf(syntax, pattern)
  const isLess = (calls: readonly string[]) => {
    const inRoles = role === undefined ? roles.filter((one) => to.prompt[one] !== null) : [role]
    return strictness(answer(to, theirs, inRoles, calls, argument)) < strictness(action)
  }
  return tools.flatMap((tool) => {
    const [name, unit] = Object.entries(from.units).find(([, one]) => one.grants.includes(tool)) ?? []
    if (unit?.guards !== undefined)
      return isLess(unit.guards.flatMap((one) => toolsByCapability[one])) ? [name ?? tool] : []
    if (capabilityOf(tool) === null || !isLess([tool])) return []
    return [pattern === null ? tool : `${tool} ${pattern}`]
  })
}

function answer(
  to: Harness,
  access: Access,
  inRoles: readonly Role[],
  tools: readonly string[],
  argument: string,
): Action {
  return widest(
    inRoles.flatMap((role) => tools.map((tool) => decide(accessInRole(to, access, role), { tool, argument }).action)),
  )
}
