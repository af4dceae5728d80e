/** Carries access over: the keys to write, what they really achieve, and what became of every entry. */

import { wordsIn } from '../../harness/read/tool-list.ts'
import type { AgentType, Harness } from '../../harness/schema/harness.ts'
import { findUnit, resolveTool } from '../../harness/units.ts'
import { type AccessKeys, writeAccess } from '../../harness/write/access.ts'
import { nativeValue } from '../../harness/write/fields.ts'
import { type AccessIntent, createIntent } from '../../harness/write/intent.ts'
import {
  accessInRole,
  accessOfKeys,
  agentTypeLayer,
  deniedMissingTools,
  isGrantable,
  sharedInType,
  sharedSwitches,
} from '../../harness/write/target-access.ts'
import { compareAccess } from '../../model/access/compare.ts'
import { decide } from '../../model/access/decide.ts'
import { type Access, accessCeiling, isIgnoredGrant, type Role, type Rule, roles } from '../../model/access/rules.ts'
import { generalActions } from '../../model/access/summary.ts'
import type { Agent } from '../../model/agent.ts'
import type { AccessReport, CapabilityChange } from '../../model/conversion.ts'
import type { Source } from '../agent/source.ts'
import type { IsOffered } from '../prompt/pass.ts'
import { type Limited, lostGuards, withoutLimits } from './limits.ts'
import { allowOwnServers, guardedAccess } from './own-servers.ts'
import { accessSignature, type CarryAccessInput } from './signature.ts'

export interface CarriedAccess {
  readonly keys: AccessKeys
  readonly report: AccessReport
  /** What the agent may do by its definition, and what the target will read from the keys. */
  readonly intent: AccessIntent
  readonly access: Access
  readonly roles: readonly Role[]
  /** What the target allows by it in each of the roles. */
  readonly held: readonly Access[]
  /** What the target reads from the keys alone. */
  readonly read: Access
  readonly type: AgentType | null
  /** What was kept without the limits of the definition. */
  readonly whole: readonly Limited[]
}

/** Collections have few distinct tool lists, and each is computed once. */
const known = new WeakMap<Harness, Map<string, CarriedAccess>>()

export function carryAccess(input: CarryAccessInput): CarriedAccess {
  const { target } = input
  let results = known.get(target)
  if (results === undefined) {
    results = new Map()
    known.set(target, results)
  }
  const key = accessSignature(input)
  let result = results.get(key)
  if (result === undefined) {
    result = chooseKeys(input)
    results.set(key, result)
  }
  return result
}

interface WrittenKeys {
  readonly keys: AccessKeys
  readonly read: Access
  readonly access: Access
  readonly held: readonly Access[]
  readonly delta: ReturnType<typeof compareAccess>
  /** How much of it was not accepted. */
  readonly gained: number
}

/** The first spelling that grants nothing new; if there is none, the one that grants least. */
function chooseKeys(input: CarryAccessInput): CarriedAccess {
  const { source, target, fields, keepAsking, type = null, servers = [], whole = [] } = input
  const inRoles = input.role === undefined ? targetRoles(target, input.mode) : [input.role]
  const wanted = [...wantedAccess(source.agent, inRoles), ...mentionedServers(source)]
  const has = (tool: string) => isGrantable(source.harness, tool)
  const plainIntent = createIntent(wanted, has)
  const twins = deniedMissingTools(source.harness, plainIntent)
  const before = [...wanted, ...twins]
  const intent = twins.length === 0 ? plainIntent : createIntent(before, has)
  const meant = whole.length === 0 ? intent : createIntent(withoutLimits(before, whole), has)
  const shared = type === null ? sharedSwitches(target, intent.grants) : sharedInType(intent.grants)
  const typeLayer = type === null ? null : agentTypeLayer(target, type)
  // What was accepted is no gain.
  const unmeant = (after: Access) => compareAccess(meant.access, after, shared).widened
  const isOpen = ({ capability }: CapabilityChange) => !whole.some((one) => one === capability)
  let best: WrittenKeys | null = null
  for (const plain of writeAccess(target, meant, keepAsking)) {
    const accessOf = (keys: AccessKeys) => accessOfKeys(source.registry, target, keys, fields)
    const first = accessOf(plain)
    const keys = allowOwnServers(target, plain, first, meant, { servers, keepAsking })
    const read = keys === plain ? first : accessOf(keys)
    const written = guardedAccess(read, servers)
    const access = typeLayer === null ? written : [...written, typeLayer]
    const held = inRoles.map((role) => accessInRole(target, access, role))
    const deltas = held.map((after) => compareAccess(before, after, shared))
    const lost = held.flatMap((after) => lostGuards(source.harness, target, before, after))
    const delta = {
      widened: distinct([...deltas.flatMap(({ widened }) => widened), ...lost]),
      unasked: distinct(deltas.flatMap(({ unasked }) => unasked)),
      narrowed: distinct(deltas.flatMap(({ narrowed }) => narrowed)),
    }
    const gained = whole.length === 0 ? delta.widened.length : held.flatMap(unmeant).length + lost.filter(isOpen).length
    if (best === null || gained < best.gained) best = { keys, read, access, held, delta, gained }
    if (gained === 0) break
  }
  if (best === null) throw new Error(`${target.id} has no way to write access`)
  const report = reportOf(target, inRoles, before, best, type)
  const { keys, read, access, held } = best
  return { keys, report, intent, access, roles: inRoles, held, read, type, whole }
}

/** Whether an agent of the target may do more than the carried definition allows, or than is reported as gained. */
export function isWiderThan(carried: CarriedAccess, target: Harness, access: Access): boolean {
  const { intent, roles: inRoles, type, report } = carried
  const shared = type === null ? sharedSwitches(target, intent.grants) : sharedInType(intent.grants)
  const known = new Set(report.widened.map(({ capability }) => capability))
  return inRoles.some((role) =>
    compareAccess(intent.access, accessInRole(target, access, role), shared).widened.some(
      ({ capability }) => !known.has(capability),
    ),
  )
}

/** The report for an agent that has its original's own keys again instead of the chosen ones. */
export function asRestored(carried: CarriedAccess, target: Harness, access: Access): CarriedAccess {
  const { intent, roles: inRoles, type, report } = carried
  const shared = type === null ? sharedSwitches(target, intent.grants) : sharedInType(intent.grants)
  const held = inRoles.map((role) => accessInRole(target, access, role))
  const deltas = held.map((after) => compareAccess(intent.access, after, shared))
  const unasked = distinct(deltas.flatMap((one) => one.unasked))
  const narrowed = distinct(deltas.flatMap((one) => one.narrowed))
  const after = generalActions(held.flat())
  return { ...carried, access, held, report: { ...report, after, unasked, narrowed } }
}

/** The roles in which the agent can run there; where no program runs it, the roles as written. */
function targetRoles(target: Harness, mode: string | undefined): readonly Role[] {
  const spec = target.fields.mode
  const possible = spec?.roles ?? roles.filter((role) => target.prompt[role] !== null)
  const isKept = mode !== undefined && spec?.key !== undefined && nativeValue(spec, 'mode', mode) !== undefined
  const wanted = !isKept || mode === 'all' ? roles : [mode === 'primary' ? 'main' : 'child']
  const both = possible.filter((role) => wanted.includes(role))
  return both.length > 0 ? both : possible.length > 0 ? possible : ['child']
}

/** The strictest access that the definition means in any of the roles: layers of several roles add up. */
function wantedAccess(agent: Agent, inRoles: readonly Role[]): Access {
  const isSame = agent.access.every(({ rules }) => rules.every(({ role }) => role === undefined))
  return (isSame ? inRoles.slice(0, 1) : inRoles).flatMap((role) => accessCeiling(agent.access, role))
}

/**
 * Servers that a definition mentions without any effect. Its other rules deny them; knowing them keeps them apart from
 * servers whose names share a prefix. The layer itself neither removes nor grants anything.
 */
function mentionedServers({ agent, harness, registry }: Source): Access {
  const rules = agent.access
    .flatMap((layer) => layer.rules.filter(isIgnoredGrant))
    .flatMap((rule): Rule[] => {
      const tools = serversIn(harness, registry.all, rule)
      return tools.length === 0 ? [] : [{ ...rule, tools, pattern: null, action: 'allow' }]
    })
  if (rules.length === 0) return []
  const enforced = { main: 'observed', child: 'observed' } as const
  return [{ origin: 'mentioned', resolution: 'widest', rules, otherwise: null, enforced }]
}

/** Several names run together name nothing, but each still mentions its server. */
function serversIn(harness: Harness, all: readonly Harness[], { tools, native, range }: Rule): string[] {
  const words = range === null ? [] : wordsIn({ name: native, argument: null, range })
  const named = words.flatMap(({ name }) => resolveTool(harness, all, name).grants)
  return [...new Set([...tools, ...named])].filter((tool) => tool.startsWith('mcp:') && tool !== 'mcp:*')
}

function reportOf(
  target: Harness,
  inRoles: readonly Role[],
  before: Access,
  { keys, held, delta }: WrittenKeys,
  type: AgentType | null,
): AccessReport {
  const general = generalActions(before)
  const evidence = [...keys.keys()].flatMap((key) => {
    const spec = target.access.layers.find((one) => one.key === key)
    return inRoles.map((role) => spec?.enforced?.[role] ?? 'observed')
  })
  if (type !== null) evidence.push(...inRoles.map((role) => agentTypeLayer(target, type)?.enforced[role] ?? 'claimed'))
  const restricts = Object.values(general).includes('deny')
  const enforced =
    evidence.includes('no') || (restricts && keys.size === 0 && delta.widened.length > 0)
      ? 'no'
      : evidence.includes('claimed')
        ? 'claimed'
        : 'observed'
  const why = (change: CapabilityChange) => ({ ...change, why: whyWider(target, inRoles, type, change) })
  return {
    before: general,
    after: generalActions(held.flat()),
    enforced,
    widened: delta.widened.map(why),
    unasked: delta.unasked,
    narrowed: delta.narrowed,
    revived: [],
    unsandboxed: [],
  }
}

/** Why the target cannot deny something to an agent. */
function whyWider(
  target: Harness,
  inRoles: readonly Role[],
  type: AgentType | null,
  { capability }: CapabilityChange,
): string {
  const given = target.access.always.find(
    ({ tool, role }) => tool === capability && (role === undefined || inRoles.includes(role)),
  )
  if (given !== undefined) {
    const where = given.role === 'main' ? 'main session' : given.role === 'child' ? 'subagent' : 'agent'
    return `${target.title} gives ${capability} to every ${where}, even if its tool list leaves it out`
  }
  if (type !== null) return `${target.title} runs it as the agent type '${type.name}', which has fixed tools`
  const unenforced = target.access.layers.find(
    ({ enforced, legacy, note }) =>
      legacy !== true && note !== undefined && inRoles.some((role) => enforced?.[role] === 'no'),
  )
  if (unenforced !== undefined) return `${target.title} ignores ${unenforced.key} in agent files: ${unenforced.note}`
  if (target.access.layers.length === 0) return `${target.title} cannot restrict the tools of an agent`
  return `${target.title} has no setting that denies exactly this`
}

function distinct(changes: readonly CapabilityChange[]): CapabilityChange[] {
  const seen = new Set<string>()
  return changes.filter(({ capability, pattern, before, after }) => {
    const key = `${capability} ${pattern} ${before} ${after}`
    return !seen.has(key) && seen.add(key)
  })
}

/** What the definition denies too is no loss: prompts also say what an agent cannot use. */
export function offeredBy(target: Harness, { intent, held }: CarriedAccess): IsOffered {
  const known = new Map<string, boolean>()
  const isAllowed = (tool: string) => held.some((access) => decide(access, { tool }).action !== 'deny')
  return (tool, word) => {
    let offered = known.get(word)
    if (offered === undefined) {
      const unit = tool.startsWith('mcp:') ? null : findUnit(target, word)
      offered = decide(intent.access, { tool }).action === 'deny' || (unit?.grants ?? [tool]).some(isAllowed)
      known.set(word, offered)
    }
    return offered
  }
}

/** A harness without a tool for skills lets agents read them as files. */
export function mayLoadSkills({ words }: Harness, { held }: CarriedAccess): boolean {
  return words.skill == null || held.some((access) => decide(access, { tool: 'skill' }).action !== 'deny')
}
