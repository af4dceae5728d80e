/** Maps of rules in which the last match wins: `"*"` first, the general before the specific, denials last. */
import { type Action, type Layer, type Rule, strictness, widest } from '../model/access.ts'
import type { Json } from '../model/agent.ts'
import { witnessOf } from '../model/pattern.ts'
import { translatePattern } from '../model/translate-pattern.ts'
import { mcpName } from './encode.ts'
import { hasPower, type Intent, powerGroup, stricter } from './intent.ts'
import type { AccessLayerSpec, Harness, Unit } from './schema/harness.ts'

export interface RuleStyle {
  /** What the harness's own mode decided about before is asked about, not simply done. */
  readonly keepAsking: boolean
  /** Without patterns a tool of which a part is denied is denied as a whole. */
  readonly patterns: boolean
}

export function writeRuleMap(harness: Harness, spec: AccessLayerSpec, intent: Intent, style: RuleStyle): Json | null {
  const rules: Record<string, Json> = {}
  const say = (action: Action) => spoken(action, style)
  const rest = intent.answer('native:nobody/anything')
  if (say(rest) !== 'allow') rules['*'] = say(rest)
  for (const [name, unit] of Object.entries(harness.units)) {
    if (unit.alias !== undefined || unit.gone === true || isNative(unit) || !isUnder(unit, spec.key)) continue
    const value = unitValue(intent, unit, style)
    const isSaid = rest === 'deny' ? value !== 'deny' : value !== say(rest) && isAsked(intent, unit)
    if (isSaid) rules[name] = value
  }
  for (const tool of intent.mcp) {
    const name = mcpName(harness, tool)
    const action = say(intent.answer(tool))
    if (name !== null && action !== (rules['*'] ?? 'allow')) rules[name] = action
  }
  return Object.keys(rules).length === 0 ? null : rules
}

/** Switches for what only this harness has; nothing said elsewhere speaks of them. */
function isNative({ grants }: Unit): boolean {
  return grants.every((tool) => tool.startsWith('native:'))
}

function isUnder({ under }: Unit, key: string): boolean {
  return under === undefined || under.includes(key)
}

/** A default of the old harness against something harmless is not repeated; what the definition says is. */
function isAsked(intent: Intent, { grants }: Unit): boolean {
  return grants.some((tool) => intent.names(tool) || intent.answer(tool) === 'deny')
}

function spoken(action: Action, { keepAsking }: RuleStyle): 'allow' | 'ask' | 'deny' {
  if (action === 'offer') return keepAsking ? 'ask' : 'allow'
  return action
}

function unitValue(intent: Intent, unit: Unit, style: RuleStyle): Json {
  const general = unitAction(intent, unit)
  const patterned = intent.patterned(unit.grants)
  const extents = unit.grants.map((tool) => intent.extent(tool))
  if (patterned.length === 0 || extents.every((extent) => extent === 'none')) return spoken(general, style)
  if (!style.patterns || unit.plain === true || unit.subject === undefined) {
    return extents.includes('part') ? 'deny' : spoken(general, style)
  }
  const rules = orderedRules(intent, patterned, general, unit)
  if (rules === null) return 'deny'
  const said = rules.map(([pattern, action]) => [pattern, spoken(action, style)] as const)
  if (said.every(([, action]) => action === spoken(general, style))) return spoken(general, style)
  return Object.fromEntries([['*', spoken(general, style)], ...said])
}

/**
 * One switch for several tools: where tools of one power are granted by name, the widest answer they get; otherwise the
 * strictest of all.
 */
function unitAction(intent: Intent, { grants }: Unit, argument?: string): Action {
  const [first = ''] = grants
  const isOnePower = grants.every((tool) => powerGroup(first).includes(tool)) || !grants.some(hasPower)
  const answers = (tools: readonly string[]) => tools.map((tool) => intent.answer(tool, argument))
  const named = isOnePower ? grants.filter((tool) => intent.grants(tool)) : []
  return named.length > 0 ? widest(answers(named)) : answers(grants).reduce(stricter)
}

type PatternAction = readonly [pattern: string, action: Action]

/** Null: a denial cannot be expressed, so that the whole tool must go. */
function orderedRules(
  intent: Intent,
  patterned: readonly { layer: Layer; rules: readonly Rule[] }[],
  general: Action,
  unit: Unit,
): PatternAction[] | null {
  // What only takes away must come after what grants; two lists that both grant would have to be intersected.
  const isGranting = ({ layer }: { layer: Layer }) => layer.otherwise === 'deny'
  const layers = [...patterned].sort((a, b) => Number(isGranting(b)) - Number(isGranting(a)))
  if (layers.filter(isGranting).length > 1) return null
  const result = new Map<string, Action>()
  for (const [index, { layer, rules }] of layers.entries()) {
    for (const rule of inOrder(layer, rules)) {
      const action = unitAction(intent, unit, witnessOf(rule.syntax, rule.pattern ?? '*'))
      const isGrant = strictness(action) < strictness(general)
      if (index > 0 && isGrant) continue
      const pattern = rule.subject === unit.subject ? translated(rule, unit, isGrant) : null
      if (pattern === null && !isGrant && action !== general) return null
      // Where a pattern stands twice the later place counts.
      if (pattern !== null) result.delete(pattern)
      if (pattern !== null) result.set(pattern, action)
    }
  }
  return [...result]
}

function translated({ syntax, pattern }: Rule, unit: Unit, isGrant: boolean): string | null {
  return translatePattern(syntax, unit.syntax ?? 'wildcard', pattern ?? '*', isGrant ? 'within' : 'around')
}

/** The order in which "the last match wins" gives the same answers as the layer's own resolution. */
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
