/**
 * Grants that the source's harness ignores: the agent does not have these tools, so what is made of it does not get them
 * either, unless somebody decides that they are meant (*revived*).
 */
import { powerGroup } from '../harness/intent.ts'
import type { Harness } from '../harness/schema/harness.ts'
import { hasTool } from '../harness/target-access.ts'
import { type Access, decide, definedAccess, isDeadGrant, type Rule, roles, widest } from '../model/access.ts'
import type { CapabilityChange } from '../model/conversion.ts'
import { powers } from '../model/tools.ts'
import type { Ledger } from './ledger.ts'
import { lineOf, type Source } from './parse.ts'

export interface Revival {
  readonly source: Source
  /** What the agent gets now that its harness did not give it. */
  readonly revived: readonly CapabilityChange[]
  /** Names in a list of which not one counts: what is left would be an agent without any tools. */
  readonly dead: readonly string[]
}

/** Decides about each dead grant that would make a difference in the target. */
export function reviveGrants(source: Source, target: Harness, ledger: Ledger): Revival {
  const { access } = source.agent
  if (!access.some(({ rules }) => rules.some(isDeadGrant))) return { source, revived: [], dead: [] }
  const alive = new Set<string>()
  for (const [native, rules] of deadByName(access)) {
    if (!rules.some((rule) => addsSomething(access, target, rule))) continue
    const reason = `${source.harness.title} ignores \`${native}\`, so the agent never had it`
    const line = lineOf(source, rules[0]?.range ?? null)
    const gap = { type: 'grant-ignored', feature: native, severity: 'medium', reason, workaround: null, line } as const
    if (ledger.decide(gap) === 'revive') alive.add(native)
  }
  const revived = alive.size === 0 ? source : { ...source, agent: { ...source.agent, access: revive(access, alive) } }
  return { source: revived, revived: gains(source, revived), dead: deadLists(revived.agent.access) }
}

function deadByName(access: Access): Map<string, Rule[]> {
  const names = new Map<string, Rule[]>()
  for (const { rules } of access)
    for (const rule of rules)
      if (isDeadGrant(rule)) (names.get(rule.native) ?? names.set(rule.native, []).get(rule.native))?.push(rule)
  return names
}

/** The target has it, and the agent has nothing of the same power. */
function addsSomething(access: Access, target: Harness, { tools }: Rule): boolean {
  const defined = roles.map((role) => definedAccess(access, role))
  const has = (tool: string) =>
    powerGroup(tool).some((one) => defined.some((inRole) => decide(inRole, { tool: one }).action !== 'deny'))
  return tools.some((tool) => !tool.startsWith('native:') && hasTool(target, tool) && !has(tool))
}

function revive(access: Access, alive: ReadonlySet<string>): Access {
  return access.map((layer) => ({
    ...layer,
    rules: layer.rules.map((rule) => {
      if (!isDeadGrant(rule) || !alive.has(rule.native)) return rule
      const { ignored: _ignored, ...rest } = rule
      return rest
    }),
  }))
}

function gains({ agent: before }: Source, { agent: after }: Source): CapabilityChange[] {
  if (before === after) return []
  const answer = (access: Access, tools: readonly string[]) =>
    widest(tools.flatMap((tool) => roles.map((role) => decide(definedAccess(access, role), { tool }).action)))
  const spoken = after.access.flatMap(({ rules }) => rules.flatMap(({ tools }) => tools))
  const servers = [...new Set(spoken.filter((tool) => tool.startsWith('mcp:')))].map((tool) => [tool, [tool]] as const)
  return [...Object.entries(powers), ...servers].flatMap(([capability, tools]) => {
    const change = { before: answer(before.access, tools), after: answer(after.access, tools) }
    return change.before === change.after ? [] : [{ capability, pattern: null, ...change }]
  })
}

/** The names of lists in which none counts. */
function deadLists(access: Access): string[] {
  return access.flatMap(({ rules, otherwise }) => {
    const own = rules.filter(({ range, action }) => range !== null && action !== 'deny')
    const isNothing = (rule: Rule) => isDeadGrant(rule) || (own.some(isDeadGrant) && isTakenBack(access, rule))
    return otherwise === 'deny' && own.length > 0 && own.every(isNothing) ? own.map(({ native }) => native) : []
  })
}

/** The list itself says that it is not meant: `all except Bash`. */
function isTakenBack(access: Access, { tools, range }: Rule): boolean {
  const isSame = (rule: Rule) => rule.action === 'deny' && rule.range?.start === range?.start
  return access.some(({ rules }) => rules.some((one) => isSame(one) && tools.every((tool) => one.tools.includes(tool))))
}
