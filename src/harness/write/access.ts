/** Access as the keys of a dialect: the largest grant within the original, as lists, switches or a rule map. */

import { translatePattern } from '../../model/access/patterns.ts'
import { type Action, strictness } from '../../model/access/rules.ts'
import type { Json } from '../../model/agent.ts'
import { hasPower, neutralTools, powerGroup } from '../../model/tools.ts'
import type { AccessLayerSpec, Harness, Unit } from '../schema/harness.ts'
import { findUnit, mcpTool } from '../units.ts'
import { isPlain, listValue, writeApproveList, writeLimits } from './access-details.ts'
import { type AccessIntent, substituteTools, wordsFor } from './intent.ts'
import { deniedMcpNames, everyMcpName, exactMcpNames, isAmbiguousMcpName } from './names.ts'
import { writeRuleMap } from './rule-map.ts'

/** Keys (dotted ones reach into tables) and their values, in the order of the harness file. */
export type AccessKeys = ReadonlyMap<string, Json>

/**
 * Ways to write the access, from the closest to the original's shape to the most restrictive. The caller reads each
 * back and takes the first that grants nothing new: only reading shows how a harness understands it.
 */
export function* writeAccess(harness: Harness, intent: AccessIntent, keepAsking: boolean): Generator<AccessKeys> {
  const layers = harness.access.layers.filter(({ legacy }) => legacy !== true)
  const allow = layers.find(({ codec }) => codec === 'allow-list')
  const deny = layers.find(({ codec }) => codec === 'deny-list')
  const map = layers.find(({ codec, lists, entries }) => codec === 'rule-map' && (lists ?? entries) === undefined)
  const limits = layers.find(({ lists }) => lists !== undefined)
  const switches = layers.filter(({ codec }) => codec === 'switch')
  const approve = layers.find(({ codec }) => codec === 'approve-list')
  const switched = [
    ...switches.map((spec) => [spec, writeSwitch(spec, intent)] as const),
    [approve, approve && writeApproveList(harness, approve, intent)] as const,
  ]
  const keys = (...some: (readonly [AccessLayerSpec | undefined, Json | null | undefined])[]) =>
    new Map([...some, ...switched].flatMap(([spec, value]) => (value == null || !spec ? [] : [[spec.key, value]])))
  const isList = isClosed(intent)
  if (map !== undefined) {
    for (const detail of ['patterns', 'plain', 'closed'] as const) {
      yield keys([map, writeRuleMap(harness, map, intent, { keepAsking, detail })])
    }
    return
  }
  const isNeeded = allow?.absent === 'none'
  if (!isList && !isNeeded) yield keys()
  if (!isList && isNeeded && Object.hasOwn(harness.units, '*')) yield keys([allow, listValue(allow, ['*'])])
  const denying = (which: Denied) => [deny, deny && writeDenyList(harness, deny, intent, which)] as const
  if (!isList && !isNeeded) yield keys(denying('all'))
  if (!isList && !isNeeded && intent.mcp.every((tool) => intent.answer(tool) === 'deny')) yield keys(denying('servers'))
  if (allow === undefined) {
    if (isList) yield keys()
    return
  }
  if (limits !== undefined) {
    const { value, beside } = writeLimits(harness, limits, intent)
    if (value !== null) yield keys([allow, writeAllowList(harness, allow, beside)], [limits, value])
  }
  const listed = [allow, writeAllowList(harness, allow, intent)] as const
  const careful = [allow, writeAllowList(harness, allow, intent, 'careful')] as const
  yield keys(listed)
  yield keys(listed, denying('named'))
  yield keys(careful)
  yield keys(careful, denying('all'))
}

/** Whether the definition means "these and no others". */
function isClosed(intent: AccessIntent): boolean {
  return intent.answer('native:unknown/anything') === 'deny'
}

/** How a list is built: with parts of tools, and with servers with some tools denied; or only with whole ones. */
type ListDetail = 'usual' | 'careful'

function writeAllowList(
  harness: Harness,
  given: AccessLayerSpec,
  intent: AccessIntent,
  care: ListDetail = 'usual',
): Json {
  const spec = care === 'usual' ? given : { ...given, patterns: 'void' as const }
  const isGranted = (tool: string) =>
    care === 'usual' ? intent.answer(tool) !== 'deny' : intent.extent(tool) === 'whole'
  const names: string[] = []
  const covered = new Set<string>()
  for (const tool of neutralTools) {
    if (covered.has(tool) || !intent.has(tool) || intent.extent(tool) === 'none') continue
    for (const [name, entry, unit] of entriesFor(harness, spec, intent, tool)) {
      names.push(entry)
      for (const one of harness.units[name]?.grants ?? unit.grants) covered.add(one)
    }
  }
  for (const tool of intent.mcp) {
    if (isGranted(tool) && !isAmbiguousMcpName(harness, intent, tool)) names.push(...exactMcpNames(harness, spec, tool))
  }
  if (isGranted('mcp:*')) names.push(...unitsGranting(harness, 'mcp:*'))
  if (names.length === 0 && spec.empty !== 'none') names.push(...harmlessUnit(harness))
  return listValue(spec, [...new Set(names)])
}

/** The dialect's word for a tool and, if it grants too much or nothing, any other names that are understood and fit. */
function* entriesFor(
  harness: Harness,
  spec: AccessLayerSpec,
  intent: AccessIntent,
  tool: string,
): Generator<readonly [name: string, entry: string, unit: Unit]> {
  const granting = Object.entries(harness.units).filter(([, unit]) => unit.grants.includes(tool))
  const words = wordsFor(harness.words[tool])
  const others = substituteTools(harness, tool)
  const ranked = [
    granting.filter(([name, unit]) => words.includes(name) && isWritten(unit)),
    granting.filter(([, unit]) => isPlain(unit)).slice(0, 1),
    Object.entries(harness.units).filter(
      ([name, unit]) => words.includes(name) && unit.grants.some((one) => others.includes(one)),
    ),
    ...(intent.names(tool)
      ? granting.filter(([name, unit]) => isElsewhere(unit) && !isAlwaysThere(harness, name)).map((one) => [one])
      : []),
  ]
  for (const units of ranked) {
    const entries = units.flatMap(([name, unit]) => {
      const entry = listEntry(harness, spec, intent, name, unit)
      return entry === null ? [] : [[name, entry, unit] as const]
    })
    if (entries.length === 0) continue
    yield* entries
    return
  }
}

/**
 * `named`: only what the definition itself mentions, as beside a list that leaves out the rest. `servers`: all servers, where
 * those that the definition means have no name here.
 */
type Denied = 'all' | 'named' | 'servers'

function writeDenyList(harness: Harness, spec: AccessLayerSpec, intent: AccessIntent, which: Denied): Json | null {
  const isDenied = (tool: string) => {
    // A name for many tools is denied if that holds for those without a name of their own.
    if (tool.includes('*')) return intent.answer(tool) === 'deny' && (which !== 'named' || intent.names(tool))
    if (intent.extent(tool) === 'whole') return false
    // A default of the old harness that denies harmless tools is not carried over.
    return intent.names(tool) || (which !== 'named' && hasPower(tool))
  }
  const names = Object.entries(harness.units)
    .filter(([, unit]) => unit.alias === undefined && unit.gone !== true && unit.grants.some(isDenied))
    .map(([name]) => name)
  const everyServer = which === 'servers' ? everyMcpName(harness, spec) : null
  if (everyServer !== null) names.push(everyServer)
  for (const tool of everyServer === null ? intent.mcp : []) {
    if (isDenied(tool)) names.push(...deniedMcpNames(harness, spec, tool))
  }
  return names.length === 0 ? null : listValue(spec, [...new Set(names)])
}

/** A name that may be written, even if only some editions of the harness know it. */
function isWritten({ alias, gone, prefix }: Unit): boolean {
  return alias === undefined && gone !== true && prefix !== true
}

function isAlwaysThere({ access }: Harness, name: string): boolean {
  return access.always.some(({ tool }) => tool === name)
}

function isElsewhere({ alias, only, gone, prefix }: Unit): boolean {
  return (alias === true || (only !== undefined && alias === undefined)) && gone !== true && prefix !== true
}

/** The name, a name with patterns, or null if the list cannot express so little. */
function listEntry(
  harness: Harness,
  spec: AccessLayerSpec,
  intent: AccessIntent,
  name: string,
  unit: Unit,
): string | null {
  const isGranted = (tool: string) =>
    intent.extent(tool) === 'whole' || isShared(intent, tool, unit) || standsIn(harness, intent, tool)
  // A name that also covers tools missing in the agent's own harness grants too much.
  if (!unit.grants.every(intent.has)) return null
  // In `search/usages` a server called search is named, too, where there is one.
  const server = findUnit(harness, name) === null ? null : mcpTool(harness, name)
  if (server !== null && intent.answer(server) === 'deny') return null
  if (unit.grants.every(isGranted)) return name
  const patterns = isPatterned(spec, unit) ? patternsFor(intent, unit) : []
  return patterns.length === 0 ? null : `${name}(${[...new Set(patterns)].join(', ')})`
}

/** A tool is included with one of the same power that was granted by name. */
function isShared(intent: AccessIntent, tool: string, { grants }: Unit): boolean {
  return powerGroup(tool).some((one) => grants.includes(one) && intent.extent(one) === 'whole' && intent.names(one))
}

/** It is the harness's only word for a tool of the same power that was granted by name. */
function standsIn(harness: Harness, intent: AccessIntent, tool: string): boolean {
  return powerGroup(tool).some(
    (one) => intent.extent(one) === 'whole' && intent.names(one) && substituteTools(harness, one).includes(tool),
  )
}

function isPatterned(spec: AccessLayerSpec, { subject, limited }: Unit): boolean {
  if (spec.patterns === 'void' || subject === undefined) return false
  return spec.patterns !== 'no' || limited !== undefined
}

/** What is granted of a tool whose rest is denied; empty if denials are among the grants. */
function patternsFor(intent: AccessIntent, unit: Unit): string[] {
  if (unit.grants.some((tool) => intent.answer(tool) !== 'deny')) return []
  const rules = intent.patterned(unit.grants).flatMap((one) => one.rules)
  if (rules.some(({ action }) => action === 'deny')) return []
  return rules.flatMap(({ pattern, syntax, subject }) => {
    if (pattern === null || subject !== unit.subject) return []
    const translated = translatePattern(syntax, unit.syntax ?? 'names', pattern, 'within')
    return translated === null || !isOnePattern(translated) ? [] : [translated]
  })
}

/** A pattern that would be split at a comma, end the parentheses, or match everything has another meaning in a list. */
function isOnePattern(pattern: string): boolean {
  return !/[(),\n]|^\s|\s$/.test(pattern) && !/^[:*\s]*$/.test(pattern)
}

function unitsGranting(harness: Harness, tool: string): string[] {
  return Object.entries(harness.units).flatMap(([name, unit]) =>
    unit.grants.length === 1 && unit.grants[0] === tool && unit.alias === undefined ? [name] : [],
  )
}

/** If an empty list would mean everything: a name that grants no power. */
function harmlessUnit(harness: Harness): string[] {
  const found = Object.entries(harness.units).find(([, unit]) => isPlain(unit) && !unit.grants.some(hasPower))
  return found === undefined ? [] : [found[0]]
}

/** The position that denies most of what the agent may not do; null if none denies anything, or all deny too much. */
function writeSwitch(spec: AccessLayerSpec, intent: AccessIntent): Json | null {
  let best: { value: string; taken: number } | null = null
  for (const [value, rules] of Object.entries(spec.cases ?? {})) {
    // Definitions never mention what only this harness has.
    const effects = rules
      .flatMap(({ tools, action }) => tools.map((tool) => ({ tool, action })))
      .filter(({ tool }) => !tool.startsWith('native:'))
    const taken = effects.filter(({ tool, action }) => isRight(intent.answer(tool), action)).length
    const lost = effects.some(({ tool, action }) => action === 'deny' && intent.extent(tool) !== 'none')
    if (lost || taken === 0 || (best !== null && best.taken >= taken)) continue
    best = { value, taken }
  }
  if (best === null) return null
  return best.value === 'true' || best.value === 'false' ? best.value === 'true' : best.value
}

/** It restricts what the definition restricts. */
function isRight(wanted: Action, given: Action): boolean {
  return wanted === 'deny' && strictness(given) > strictness('offer')
}
