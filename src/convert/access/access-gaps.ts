/**
 * Grants that the source's harness ignores: the agent does not have these tools, so its conversion does not get them
 * either, unless the user decides that they are meant (*revived*).
 */

import type { Harness } from '../../harness/schema/harness.ts'
import { createIntent } from '../../harness/write/intent.ts'
import { hasTool } from '../../harness/write/target-access.ts'
import { decide } from '../../model/access/decide.ts'
import {
  type Access,
  accessCeiling,
  isIgnoredGrant,
  type Layer,
  type Rule,
  roles,
  type Sandbox,
  widest,
} from '../../model/access/rules.ts'
import type { AccessReport, CapabilityChange } from '../../model/conversion.ts'
import { type Capability, capabilities, powerGroup, toolsByCapability } from '../../model/tools.ts'
import { lineOf, type Source } from '../agent/source.ts'
import { type Ledger, severityOfGap } from '../gaps.ts'
import { type CarriedAccess, carryAccess } from './carry.ts'
import { ALL_SERVERS, asServer, type Limited, toolsWith } from './limits.ts'
import { accessText, type CarryAccessInput } from './signature.ts'

interface Revival {
  readonly source: Source
  /** What the agent gains that its harness did not grant. */
  readonly revived: readonly CapabilityChange[]
  /** Names in a list of which none is valid: the result would be an agent without any tools. */
  readonly dead: readonly string[]
}

/** Decides about each dead grant that would make a difference in the target. */
function reviveGrants(source: Source, target: Harness, ledger: Ledger): Revival {
  const { access } = source.agent
  if (!access.some(({ rules }) => rules.some(isIgnoredGrant))) return { source, revived: [], dead: [] }
  const alive = new Set<string>()
  const differing = differingGrants(access, target)
  for (const [native, rules] of deadByName(access)) {
    if (!differing.has(native)) continue
    const reason = `${source.harness.title} ignores \`${native}\`, so the agent never had it`
    const line = lineOf(source, rules[0]?.range ?? null)
    const gap = { type: 'grant-ignored', feature: native, severity: 'medium', reason, workaround: null, line } as const
    if (ledger.decide(gap) === 'revive') alive.add(native)
  }
  const revived = alive.size === 0 ? source : { ...source, agent: { ...source.agent, access: revive(access, alive) } }
  return { source: revived, revived: revivedCapabilities(source, revived), dead: deadLists(revived.agent.access) }
}

const known = new WeakMap<Harness, Map<string, ReadonlySet<string>>>()

/** The names of dead grants that would make a difference; the same for the same rules. */
function differingGrants(access: Access, target: Harness): ReadonlySet<string> {
  const ofTarget = known.get(target) ?? new Map<string, ReadonlySet<string>>()
  known.set(target, ofTarget)
  const text = accessText(access)
  let names = ofTarget.get(text)
  if (names === undefined) {
    const defined = roles.map((role) => accessCeiling(access, role))
    const dead = [...deadByName(access)]
    names = new Set(
      dead.flatMap(([native, rules]) => (rules.some((one) => makesADifference(defined, target, one)) ? [native] : [])),
    )
    ofTarget.set(text, names)
  }
  return names
}

function deadByName(access: Access): Map<string, Rule[]> {
  const names = new Map<string, Rule[]>()
  for (const { rules } of access)
    for (const rule of rules)
      if (isIgnoredGrant(rule)) (names.get(rule.native) ?? names.set(rule.native, []).get(rule.native))?.push(rule)
  return names
}

/** The target has the tool, and the agent has nothing of the same power. */
function makesADifference(defined: readonly Access[], target: Harness, { tools }: Rule): boolean {
  const has = (tool: string) =>
    powerGroup(tool).some((one) => defined.some((inRole) => decide(inRole, { tool: one }).action !== 'deny'))
  return tools.some((tool) => !tool.startsWith('native:') && hasTool(target, tool) && !has(tool))
}

function revive(access: Access, alive: ReadonlySet<string>): Access {
  return access.map((layer) => ({
    ...layer,
    rules: layer.rules.map((rule) => {
      if (!isIgnoredGrant(rule) || !alive.has(rule.native)) return rule
      const { ignored: _ignored, ...rest } = rule
      return rest
    }),
  }))
}

function revivedCapabilities({ agent: before }: Source, { agent: after }: Source): CapabilityChange[] {
  if (before === after) return []
  const answer = (access: Access, tools: readonly string[]) =>
    widest(tools.flatMap((tool) => roles.map((role) => decide(accessCeiling(access, role), { tool }).action)))
  const spoken = after.access.flatMap(({ rules }) => rules.flatMap(({ tools }) => tools))
  const servers = [...new Set(spoken.filter((tool) => tool.startsWith('mcp:')))].map((tool) => [tool, [tool]] as const)
  return [...Object.entries(toolsByCapability), ...servers].flatMap(([capability, tools]) => {
    const change = { before: answer(before.access, tools), after: answer(after.access, tools) }
    return change.before === change.after ? [] : [{ capability, pattern: null, ...change }]
  })
}

/** The names in lists of which none is valid. */
function deadLists(access: Access): string[] {
  return access.flatMap(({ rules, otherwise }) => {
    const own = rules.filter(({ range, action }) => range !== null && action !== 'deny')
    const isNothing = (rule: Rule) => isIgnoredGrant(rule) || (own.some(isIgnoredGrant) && isTakenBack(access, rule))
    return otherwise === 'deny' && own.length > 0 && own.every(isNothing) ? own.map(({ native }) => native) : []
  })
}

/** The list itself excludes it: `all except Bash`. */
function isTakenBack(access: Access, { tools, range }: Rule): boolean {
  const isSame = (rule: Rule) => rule.action === 'deny' && rule.range?.start === range?.start
  return access.some(({ rules }) => rules.some((one) => isSame(one) && tools.every((tool) => one.tools.includes(tool))))
}

/**
 * A sandbox that the target does not have: a shell in a read-only sandbox is dropped; one that may write to the project
 * is kept by default, and reported as running without the sandbox.
 */
interface Unsandboxed {
  readonly source: Source
  readonly narrowed: readonly CapabilityChange[]
  readonly unsandboxed: readonly CapabilityChange[]
}

function leaveSandbox(source: Source, target: Harness, ledger: Ledger): Unsandboxed {
  const { access } = source.agent
  const layer = access.find(({ sandbox }) => sandbox !== undefined)
  if (layer?.sandbox === undefined || hasSandbox(target)) return { source, narrowed: [], unsandboxed: [] }
  const before = decide(access, { tool: 'shell' }).action
  if (before === 'deny') return { source, narrowed: [], unsandboxed: [] }
  const why = `${target.title} has no sandbox for it`
  const change = (after: CapabilityChange['after']) => ({ capability: 'shell', pattern: null, before, after, why })
  if (layer.sandbox === 'workspace' && isShellKept(source, target, layer, ledger))
    return { source, narrowed: [], unsandboxed: [change(before)] }
  return { source: withAccess(source, [...access, noShell]), narrowed: [change('deny')], unsandboxed: [] }
}

function hasSandbox({ access }: Harness): boolean {
  return access.layers.some(({ sandboxes }) => sandboxes !== undefined)
}

function isShellKept(source: Source, target: Harness, { origin, sandbox, rules }: Layer, ledger: Ledger): boolean {
  const reason = `${target.title} has no sandbox, so its shell can reach outside the project`
  const line = lineOf(source, rules[0]?.range ?? null)
  const workaround = 'keep the shell, without a sandbox'
  const feature = `${origin}: ${sandboxWords[sandbox ?? 'workspace']}`
  const gap = { type: 'sandbox-missing', feature, severity: 'high', reason, workaround, line } as const
  return ledger.decide(gap) !== 'omit'
}

const sandboxWords: Readonly<Record<Sandbox, string>> = {
  'read-only': 'reads only',
  workspace: 'writes the project only',
}

const noShell: Layer = {
  origin: 'sandbox',
  resolution: 'deny-ask-allow',
  rules: [
    {
      tools: ['shell'],
      subject: 'none',
      pattern: null,
      syntax: 'names',
      action: 'deny',
      native: 'no sandbox',
      range: null,
    },
  ],
  otherwise: null,
  enforced: { main: 'observed', child: 'observed' },
}

function withAccess(source: Source, access: Access): Source {
  return { ...source, agent: { ...source.agent, access } }
}

/** The capabilities that are kept whole, after a decision about each that would be dropped for lack of a limit. */
function decideLimits(source: Source, target: Harness, carried: CarriedAccess, ledger: Ledger): Limited[] {
  return [...unenforcedLimits(target, carried), ...unheldServers(target, carried)].filter((capability) => {
    const rule = limitingRule(source.agent.access, capability)
    return (
      ledger.decide({ ...limitGap(target, capability, rule), line: lineOf(source, rule?.range ?? null) }) === 'widen'
    )
  })
}

function limitGap(target: Harness, capability: Limited, rule: Rule | undefined) {
  const type = 'limit-missing'
  const reason =
    capability === ALL_SERVERS
      ? `${target.title} denies servers by their whole names, and \`${rule?.native ?? ''}\` means all that begin alike`
      : `${target.title} cannot restrict it to certain calls`
  return { type, feature: capability, severity: severityOfGap(type, null), reason, workaround: null } as const
}

const unenforced = new WeakMap<CarriedAccess, readonly Capability[]>()

/** Capabilities that the definition grants in part and the target loses entirely, although it has the tool. */
function unenforcedLimits(target: Harness, carried: CarriedAccess): readonly Capability[] {
  let found = unenforced.get(carried)
  if (found === undefined) {
    found = findUnheldLimits(target, carried)
    unenforced.set(carried, found)
  }
  return found
}

function findUnheldLimits(target: Harness, { intent, held, report }: CarriedAccess): readonly Capability[] {
  const gone = new Set(report.narrowed.filter(({ after }) => after === 'deny').map(({ capability }) => capability))
  if (gone.size === 0) return []
  const after = held.map((access) => createIntent(access))
  return capabilities.filter((capability) => {
    if (!gone.has(capability)) return false
    const tools = toolsWith(capability).filter((tool) => hasTool(target, tool) && intent.extent(tool) === 'part')
    return tools.length > 0 && tools.every((tool) => after.every(({ extent }) => extent(tool) === 'none'))
  })
}

/** All servers, where some are denied by the beginning of their names and the target has only names for whole ones. */
function unheldServers(target: Harness, { intent, held, report }: CarriedAccess): Limited[] {
  const isGone = report.narrowed.some(({ capability, after }) => capability === ALL_SERVERS && after === 'deny')
  const names = target.access.layers.find(({ codec }) => codec === 'deny-list')?.mcpNames ?? []
  const isBegun = intent.mcp.some((tool) => asServer(tool) !== tool && intent.answer(tool) === 'deny')
  if (!isGone || !isBegun || !names.includes('server') || intent.extent(ALL_SERVERS) !== 'part') return []
  return held.every((access) => createIntent(access).extent(ALL_SERVERS) === 'none') ? [ALL_SERVERS] : []
}

function limitingRule(access: Access, capability: Limited) {
  const rules = access.flatMap((layer) => layer.rules)
  if (capability === ALL_SERVERS) {
    return rules.find(({ tools, action }) => action === 'deny' && tools.some((one) => asServer(one) !== one))
  }
  const tools = toolsWith(capability)
  return rules.find((rule) => rule.pattern !== null && rule.tools.some((tool) => tools.includes(tool)))
}

/** The definition after the decisions about its grants, and what they change. */
export interface DecidedGrants extends Pick<AccessReport, 'narrowed' | 'revived' | 'unsandboxed'> {
  readonly source: Source
  /** Names in a list of which none is valid. */
  readonly dead: readonly string[]
}

export function decideGrants(given: Source, target: Harness, ledger: Ledger): DecidedGrants {
  const { source: alive, revived, dead } = reviveGrants(given, target, ledger)
  return { ...leaveSandbox(alive, target, ledger), revived, dead }
}

/** Carries access over; what the target cannot limit is dropped, or kept whole where that is accepted. */
export function carryWithinLimits(input: CarryAccessInput, ledger: Ledger): CarriedAccess {
  const limited = carryAccess(input)
  const whole = decideLimits(input.source, input.target, limited, ledger)
  return whole.length === 0 ? limited : carryAccess({ ...input, whole })
}

/** The decisions about access, besides what follows from the two harnesses. */
export function addDecisions(carried: CarriedAccess, grants: DecidedGrants): CarriedAccess {
  const { narrowed, revived, unsandboxed } = grants
  if (revived.length + narrowed.length + unsandboxed.length === 0) return carried
  const { report } = carried
  return { ...carried, report: { ...report, narrowed: [...report.narrowed, ...narrowed], revived, unsandboxed } }
}
