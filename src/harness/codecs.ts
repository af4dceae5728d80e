/** The few ways in which files express access, named by harness files and shared by all of them. */
import { type Action, type Role, type Rule, roles, type Sandbox, type Subject } from '../model/access.ts'
import { matchesPattern, type Syntax } from '../model/pattern.ts'
import type { Range } from '../model/place.ts'
import type { DataNode, MapEntry } from '../text/tree.ts'
import { isGiving, isSaying, isTaking, meantTools, textsUnder } from './meant-words.ts'
import type { AccessLayerSpec, Harness, Unit } from './schema/harness.ts'
import { cutList, entriesBehind, negatedEntries, type ToolEntry, toolEntries, wordsIn } from './tool-list.ts'
import {
  deniedTool,
  fallback,
  isNameHeeded,
  joinedNames,
  mcpTool,
  type NamedTool,
  namedTool,
  ownUnit,
} from './units.ts'

export interface CodecInput {
  readonly harness: Harness
  readonly all: readonly Harness[]
  readonly spec: AccessLayerSpec
  readonly text: string
  readonly node: DataNode
  /** The servers that the definition names, by its settings or in other lists. */
  readonly servers: () => readonly string[]
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
  readonly sandbox?: Sandbox
  /** What the value restricts besides in words that the harness does not know: it counts as said, and does nothing there. */
  readonly said?: readonly Rule[]
}

/** Null: the value cannot be understood, which is read in the strictest way. */
type Codec = (input: CodecInput) => Decoded | null

export const codecs: Record<AccessLayerSpec['codec'], Codec> = {
  'allow-list': (input) => {
    const entries = toolEntries(input.text, input.node, input.spec)
    if (entries === null) return null
    const keyed: KeyedRules[] = []
    const tools = new Set<string>()
    const isRefused = isRefusedShape(input)
    for (const entry of entries) {
      const tool = namedTool(input.harness, input.all, entry.name)
      const all = entryRules(input, tool, entry, input.spec.grants ?? 'offer')
      const isLimited = entry.argument === null && isLimitedBeside(input, entries, tool)
      const rules = isLimited ? all.flatMap((rule) => inOtherRoles(rule, tool.unit?.limited ?? [])) : all
      keyed.push({
        key: entry.name,
        rules: isRefused
          ? rules.map((rule) => ({ ...rule, ignored: 'rule' }))
          : [...rules, ...unsaidGrants(input, tool, entry)],
      })
      for (const granted of tool.grants) tools.add(granted)
    }
    const said = negatedEntries(entries, input.node).flatMap((entry) =>
      deniedEntries(input, entry).flatMap((one) => denialRules(input, one)),
    )
    return { keyed, otherwise: 'deny', tools: tools.has('*') ? null : [...tools], said }
  },

  'deny-list': (input) => {
    const read = toolEntries(input.text, input.node, input.spec)
    if (read === null) return null
    const entries = read.flatMap((entry) => deniedEntries(input, entry))
    const isWhole = ({ argument }: ToolEntry) => argument === null || input.spec.patterns === 'no'
    const denied = new Set(read.filter(isWhole).map(({ name }) => canonicalUnit(input.harness, name)))
    // A star among the names, and the program denies nothing at all.
    const isVoid = input.spec.star === 'voids' && read.some(({ name }) => name === '*')
    const keyed = entries.map((one) => {
      const rules = denialRules(input, one)
      const key = one.entry.name
      if (one.isHeard || isVoid) return { key, rules: rules.map((rule) => ({ ...rule, ignored: 'rule' as const })) }
      return { key, rules: rules.flatMap((rule) => withoutBackDoors(input.harness, denied, rule)) }
    })
    return { keyed, otherwise: null, tools: null }
  },

  'agent-list': (input) => {
    const entries = toolEntries(input.text, input.node, input.spec)
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
    const keyed = input.node.entries.map((entry) => mapRules(input, entry))
    const said = input.node.entries.flatMap((entry) => saidBesides(input, entry))
    return { keyed, otherwise: null, tools: null, said }
  },

  'flag-map': (input) => {
    if (input.node.kind !== 'map') return listInsteadOfFlags(input)
    const keyed = input.node.entries.map((entry) => {
      const action: Action = entry.value.kind === 'scalar' && entry.value.value === true ? 'allow' : 'deny'
      return switchRules(input, entry, [{ pattern: null, action, range: entry.range }])
    })
    const said = input.node.entries.flatMap((entry) => (entry.value.kind === 'scalar' ? [] : saidWithin(input, entry)))
    return { keyed, otherwise: null, tools: null, said }
  },

  switch: (input) => {
    if (input.node.kind !== 'scalar') return null
    const { cases = {} } = input.spec
    const value = String(input.node.value)
    const chosen = Object.hasOwn(cases, value) ? cases[value] : undefined
    if (chosen === undefined) return null
    const range = input.node.range
    const rules = chosen.map((rule) => neutralRule(rule, `${input.spec.key}: ${String(nodeText(input))}`, range))
    const sandbox = input.spec.sandboxes?.[value]
    const decoded = { keyed: [{ key: input.spec.key, rules }], otherwise: null, tools: null }
    return sandbox === undefined ? decoded : { ...decoded, sandbox }
  },
}

/** The same tool stands in the list with a limit, which counts for all of it. */
function isLimitedBeside({ harness, all }: CodecInput, entries: readonly ToolEntry[], { unit, canonical }: NamedTool) {
  return (
    unit?.limited !== undefined &&
    entries.some(({ name, argument }) => argument !== null && namedTool(harness, all, name).canonical === canonical)
  )
}

function inOtherRoles(rule: Rule, limited: readonly Role[]): Rule[] {
  return roles.map((role) => (limited.includes(role) ? { ...rule, role, ignored: 'rule' } : { ...rule, role }))
}

/** The names are plain, but in this shape the harness takes none of them. */
function isRefusedShape({ spec, node }: CodecInput): boolean {
  if (spec.shape === undefined || spec.invalid !== 'not-loaded') return false
  const shape = node.kind === 'scalar' ? (node.value === null ? 'null' : 'string') : node.kind
  return !spec.shape.includes(shape)
}

/**
 * An entry that is no name to the harness denies nothing there, nor does what runs together with a name. What its author
 * meant to deny is plain where the words of it are names, and counts as said.
 */
function deniedEntries(input: CodecInput, entry: ToolEntry): DeniedEntry[] {
  const { harness, all } = input
  const isName = (name: string) => deniedTool(harness, all, name).known !== 'unknown'
  const heard = [entry, ...entriesBehind(entry)]
    .flatMap((one) => wordsIn(one).map((word) => (one === entry ? word : { ...word, argument: one.argument })))
    .map((word) => (/^\*+$/.test(word.name) ? { ...word, name: '*' } : word))
    .filter(({ name }) => name !== entry.name && isName(name))
    .map((word): DeniedEntry => ({ entry: word, isHeard: true }))
  if (isName(entry.name)) return [{ entry, isHeard: false }, ...heard]
  const tools = meantTools(input, entry.name).filter((tool) => !heard.some((one) => isSpokenOf(input, one, tool)))
  const meant: DeniedEntry[] = tools.length === 0 ? [] : [{ entry, isHeard: true, tools }]
  return heard.length + meant.length === 0 ? [{ entry, isHeard: false }] : [...heard, ...meant]
}

interface DeniedEntry {
  readonly entry: ToolEntry
  /** The harness does not take it for a name; what it means counts as said. */
  readonly isHeard: boolean
  /** What it means, where it is no name. */
  readonly tools?: readonly string[]
}

function isSpokenOf({ harness, all }: CodecInput, { entry }: DeniedEntry, tool: string): boolean {
  return deniedTool(harness, all, entry.name).grants.includes(tool)
}

function denialRules(input: CodecInput, { entry, tools }: DeniedEntry): Rule[] {
  if (tools !== undefined) return [meantRule(tools, entry.name, 'deny', entry.range)]
  return entryRules(input, deniedTool(input.harness, input.all, entry.name), entry, 'deny')
}

function meantRule(tools: readonly string[], native: string, action: Action, range: Range): Rule {
  return { tools, subject: 'none', pattern: null, syntax: 'names', action, native, range }
}

/** A tool that another unit still grants stays reachable, although its denial is written down. */
function withoutBackDoors(harness: Harness, denied: ReadonlySet<Unit | null>, rule: Rule): Rule[] {
  // A limit that the harness passes over is a denial of the whole tool.
  const isLimited = rule.pattern !== null && rule.ignored !== 'pattern'
  if (isLimited || rule.ignored === 'rule' || rule.ignored === 'edition') return [rule]
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
    const without = { ...one, pattern: null, ignored: 'effect' as const }
    if (openIn('main') && openIn('child')) return [without]
    return roles.map((role) => (openIn(role) ? { ...without, role } : { ...one, role }))
  })
}

/** The unit itself, whatever name it goes by. */
function canonicalUnit(harness: Harness, name: string): Unit | null {
  const unit = ownUnit(harness, name)
  return typeof unit?.alias === 'string' ? ownUnit(harness, unit.alias) : unit
}

/** A list of names where flags belong: the author meant these tools and no others. */
function listInsteadOfFlags(input: CodecInput): Decoded | null {
  const list = codecs['allow-list']({ ...input, spec: { ...input.spec, grants: 'allow' } })
  // Where no list belongs, no rule that comes later opens it again.
  if (list === null || input.spec.shape?.includes('list') !== true) return list
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
  const ignored = isNotUnderstood(tool, argument, action) ? 'rule' : ignoredPart(input, tool, argument)
  const syntax = tool.unit?.syntax ?? 'names'
  const native = argument === null ? tool.native : `${tool.native}(${argument})`
  const patterns = argument === null || subject === 'none' ? [null] : patternsIn(argument, action)
  const limited = ignored === 'pattern' && action !== 'deny' ? (tool.unit?.limited ?? []) : []
  return patterns.flatMap((one): Rule[] => {
    const pattern = one === null || one.text === '*' ? null : one.text
    const rule = { tools: tool.grants, subject, pattern, syntax, action, native, unit: tool.canonical, range }
    // What is there in one role only is granted in that one; a denial costs nothing in the other.
    const inRole = tool.unit?.role === undefined || action === 'deny' ? rule : { ...rule, role: tool.unit.role }
    if (ignored === null || limited.length === roles.length) return [inRole]
    if (limited.length === 0) return [{ ...inRole, ignored }]
    return roles.map((role) => (limited.includes(role) ? { ...rule, role } : { ...rule, role, ignored }))
  })
}

/** What the harness gives for a name although the name does not say so: none of it is part of the definition. */
function unsaidGrants({ harness, spec }: CodecInput, tool: NamedTool, { argument }: ToolEntry): Rule[] {
  const none = { subject: 'none', pattern: null, syntax: 'names', action: spec.grants ?? 'offer', range: null } as const
  const given = (tools: readonly string[], unit: string): Rule => ({
    ...{ ...none, tools, native: `${tool.native} (taken for ${unit})`, unit, isUnsaid: true },
  })
  // Where nothing in parentheses counts, a limit that says nothing leaves the whole tool.
  const isLimitless = argument !== null && (isNotUnderstood(tool, argument, 'offer') || argument === '')
  if (isLimitless && spec.patterns === 'no' && isThere(spec, tool)) return [given(tool.grants, tool.canonical)]
  if (tool.unit !== null) return []
  const own = fallback(harness, tool.native)
  if (own !== null) return [given(own.grants, own.name)]
  if (tool.known !== 'own') return joinedNames(harness, tool.native).map((one) => given([one], tool.native))
  const others = harness.access.caseSensitive ? [] : tool.grants.filter((one) => one !== one.toLowerCase())
  return others.map((one) => given([one.toLowerCase()], tool.native))
}

function isThere(spec: AccessLayerSpec, tool: NamedTool): boolean {
  const { gone, only, unseen } = tool.unit ?? {}
  return tool.known === 'own' && !gone && only === undefined && !unseen && isNameHeeded(spec, tool)
}

/** A limit on a tool that takes none: what was meant to be granted is less than all of it, and nobody can say what. */
function isNotUnderstood({ unit }: NamedTool, argument: string | null, action: Action): boolean {
  return action !== 'deny' && argument !== null && unit?.subject === undefined && !/^\s*:?\*?\s*$/.test(argument)
}

/** Nothing between the parentheses: a denial means the whole tool, a grant means none of it. */
function patternsIn(argument: string, action: Action): readonly ({ readonly text: string } | null)[] {
  const patterns = cutList(argument)
  const isAny = ({ text }: { readonly text: string }) => /^(?:domain)?[:*\s]*$/.test(text)
  if (action === 'deny') return patterns.every(isAny) ? [null] : patterns
  // Beside others, a star is a part of something that nobody understands, and no reason to grant everything.
  return patterns.length > 1 ? patterns.filter((one) => !isAny(one)) : patterns
}

/** A name that the harness does not know does nothing there, however plain its meaning is. */
function ignoredPart(
  { harness, spec }: CodecInput,
  tool: NamedTool,
  argument: string | null,
): 'rule' | 'pattern' | 'edition' | null {
  if (tool.unit?.gone === true || (tool.native === '*' && spec.star !== true)) return 'rule'
  if (tool.unit?.unseen === true && spec.codec === 'allow-list') return 'rule'
  if (tool.known !== 'own') return harness.access.unknownTool === 'accepted' ? null : 'rule'
  if (tool.unit?.only !== undefined) return harness.access.unknownTool === 'accepted' ? null : 'edition'
  if (!isNameHeeded(spec, tool)) return 'rule'
  if (argument === null) return null
  if (spec.patterns === 'void') return 'rule'
  return spec.patterns === 'no' ? 'pattern' : null
}

/** What a map says of a tool in words that are no answers and no patterns: read in the strictest way. */
function saidBesides(input: CodecInput, entry: MapEntry): Rule[] {
  const { key, value } = entry
  if (actionOf(value) !== null) return askedTools(input, entry)
  if (value.kind !== 'map' || isTaking(key) || value.entries.some((one) => actionOf(one.value) === null))
    return saidWithin(input, entry)
  const { tools } = switchFor(input.harness, input.spec.key, key)
  const isTool = tools.some((tool) => !tool.startsWith('native:'))
  return value.entries.flatMap((inner): Rule[] => {
    const action = actionOf(inner.value) ?? 'deny'
    if (action === 'allow') return []
    const native = `${key}: ${inner.key}`
    if (isSaying(inner.key)) {
      const meant = isTool ? tools : meantTools(input, key)
      return [meantRule(meant.length > 0 ? meant : tools, native, action, inner.range)]
    }
    // Under what is no tool, the names of tools are no patterns.
    const meant = isTool || isKnownWord(input, key) ? [] : meantTools(input, inner.key)
    return meant.length === 0 ? [] : [meantRule(meant, native, action, inner.range)]
  })
}

function isKnownWord(input: CodecInput, key: string): boolean {
  return ownUnit(input.harness, key) !== null || meantTools(input, key).length > 0
}

/** Something stands there that is no answer: whatever it names is denied, and all where that is a list of what is given. */
function saidWithin(input: CodecInput, { key, value, range }: MapEntry): Rule[] {
  // All of what its key stands for is denied already.
  if (key === '*' || ownUnit(input.harness, key.trim()) !== null) return []
  const texts = textsUnder(key, value)
  if (isGiving(key) && (texts.length > 0 || value.kind !== 'scalar')) return [meantRule(['*'], key, 'deny', range)]
  const meant = distinct([...meantTools(input, key), ...texts.flatMap((one) => meantTools(input, one))])
  return meant.length === 0 ? [] : [meantRule(meant, key, 'deny', range)]
}

/** What is asked about by a name that only others know. */
function askedTools(input: CodecInput, { key, value, range }: MapEntry): Rule[] {
  const heard = actionOf(value) === 'ask' ? heardTools(input, key) : []
  return heard.length === 0 ? [] : [meantRule(heard, key, 'ask', range)]
}

interface PatternAction {
  readonly pattern: string | null
  readonly action: Action
  readonly range: Range
}

/** What is no action allows nothing of what its key stands for, whatever clear rules are beside it. */
function mapRules(input: CodecInput, entry: MapEntry): KeyedRules {
  const { value, range } = entry
  if (value.kind !== 'map')
    return switchRules(input, entry, [{ pattern: null, action: actionOf(value) ?? 'deny', range }])
  const patterns: PatternAction[] = []
  for (const inner of value.entries) {
    const action = actionOf(inner.value)
    if (action === null) return switchRules(input, entry, [{ pattern: null, action: 'deny', range: inner.range }])
    patterns.push({ pattern: inner.key, action, range: inner.range })
  }
  return switchRules(input, entry, patterns)
}

/** One native switch: its key may be a unit, a wildcard over units, or the name of an MCP tool. */
function switchRules(input: CodecInput, entry: MapEntry, patterns: readonly PatternAction[]): KeyedRules {
  const switched = switchFor(input.harness, input.spec.key, entry.key)
  const rules = patterns.flatMap(({ pattern, action, range }): Rule[] => {
    const native = pattern === null ? entry.key : `${entry.key}: ${pattern}`
    const { tools, syntax } = switched
    const subject = pattern === null ? 'none' : switched.subject
    const isDead = action !== 'deny' && ownUnit(input.harness, entry.key)?.gone === true
    const rule = {
      tools,
      subject,
      pattern,
      syntax,
      action,
      native,
      range,
      ...(isDead ? { ignored: 'rule' as const } : {}),
    }
    const heard = action === 'deny' ? heardTools(input, entry.key) : []
    return heard.length === 0
      ? [rule]
      : [rule, { ...rule, tools: heard, pattern: null, subject: 'none', ignored: 'rule' }]
  })
  return { key: switched.key, rules }
}

/** A tool of a server can have the same name as one of the harness's own. */
function twinTools({ harness }: CodecInput, key: string): readonly string[] {
  const unit = harness.mcp?.flat === true && key.includes('_') ? ownUnit(harness, key) : null
  // What is no tool but a switch of the harness has no namesake.
  const isTwin = unit?.grants.some((tool) => !tool.startsWith('native:')) === true
  return isTwin ? [`mcp:${key}`] : []
}

/** What its author meant to deny by a key that does not deny it. */
function heardTools(input: CodecInput, key: string): readonly string[] {
  const name = key.trim()
  // White space around a name makes it the name of nothing.
  const own = name === key ? [] : switchFor(input.harness, input.spec.key, name).tools
  const known = [...own, ...foreignTools(input, name), ...twinTools(input, name)]
  return distinct([...known, ...unknownKey(input, name)])
}

/** A key that switches nothing of the harness's own, by the names of tools or of a server that it holds. */
function unknownKey(input: CodecInput, key: string): readonly string[] {
  const { harness, spec } = input
  const unit = ownUnit(harness, key)
  if (unit !== null) return unit.under === undefined || unit.under.includes(spec.key) ? [] : unit.grants
  // Wildcards mean what they mean in this dialect.
  if (/[*?]/.test(key)) return []
  const meant = meantTools(input, key)
  if (meant.length > 0) return meant
  // Where a separator is all that marks the tools of a server, a plain word can be the server itself.
  return harness.mcp?.flat === true && /^[a-z][\w-]*$/i.test(key) && !isSaying(key) ? [`mcp:${key}/*`] : []
}

/** What another harness calls by this name: to deny it here does nothing, and still says what was meant. */
function foreignTools({ harness, all }: CodecInput, key: string): readonly string[] {
  // Another dialect's way to name the tools of a server.
  if (/^[^\s/]+\/[^\s/]+$/.test(key) && ownUnit(harness, key) === null) return [`mcp:${key}`]
  const tool = deniedTool(harness, all, key)
  return tool.known === 'foreign' ? tool.grants.filter((one) => !one.startsWith('native:')) : []
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
  // A name without any separator or wildcard cannot be that of an MCP tool; nor can one with a slash, which none of them has.
  const isMcp = /[_*?]/.test(key) && !key.includes('/')
  const mcp = mcpTool(harness, key) ?? (isMcp ? `mcp:${key}` : null)
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
