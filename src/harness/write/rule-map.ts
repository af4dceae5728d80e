/** Writes rule maps for harnesses where the last match wins: `"*"` first, general before specific, denials last. */

import { MAX_PATTERNS } from '../../model/access/call-sets.ts'
import { globMatches } from '../../model/access/glob.ts'
import { translatePattern, witnessOf } from '../../model/access/patterns.ts'
import { type Action, type Layer, type Rule, strictest, strictness, widest } from '../../model/access/rules.ts'
import type { Json } from '../../model/agent.ts'
import { hasPower, isGlob, powerGroup } from '../../model/tools.ts'
import type { AccessLayerSpec, Harness, Unit } from '../schema/harness.ts'
import { type AccessIntent, concreteTool } from './intent.ts'
import { exactMcpName, isAmbiguousMcpName } from './names.ts'

export interface RuleStyle {
  /** What the harness's own mode decided before becomes `ask`, not `allow`. */
  readonly keepAsking: boolean
  /**
   * `patterns`: as close as possible; `plain`: a tool gets the strictest action of any of its calls; `closed`: like
   * `plain`, and everything without a name here is denied.
   */
  readonly detail: 'patterns' | 'plain' | 'closed'
}

type Entry = readonly [key: string, value: Json]

export function writeRuleMap(
  harness: Harness,
  spec: AccessLayerSpec,
  intent: AccessIntent,
  style: RuleStyle,
): Json | null {
  const rest =
    style.detail === 'closed' ? 'deny' : writtenAction(generalAnswer(intent, 'native:unknown/anything'), style)
  const entries: Entry[] = rest === 'allow' ? [] : [['*', rest]]
  for (const [name, unit] of Object.entries(harness.units)) {
    if (unit.alias !== undefined || unit.gone === true || !isUnder(unit, spec.key)) continue
    if (isNative(unit) && !unit.grants.some(intent.names)) continue
    // A closed map names only what the agent could have had.
    if (rest === 'deny' && !unit.grants.some(intent.has)) continue
    const value = unitValue(harness, intent, unit, style)
    const isOther = value !== rest && (rest === 'deny' || isSaid(intent, unit))
    if (isOther || overrides(harness, intent, unit, value)) entries.push([name, value])
  }
  entries.push(...mcpEntries(harness, spec, intent, style, rest))
  return entries.length === 0 ? null : inTargetOrder(harness, entries)
}

/** For a name without patterns to write, the strictest action if patterns distinguish its calls. */
function generalAnswer(intent: AccessIntent, tool: string): Action {
  return intent.patterned([concreteTool(tool)]).length === 0 ? intent.answer(tool) : intent.strictest(tool)
}

/** Servers before their tools; entries already implied by earlier ones are left out. */
function mcpEntries(
  harness: Harness,
  spec: AccessLayerSpec,
  intent: AccessIntent,
  style: RuleStyle,
  rest: Json,
): Entry[] {
  const entries: Entry[] = []
  const loose: Entry[] = []
  const looseFirst = intent.mcp.toSorted((a, b) => Number(isGlob(b)) - Number(isGlob(a)))
  for (const tool of looseFirst) {
    const name = exactMcpName(harness, spec, tool)
    const answer = generalAnswer(intent, tool)
    if (name === null || (answer !== 'deny' && isAmbiguousMcpName(harness, intent, tool))) continue
    const action = writtenAction(answer, style)
    const [, said = rest] = loose.findLast(([key]) => globMatches(key, name)) ?? []
    // A pattern may overlap an earlier one.
    if (action === said && (loose.length === 0 || !isGlob(name))) continue
    entries.push([name, action])
    if (isGlob(name)) loose.push([name, action])
  }
  return entries
}

/** If the first match wins, the order is reversed. */
function inTargetOrder({ access }: Harness, entries: readonly Entry[]): Json {
  return Object.fromEntries(access.resolution === 'first-match' ? entries.toReversed() : entries)
}

/** Switches that only this harness has; other dialects hardly ever mention them. */
function isNative({ grants }: Unit): boolean {
  return grants.every((tool) => tool.startsWith('native:'))
}

function isUnder({ under }: Unit, key: string): boolean {
  return under === undefined || under.includes(key)
}

/** The definition mentions the tool, and without an entry the harness would treat it differently. */
function overrides({ access }: Harness, intent: AccessIntent, { grants }: Unit, value: Json): boolean {
  const defaults = [...access.base, ...access.after].filter(
    ({ pattern, action }) => pattern === undefined && action !== value,
  )
  return grants.some((tool) => intent.names(tool) && defaults.some(({ tools }) => tools.includes(tool)))
}

/** A default of the old harness against a harmless tool is not repeated; the definition's own rules are. */
function isSaid(intent: AccessIntent, { grants }: Unit): boolean {
  const isRestricted = (tool: string) => strictness(intent.strictest(tool)) > strictness('offer')
  return grants.some(
    (tool) => intent.names(tool) || intent.answer(tool) === 'deny' || (hasPower(tool) && isRestricted(tool)),
  )
}

function writtenAction(action: Action, { keepAsking }: RuleStyle): 'allow' | 'ask' | 'deny' {
  if (action === 'offer') return keepAsking ? 'ask' : 'allow'
  return action
}

function unitValue(harness: Harness, intent: AccessIntent, unit: Unit, style: RuleStyle): Json {
  const general = unitAction(intent, unit, (tool) => intent.answer(tool))
  const patterned = intent.patterned(unit.grants)
  const extents = unit.grants.map((tool) => intent.extent(tool))
  if (patterned.length === 0 || extents.every((extent) => extent === 'none')) return writtenAction(general, style)
  if (style.detail !== 'patterns' || unit.plain === true || unit.subject === undefined) {
    return writtenAction(unitAction(intent, unit, intent.strictest), style)
  }
  const rules = orderedRules(intent, patterned, general, unit)
  if (rules === null) return 'deny'
  const said = rules.map(([pattern, action]) => [pattern, writtenAction(action, style)] as const)
  if (said.every(([, action]) => action === writtenAction(general, style))) return writtenAction(general, style)
  return inTargetOrder(harness, [['*', writtenAction(general, style)], ...said])
}

/**
 * One switch for several tools: if tools of one power are granted by name, their widest action; otherwise the strictest
 * of all.
 */
function unitAction(intent: AccessIntent, { grants }: Unit, answer: (tool: string) => Action): Action {
  const [first = ''] = grants
  const isOnePower = grants.every((tool) => powerGroup(first).includes(tool)) || !grants.some(hasPower)
  const named = isOnePower ? grants.filter((tool) => intent.grants(tool)) : []
  return named.length > 0 ? widest(named.map(answer)) : strictest(grants.map(answer))
}

type PatternAction = readonly [pattern: string, action: Action]

/** Null: a denial cannot be expressed, so that the whole tool must be denied. */
function orderedRules(
  intent: AccessIntent,
  patterned: readonly { layer: Layer; rules: readonly Rule[] }[],
  general: Action,
  unit: Unit,
): PatternAction[] | null {
  // Denials must come after grants; two lists that both grant would have to be intersected.
  const isGranting = ({ layer }: { layer: Layer }) => layer.otherwise === 'deny'
  const layers = [...patterned].sort((a, b) => Number(isGranting(b)) - Number(isGranting(a)))
  if (layers.filter(isGranting).length > 1) return null
  // What cannot be proved need not be tried.
  if (layers.some(({ rules }) => rules.length > MAX_PATTERNS)) return null
  const result = new Map<string, Action>()
  for (const [index, { layer, rules }] of layers.entries()) {
    for (const rule of inOrder(layer, rules)) {
      const witness = witnessOf(rule.syntax, rule.pattern ?? '*')
      const action = unitAction(intent, unit, (tool) => intent.answer(tool, witness))
      const isGrant = strictness(action) < strictness(general)
      if (index > 0 && isGrant) continue
      const pattern = rule.subject === unit.subject ? translated(rule, unit, isGrant) : null
      if (pattern === null && !isGrant) return null
      if (pattern === null) continue
      // For a repeated pattern the later position counts.
      result.delete(pattern)
      result.set(pattern, action)
    }
  }
  return [...result]
}

function translated({ syntax, pattern }: Rule, unit: Unit, isGrant: boolean): string | null {
  const key = translatePattern(syntax, unit.syntax ?? 'wildcard', pattern ?? '*', isGrant ? 'within' : 'around')
  // Readers of the map put keys that look like numbers before all others.
  return key === null || /^(?:0|[1-9]\d*)$/.test(key) ? null : key
}

/** The order in which "the last match wins" gives the same results as the layer's own resolution. */
function inOrder({ resolution }: Layer, rules: readonly Rule[]): readonly Rule[] {
  const byWidth = (a: Rule, b: Rule) => strictness(a.action) - strictness(b.action)
  switch (resolution) {
    case 'last-match':
      return rules
    case 'first-match':
      return [...rules].reverse()
    case 'deny-ask-allow':
      return [...rules].sort(byWidth)
    case 'widest':
      return [...rules].sort((a, b) => byWidth(b, a))
  }
}
