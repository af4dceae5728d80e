/** Every entry of a tool list or permission map, and what became of it in the target. */

import { outcomeOf } from '../fidelity/score.ts'
import { concreteTool, hasPower, powerGroup, standIns } from '../harness/intent.ts'
import type { Harness } from '../harness/schema/harness.ts'
import { accessInRole, hasTool } from '../harness/target-access.ts'
import { decide, isDeadGrant, writtenAccess } from '../model/access.ts'
import type { Feature, Gap, Outcome } from '../model/conversion.ts'
import { unnamedArgument, witnessOf } from '../model/pattern.ts'
import type { Range } from '../model/place.ts'
import { mcpServerOf } from '../model/tools.ts'
import { type AccessEntry, accessEntries, type CarriedAccess } from './access.ts'
import { noEquivalent, reasonFor } from './body/todo.ts'
import { accountForFixedTools } from './fixed-tools.ts'
import { severityOfGap } from './gaps.ts'
import type { Ledger } from './ledger.ts'
import { capabilityOf } from './limits.ts'
import { lineOf, type Source } from './parse.ts'
import { teamWords } from './team.ts'

export interface ToolsInput {
  readonly source: Source
  readonly target: Harness
  readonly carried: CarriedAccess
  readonly ledger: Ledger
}

/** The features of the area "tools", and one field feature for every key they stand under. */
export function accountForTools(input: ToolsInput): void {
  const { source, ledger } = input
  const keys = new Map<string, Key>()
  for (const entry of accessEntries(source)) {
    const isDirect = accountForEntry(input, entry) === 'direct'
    const known = keys.get(entry.key)
    if (known === undefined) keys.set(entry.key, { range: entry.rules[0]?.range ?? null, isDirect })
    else if (!isDirect) known.isDirect = false
  }
  for (const { key } of source.harness.access.layers) {
    const isThere = source.agent.access.some(({ origin }) => origin === key)
    if (isThere) ledger.features.push(keyFeature(input, key, keys.get(key) ?? { range: null, isDirect: true }))
  }
}

/** A key of the definition: where its first entry stands, and whether all of them fare well. */
interface Key {
  readonly range: Range | null
  isDirect: boolean
}

/** The key as a field: as good as what stands under it. */
function keyFeature({ source, target, carried, ledger }: ToolsInput, key: string, { range, isDirect }: Key): Feature {
  const line = lineOf(source, range)
  const fixed = target.access.layers.length === 0 ? accountForFixedTools({ target, carried, ledger, key, line }) : null
  if (fixed !== null) return fixed
  const isLost = carried.keys.size === 0 && carried.report.widened.length > 0
  const outcome = isLost ? 'omitted' : isDirect ? 'direct' : 'workaround'
  const to = isLost ? null : [...carried.keys.keys()].join(', ') || '(left out)'
  const note = isLost ? `${target.title} cannot restrict an agent this way` : undefined
  return { area: 'fields', feature: key, outcome, from: key, to, line, note }
}

function accountForEntry(input: ToolsInput, entry: AccessEntry): Outcome {
  const { source, target, ledger } = input
  const line = lineOf(source, entry.rules[0]?.range ?? null)
  const { outcome, to, note } = knownFare(input, entry)
  // It gave nothing before, and gives nothing now: what was decided about it is a gap of its own.
  const isEmpty = entry.rules.every((rule) => isDeadGrant(rule) || (rule.role !== undefined && rule.action !== 'deny'))
  if (isEmpty && to === 'deny') {
    const isDead = entry.rules.some(isDeadGrant)
    const why = `${source.harness.title} ${isDead ? 'ignores it' : 'does not give it in every role'}`
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
  if (limit !== undefined) return accountForLimit(input, entry, limit)
  const known = entry.rules.flatMap(({ tools }) => tools).map((tool) => target.workarounds[tool])
  const helpful = known.find((one) => one !== undefined && 'say' in one)
  const workaround = helpful !== undefined && 'say' in helpful ? helpful.say : null
  const reason = note ?? `${target.title} has no equivalent`
  const severity = severityOfGap('tool-missing', null)
  const resolution = ledger.decide({ type: 'tool-missing', feature: entry.native, severity, reason, workaround, line })
  if (resolution === 'todo') ledger.todos.push(noEquivalent([entry.native], target, reason))
  const became = outcomeOf(resolution)
  const neutral = entry.rules.flatMap(({ tools }) => tools)
  const instead = became === 'workaround' ? teamWords(target, neutral) : null
  const said = became === 'workaround' && workaround !== null ? `instead: ${workaround}` : note
  const from = entry.native
  ledger.features.push({ area: 'tools', feature: from, outcome: became, from, to: instead, line, note: said })
  return became
}

/** What was decided about the capability that this entry limits. */
function limitGapOf({ gaps }: Ledger, { rules }: AccessEntry): Gap | undefined {
  const limited = rules.filter(({ pattern }) => pattern !== null).flatMap(({ tools }) => tools.map(capabilityOf))
  return gaps.find(({ type, feature }) => type === 'limit-missing' && limited.some((one) => one === feature))
}

function accountForLimit({ source, target, ledger }: ToolsInput, { native, rules }: AccessEntry, gap: Gap): Outcome {
  const { resolution, reason } = gap
  const line = lineOf(source, rules[0]?.range ?? null)
  if (resolution === 'todo') ledger.todos.push(noEquivalent([native], target, reason))
  // Kept whole, a denial of some calls is gone.
  const outcome = resolution === 'widen' ? 'omitted' : outcomeOf(resolution)
  ledger.features.push({ area: 'tools', feature: native, outcome, from: native, to: null, line, note: reason })
  return outcome
}

interface Fare {
  readonly outcome: 'direct' | 'workaround' | 'omitted'
  readonly to: string | null
  readonly note: string | undefined
}

const fares = new WeakMap<CarriedAccess, Map<string, Fare>>()

/** The same list fares the same in every agent. */
function knownFare(input: ToolsInput, entry: AccessEntry): Fare {
  const known = fares.get(input.carried) ?? new Map<string, Fare>()
  fares.set(input.carried, known)
  const key = `${entry.key}\n${entry.native}`
  const fare = known.get(key) ?? fareOf(input, entry)
  known.set(key, fare)
  return fare
}

/** What the target makes of the calls this entry speaks of, by what will be written and by what it holds to. */
function fareOf({ target, carried }: ToolsInput, entry: AccessEntry): Fare {
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
  const written = carried.roles.flatMap((role) => writtenAccess(carried.access, role))
  const held = carried.roles.flatMap((role) => accessInRole(target, carried.access, role))
  const isDenial = wanted.every((action) => action === 'deny')
  if (isDenial) {
    // What gives no power is denied well enough where the file says so.
    const denied = calls.every((call) => decide(hasPower(call.tool) ? held : written, call).action === 'deny')
    return denied ? direct('deny') : { outcome: 'omitted', to: null, note: `${target.title} still allows it` }
  }
  // An open list still gives nothing that is not there.
  const got = calls.map((call) => (hasTool(target, call.tool) ? decide(written, call).action : 'deny'))
  const isThere = (index: number) => wanted[index] === 'deny' || got[index] !== 'deny'
  // A tool that is not there is made up for by one of the same power that is.
  const isMadeUpFor = (index: number) => {
    const { tool = '', argument } = calls[index] ?? {}
    if (calls.some((call, other) => powerGroup(call.tool).includes(tool) && got[other] !== 'deny')) return true
    return standIns(target, tool).some(
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
    ? 'by tools of the same power'
    : shared.length > 0
      ? `one switch with ${shared.join(', ')}`
      : tools.some((tool) => carried.whole.some((one) => one === capabilityOf(tool)))
        ? `whole: ${target.title} cannot limit it to some calls`
        : asks
          ? 'whether a person is asked is left to the mode'
          : undefined
  const to = names.join(', ')
  return note === undefined ? direct(to) : { outcome: 'workaround', to, note }
}

/** A name that could be anything is the harness's own only where it is nothing else. */
function meantTools(tools: readonly string[]): readonly string[] {
  const common = tools.filter((tool) => !tool.startsWith('native:'))
  return common.length > 0 ? common : tools
}

function direct(to: string): Fare {
  return { outcome: 'direct', to: to === '' ? null : to, note: undefined }
}

function missingReason(target: Harness, entry: AccessEntry): string {
  const isThere =
    unitNames(
      target,
      entry.rules.flatMap(({ tools }) => tools),
    ).length > 0
  if (wantsEachTool(target, entry)) return `${target.title} wants every tool of an MCP server by name`
  if (!isThere) return saidReason(target, entry) ?? `${target.title} has no such tool`
  const isLimited = entry.rules.some(({ pattern }) => pattern !== null)
  return isLimited ? `${target.title} cannot limit the tool to a part of it` : `${target.title} cannot grant it alone`
}

function wantsEachTool(target: Harness, entry: AccessEntry): boolean {
  const list = target.access.layers.find(({ codec }) => codec === 'allow-list')
  return (
    list?.mcpNames?.includes('server') === false &&
    entry.rules.some(({ tools }) => tools.some((one) => mcpServerOf(one) !== null))
  )
}

/** As the harness file tells it, and as the prompt is told. */
function saidReason(target: Harness, entry: AccessEntry): string | null {
  const reasons = entry.rules.flatMap(({ tools }) => tools).map((tool) => reasonFor(target, tool))
  return reasons.find((reason) => reason !== null) ?? null
}

/** The target's words for what was granted. */
function unitNames(target: Harness, tools: readonly string[]): string[] {
  return Object.entries(target.units)
    .filter(
      ([, { grants, alias, gone }]) =>
        alias === undefined && gone !== true && grants.some((one) => tools.includes(one)),
    )
    .map(([name]) => name)
}
