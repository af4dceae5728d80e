/** The table of access codecs, shared by all harness files: tool lists, rule maps, flag maps and switches. */

import type { MapEntry } from '../../formats/data.ts'
import { type Action, type Role, type Rule, roles } from '../../model/access/rules.ts'
import type { Range } from '../../model/range.ts'
import type { AccessLayerSpec, Harness, Unit } from '../schema/harness.ts'
import {
  fallbackUnit,
  findUnit,
  isNameHonoured,
  joinedMcpTools,
  type ResolvedTool,
  resolveDeniedTool,
  resolveTool,
} from '../units.ts'
import { isGiving, isSaying, isTaking, meantTools, textsUnder } from './denied-words.ts'
import {
  actionOf,
  type CodecInput,
  type DecodedAccess,
  distinct,
  everyTool,
  intendedTools,
  type KeyedRules,
  mapRules,
  nodeText,
  switchFor,
  switchRules,
} from './map-rules.ts'
import { cutList, entriesBehind, negatedEntries, type ToolEntry, toolEntries, wordsIn } from './tool-list.ts'

/** Null: the value cannot be understood, and is read in the strictest way. */
type Codec = (input: CodecInput) => DecodedAccess | null

export const codecs: Record<AccessLayerSpec['codec'], Codec> = {
  'allow-list': (input) => {
    const entries = toolEntries(input.text, input.node, input.spec)
    if (entries === null) return null
    const keyed: KeyedRules[] = []
    const tools = new Set<string>()
    const isRefused = isRefusedShape(input)
    for (const entry of entries) {
      const tool = resolveTool(input.harness, input.all, entry.name)
      const own = entryRules(input, tool, entry, input.spec.grants ?? 'offer')
      const all = entry.isInside === true ? own.map((rule) => ({ ...rule, isUnsaid: true })) : own
      const isLimited = entry.argument === null && isLimitedBeside(input, entries, tool)
      const rules = isLimited ? all.flatMap((rule) => inOtherRoles(rule, tool.unit?.limited ?? [])) : all
      keyed.push({
        key: entry.name,
        rules: isRefused
          ? rules.map((rule) => ({ ...rule, ignored: 'rule' }))
          : [...rules, ...impliedGrants(input, tool, entry)],
      })
      for (const granted of tool.grants) tools.add(granted)
    }
    const said = negatedEntries(entries, input.node).flatMap((entry) =>
      deniedEntries(input, entry).flatMap((one) => denialRules(input, one)),
    )
    return { keyed, otherwise: 'deny', tools: tools.has('*') ? null : [...tools], said }
  },

  'approve-list': (input) => {
    const list = codecs['allow-list']({ ...input, spec: { ...input.spec, grants: 'allow' } })
    return list === null ? null : { ...list, otherwise: 'ask', tools: null, said: [] }
  },

  'deny-list': (input) => {
    const read = toolEntries(input.text, input.node, input.spec)
    if (read === null) return null
    const entries = read.flatMap((entry) => deniedEntries(input, entry))
    const isWhole = ({ argument }: ToolEntry) => argument === null || input.spec.patterns === 'no'
    const denied = new Set(read.filter(isWhole).map(({ name }) => canonicalUnit(input.harness, name)))
    // With a star among the names, the harness denies nothing at all.
    const isVoid = input.spec.star === 'voids' && read.some(({ name }) => name === '*')
    const keyed = entries.map((one) => {
      const rules = denialRules(input, one)
      const key = one.entry.name
      if (one.isMeaning || isVoid) return { key, rules: rules.map((rule) => ({ ...rule, ignored: 'rule' as const })) }
      return { key, rules: rules.flatMap((rule) => withOtherUnits(input.harness, denied, rule)) }
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
      // For all tools at once, `true` is too vague.
      const action = typeof input.node.value === 'string' ? actionOf(input.node) : null
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
    const rules = chosen.map((rule) => statedRule(rule, `${input.spec.key}: ${String(nodeText(input))}`, range))
    const sandbox = input.spec.sandboxes?.[value]
    const decoded = { keyed: [{ key: input.spec.key, rules }], otherwise: null, tools: null }
    return sandbox === undefined ? decoded : { ...decoded, sandbox }
  },
}

/** The list also contains the same tool with a limit, which applies to all of it. */
function isLimitedBeside(
  { harness, all }: CodecInput,
  entries: readonly ToolEntry[],
  { unit, canonical }: ResolvedTool,
) {
  return (
    unit?.limited !== undefined &&
    entries.some(({ name, argument }) => argument !== null && resolveTool(harness, all, name).canonical === canonical)
  )
}

function inOtherRoles(rule: Rule, limited: readonly Role[]): Rule[] {
  return roles.map((role) => (limited.includes(role) ? { ...rule, role, ignored: 'rule' } : { ...rule, role }))
}

/** The names are plain, but in this shape the harness accepts none of them. */
function isRefusedShape({ spec, node }: CodecInput): boolean {
  if (spec.shape === undefined || spec.invalid !== 'not-loaded') return false
  const shape = node.kind === 'scalar' ? (node.value === null ? 'null' : 'string') : node.kind
  return !spec.shape.includes(shape)
}

/**
 * An entry that is not a name in the harness denies nothing there, nor does text that runs together with a name. If its
 * words are names, what its author meant to deny is plain, and counts as declared.
 */
function deniedEntries(input: CodecInput, entry: ToolEntry): DeniedEntry[] {
  const { harness, all } = input
  const isName = (name: string) => resolveDeniedTool(harness, all, name).known !== 'unknown'
  const intended = [entry, ...entriesBehind(entry)]
    .flatMap((one) => wordsIn(one).map((word) => (one === entry ? word : { ...word, argument: one.argument })))
    .map((word) => (/^\*+$/.test(word.name) ? { ...word, name: '*' } : word))
    .filter(({ name }) => name !== entry.name && isName(name))
    .map((word): DeniedEntry => ({ entry: word, isMeaning: true }))
  if (isName(entry.name)) return [{ entry, isMeaning: false }, ...intended]
  const tools = meantTools(input, entry.name).filter((tool) => !intended.some((one) => isDenied(input, one, tool)))
  const meant: DeniedEntry[] = tools.length === 0 ? [] : [{ entry, isMeaning: true, tools }]
  return intended.length + meant.length === 0 ? [{ entry, isMeaning: false }] : [...intended, ...meant]
}

interface DeniedEntry {
  readonly entry: ToolEntry
  /** The harness does not treat it as a name; its meaning counts as declared. */
  readonly isMeaning: boolean
  /** Its meaning, if it is not a name. */
  readonly tools?: readonly string[]
}

function isDenied({ harness, all }: CodecInput, { entry }: DeniedEntry, tool: string): boolean {
  return resolveDeniedTool(harness, all, entry.name).grants.includes(tool)
}

function denialRules(input: CodecInput, { entry, tools }: DeniedEntry): Rule[] {
  if (tools !== undefined) return [meantRule(tools, entry.name, 'deny', entry.range)]
  return entryRules(input, resolveDeniedTool(input.harness, input.all, entry.name), entry, 'deny')
}

function meantRule(tools: readonly string[], native: string, action: Action, range: Range): Rule {
  return { tools, subject: 'none', pattern: null, syntax: 'names', action, native, range }
}

/** A tool that another unit still grants stays reachable, although it is denied. */
function withOtherUnits(harness: Harness, denied: ReadonlySet<Unit | null>, rule: Rule): Rule[] {
  // A limit that the harness ignores denies the whole tool.
  const isLimited = rule.pattern !== null && rule.ignored !== 'pattern'
  if (isLimited || rule.ignored === 'rule' || rule.ignored === 'edition') return [rule]
  const isOpen = (unit: Unit) => {
    const goesWith = unit.goesWith === undefined ? null : findUnit(harness, unit.goesWith)
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

/** The unit itself, under any of its names. */
function canonicalUnit(harness: Harness, name: string): Unit | null {
  const unit = findUnit(harness, name)
  return typeof unit?.alias === 'string' ? findUnit(harness, unit.alias) : unit
}

/** A rule from a harness file, in neutral words. */
export function statedRule(rule: Harness['access']['base'][number], native: string, range: Range | null): Rule {
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

function entryRules(input: CodecInput, tool: ResolvedTool, { argument, range }: ToolEntry, action: Action): Rule[] {
  const subject = tool.unit?.subject ?? 'none'
  const ignored = isNotUnderstood(tool, argument, action) ? 'rule' : ignoredPart(input, tool, argument)
  const syntax = tool.unit?.syntax ?? 'names'
  const native = argument === null ? tool.native : `${tool.native}(${argument})`
  const patterns = argument === null || subject === 'none' ? [null] : patternsIn(argument, action)
  const limited = ignored === 'pattern' && action !== 'deny' ? (tool.unit?.limited ?? []) : []
  return patterns.flatMap((one): Rule[] => {
    const pattern = one === null || one.text === '*' ? null : one.text
    const rule = { tools: tool.grants, subject, pattern, syntax, action, native, unit: tool.canonical, range }
    // A unit that exists in one role only is granted in that one; a denial does no harm in the other.
    const inRole = tool.unit?.role === undefined || action === 'deny' ? rule : { ...rule, role: tool.unit.role }
    if (ignored === null || limited.length === roles.length) return [inRole]
    if (limited.length === 0) return [{ ...inRole, ignored }]
    return roles.map((role) => (limited.includes(role) ? { ...rule, role } : { ...rule, role, ignored }))
  })
}

/** What the harness grants for a name although the name does not imply it: none of it is part of the definition. */
function impliedGrants({ harness, spec }: CodecInput, tool: ResolvedTool, { argument }: ToolEntry): Rule[] {
  const none = { subject: 'none', pattern: null, syntax: 'names', action: spec.grants ?? 'offer', range: null } as const
  const given = (tools: readonly string[], unit: string): Rule => ({
    ...{ ...none, tools, native: `${tool.native} (taken for ${unit})`, unit, isUnsaid: true },
  })
  // Where parentheses are ignored, an empty limit leaves the whole tool.
  const isLimitless = argument !== null && (isNotUnderstood(tool, argument, 'offer') || argument === '')
  if (isLimitless && spec.patterns === 'no' && isAvailable(spec, tool)) return [given(tool.grants, tool.canonical)]
  if (tool.unit !== null) return []
  const own = fallbackUnit(harness, tool.native)
  if (own !== null) return [given(own.grants, own.name)]
  if (tool.known !== 'own') return joinedMcpTools(harness, tool.native).map((one) => given([one], tool.native))
  const others = harness.access.caseSensitive ? [] : tool.grants.filter((one) => one !== one.toLowerCase())
  return others.map((one) => given([one.toLowerCase()], tool.native))
}

function isAvailable(spec: AccessLayerSpec, tool: ResolvedTool): boolean {
  const { gone, only, unseen } = tool.unit ?? {}
  return tool.known === 'own' && !gone && only === undefined && !unseen && isNameHonoured(spec, tool)
}

/** A limit on a tool that supports none: less than the whole tool was meant, but how much is unknown. */
function isNotUnderstood({ unit }: ResolvedTool, argument: string | null, action: Action): boolean {
  return action !== 'deny' && argument !== null && unit?.subject === undefined && !/^:?\*?$/.test(argument.trim())
}

/** Empty parentheses: a denial means the whole tool, a grant means none of it. */
function patternsIn(argument: string, action: Action): readonly ({ readonly text: string } | null)[] {
  const patterns = cutList(argument)
  const isAny = ({ text }: { readonly text: string }) => /^(?:domain)?[:*\s]*$/.test(text)
  if (action === 'deny') return patterns.every(isAny) ? [null] : patterns
  // Among other patterns, a star is part of something unknown, and no reason to grant everything.
  return patterns.length > 1 ? patterns.filter((one) => !isAny(one)) : patterns
}

/** A name that the harness does not know has no effect there, however plain its meaning. */
function ignoredPart(
  { harness, spec }: CodecInput,
  tool: ResolvedTool,
  argument: string | null,
): 'rule' | 'pattern' | 'edition' | null {
  if (tool.unit?.gone === true || (tool.native === '*' && spec.star !== true)) return 'rule'
  if (tool.unit?.unseen === true && spec.codec === 'allow-list') return 'rule'
  if (tool.known !== 'own') return harness.access.unknownTool === 'accepted' ? null : 'rule'
  if (tool.unit?.only !== undefined) return harness.access.unknownTool === 'accepted' ? null : 'edition'
  if (!isNameHonoured(spec, tool)) return 'rule'
  if (argument === null) return null
  if (spec.patterns === 'void') return 'rule'
  return spec.patterns === 'no' ? 'pattern' : null
}

/** What a map defines for a tool in words that are neither actions nor patterns: read in the strictest way. */
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
    // Under a key that is not a tool, the names of tools are not patterns.
    const meant = isTool || isKnownWord(input, key) ? [] : meantTools(input, inner.key)
    return meant.length === 0 ? [] : [meantRule(meant, native, action, inner.range)]
  })
}

function isKnownWord(input: CodecInput, key: string): boolean {
  return findUnit(input.harness, key) !== null || meantTools(input, key).length > 0
}

/** The value is not an action: everything it names is denied, and all tools if it is a list of grants. */
function saidWithin(input: CodecInput, { key, value, range }: MapEntry): Rule[] {
  // Everything its key covers is denied already.
  if (key === '*' || findUnit(input.harness, key.trim()) !== null) return []
  const texts = textsUnder(key, value)
  if (isGiving(key) && (texts.length > 0 || value.kind !== 'scalar')) return [meantRule(['*'], key, 'deny', range)]
  const meant = distinct([...meantTools(input, key), ...texts.flatMap((one) => meantTools(input, one))])
  return meant.length === 0 ? [] : [meantRule(meant, key, 'deny', range)]
}

/** Tools with `ask` under a name that only other harnesses know. */
function askedTools(input: CodecInput, { key, value, range }: MapEntry): Rule[] {
  const intended = actionOf(value) === 'ask' ? intendedTools(input, key) : []
  return intended.length === 0 ? [] : [meantRule(intended, key, 'ask', range)]
}

/** A list of names where flags belong: only these tools were meant. */
function listInsteadOfFlags(input: CodecInput): DecodedAccess | null {
  const list = codecs['allow-list']({ ...input, spec: { ...input.spec, grants: 'allow' } })
  // If a list is not valid here, no later rule reopens it.
  if (list === null || input.spec.shape?.includes('list') !== true) return list
  const nothingElse = { key: '*', rules: [everyTool('deny', input.node.range)] }
  return { ...list, keyed: [nothingElse, ...list.keyed], otherwise: null }
}
