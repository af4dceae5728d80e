/** Access: what an agent may do, as layers of rules, and the one function that decides a call. */
import { coversEverything, matchesPattern, plainPath, type Syntax, unnamedArgument } from './pattern.ts'
import type { Range } from './place.ts'
import { shellCommands } from './shell-line.ts'
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
   * but another tool that stays does the same). `edition`: it counts in another edition or kind of session.
   */
  readonly ignored?: 'rule' | 'pattern' | 'effect' | 'edition'
  /** Nobody wrote it: the harness does so by itself. */
  readonly isDefault?: boolean
  /** What the harness gives for words that do not say so. */
  readonly isUnsaid?: boolean
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

/** What a shell can reach at most, where the harness runs it in a sandbox. */
export const sandboxes = ['read-only', 'workspace'] as const
export type Sandbox = (typeof sandboxes)[number]

export interface Layer {
  /** What the layer comes from: a key of the file, or the harness's defaults. */
  readonly origin: string
  readonly resolution: Resolution
  readonly rules: readonly Rule[]
  /** The answer where no rule matches; null: this layer has nothing to say and the others decide. */
  readonly otherwise: Action | null
  readonly enforced: { readonly main: Enforcement; readonly child: Enforcement }
  readonly sandbox?: Sandbox
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
  const commands = shellCommands(call.argument)
  // What runs no program is judged as it stands.
  if (commands.length === 0 || (commands.length === 1 && commands[0]?.text === call.argument)) return whole
  return decideEach(
    access,
    commands.map(({ text }) => ({ tool: 'shell', argument: text })),
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

const verdicts = new WeakMap<Access, Map<string, Verdict>>()
const MOST_VERDICTS = 5000

/** Where there are many rules, what was decided before is not decided again. */
function decideOne(access: Access, call: Call): Verdict {
  if (!access.some(({ rules }) => rules.length >= FEW)) return verdictOn(access, call)
  const known = verdicts.get(access) ?? new Map<string, Verdict>()
  verdicts.set(access, known)
  const question = `${call.tool}\0${call.argument ?? ''}\0${call.argument === undefined}`
  let verdict = known.get(question)
  if (verdict === undefined) {
    verdict = verdictOn(access, call)
    if (known.size >= MOST_VERDICTS) known.clear()
    known.set(question, verdict)
  }
  return verdict
}

/** Each layer by its own resolution, and the strictest answer of all layers. */
function verdictOn(access: Access, call: Call): Verdict {
  let decided: { action: Action; layer: Layer; rule: Rule | null } | null = null
  for (const layer of access) {
    const rule = rulesAbout(layer, call.tool).find((one) => argumentMatches(one, call)) ?? null
    const action = rule?.action ?? layer.otherwise
    if (action === null) continue
    // Of equally strict layers the later one is closer to the definition and tells more.
    if (decided === null || strictness(action) >= strictness(decided.action)) decided = { action, layer, rule }
  }
  // A dialect whose layers are all silent says nothing about the call: nothing is granted by silence.
  const { action, layer, rule } = decided ?? { action: 'deny', layer: null, rule: null }
  return {
    action,
    layer,
    rule,
    // Most only want to know the answer.
    get matched() {
      return access.flatMap((one) =>
        one.rules.filter((rule) => ruleMatches(rule, call)).map((rule) => ({ layer: one, rule })),
      )
    },
    call,
  }
}

/** Lists shorter than this are faster to go through than to sort. */
const FEW = 50

interface RuleIndex {
  readonly named: ReadonlyMap<string, readonly number[]>
  /** Rules with patterns of names, and what stands before the first wildcard of each. */
  readonly loose: readonly { readonly place: number; readonly heads: readonly string[] }[]
  /** What was looked up before, as long as there is room for it. */
  readonly known: Map<string, readonly Rule[]>
  room: number
}

/** Rules that are kept for the tools that were asked about. */
const ROOM = 100_000

const indexes = new WeakMap<Layer, RuleIndex>()

/** The rules that speak of the tool, the strongest first: hundreds of names must not cost hundreds of looks each. */
function rulesAbout(layer: Layer, tool: string): readonly Rule[] {
  const { rules } = layer
  if (rules.length < FEW) {
    return strongestFirst(
      layer.resolution,
      rules.filter((rule) => speaksOf(rule, tool)),
    )
  }
  let index = indexes.get(layer)
  if (index === undefined) {
    index = indexRules(rules)
    indexes.set(layer, index)
  }
  let found = index.known.get(tool)
  if (found === undefined) {
    const flat = flatName(tool)
    const near = index.loose.filter(({ heads }) => heads.some((one) => tool.startsWith(one) || flat.startsWith(one)))
    const named = [
      ...(index.named.get(tool) ?? []),
      ...(index.named.get(flat) ?? []),
      ...near.map(({ place }) => place),
    ]
    const places = named.filter((place) => speaksOf(rules[place], tool)).sort((a, b) => a - b)
    found = strongestFirst(
      layer.resolution,
      [...new Set(places)].flatMap((place) => rules[place] ?? []),
    )
    index.room -= found.length + 1
    if (index.room < 0) {
      index.known.clear()
      index.room = ROOM
    }
    index.known.set(tool, found)
  }
  return found
}

function speaksOf(rule: Rule | undefined, tool: string): boolean {
  return rule?.tools.some((one) => coversTool(one, tool)) === true
}

function indexRules(rules: readonly Rule[]): RuleIndex {
  const named = new Map<string, number[]>()
  const loose: RuleIndex['loose'][number][] = []
  for (const [place, { tools }] of rules.entries()) {
    if (tools.some(isLoose)) loose.push({ place, heads: tools.map((tool) => tool.slice(0, tool.search(/[*?]|$/))) })
    else for (const tool of tools) (named.get(tool) ?? named.set(tool, []).get(tool))?.push(place)
  }
  return { named, loose, known: new Map(), room: ROOM }
}

/** The access as the definition says it, whether or not the harness holds to it. */
export function writtenAccess(access: Access, as: Role): Access {
  return access.map((layer) => ({
    ...layer,
    rules: layer.rules.filter(({ role, isUnsaid }) => (role === undefined || role === as) && isUnsaid !== true),
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
        .filter((rule) => (rule.role === undefined || rule.role === as) && !isVoid(rule))
        .map((rule) => (rule.ignored === 'pattern' ? { ...rule, pattern: null } : rule)),
    }))
}

/** A denial that counts in one kind of session only takes away what no other has. */
function isVoid({ ignored, action }: Rule): boolean {
  return ignored === 'rule' || (ignored === 'edition' && action !== 'deny')
}

/** A grant that the harness ignores: it gives nothing, whatever its author meant. */
export function isDeadGrant({ ignored, action }: Rule): boolean {
  return ignored === 'rule' && action !== 'deny'
}

/** A denial of some calls that the harness takes for a denial of all of them. */
function isWholeDenial({ ignored, action }: Rule): boolean {
  return ignored === 'pattern' && action === 'deny'
}

/**
 * What nothing made of a definition may exceed: the lesser of what it says, where silence means all, and of what its
 * harness gives for these words. Restrictions that the harness ignores count as said; grants that it ignores are dead.
 */
export function definedAccess(access: Access, as: Role): Access {
  const said = saidAccess(access, as)
  const stricter = said.filter(({ rules }) => rules.some((rule) => isDeadGrant(rule) || isWholeDenial(rule)))
  if (stricter.length === 0) return said
  const given = said.map((layer) => ({
    ...layer,
    rules: layer.rules
      .filter((rule) => !isDeadGrant(rule))
      .map((rule) => (isWholeDenial(rule) ? { ...rule, pattern: null } : rule)),
  }))
  // In a list a grant less or a denial more is never wider; where rules have an order, it can be.
  const isList = ({ resolution }: Layer) => resolution === 'widest' || resolution === 'deny-ask-allow'
  return stricter.every(isList) ? given : [...said, ...given]
}

/** What a definition says by itself, whatever its harness makes of it; silence means all. */
export function saidAccess(access: Access, as: Role): Access {
  return withoutDefaults(writtenAccess(access, as))
}

/** What a harness denies or asks about by itself, or puts on a list that does not name it, is no part of a definition. */
function withoutDefaults(access: Access): Access {
  return access.map((layer) => {
    const isLeftOut = ({ isDefault, action }: Rule) =>
      isDefault === true && (layer.otherwise === 'deny' || strictness(action) > strictness('offer'))
    return layer.rules.some(isLeftOut) ? { ...layer, rules: layer.rules.filter((rule) => !isLeftOut(rule)) } : layer
  })
}

export function ruleMatches(rule: Rule, call: Call): boolean {
  return speaksOf(rule, call.tool) && argumentMatches(rule, call)
}

function argumentMatches(rule: Rule, call: Call): boolean {
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
