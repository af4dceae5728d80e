/** Decides one call by layers of rules. */

import { coversTool, flatMcpName, isGlob } from '../tools.ts'
import { coversEverything, matchesPattern, plainPath, unnamedArgument } from './patterns.ts'
import { type Access, type Action, type Layer, type Rule, strictness, strongestFirst } from './rules.ts'
import { shellCommands } from './shell-commands.ts'

export interface Call {
  /** A neutral tool, `mcp:server/tool` or `native:harness/key`. */
  readonly tool: string
  /** The command, path, agent or address; absent: an argument that no rule names. */
  readonly argument?: string
}

interface RuleMatch {
  readonly layer: Layer
  readonly rule: Rule
}

export interface AccessDecision {
  readonly action: Action
  /** The layer that decided, and its rule; null if the layer's "otherwise" or no layer decided. */
  readonly layer: Layer | null
  readonly rule: Rule | null
  readonly matched: readonly RuleMatch[]
  /** What was decided: of several commands the one with the strictest action. */
  readonly call: Call
}

/** Decides one call. A command line that runs several commands gets the strictest action of any of them. */
export function decide(access: Access, call: Call): AccessDecision {
  if (call.tool !== 'shell' || call.argument === undefined) return decideCall(access, call)
  const whole = decideCall(access, call)
  // A rule that denies the whole line (`* | sh`) is not undone by splitting the line.
  if (whole.action === 'deny' && whole.rule !== null && isSpecific(whole.rule)) return whole
  const commands = shellCommands(call.argument)
  // A line that runs no program is decided as a whole.
  if (commands.length === 0 || (commands.length === 1 && commands[0]?.text === call.argument)) return whole
  return decideStrictest(
    access,
    commands.map(({ text }) => ({ tool: 'shell', argument: text })),
  )
}

/** The strictest action for any of the calls, each decided as a whole. */
export function decideStrictest(access: Access, calls: readonly Call[]): AccessDecision {
  const verdicts = calls.map((call) => decideCall(access, call))
  return verdicts.reduce((worst, one) => (strictness(one.action) > strictness(worst.action) ? one : worst))
}

function isSpecific({ syntax, pattern }: Rule): boolean {
  return !coversEverything(syntax, pattern)
}

const decisionCache = new WeakMap<Access, Map<string, AccessDecision>>()
const MAX_CACHED_DECISIONS = 5000

/** With many rules, decisions are cached. */
function decideCall(access: Access, call: Call): AccessDecision {
  if (!access.some(({ rules }) => rules.length >= INDEX_THRESHOLD)) return evaluateLayers(access, call)
  const known = decisionCache.get(access) ?? new Map<string, AccessDecision>()
  decisionCache.set(access, known)
  const question = `${call.tool}\0${call.argument ?? ''}\0${call.argument === undefined}`
  let verdict = known.get(question)
  if (verdict === undefined) {
    verdict = evaluateLayers(access, call)
    if (known.size >= MAX_CACHED_DECISIONS) known.clear()
    known.set(question, verdict)
  }
  return verdict
}

/** Each layer by its own resolution, and the strictest action of all layers. */
function evaluateLayers(access: Access, call: Call): AccessDecision {
  let decided: { action: Action; layer: Layer; rule: Rule | null } | null = null
  for (const layer of access) {
    const rule = rulesForTool(layer, call.tool).find((one) => argumentMatches(one, call)) ?? null
    const action = rule?.action ?? layer.otherwise
    if (action === null) continue
    // Of equally strict layers the later one is closer to the definition and more informative.
    if (decided === null || strictness(action) >= strictness(decided.action)) decided = { action, layer, rule }
  }
  // If all layers of a dialect are silent about the call, nothing is granted by silence.
  const { action, layer, rule } = decided ?? { action: 'deny', layer: null, rule: null }
  return {
    action,
    layer,
    rule,
    // Most callers need only the action.
    get matched() {
      return access.flatMap((one) =>
        one.rules.filter((rule) => ruleMatches(rule, call)).map((rule) => ({ layer: one, rule })),
      )
    },
    call,
  }
}

/** Shorter lists are faster to scan than to index. */
const INDEX_THRESHOLD = 50
/** Rules that are cached for queried tools. */
const INDEX_CAPACITY = 100000
interface RuleIndex {
  readonly named: ReadonlyMap<string, readonly number[]>
  /** Rules with patterns of names, and the text before the first wildcard of each. */
  readonly loose: readonly { readonly place: number; readonly heads: readonly string[] }[]
  /** Earlier lookups, as long as there is room. */
  readonly known: Map<string, readonly Rule[]>
  room: number
}

const indexes = new WeakMap<Layer, RuleIndex>()

/** The rules that mention the tool, strongest first: hundreds of names must not cost hundreds of comparisons each. */
function rulesForTool(layer: Layer, tool: string): readonly Rule[] {
  const { rules } = layer
  if (rules.length < INDEX_THRESHOLD) {
    return strongestFirst(
      layer.resolution,
      rules.filter((rule) => coversCallOf(rule, tool)),
    )
  }
  let index = indexes.get(layer)
  if (index === undefined) {
    index = indexRules(rules)
    indexes.set(layer, index)
  }
  let found = index.known.get(tool)
  if (found === undefined) {
    const flat = flatMcpName(tool)
    const near = index.loose.filter(({ heads }) => heads.some((one) => tool.startsWith(one) || flat.startsWith(one)))
    const named = [
      ...(index.named.get(tool) ?? []),
      ...(index.named.get(flat) ?? []),
      ...near.map(({ place }) => place),
    ]
    const places = named.filter((place) => coversCallOf(rules[place], tool)).sort((a, b) => a - b)
    found = strongestFirst(
      layer.resolution,
      [...new Set(places)].flatMap((place) => rules[place] ?? []),
    )
    index.room -= found.length + 1
    if (index.room < 0) {
      index.known.clear()
      index.room = INDEX_CAPACITY
    }
    index.known.set(tool, found)
  }
  return found
}

function coversCallOf(rule: Rule | undefined, tool: string): boolean {
  return rule?.tools.some((one) => coversTool(one, tool)) === true
}

function indexRules(rules: readonly Rule[]): RuleIndex {
  const named = new Map<string, number[]>()
  const loose: RuleIndex['loose'][number][] = []
  for (const [place, { tools }] of rules.entries()) {
    if (tools.some(isGlob)) loose.push({ place, heads: tools.map((tool) => tool.slice(0, tool.search(/[*?]|$/))) })
    else for (const tool of tools) (named.get(tool) ?? named.set(tool, []).get(tool))?.push(place)
  }
  return { named, loose, known: new Map(), room: INDEX_CAPACITY }
}

export function ruleMatches(rule: Rule, call: Call): boolean {
  return coversCallOf(rule, call.tool) && argumentMatches(rule, call)
}

function argumentMatches(rule: Rule, call: Call): boolean {
  return rule.pattern === null || matchesPattern(rule.syntax, rule.pattern, argumentFor(rule, call))
}

/** Harnesses resolve a path before they compare it, so that `..` does not lead out of a folder. */
function argumentFor({ subject }: Rule, { tool, argument = unnamedArgument }: Call): string {
  return subject === 'path' || (subject === 'none' && takesPath.has(tool)) ? plainPath(argument) : argument
}

const takesPath: ReadonlySet<string> = new Set(['read', 'write', 'edit', 'notebook', 'list'])
