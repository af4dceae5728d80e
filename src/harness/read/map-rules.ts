/** Maps from tools to actions, and switches, as rules. */

import type { DataNode, MapEntry } from '../../formats/data.ts'
import { matchesPattern, type Syntax } from '../../model/access/patterns.ts'
import type { Action, Rule, Sandbox, Subject } from '../../model/access/rules.ts'
import type { Range } from '../../model/range.ts'
import type { AccessLayerSpec, Harness, Unit } from '../schema/harness.ts'
import { findUnit, mcpTool, resolveDeniedTool } from '../units.ts'
import { isSaying, meantTools } from './denied-words.ts'

export interface CodecInput {
  readonly harness: Harness
  readonly all: readonly Harness[]
  readonly spec: AccessLayerSpec
  readonly text: string
  readonly node: DataNode
  /** The servers that the definition names, by its settings or in other lists. */
  readonly servers: () => readonly string[]
}

/** Rules by their native key: if two keys of a file are the same switch, the later one counts. */
export interface KeyedRules {
  readonly key: string
  readonly rules: readonly Rule[]
}

export interface DecodedAccess {
  readonly keyed: readonly KeyedRules[]
  readonly otherwise: Action | null
  /** Neutral tools that the value names as available, if it is a list of them. */
  readonly tools: readonly string[] | null
  readonly sandbox?: Sandbox
  /** Further restrictions in words that the harness does not know: they count as declared, and have no effect there. */
  readonly said?: readonly Rule[]
}

interface PatternAction {
  readonly pattern: string | null
  readonly action: Action
  readonly range: Range
}

export function distinct(values: readonly string[]): string[] {
  return [...new Set(values)]
}

export function nodeText(input: CodecInput): string {
  return input.text.slice(input.node.range.start, input.node.range.end)
}

export function everyTool(action: Action, range: Range): Rule {
  return { tools: ['*'], subject: 'none', pattern: null, syntax: 'wildcard', action, native: '*', range }
}

/** No dialect has booleans as actions: `false` clearly denies, but a grant that no program honours is not a grant. */
export function actionOf(node: DataNode): Action | null {
  if (node.kind !== 'scalar') return null
  if (node.value === 'allow') return 'allow'
  if (node.value === 'ask') return 'ask'
  if (node.value === 'deny' || node.value === false) return 'deny'
  return null
}

function argumentOf(unit: Unit): { subject: Subject; syntax: Syntax } {
  return { subject: unit.subject ?? 'none', syntax: unit.syntax ?? 'wildcard' }
}

/** What another harness calls by this name: denying it here has no effect, but shows what was meant. */
function foreignTools({ harness, all }: CodecInput, key: string): readonly string[] {
  // How another dialect names the tools of a server.
  if (/^[^\s/]+\/[^\s/]+$/.test(key) && findUnit(harness, key) === null) return [`mcp:${key}`]
  const tool = resolveDeniedTool(harness, all, key)
  return tool.known === 'foreign' ? tool.grants.filter((one) => !one.startsWith('native:')) : []
}

interface Switch {
  readonly key: string
  readonly tools: readonly string[]
  readonly subject: Subject
  readonly syntax: Syntax
}

export function switchFor(harness: Harness, layer: string, key: string): Switch {
  const unit = findUnit(harness, key)
  if (unit !== null && (unit.under?.includes(layer) ?? true)) {
    const canonical = typeof unit.alias === 'string' ? unit.alias : key
    return { key: canonical, tools: unit.grants, ...argumentOf(unit) }
  }
  if (key === '*') return { key, tools: ['*'], subject: 'none', syntax: 'wildcard' }
  const governed = Object.entries(harness.units).filter(
    ([name, one]) => matchesPattern('wildcard', key, name) && (one.under?.includes(layer) ?? true),
  )
  const tools = distinct(governed.flatMap(([, one]) => one.grants))
  // A name without a separator or wildcard cannot be that of an MCP tool; nor can one with a slash, which no MCP tool
  // has.
  const isMcp = /[_*?]/.test(key) && !key.includes('/')
  const mcp = mcpTool(harness, key) ?? (isMcp ? `mcp:${key}` : null)
  const others = [...(mcp === null ? [] : [mcp]), `native:${harness.family}/${key}`]
  return { key, tools: [...tools, ...others], subject: 'none', syntax: 'wildcard' }
}

/** A key that is not a switch of the harness, by the names of tools or of a server in it. */
function unknownKey(input: CodecInput, key: string): readonly string[] {
  const { harness, spec } = input
  const unit = findUnit(harness, key)
  if (unit !== null) return unit.under === undefined || unit.under.includes(spec.key) ? [] : unit.grants
  // Wildcards have their meaning in this dialect.
  if (/[*?]/.test(key)) return []
  const meant = meantTools(input, key)
  if (meant.length > 0) return meant
  // If only a separator marks the tools of a server, a plain word can be the server itself.
  return harness.mcp?.flat === true && /^[a-z][\w-]*$/i.test(key) && !isSaying(key) ? [`mcp:${key}/*`] : []
}

/** The tools that a key was meant to deny, but does not. */
export function intendedTools(input: CodecInput, key: string): readonly string[] {
  const name = key.trim()
  // A name with white space around it matches nothing.
  const own = name === key ? [] : switchFor(input.harness, input.spec.key, name).tools
  const known = [...own, ...foreignTools(input, name), ...twinTools(input, name)]
  return distinct([...known, ...unknownKey(input, name)])
}

/** A tool of a server can have the same name as one of the harness. */
function twinTools({ harness }: CodecInput, key: string): readonly string[] {
  const unit = harness.mcp?.flat === true && key.includes('_') ? findUnit(harness, key) : null
  // A switch of the harness that is not a tool has no namesake.
  const isTwin = unit?.grants.some((tool) => !tool.startsWith('native:')) === true
  return isTwin ? [`mcp:${key}`] : []
}

/** One native switch: its key may be a unit, a wildcard over units, or the name of an MCP tool. */
export function switchRules(input: CodecInput, entry: MapEntry, patterns: readonly PatternAction[]): KeyedRules {
  const switched = switchFor(input.harness, input.spec.key, entry.key)
  const rules = patterns.flatMap(({ pattern, action, range }): Rule[] => {
    const native = pattern === null ? entry.key : `${entry.key}: ${pattern}`
    const { tools, syntax } = switched
    const subject = pattern === null ? 'none' : switched.subject
    const isDead = action !== 'deny' && findUnit(input.harness, entry.key)?.gone === true
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
    const intended = action === 'deny' ? intendedTools(input, entry.key) : []
    return intended.length === 0
      ? [rule]
      : [rule, { ...rule, tools: intended, pattern: null, subject: 'none', ignored: 'rule' }]
  })
  return { key: switched.key, rules }
}

/** A value that is not an action allows nothing of what its key covers, regardless of clear rules beside it. */
export function mapRules(input: CodecInput, entry: MapEntry): KeyedRules {
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
