/** What an agent may do before and after a change: samples first, then a proof for all other calls. */

import {
  coversTool,
  equivalentTools,
  isGlob,
  mcpServerOf,
  powerGroup,
  powerlessTools,
  toolsByCapability,
} from '../tools.ts'
import {
  byPossibleServer,
  type CallSet,
  callsRestrictedTo,
  isEmptySet,
  widestAnswer,
  withArgumentsOf,
} from './call-sets.ts'
import { decide } from './decide.ts'
import { unnamedArgument, witnessOf } from './patterns.ts'
import { type Access, type Action, type Rule, strictness, widest } from './rules.ts'
import { capabilityProbes } from './summary.ts'

export interface AccessChange {
  readonly capability: string
  /** Null: for any argument that no rule names. */
  readonly pattern: string | null
  readonly before: Action
  readonly after: Action
}

export interface AccessDelta {
  /** Denied before and no longer, or asked about before and no longer; or not provably unchanged. */
  readonly widened: readonly AccessChange[]
  /** Offered before, allowed without asking now. */
  readonly unasked: readonly AccessChange[]
  readonly narrowed: readonly AccessChange[]
}

/** Tools of the same power that one switch of the target governs together: having one means having all. */
export type SharedSwitch = (tool: string) => readonly string[]

const alone: SharedSwitch = (tool) => [tool]

/** Compares calls that rules distinguish, and then proves that no other call has become wider. */
export function compareAccess(before: Access, after: Access, shared: SharedSwitch = alone): AccessDelta {
  const delta = compareSamples(before, after, shared)
  const widened = [...delta.widened]
  const known = new Set(widened.map(({ capability }) => capability))
  const isNamed = namesWithoutPatterns([...before, ...after])
  for (const change of unprovenChanges(withoutTools(before, isNamed), withoutTools(after, isNamed), shared)) {
    if (known.has(change.capability)) continue
    known.add(change.capability)
    widened.push(change)
  }
  return { ...delta, widened }
}

function compareSamples(before: Access, after: Access, shared: SharedSwitch): AccessDelta {
  const widened: AccessChange[] = []
  const unasked: AccessChange[] = []
  const narrowed: AccessChange[] = []
  const rules = [...before, ...after].flatMap((layer) => layer.rules).filter(({ pattern }) => pattern !== null)
  for (const [capability, tools] of capabilityProbes([...before, ...after])) {
    for (const tool of tools) {
      const group = shared(tool)
      for (const [argument, pattern] of witnessesOf(rules, group)) {
        const call = { tool, argument }
        const own = { capability, pattern, before: decide(before, call).action, after: decide(after, call).action }
        const any =
          group.length < 2 ? own.before : widest(group.map((one) => decide(before, { tool: one, argument }).action))
        if (isWider({ ...own, before: any })) widened.push(own)
        else if (own.before === 'offer' && own.after === 'allow') unasked.push(own)
        else if (isNarrower(own) && isNarrower({ ...own, after: widestInGroup(after, tool, argument, own.after) }))
          narrowed.push({ ...own, capability: lostCapability(capability, tool) })
      }
    }
  }
  widened.push(...powerlessToolChanges(before, after))
  return { widened, unasked, narrowed }
}

/** A tool without power counts if the definition denies it by name, or by a pattern of names. */
function powerlessToolChanges(before: Access, after: Access): AccessChange[] {
  const denied = before.flatMap(({ rules }) => rules.filter(({ action, range }) => action === 'deny' && range !== null))
  return powerlessTools.flatMap((tool) => {
    const named = denied.filter(({ tools }) => tools.some((one) => one !== '*' && coversTool(one, tool)))
    return named.slice(0, MAX_SAMPLES).flatMap(({ pattern, syntax }) => {
      const call = pattern === null ? { tool } : { tool, argument: witnessOf(syntax, pattern) }
      const answers = { before: decide(before, call).action, after: decide(after, call).action }
      return isWider(answers) ? [{ capability: tool, pattern, ...answers }] : []
    })
  })
}

/** Losing one tool of a group is no loss while another of the same power remains. */
function widestInGroup(after: Access, tool: string, argument: string, own: Action): Action {
  const others = powerGroup(tool)
  return widest([own, ...others.map((one) => decide(after, { tool: one, argument }).action)])
}

/** An agent that can still read files, but has lost its language server, has not lost reading. */
function lostCapability(capability: string, tool: string): string {
  const [first = tool] = Object.entries(toolsByCapability).find(([power]) => power === capability)?.[1] ?? []
  const isAlike = first === tool || equivalentTools.some((group) => group.includes(first) && group.includes(tool))
  return isAlike ? capability : tool
}

/** If a harness may now ask, access is not narrower, only less certain. */
function isNarrower({ before, after }: AccessChange): boolean {
  return after !== 'offer' && strictness(after) > strictness(before)
}

/** Denied before and no longer, or asked about before and no longer. */
export function isWider({ before, after }: Pick<AccessChange, 'before' | 'after'>): boolean {
  if (before === 'deny') return after !== 'deny'
  return before === 'ask' && after === 'allow'
}

/** A definition that needs more than this many samples of one tool is left to the proof. */
const MAX_SAMPLES = 200

/** An argument for every pattern that can decide these tools, and one that no pattern names. */
function witnessesOf(rules: readonly Rule[], tools: readonly string[]): Map<string, string | null> {
  const witnesses = new Map<string, string | null>([[unnamedArgument, null]])
  for (const { pattern, syntax, tools: covered } of rules) {
    if (witnesses.size > MAX_SAMPLES) break
    const speaks = tools.some((tool) => covered.some((one) => coversTool(one, tool)))
    if (pattern !== null && speaks) witnesses.set(witnessOf(syntax, pattern), pattern)
  }
  return witnesses
}

/** MCP tools that rules name without a pattern: each of them was compared, which leaves nothing to prove. */
function namesWithoutPatterns(access: Access): (tool: string) => boolean {
  const rules = access.flatMap((layer) => layer.rules)
  const limited = new Set(rules.flatMap(({ tools, pattern }) => (pattern === null ? [] : tools)))
  return (tool) => tool.startsWith('mcp:') && !isGlob(tool) && !limited.has(tool)
}

function withoutTools(access: Access, isLeftOut: (tool: string) => boolean): Access {
  return access.map((layer) => {
    if (!layer.rules.some(({ tools }) => tools.some(isLeftOut))) return layer
    const rules = layer.rules
      .map((rule) =>
        rule.tools.some(isLeftOut) ? { ...rule, tools: rule.tools.filter((one) => !isLeftOut(one)) } : rule,
      )
      .filter(({ tools }) => tools.length > 0)
    return { ...layer, rules }
  })
}

/** What is not provably as narrow: sets of calls that were denied or asked about, and the action they may get now. */
function* unprovenChanges(before: Access, after: Access, shared: SharedSwitch): Generator<AccessChange> {
  // Where nothing is asked about, the calls that are denied or asked about are those that are denied.
  const levels = asksAnything(before) ? (['deny', 'ask'] as const) : (['deny'] as const)
  const limited = [...before, ...after].flatMap(({ rules }) => rules.filter(({ pattern }) => pattern !== null))
  for (const [power, tool] of provenTools) {
    const group = shared(tool)
    // Without patterns all calls of a tool get the same action, and one of them was compared.
    if (!tool.startsWith('mcp:') && !limited.some((rule) => rule.tools.some((one) => isAbout(one, group)))) continue
    for (const level of levels) {
      for (const calls of restrictedCalls(before, group, level)
        .flatMap(byPossibleServer)
        .flatMap((one) => byServer(one, after))) {
        const answer = widestAnswer(after, calls)
        if (!isWider({ before: level, after: answer })) continue
        const server = mcpServerOf(calls.tool)
        const pattern = calls.within.find((one) => one.pattern !== null)?.pattern ?? null
        yield { capability: server === null ? power : `mcp:${server}`, pattern, before: level, after: answer }
      }
    }
  }
}

const provenTools = [...Object.entries(toolsByCapability), ['mcp:*', ['mcp:*']] as const].flatMap(
  ([capability, tools]) => tools.map((tool) => [capability, tool] as const),
)

function isAbout(covered: string, group: readonly string[]): boolean {
  return covered === '*' || isGlob(covered) || group.includes(covered)
}

function asksAnything(access: Access): boolean {
  return access.some(({ rules, otherwise }) => otherwise === 'ask' || rules.some(({ action }) => action === 'ask'))
}

/** The servers that rules mention, separated from all others, so that they can be named. */
function byServer(calls: CallSet, access: Access): readonly CallSet[] {
  if (calls.tool !== 'mcp:*') return [calls]
  const rules = access.flatMap((layer) => layer.rules).filter(({ pattern }) => pattern === null)
  const servers = rules.flatMap((rule) =>
    rule.tools.filter((one) => mcpServerOf(one) !== null).map((one) => ({ ...rule, tools: [one] })),
  )
  if (servers.length > MAX_SETS) return [calls]
  const each = servers.map(({ tools }) => ({ ...calls, tool: tools[0] ?? '' }))
  return [...each, { ...calls, without: [...calls.without, ...servers] }].filter((one) => !isEmptySet(one))
}

/** More sets than this are not examined one by one. */
const MAX_SETS = 200

/** The calls of the first tool for which none of the group gets more than `level`. */
function restrictedCalls(before: Access, group: readonly string[], level: Action): readonly CallSet[] {
  const [tool = '', ...others] = group
  let sets = [...callsRestrictedTo(before, tool, level)]
  for (const other of others) {
    const more = [...callsRestrictedTo(before, other, level)]
    if (sets.length * more.length > MAX_SETS) continue
    sets = sets.flatMap((one) => more.map((another) => withArgumentsOf(one, another)))
  }
  return sets
}
