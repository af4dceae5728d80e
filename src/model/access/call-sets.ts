/** Sets of calls, and the strictest and the widest action that access gives to any call of one: proofs, not samples. */

import { coversTool, flatMcpName, isFlatMcpName, isGlob, splitMcpName } from '../tools.ts'
import { ANY_ONE, ANY_RUN } from './glob.ts'
import { contains, globsOverlap, overlaps } from './pattern-sets.ts'
import {
  type Access,
  type Action,
  type Layer,
  type Rule,
  rulesByStrength,
  strictest,
  strictness,
  widest,
} from './rules.ts'

/** The calls that a rule covers. */
type RuleScope = Pick<Rule, 'tools' | 'subject' | 'syntax' | 'pattern'>

/** The calls of a tool, or of a pattern of tools, that all of `within` cover and none of `without`. */
export interface CallSet {
  readonly tool: string
  readonly within: readonly RuleScope[]
  readonly without: readonly RuleScope[]
}

export function allCalls(tool: string): CallSet {
  return { tool, within: [], without: [] }
}

/** The calls of the first set's tool whose arguments, passed to the tool of the second, would be in that set too. */
export function withArgumentsOf(a: CallSet, b: CallSet): CallSet {
  const others = b.without.filter(({ tools }) => tools.some((one) => toolContains(one, b.tool)))
  const without = [...a.without, ...others.map((one) => ({ ...one, tools: [a.tool] }))]
  return { tool: a.tool, within: [...a.within, ...b.within], without }
}

/** No action for any of the calls is stricter. */
export function strictestAnswer(access: Access, calls: CallSet): Action {
  const answers = access.map((layer) => layerAnswers(layer, calls))
  // If every layer may be silent, nothing is granted.
  if (answers.every((some) => some.has(null))) return 'deny'
  return strictest(answers.flatMap((some) => [...some].filter(isAction)))
}

/** No action for any of the calls is wider. */
export function widestAnswer(access: Access, calls: CallSet): Action {
  const answers = access.map((layer) => [...layerAnswers(layer, calls)])
  if (answers.every((some) => some.every((action) => action === null))) return 'deny'
  return strictest(answers.flatMap((some) => (some.includes(null) ? [] : [widest(some.filter(isAction))])))
}

function isAction(action: Action | null): action is Action {
  return action !== null
}

/** More patterns than this for one tool are not distinguished: the strictest action applies. */
export const MAX_PATTERNS = 200

/** Sets that together contain every call of the tool whose action is at least as strict as `level`. */
export function* callsRestrictedTo(access: Access, tool: string, level: Action): Generator<CallSet> {
  const isStrict = (action: Action | null) => action !== null && strictness(action) >= strictness(level)
  for (const layer of access) {
    const spoken = rulesByStrength(layer).filter((rule) => mentions(rule, tool))
    if (spoken.filter(({ pattern, tools }) => pattern !== null || tools.some(isLooseName)).length > MAX_PATTERNS) {
      if ([...layerAnswers(layer, allCalls(tool))].some(isStrict)) yield allCalls(tool)
      continue
    }
    for (const [index, rule] of spoken.entries()) {
      if (!isStrict(rule.action)) continue
      for (const one of narrowed(rule, tool)) {
        const stronger = spoken.slice(0, index).filter((other) => mentions(other, one))
        const calls = { tool: one, within: [rule], without: stronger }
        if (!isEmptySet(calls)) yield calls
      }
    }
    const rest = { tool, within: [], without: spoken }
    if (isStrict(layer.otherwise) && !isEmptySet(rest)) yield rest
  }
  // Nothing is granted by silence.
  const unspoken = { tool, within: [], without: access.flatMap(({ rules }) => rules) }
  if (access.every(({ otherwise }) => otherwise === null) && !isEmptySet(unspoken)) yield unspoken
}

/** A `*` alone is one rule for everything, not a pattern among many. */
function isLooseName(tool: string): boolean {
  return tool !== '*' && isGlob(tool)
}

/** The possible actions of the layer for calls of the set; null: none. */
function layerAnswers(layer: Layer, calls: CallSet): Set<Action | null> {
  const answers = new Set<Action | null>()
  const stronger: Rule[] = []
  for (const rule of rulesByStrength(layer)) {
    if (!canOverlap(rule, calls)) continue
    if (!answers.has(rule.action) && !stronger.some((one) => scopeContains(one, rule, calls.tool))) {
      answers.add(rule.action)
    }
    if (coversSet(rule, calls)) return answers
    if (stronger.length < MAX_PATTERNS) stronger.push(rule)
  }
  return answers.add(layer.otherwise)
}

function mentions({ tools }: RuleScope, tool: string): boolean {
  return tools.some((one) => toolsOverlap(one, tool))
}

/** The tools of the rule that the set covers, each as narrow as the narrower of both. */
function narrowed({ tools }: RuleScope, tool: string): string[] {
  return tools.filter((one) => toolsOverlap(one, tool)).map((one) => (toolContains(one, tool) ? tool : one))
}

export function isEmptySet(calls: CallSet): boolean {
  return calls.without.some((one) => coversSet(one, calls, toolContains))
}

function canOverlap(rule: RuleScope, calls: CallSet): boolean {
  if (!mentions(rule, calls.tool)) return false
  if (!calls.within.every((one) => patternsOverlap(rule, one))) return false
  return !calls.without.some((one) => scopeContains(one, rule, calls.tool))
}

/** Whether `outer` covers every call of the tool that `inner` covers. */
function scopeContains(outer: RuleScope, inner: RuleScope, tool: string): boolean {
  if (!patternContains(outer, inner)) return false
  return narrowed(inner, tool).every((one) => outer.tools.some((other) => toolContains(other, one)))
}

function coversSet(rule: RuleScope, { tool, within }: CallSet, holds = toolHolds): boolean {
  if (!rule.tools.some((one) => holds(one, tool))) return false
  return contains(rule, everything) || within.some((one) => patternContains(rule, one))
}

const everything = { syntax: 'names', pattern: null } as const

/** Patterns for different subjects, such as a path and a search term, are unrelated. */
function isComparable(a: RuleScope, b: RuleScope): boolean {
  return a.subject === b.subject || a.subject === 'none' || b.subject === 'none'
}

function patternContains(outer: RuleScope, inner: RuleScope): boolean {
  return isComparable(outer, inner) ? contains(outer, inner) : contains(outer, everything)
}

function patternsOverlap(a: RuleScope, b: RuleScope): boolean {
  return !isComparable(a, b) || overlaps(a, b)
}

/** Joined names are treated as the same: the rules that name a server decide which one is meant. */
function comparable(a: string, b: string): readonly [string, string] {
  const isMcp = a.startsWith('mcp:') && b.startsWith('mcp:')
  return isMcp && (isFlatMcpName(a) || isFlatMcpName(b)) ? [flatMcpName(a), flatMcpName(b)] : [a, b]
}

/** Like `toolContains`, without any doubt about the server of a joined name. */
function toolHolds(outer: string, inner: string): boolean {
  if (
    isFlatMcpName(inner) &&
    !isFlatMcpName(outer) &&
    outer.startsWith('mcp:') &&
    inner.startsWith('mcp:') &&
    inner !== 'mcp:*'
  )
    return possibleMcpNames(inner).length > 0 && possibleMcpNames(inner).every((one) => coversTool(outer, one))
  return toolContains(outer, inner)
}

/** All matches of a pattern are represented by one: a star of the outer pattern matches it, a question mark does not. */
function toolContains(outer: string, inner: string): boolean {
  const [wide, narrow] = comparable(outer, inner)
  return wide === narrow || coversTool(wide, narrow.replaceAll('*', ANY_RUN).replaceAll('?', ANY_ONE))
}

/**
 * A set of joined names by the servers that can be meant: `github_*` is the server github, and every server whose name
 * begins with `github_`.
 */
export function byPossibleServer(calls: CallSet): readonly CallSet[] {
  const { tool } = calls
  const isJoined = tool.startsWith('mcp:') && isFlatMcpName(tool) && tool !== 'mcp:*'
  const begun = isJoined ? /^(mcp:[^*?]+)\*$/.exec(tool)?.[1] : undefined
  const names = begun === undefined ? [] : possibleMcpNames(begun)
  if (begun === undefined || names.length > MAX_SERVERS) return [calls]
  return [`${begun}*/`, ...names].map((one) => ({ ...calls, tool: `${one}*` }))
}

/** A name with more underscores than this is not taken apart. */
const MAX_SERVERS = 20

/** A pattern can also match servers with longer names: `github_*` is all of `github_enterprise` too, so nothing contains it. */
function possibleMcpNames(flat: string): string[] {
  return isGlob(flat) ? [] : splitMcpName(flat)
}

function toolsOverlap(a: string, b: string): boolean {
  if (a === '*' || b === '*' || a === b) return true
  if (!a.includes(':') && !b.includes(':')) return false
  const [one, other] = comparable(a, b)
  return one === other || ((isGlob(one) || isGlob(other)) && globsOverlap(one, other))
}
