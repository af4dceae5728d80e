/** Decides one call by layers of rules. */

import { coversTool, flatMcpName, isGlob } from '../tools.ts'
import { coversEverything, matchesPattern, plainPath, unnamedArgument } from './patterns.ts'
import {
  type Access,
  type Action,
  type Layer,
  type Rule,
  rulesByStrength,
  strictness,
  strongestFirst,
} from './rules.ts'
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
  /** By which it was decided. */
  readonly access: Access
  /** What was decided: of several commands the one with the strictest action. */
  readonly call: Call
}

/** Decides one call. A command line that runs several commands gets the strictest action of any of them. */
export function decide(access: Access, call: Call): AccessDecision {
  if (call.tool !== 'shell' || call.argument === undefined || isUnnamed(call)) return decideCall(access, call)
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

/** Its argument is one that no rule names. */
function isUnnamed({ argument }: Call): boolean {
  return argument === undefined || argument === unnamedArgument
}

const decisionCache = new WeakMap<Access, Map<string, AccessDecision>>()
const MAX_CACHED_DECISIONS = 5000

/** What a tool may do in general is asked again and again, and with many rules every decision is costly. */
function decideCall(access: Access, call: Call): AccessDecision {
  const isGeneral = isUnnamed(call)
  if (!isGeneral && !access.some(({ rules }) => rules.length >= INDEX_THRESHOLD)) return evaluateLayers(access, call)
  let known = decisionCache.get(access)
  if (known === undefined) {
    known = new Map()
    decisionCache.set(access, known)
  }
  const question = isGeneral ? call.tool : `${call.tool}\0${call.argument}`
  let verdict = known.get(question)
  if (verdict === undefined) {
    verdict = evaluateLayers(access, isGeneral ? { tool: call.tool } : call)
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
  return { action, layer, rule, access, call }
}

/** Every rule that also matched the call, in the order of the layers. */
export function matchingRules({ access, call }: AccessDecision): RuleMatch[] {
  return access.flatMap((layer) =>
    layer.rules.filter((rule) => ruleMatches(rule, call)).map((rule) => ({ layer, rule })),
  )
}

/** From this many rules on, names are looked up and not compared one by one. */
const INDEX_THRESHOLD = 50
/** Rules that are cached for queried tools. */
const INDEX_CAPACITY = 100000
interface RuleIndex {
  /** Null for a short list. */
  readonly names: NameIndex | null
  /** Earlier lookups, as long as there is room. */
  readonly known: Map<string, readonly Rule[]>
  room: number
}

const indexes = new WeakMap<Layer, RuleIndex>()

/** The rules that mention the tool, strongest first: the same few tools are asked about again and again. */
function rulesForTool(layer: Layer, tool: string): readonly Rule[] {
  let index = indexes.get(layer)
  if (index === undefined) {
    const names = layer.rules.length < INDEX_THRESHOLD ? null : indexNames(layer.rules)
    index = { names, known: new Map(), room: INDEX_CAPACITY }
    indexes.set(layer, index)
  }
  let found = index.known.get(tool)
  if (found === undefined) {
    found = index.names === null ? mentioning(layer, tool) : mentioningAmong(layer, index.names, tool)
    index.room -= found.length + 1
    if (index.room < 0) {
      index.known.clear()
      index.room = INDEX_CAPACITY
    }
    index.known.set(tool, found)
  }
  return found
}

function mentioning(layer: Layer, tool: string): readonly Rule[] {
  return rulesByStrength(layer).filter((rule) => coversCallOf(rule, tool))
}

interface NameIndex {
  readonly named: ReadonlyMap<string, readonly number[]>
  /** Rules with patterns of names, and the text before the first wildcard of each. */
  readonly loose: readonly { readonly place: number; readonly heads: readonly string[] }[]
}

/** Hundreds of names must not cost hundreds of comparisons each. */
function mentioningAmong({ rules, resolution }: Layer, { named, loose }: NameIndex, tool: string): readonly Rule[] {
  const flat = flatMcpName(tool)
  const near = loose.filter(({ heads }) => heads.some((one) => tool.startsWith(one) || flat.startsWith(one)))
  const possible = [...(named.get(tool) ?? []), ...(named.get(flat) ?? []), ...near.map(({ place }) => place)]
  const places = possible.filter((place) => coversCallOf(rules[place], tool)).sort((a, b) => a - b)
  return strongestFirst(
    resolution,
    [...new Set(places)].flatMap((place) => rules[place] ?? []),
  )
}

function coversCallOf(rule: Rule | undefined, tool: string): boolean {
  return rule?.tools.some((one) => coversTool(one, tool)) === true
}

function indexNames(rules: readonly Rule[]): NameIndex {
  const named = new Map<string, number[]>()
  const loose: NameIndex['loose'][number][] = []
  for (const [place, { tools }] of rules.entries()) {
    if (tools.some(isGlob)) loose.push({ place, heads: tools.map((tool) => tool.slice(0, tool.search(/[*?]|$/))) })
    else for (const tool of tools) (named.get(tool) ?? named.set(tool, []).get(tool))?.push(place)
  }
  return { named, loose }
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
