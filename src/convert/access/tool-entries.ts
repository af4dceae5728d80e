/** Every entry of a tool list or permission map, and what became of it in the target. */

import type { Harness } from '../../harness/schema/harness.ts'
import { concreteTool, substituteTools } from '../../harness/write/intent.ts'
import { reservedServer } from '../../harness/write/names.ts'
import { hasTool } from '../../harness/write/target-access.ts'
import { decide } from '../../model/access/decide.ts'
import { unnamedArgument, witnessOf } from '../../model/access/patterns.ts'
import { type Access, isIgnoredGrant, type Rule, writtenAccess } from '../../model/access/rules.ts'
import type { Feature, Gap, Outcome } from '../../model/conversion.ts'
import type { Range } from '../../model/range.ts'
import { gapOutcome } from '../../model/score.ts'
import { hasPower, mcpServerOf, powerGroup } from '../../model/tools.ts'
import { recordFixedTools } from '../agent/agent-type.ts'
import { lineOf, type Source } from '../agent/source.ts'
import { teamToolWords } from '../agent/team-server.ts'
import { type Ledger, noEquivalent, severityOfGap, whyMissing } from '../gaps.ts'
import type { CarriedAccess } from './carry.ts'
import { capabilityOf } from './limits.ts'

interface ToolsInput {
  readonly source: Source
  readonly target: Harness
  readonly carried: CarriedAccess
  readonly ledger: Ledger
}

/** The features of the area "tools", and one field feature for every key that holds them. */
export function recordTools(input: ToolsInput): void {
  const { source, ledger } = input
  const keys = new Map<string, KeyOutcome>()
  for (const entry of accessEntries(source)) {
    const isDirect = recordEntry(input, entry) === 'direct'
    const known = keys.get(entry.key)
    if (known === undefined) keys.set(entry.key, { range: entry.rules[0]?.range ?? null, isDirect })
    else if (!isDirect) known.isDirect = false
  }
  for (const { key } of source.harness.access.layers) {
    const isThere = source.agent.access.some(({ origin }) => origin === key)
    if (isThere) ledger.features.push(keyFeature(input, key, keys.get(key) ?? { range: null, isDirect: true }))
  }
}

/** A key of the definition: the place of its first entry, and whether all of them are carried over well. */
interface KeyOutcome {
  readonly range: Range | null
  isDirect: boolean
}

/** The key as a field: as good as its entries. */
function keyFeature(
  { source, target, carried, ledger }: ToolsInput,
  key: string,
  { range, isDirect }: KeyOutcome,
): Feature {
  const line = lineOf(source, range)
  const fixed = target.access.layers.length === 0 ? recordFixedTools({ target, carried, ledger, key, line }) : null
  if (fixed !== null) return fixed
  const isLost = carried.keys.size === 0 && carried.report.widened.length > 0
  const outcome = isLost ? 'omitted' : isDirect ? 'direct' : 'workaround'
  const to = isLost ? null : [...carried.keys.keys()].join(', ') || '(left out)'
  const note = isLost ? `${target.title} cannot restrict an agent this way` : undefined
  return { area: 'fields', feature: key, outcome, from: key, to, line, note }
}

function recordEntry(input: ToolsInput, entry: AccessEntry): Outcome {
  const { source, target, ledger } = input
  const line = lineOf(source, entry.rules[0]?.range ?? null)
  const { outcome, to, note } = outcomeOfEntry(input, entry)
  // It granted nothing before and grants nothing now: the decision about it is a gap of its own.
  const isEmpty = entry.rules.every(
    (rule) => isIgnoredGrant(rule) || (rule.role !== undefined && rule.action !== 'deny'),
  )
  if (isEmpty && to === 'deny') {
    const isDead = entry.rules.some(isIgnoredGrant)
    const why = `${source.harness.title} ${isDead ? 'ignores it' : 'does not give it to agents in every role'}`
    ledger.features.push({
      area: 'tools',
      feature: entry.native,
      outcome: 'omitted',
      from: entry.native,
      to: null,
      line,
      note: why,
    })
    return 'omitted'
  }
  if (outcome !== 'omitted') {
    ledger.features.push({ area: 'tools', feature: entry.native, outcome, from: entry.native, to, line, note })
    return outcome
  }
  const limit = limitGapOf(ledger, entry)
  if (limit !== undefined) return recordLimit(input, entry, limit)
  const known = entry.rules.flatMap(({ tools }) => tools).map((tool) => target.workarounds[tool])
  const helpful = known.find((one) => one !== undefined && 'say' in one)
  const workaround = helpful !== undefined && 'say' in helpful ? helpful.say : null
  const reason = note ?? `${target.title} has no equivalent`
  const severity = severityOfGap('tool-missing', null)
  const resolution = ledger.decide({ type: 'tool-missing', feature: entry.native, severity, reason, workaround, line })
  if (resolution === 'todo') ledger.todos.push(noEquivalent([entry.native], target, reason))
  const became = gapOutcome(resolution)
  const neutral = entry.rules.flatMap(({ tools }) => tools)
  const instead = became === 'workaround' ? teamToolWords(target, neutral) : null
  const said = became === 'workaround' && workaround !== null ? `instead: ${workaround}` : note
  const from = entry.native
  ledger.features.push({ area: 'tools', feature: from, outcome: became, from, to: instead, line, note: said })
  return became
}

/** The decision about the capability that this entry limits. */
function limitGapOf({ gaps }: Ledger, { rules }: AccessEntry): Gap | undefined {
  const limited = rules.filter(({ pattern }) => pattern !== null).flatMap(({ tools }) => tools.map(capabilityOf))
  return gaps.find(({ type, feature }) => type === 'limit-missing' && limited.some((one) => one === feature))
}

function recordLimit({ source, target, ledger }: ToolsInput, { native, rules }: AccessEntry, gap: Gap): Outcome {
  const { resolution, reason } = gap
  const line = lineOf(source, rules[0]?.range ?? null)
  if (resolution === 'todo') ledger.todos.push(noEquivalent([native], target, reason))
  // Kept whole, a denial of some calls is gone.
  const outcome = resolution === 'widen' ? 'omitted' : gapOutcome(resolution)
  ledger.features.push({ area: 'tools', feature: native, outcome, from: native, to: null, line, note: reason })
  return outcome
}

interface EntryOutcome {
  readonly outcome: 'direct' | 'workaround' | 'omitted'
  readonly to: string | null
  readonly note: string | undefined
}

const knownOutcomes = new WeakMap<CarriedAccess, Map<string, EntryOutcome>>()

/** The same list has the same outcome in every agent. */
function outcomeOfEntry(input: ToolsInput, entry: AccessEntry): EntryOutcome {
  const known = knownOutcomes.get(input.carried) ?? new Map<string, EntryOutcome>()
  knownOutcomes.set(input.carried, known)
  const key = `${entry.key}\n${entry.native}`
  const fare = known.get(key) ?? judgeEntry(input, entry)
  known.set(key, fare)
  return fare
}

interface Readings {
  /** What the keys say, and what the target allows by them; in all roles. */
  readonly written: Access
  readonly held: Access
}

const readings = new WeakMap<CarriedAccess, Readings>()

function readingsOf(carried: CarriedAccess): Readings {
  let found = readings.get(carried)
  if (found === undefined) {
    const written = carried.roles.flatMap((role) => writtenAccess(carried.access, role))
    found = { written, held: carried.held.flat() }
    readings.set(carried, found)
  }
  return found
}

/** What the target does with the calls of this entry, by what will be written and by what it enforces. */
function judgeEntry({ target, carried }: ToolsInput, entry: AccessEntry): EntryOutcome {
  const meant = new Set(meantTools(entry.rules.flatMap(({ tools }) => tools)))
  const calls = entry.rules.flatMap(({ tools, pattern, syntax }) =>
    tools
      .filter((tool) => meant.has(tool))
      .map((tool) => ({
        tool: concreteTool(tool),
        argument: pattern === null ? unnamedArgument : witnessOf(syntax, pattern),
      })),
  )
  const wanted = calls.map((call) => decide(carried.intent.access, call).action)
  const { written, held } = readingsOf(carried)
  const isDenial = wanted.every((action) => action === 'deny')
  if (isDenial) {
    // For a tool without power, a denial in the file is enough.
    const denied = calls.every((call) => decide(hasPower(call.tool) ? held : written, call).action === 'deny')
    return denied ? direct('deny') : { outcome: 'omitted', to: null, note: `${target.title} still allows it` }
  }
  // An open list still grants nothing that does not exist.
  const got = calls.map((call) => (hasTool(target, call.tool) ? decide(written, call).action : 'deny'))
  const isThere = (index: number) => wanted[index] === 'deny' || got[index] !== 'deny'
  // A missing tool is replaced by an existing one of the same power.
  const isMadeUpFor = (index: number) => {
    const { tool = '', argument } = calls[index] ?? {}
    if (calls.some((call, other) => powerGroup(call.tool).includes(tool) && got[other] !== 'deny')) return true
    return substituteTools(target, tool).some(
      (one) => decide(written, { tool: one, ...(argument === undefined ? {} : { argument }) }).action !== 'deny',
    )
  }
  const all = calls.map((_call, index) => index)
  if (!all.every((index) => isThere(index) || isMadeUpFor(index))) {
    return { outcome: 'omitted', to: null, note: missingReason(target, entry) }
  }
  const tools = calls.map(({ tool }) => tool)
  const names = unitNames(target, tools)
  const besides = names.flatMap((name) => target.units[name]?.grants ?? [])
  const shared = [...new Set(besides)].filter((tool) => carried.intent.extent(tool) === 'none')
  const asks = wanted.some((action, index) => action === 'ask' && got[index] !== 'ask')
  const note = !all.every(isThere)
    ? 'replaced by equally powerful tools'
    : shared.length > 0
      ? `the same setting also controls ${shared.join(', ')}`
      : tools.some((tool) => carried.whole.some((one) => one === capabilityOf(tool)))
        ? `granted without limits: ${target.title} cannot restrict it to certain calls`
        : asks
          ? 'the permission mode decides whether it asks'
          : undefined
  const to = names.join(', ')
  return note === undefined ? direct(to) : { outcome: 'workaround', to, note }
}

/** An ambiguous name is the harness's own tool only if it is nothing else. */
function meantTools(tools: readonly string[]): readonly string[] {
  const common = tools.filter((tool) => !tool.startsWith('native:'))
  return common.length > 0 ? common : tools
}

function direct(to: string): EntryOutcome {
  return { outcome: 'direct', to: to === '' ? null : to, note: undefined }
}

function missingReason(target: Harness, entry: AccessEntry): string {
  const isThere =
    unitNames(
      target,
      entry.rules.flatMap(({ tools }) => tools),
    ).length > 0
  const [reserved] = entry.rules.flatMap(({ tools }) => tools.flatMap((tool) => reservedServer(target, tool) ?? []))
  if (reserved !== undefined) return `${target.title} has a server of its own called "${reserved}"`
  if (wantsEachTool(target, entry)) return `${target.title} requires every tool of an MCP server by name`
  if (!isThere) return saidReason(target, entry) ?? `${target.title} has no such tool`
  const isLimited = entry.rules.some(({ pattern }) => pattern !== null)
  return isLimited
    ? `${target.title} cannot restrict the tool to certain calls`
    : `${target.title} cannot grant it on its own`
}

function wantsEachTool(target: Harness, entry: AccessEntry): boolean {
  const list = target.access.layers.find(({ codec }) => codec === 'allow-list')
  return (
    list?.mcpNames?.includes('server') === false &&
    entry.rules.some(({ tools }) => tools.some((one) => mcpServerOf(one) !== null))
  )
}

/** The reason as the harness file and the prompt state it. */
function saidReason(target: Harness, entry: AccessEntry): string | null {
  const reasons = entry.rules.flatMap(({ tools }) => tools).map((tool) => whyMissing(target, tool))
  return reasons.find((reason) => reason !== null) ?? null
}

/** The target's names for what was granted. */
function unitNames(target: Harness, tools: readonly string[]): string[] {
  return Object.entries(target.units)
    .filter(
      ([, { grants, alias, gone }]) =>
        alias === undefined && gone !== true && grants.some((one) => tools.includes(one)),
    )
    .map(([name]) => name)
}

/** One entry of a tool list or rule map, with all its rules. */
interface AccessEntry {
  readonly key: string
  readonly native: string
  readonly rules: readonly Rule[]
}

/** The entries of the definition itself, in its order. */
export function accessEntries({ agent }: Source): AccessEntry[] {
  const entries = new Map<string, AccessEntry & { rules: Rule[] }>()
  for (const layer of agent.access) {
    for (const rule of layer.rules) {
      if (rule.range === null) continue
      const key = `${layer.origin}\n${rule.native}`
      const entry = entries.get(key)
      if (entry === undefined) entries.set(key, { key: layer.origin, native: rule.native, rules: [rule] })
      else entry.rules.push(rule)
    }
  }
  return [...entries.values()]
}
