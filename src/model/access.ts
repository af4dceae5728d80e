/** Access: what an agent may do, as layers of rules, and the one function that decides a call. */
import { commandParts } from './commands.ts'
import { coversEverything, matchesPattern, plainPath, type Syntax, unnamedArgument } from './pattern.ts'
import type { Range } from './place.ts'
import { coversTool, flatName, isLoose } from './tools.ts'

/**
 * - `allow`: done without a question.
 * - `offer`: the tool is there; whether a person is asked is left to the harness's own mode.
 * - `ask`: a person is asked each time.
 * - `deny`: not done.
 */
export const actions = ['deny', 'ask', 'offer', 'allow'] as const
export type Action = (typeof actions)[number]

/** What the argument of a call is, and so what a rule's pattern is compared with; `query`: what is searched for. */
export const subjects = ['none', 'command', 'path', 'agent', 'skill', 'url', 'query'] as const
export type Subject = (typeof subjects)[number]

/** Whether an agent runs as the main session or is called by another: harnesses often differ between the two. */
export const roles = ['main', 'child'] as const
export type Role = (typeof roles)[number]

export interface Rule {
  /** Neutral tools or patterns of them; one native switch can govern several tools. */
  readonly tools: readonly string[]
  readonly subject: Subject
  /** Null: every call of these tools. */
  readonly pattern: string | null
  readonly syntax: Syntax
  readonly action: Action
  /** Absent: in both roles. */
  readonly role?: Role
  /**
   * What comes to nothing although it is written: the whole rule, only its pattern, or its effect (the name is honoured,
   * but another tool that stays does the same).
   */
  readonly ignored?: 'rule' | 'pattern' | 'effect'
  /** As the file spells it, for people. */
  readonly native: string
  /** The harness's own name for what is granted or denied, where the rule comes from a list of names. */
  readonly unit?: string
  readonly range: Range | null
}

/** How several matching rules of one layer are resolved. */
export const resolutions = ['last-match', 'first-match', 'deny-ask-allow', 'widest'] as const
export type Resolution = (typeof resolutions)[number]

/** Whether the harness holds to what a layer says: seen by running it, only documented, or not at all. */
export type Enforcement = 'observed' | 'claimed' | 'no'

export interface Layer {
  /** What the layer comes from: a key of the file, or the harness's defaults. */
  readonly origin: string
  readonly resolution: Resolution
  readonly rules: readonly Rule[]
  /** The answer where no rule matches; null: this layer has nothing to say and the others decide. */
  readonly otherwise: Action | null
  readonly enforced: { readonly main: Enforcement; readonly child: Enforcement }
}

export type Access = readonly Layer[]

export interface Call {
  /** A neutral tool, `mcp:server/tool` or `native:harness/key`. */
  readonly tool: string
  /** The command, path, agent or address; absent: an argument that no rule names. */
  readonly argument?: string
}

export interface Match {
  readonly layer: Layer
  readonly rule: Rule
}

export interface Verdict {
  readonly action: Action
  /** The layer that decided, and its rule; null where the layer's "otherwise" or nothing at all decided. */
  readonly layer: Layer | null
  readonly rule: Rule | null
  readonly matched: readonly Match[]
  /** What was decided: of several commands the one with the strictest answer. */
  readonly call: Call
}

export function strictness(action: Action): number {
  return actions.length - actions.indexOf(action)
}

export function widest(some: readonly Action[]): Action {
  return some.reduce<Action>((best, one) => (strictness(one) < strictness(best) ? one : best), 'deny')
}

/** Of no answers at all the widest, so that another can only be stricter. */
export function strictest(some: readonly Action[]): Action {
  return some.reduce<Action>((best, one) => (strictness(one) > strictness(best) ? one : best), 'allow')
}

/** Decides one call. A command line that runs several commands may do what the strictest answer for any of them says. */
export function decide(access: Access, call: Call): Verdict {
  if (call.tool !== 'shell' || call.argument === undefined) return decideOne(access, call)
  const whole = decideOne(access, call)
  // A rule that denies the line as it stands (`* | sh`) is not undone by taking the line apart.
  if (whole.action === 'deny' && whole.rule !== null && isParticular(whole.rule)) return whole
  const parts = commandParts(call.argument)
  if (parts.length === 1 && parts[0] === call.argument) return whole
  return decideEach(
    access,
    parts.map((argument) => ({ tool: 'shell', argument })),
  )
}

/** The strictest answer for any of the calls, each taken as it stands. */
export function decideEach(access: Access, calls: readonly Call[]): Verdict {
  const verdicts = calls.map((call) => decideOne(access, call))
  return verdicts.reduce((worst, one) => (strictness(one.action) > strictness(worst.action) ? one : worst))
}

function isParticular({ syntax, pattern }: Rule): boolean {
  return !coversEverything(syntax, pattern)
}

/** Each layer by its own resolution, and the strictest answer of all layers. */
function decideOne(access: Access, call: Call): Verdict {
  let decided: { action: Action; layer: Layer; rule: Rule | null } | null = null
  const matched: Match[] = []
  for (const layer of access) {
    const matching = rulesAbout(layer, call.tool).filter((rule) => ruleMatches(rule, call))
    for (const rule of matching) matched.push({ layer, rule })
    const rule = resolve(layer.resolution, matching)
    const action = rule?.action ?? layer.otherwise
    if (action === null) continue
    // Of equally strict layers the later one is closer to the definition and tells more.
    if (decided === null || strictness(action) >= strictness(decided.action)) decided = { action, layer, rule }
  }
  // A dialect whose layers are all silent says nothing about the call: nothing is granted by silence.
  return decided === null ? { action: 'deny', layer: null, rule: null, matched, call } : { ...decided, matched, call }
}

/** Lists shorter than this are faster to go through than to sort. */
const FEW = 50

interface RuleIndex {
  readonly named: ReadonlyMap<string, readonly number[]>
  readonly loose: readonly number[]
  /** What was looked up last, which is often looked up next. */
  last: { readonly tool: string; readonly rules: readonly Rule[] }
}

const indexes = new WeakMap<Layer, RuleIndex>()

/** The rules that may speak of the tool, in the layer's order: thousands of names must not cost thousands of looks each. */
function rulesAbout(layer: Layer, tool: string): readonly Rule[] {
  const { rules } = layer
  if (rules.length < FEW) return rules
  let index = indexes.get(layer)
  if (index === undefined) {
    index = indexRules(rules)
    indexes.set(layer, index)
  }
  if (index.last.tool !== tool) {
    const named = [...(index.named.get(tool) ?? []), ...(index.named.get(flatName(tool)) ?? [])]
    const places = [...new Set([...named, ...index.loose])].sort((a, b) => a - b)
    index.last = { tool, rules: places.flatMap((place) => rules[place] ?? []) }
  }
  return index.last.rules
}

function indexRules(rules: readonly Rule[]): RuleIndex {
  const named = new Map<string, number[]>()
  const loose: number[] = []
  for (const [place, { tools }] of rules.entries()) {
    if (tools.some(isLoose)) loose.push(place)
    else for (const tool of tools) (named.get(tool) ?? named.set(tool, []).get(tool))?.push(place)
  }
  return { named, loose, last: { tool: '', rules: [] } }
}

/** The access as the definition says it, whether or not the harness holds to it. */
export function writtenAccess(access: Access, as: Role): Access {
  return access.map((layer) => ({
    ...layer,
    rules: layer.rules.filter(({ role }) => role === undefined || role === as),
  }))
}

/** The access as the harness really gives it: without the layers, rules and patterns that it does not honour. */
export function effectiveAccess(access: Access, as: Role): Access {
  return honouredAccess(access, as).map((layer) => ({
    ...layer,
    rules: layer.rules.filter(({ ignored }) => ignored !== 'effect'),
  }))
}

/** As `effectiveAccess`, but name by name: a tool that is taken away counts, although another does the same. */
export function honouredAccess(access: Access, as: Role): Access {
  return access
    .filter(({ enforced }) => enforced[as] !== 'no')
    .map((layer) => ({
      ...layer,
      rules: layer.rules
        .filter(({ role, ignored }) => (role === undefined || role === as) && ignored !== 'rule')
        .map((rule) => (rule.ignored === 'pattern' ? { ...rule, pattern: null } : rule)),
    }))
}

export function ruleMatches(rule: Rule, call: Call): boolean {
  if (!rule.tools.some((tool) => coversTool(tool, call.tool))) return false
  return rule.pattern === null || matchesPattern(rule.syntax, rule.pattern, argumentFor(rule, call))
}

/** Harnesses resolve a path before they compare it, so that no detour leads out of a folder. */
function argumentFor({ subject }: Rule, { tool, argument = unnamedArgument }: Call): string {
  return subject === 'path' || (subject === 'none' && takesPath.has(tool)) ? plainPath(argument) : argument
}

const takesPath: ReadonlySet<string> = new Set(['read', 'write', 'edit', 'notebook', 'list'])

/** The rules in another order, in which the first that matches decides, whatever the layer's own resolution is. */
export function strongestFirst(resolution: Resolution, rules: readonly Rule[]): readonly Rule[] {
  switch (resolution) {
    case 'first-match':
      return rules
    case 'last-match':
      return rules.toReversed()
    case 'deny-ask-allow':
      return rules.toSorted((a, b) => strictness(b.action) - strictness(a.action))
    case 'widest':
      return rules.toSorted((a, b) => strictness(a.action) - strictness(b.action))
  }
}

export function resolve(resolution: Resolution, matching: readonly Rule[]): Rule | null {
  if (matching.length < 2) return matching[0] ?? null
  return strongestFirst(resolution, matching)[0] ?? null
}
