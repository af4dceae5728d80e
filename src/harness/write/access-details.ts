/** Parts of access that only some dialects write: approved tools, limits in settings, and lists in their own forms. */
import { translatePattern } from '../../model/access/patterns.ts'
import { regexOf } from '../../model/access/regex-patterns.ts'
import type { Json } from '../../model/agent.ts'
import { neutralTools } from '../../model/tools.ts'
import type { AccessLayerSpec, Harness, Unit } from '../schema/harness.ts'
import type { AccessIntent } from './intent.ts'

/**
 * The tools that are used without a question; null where the definition says nothing of that. A list makes all others
 * ask, so that it is written only where something asks, or is allowed by name.
 */
export function writeApproveList(harness: Harness, spec: AccessLayerSpec, intent: AccessIntent): Json | null {
  const granted = neutralTools.filter((tool) => intent.has(tool) && intent.extent(tool) !== 'none')
  const isAllowed = (tool: string) => intent.strictest(tool) === 'allow'
  if (!granted.some((tool) => intent.answer(tool) === 'ask' || (isAllowed(tool) && intent.names(tool)))) return null
  const names = Object.entries(harness.units)
    .filter(
      ([name, unit]) =>
        name !== '*' &&
        isPlain(unit) &&
        unit.grants.every((tool) => granted.includes(tool as never) && isAllowed(tool)),
    )
    .map(([name]) => name)
  return listValue(spec, names)
}

/** What is denied of tools that are granted, as lists in their settings; and the intent without it. */
export function writeLimits(harness: Harness, { lists }: AccessLayerSpec, intent: AccessIntent) {
  const settings: Record<string, Json> = {}
  const whole = new Set<string>()
  for (const [name, unit] of Object.entries(harness.units)) {
    const { subject, grants } = unit
    const key = subject === 'command' || subject === 'path' ? lists?.deny[subject] : undefined
    if (key === undefined || !isPlain(unit) || !grants.every((tool) => intent.has(tool))) continue
    if (grants.some((tool) => intent.answer(tool) === 'deny' || intent.extent(tool) !== 'part')) continue
    const denials = intent.patterned(grants).flatMap(({ rules }) => rules.filter(({ action }) => action === 'deny'))
    const patterns = denials.map(
      (rule) => translatePattern(rule.syntax, 'wildcard', rule.pattern ?? '*', 'around') ?? '*',
    )
    const isRegex = lists?.regex === true && subject === 'command'
    settings[name] = { [key]: [...new Set(patterns)].map((one) => (isRegex ? regexOf([one], true) : one)) }
    for (const tool of grants) whole.add(tool)
  }
  const beside: AccessIntent = { ...intent, extent: (tool) => (whole.has(tool) ? 'whole' : intent.extent(tool)) }
  return { value: whole.size === 0 ? null : settings, beside }
}

/** A name that can be written in any list. */
export function isPlain({ alias, only, gone, prefix }: Unit): boolean {
  return alias === undefined && only === undefined && gone !== true && prefix !== true
}

export function listValue({ style, shape, limitKey }: AccessLayerSpec, names: readonly string[]): Json {
  const commas = style === 'comma' || (style === undefined && shape?.includes('list') === false)
  if (limitKey !== undefined) return names.map((name) => limitedItem(limitKey, name))
  // An empty text would count as no value.
  return commas && names.length > 0 ? names.join(', ') : names
}

/** `edit(*.md)` as a pair of the name and its limit. */
function limitedItem(key: string, name: string): Json {
  const [, tool, patterns] = /^(.+?)\((.*)\)$/s.exec(name) ?? []
  if (tool === undefined || patterns === undefined) return name
  return [tool, { [key]: regexOf(patterns.split(', ')) }]
}
