/** The few ways in which files express access, named by harness files and shared by all of them. */
import { type Action, type Role, type Rule, roles, type Subject } from '../model/access.ts'
import { matchesPattern, type Syntax } from '../model/pattern.ts'
import type { Range } from '../model/place.ts'
import type { DataNode, MapEntry } from '../text/tree.ts'
import type { AccessLayerSpec, Harness, Unit } from './schema/harness.ts'
import { splitOutsideParentheses, type ToolEntry, toolEntries } from './tool-list.ts'
import { isNameHeeded, mcpTool, type NamedTool, namedTool, ownUnit } from './units.ts'

export interface CodecInput {
  readonly harness: Harness
  readonly all: readonly Harness[]
  readonly spec: AccessLayerSpec
  readonly text: string
  readonly node: DataNode
}

/** Rules under the native key they stand under: where two keys of a file are the same switch, the later one counts. */
export interface KeyedRules {
  readonly key: string
  readonly rules: readonly Rule[]
}

export interface Decoded {
  readonly keyed: readonly KeyedRules[]
  readonly otherwise: Action | null
  /** Neutral tools that the value names as available, where it is a list of them. */
  readonly tools: readonly string[] | null
}

/** Null: the value cannot be understood, which is read in the strictest way. */
type Codec = (input: CodecInput) => Decoded | null

export const codecs: Record<AccessLayerSpec['codec'], Codec> = {
  'allow-list': (input) => {
    const entries = toolEntries(input.text, input.node)
    if (entries === null) return null
    const keyed: KeyedRules[] = []
    const tools = new Set<string>()
    for (const entry of entries) {
      const tool = namedTool(input.harness, input.all, entry.name)
      keyed.push({ key: entry.name, rules: entryRules(input, tool, entry, input.spec.grants ?? 'offer') })
      for (const granted of tool.grants) tools.add(granted)
    }
    return { keyed, otherwise: 'deny', tools: tools.has('*') ? null : [...tools] }
  },

  'deny-list': (input) => {
    const entries = toolEntries(input.text, input.node)
    if (entries === null) return null
    const denied = new Set(
      entries.filter(({ argument }) => argument === null).map(({ name }) => ownUnit(input.harness, name)),
    )
    const keyed = entries.map((entry) => {
      const rules = entryRules(input, namedTool(input.harness, input.all, entry.name), entry, 'deny')
      return { key: entry.name, rules: rules.flatMap((rule) => withoutBackDoors(input.harness, denied, rule)) }
    })
    return { keyed, otherwise: null, tools: null }
  },

  'agent-list': (input) => {
    const entries = toolEntries(input.text, input.node)
    if (entries === null) return null
    const any = { subject: 'agent', syntax: 'names', native: input.spec.key, tools: ['delegate'] } as const
    const none: Rule = { ...any, pattern: null, action: 'deny', range: input.node.range }
    const named = entries.map(
      ({ name, range }): Rule => ({ ...any, pattern: name, action: 'offer', native: name, range }),
    )
    return { keyed: [{ key: input.spec.key, rules: [none, ...named] }], otherwise: null, tools: null }
  },

  'rule-map': (input) => {
    if (input.node.kind === 'scalar') {
      const action = actionOf(input.node)
      if (action === null) return null
      return { keyed: [{ key: '*', rules: [everyTool(action, input.node.range)] }], otherwise: null, tools: null }
    }
    if (input.node.kind === 'list') return null
    return { keyed: input.node.entries.map((entry) => mapRules(input, entry)), otherwise: null, tools: null }
  },

  'flag-map': (input) => {
    if (input.node.kind !== 'map') return listInsteadOfFlags(input)
    const keyed = input.node.entries.map((entry) => {
      const action: Action = entry.value.kind === 'scalar' && entry.value.value === true ? 'allow' : 'deny'
      return switchRules(input, entry, [{ pattern: null, action, range: entry.range }])
    })
    return { keyed, otherwise: null, tools: null }
  },

  switch: (input) => {
    if (input.node.kind !== 'scalar') return null
    const { cases = {} } = input.spec
    const value = String(input.node.value)
    const chosen = Object.hasOwn(cases, value) ? cases[value] : undefined
    if (chosen === undefined) return null
    const range = input.node.range
    const rules = chosen.map((rule) => neutralRule(rule, `${input.spec.key}: ${String(nodeText(input))}`, range))
    return { keyed: [{ key: input.spec.key, rules }], otherwise: null, tools: null }
  },
}

/** A tool that another unit still grants stays reachable, although its denial is written down. */
function withoutBackDoors(harness: Harness, denied: ReadonlySet<Unit | null>, rule: Rule): Rule[] {
  if (rule.pattern !== null || rule.ignored === 'rule') return [rule]
  const isOpen = (unit: Unit) => {
    const goesWith = unit.goesWith === undefined ? null : ownUnit(harness, unit.goesWith)
    return !unit.alias && !unit.only && !unit.gone && !denied.has(unit) && (goesWith === null || !denied.has(goesWith))
  }
  const units = Object.values(harness.units).filter(isOpen)
  return rule.tools.flatMap((tool): Rule[] => {
    const doors = units.filter((unit) => unit.grants.includes(tool))
    const one = { ...rule, tools: [tool] }
    if (doors.length === 0) return [one]
    const openIn = (role: Role) => doors.some((door) => door.role === undefined || door.role === role)
    if (openIn('main') && openIn('child')) return [{ ...one, ignored: 'effect' }]
    return roles.map((role) => (openIn(role) ? { ...one, role, ignored: 'effect' } : { ...one, role }))
  })
}

/** A list of names where flags belong: the author meant these tools and no others. */
function listInsteadOfFlags(input: CodecInput): Decoded | null {
  const list = codecs['allow-list']({ ...input, spec: { ...input.spec, grants: 'allow' } })
  if (list === null) return null
  const nothingElse = { key: '*', rules: [everyTool('deny', input.node.range)] }
  return { ...list, keyed: [nothingElse, ...list.keyed], otherwise: null }
}

function nodeText(input: CodecInput): string {
  return input.text.slice(input.node.range.start, input.node.range.end)
}

/** A rule as a harness file states it, in neutral words. */
export function neutralRule(rule: Harness['access']['base'][number], native: string, range: Range | null): Rule {
  return {
    tools: rule.tools,
    subject: rule.subject ?? 'none',
    pattern: rule.pattern ?? null,
    syntax: 'wildcard',
    action: rule.action,
    ...(rule.role === undefined ? {} : { role: rule.role }),
    native,
    range,
  }
}

function entryRules(input: CodecInput, tool: NamedTool, { argument, range }: ToolEntry, action: Action): Rule[] {
  const subject = tool.unit?.subject ?? 'none'
  const ignored = ignoredPart(input, tool, argument)
  const syntax = tool.unit?.syntax ?? 'names'
  const native = argument === null ? tool.native : `${tool.native}(${argument})`
  const patterns = argument === null || subject === 'none' ? [null] : patternsIn(argument, action)
  return patterns.map((one): Rule => {
    const pattern = one === null || one.text === '*' ? null : one.text
    const rule = { tools: tool.grants, subject, pattern, syntax, action, native, unit: tool.canonical, range }
    return ignored === null ? rule : { ...rule, ignored }
  })
}

/** Nothing between the parentheses: a denial means the whole tool, a grant means none of it. */
function patternsIn(argument: string, action: Action): readonly ({ readonly text: string } | null)[] {
  const patterns = splitOutsideParentheses(argument)
  const empty = patterns.length === 0 || patterns.every(({ text }) => /^[:*\s]*$/.test(text))
  return action === 'deny' && empty ? [null] : patterns
}

/** A name that the harness does not know does nothing there, however plain its meaning is. */
function ignoredPart(
  { harness, spec }: CodecInput,
  tool: NamedTool,
  argument: string | null,
): 'rule' | 'pattern' | null {
  if (tool.unit?.gone === true || (tool.native === '*' && !spec.star)) return 'rule'
  if (tool.known !== 'own' || tool.unit?.only !== undefined)
    return harness.access.unknownTool === 'accepted' ? null : 'rule'
  if (!isNameHeeded(spec, tool)) return 'rule'
  if (argument === null || tool.unit?.subject === 'agent') return null
  return spec.patterns === 'void' ? 'rule' : spec.patterns === 'no' ? 'pattern' : null
}

interface PatternAction {
  readonly pattern: string | null
  readonly action: Action
  readonly range: Range
}

function mapRules(input: CodecInput, entry: MapEntry): KeyedRules {
  if (entry.value.kind === 'map') {
    const patterns = entry.value.entries.map((inner) => ({
      pattern: inner.key,
      action: actionOf(inner.value) ?? ('deny' as const),
      range: inner.range,
    }))
    return switchRules(input, entry, patterns)
  }
  return switchRules(input, entry, [{ pattern: null, action: actionOf(entry.value) ?? 'deny', range: entry.range }])
}

/** One native switch: its key may be a unit, a wildcard over units, or the name of an MCP tool. */
function switchRules(input: CodecInput, entry: MapEntry, patterns: readonly PatternAction[]): KeyedRules {
  const switched = switchFor(input.harness, input.spec.key, entry.key)
  const rules = patterns.map(({ pattern, action, range }) => ({
    tools: switched.tools,
    subject: pattern === null ? ('none' as const) : switched.subject,
    pattern,
    syntax: switched.syntax,
    action,
    native: pattern === null ? entry.key : `${entry.key}: ${pattern}`,
    range,
  }))
  return { key: switched.key, rules }
}

interface Switch {
  readonly key: string
  readonly tools: readonly string[]
  readonly subject: Subject
  readonly syntax: Syntax
}

function switchFor(harness: Harness, layer: string, key: string): Switch {
  const unit = ownUnit(harness, key)
  if (unit !== null && (unit.under?.includes(layer) ?? true)) {
    const canonical = typeof unit.alias === 'string' ? unit.alias : key
    return { key: canonical, tools: unit.grants, ...argumentOf(unit) }
  }
  if (key === '*') return { key, tools: ['*'], subject: 'none', syntax: 'wildcard' }
  const governed = Object.entries(harness.units).filter(
    ([name, one]) => matchesPattern('wildcard', key, name) && (one.under?.includes(layer) ?? true),
  )
  const tools = distinct(governed.flatMap(([, one]) => one.grants))
  // A name without any separator or wildcard cannot be that of an MCP tool.
  const mcp = mcpTool(harness, key) ?? (/[_*?]/.test(key) ? `mcp:${key}` : null)
  const others = [...(mcp === null ? [] : [mcp]), `native:${harness.id}/${key}`]
  return { key, tools: [...tools, ...others], subject: 'none', syntax: 'wildcard' }
}

function argumentOf(unit: Unit): { subject: Subject; syntax: Syntax } {
  return { subject: unit.subject ?? 'none', syntax: unit.syntax ?? 'wildcard' }
}

function everyTool(action: Action, range: Range): Rule {
  return { tools: ['*'], subject: 'none', pattern: null, syntax: 'wildcard', action, native: '*', range }
}

/** Booleans are not actions in any dialect, but their meaning is plain. */
function actionOf(node: DataNode): Action | null {
  if (node.kind !== 'scalar') return null
  if (node.value === 'allow' || node.value === true) return 'allow'
  if (node.value === 'ask') return 'ask'
  if (node.value === 'deny' || node.value === false) return 'deny'
  return null
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)]
}
