/** What was decided about one agent, row by row and in words: the same for every report that shows it. */

import type { Action } from '../../model/access/rules.ts'
import type { AccessReport, CapabilityChange, Conversion, Feature, Outcome } from '../../model/conversion.ts'
import { oneLine } from '../layout.ts'
import { quote, redactText, sentence } from '../prose.ts'
import { refusalOf } from './refusals.ts'
import { isConverted } from './run.ts'

type FieldStatus = 'mapped' | 'embedded' | 'comment' | 'config' | 'partial' | 'inlined' | 'gap'
type ToolStatus = 'direct' | 'partial' | 'gap'

export interface MappingRow<S extends string> {
  readonly feature: string
  readonly from: string
  /** Null: nothing. */
  readonly to: string | null
  readonly status: S
}

interface BodyRow {
  /** "Tool name", "Path": null where the kind has no name. */
  readonly kind: string | null
  readonly name: string
  readonly occurrences: number
  /** A sentence that quotes. */
  readonly action: string
}

export function fieldRows(conversion: Conversion): MappingRow<FieldStatus>[] {
  const fields = inArea(conversion, 'fields')
  const rows = fields.map((one) => listRow(conversion, mappingRow(one, fieldStatus(conversion, one))))
  const isNamed = fields.some(({ from, feature }) => feature === 'name' || from === conversion.name)
  const { name, target } = conversion
  // A file that says no name still has one.
  return isNamed ? rows : [{ feature: 'name', from: name, to: target.name, status: 'embedded' }, ...rows]
}

/** A list of tools is shown as one, where it is the only one. */
function listRow(conversion: Conversion, row: MappingRow<FieldStatus>): MappingRow<FieldStatus> {
  const isList = ({ area, feature, from }: Feature) => area === 'fields' && from === feature
  const lists = conversion.features.filter(isList)
  const tools = inArea(conversion, 'tools')
  if (lists.length !== 1 || lists[0]?.feature !== row.feature || tools.length === 0) return row
  const targets = [...new Set(tools.flatMap(({ to }) => to ?? []))].join(', ')
  const to = row.to === null || targets === '' ? row.to : `${row.to}: ${targets}`
  return { ...row, from: tools.map(({ feature }) => feature).join(', '), to }
}

export function toolRows(conversion: Conversion): MappingRow<ToolStatus>[] {
  return inArea(conversion, 'tools').map((one) => mappingRow(one, toolStatus(one.outcome)))
}

export function skillRows(conversion: Conversion): MappingRow<FieldStatus>[] {
  return inArea(conversion, 'skills').map((one) => mappingRow(one, skillStatus(one)))
}

export function bodyRows(conversion: Conversion): BodyRow[] {
  return inArea(conversion, 'body').map((one) => {
    const [, prefix, name] = /^([a-z]+): (.+)$/s.exec(one.feature) ?? []
    const kind = prefix === undefined ? undefined : patternKinds[prefix]
    return {
      kind: kind ?? null,
      name: kind === undefined || name === undefined ? one.feature : name,
      occurrences: one.occurrences ?? 1,
      action: bodyAction(one),
    }
  })
}

const patternKinds: Readonly<Record<string, string>> = {
  tool: 'Tool name',
  model: 'Model reference',
  path: 'Path',
  skill: 'Skill reference',
  agent: 'Agent name',
  argument: 'Argument',
  harness: 'Harness name',
  permission: 'Permission',
}

function inArea({ features }: Conversion, area: Feature['area']): Feature[] {
  return features.filter((one) => one.area === area)
}

function mappingRow<S extends string>({ feature, from, to }: Feature, status: S): MappingRow<S> {
  return { feature, from: redactText(from ?? feature), to: to === null ? null : redactText(to), status }
}

/** Places other than a key, as the converter names them. */
const places = new Set(['filename', 'config-key', 'body', 'presence'])

function fieldStatus({ config, features }: Conversion, { feature, outcome, to }: Feature): FieldStatus {
  if (outcome === 'todo' || outcome === 'omitted') return 'gap'
  const isInlined = features.some((one) => one.area === 'skills' && one.to === 'written out')
  if (feature === 'skills' && to === null && isInlined) return 'inlined'
  if (to?.startsWith('comment in ')) return 'comment'
  if (to !== null && config.some(({ path }) => to.startsWith(`${path}: `))) return 'config'
  if (to !== null && places.has(to)) return 'embedded'
  return outcome === 'direct' ? 'mapped' : 'partial'
}

function skillStatus({ outcome, to }: Feature): FieldStatus {
  if (outcome === 'todo' || outcome === 'omitted') return 'gap'
  if (to === 'written out') return 'inlined'
  return outcome === 'direct' ? 'mapped' : 'partial'
}

function toolStatus(outcome: Outcome): ToolStatus {
  if (outcome === 'direct') return 'direct'
  return outcome === 'workaround' ? 'partial' : 'gap'
}

function bodyAction({ outcome, from, to }: Feature): string {
  const isSame = from !== null && from === to
  if (outcome === 'omitted') return 'No equivalent, and nothing in its place'
  if (outcome === 'todo') return to === null ? 'TODO comment' : `Replaced with ${quote(to)} and a TODO comment`
  if (to === null || isSame) return outcome === 'direct' ? 'Kept as it is' : 'Kept, with another meaning'
  return `Replaced with ${quote(to)}`
}

/** What is to be said about several features, once. */
export interface Remark {
  readonly features: readonly string[]
  readonly note: string
}

export function remarksOf(conversion: Conversion, ...areas: readonly Feature['area'][]): Remark[] {
  const remarks = new Map<string, string[]>()
  for (const { area, feature, note } of conversion.features) {
    if (note === undefined || !areas.includes(area)) continue
    remarks.set(note, [...(remarks.get(note) ?? []), feature])
  }
  return [...remarks].map(([note, features]) => ({ features, note: oneLine(note) }))
}

/** In which lines of the source the prompt was changed, of which at most so many are named; null: in none. */
export function changedLines({ edits }: Conversion, most: number): string | null {
  const lines = [...new Set(edits.map(({ line }) => line))].sort((a, b) => a - b)
  if (lines.length === 0) return null
  const rest = lines.length > most ? ` and ${lines.length - most} more` : ''
  return `Changed in the source's lines ${lines.slice(0, most).join(', ')}${rest}.`
}

/** What became of settings; the place follows. */
export function setWords(conversion: Conversion): string {
  if (!isConverted(conversion)) return 'Would have been set in'
  return conversion.status === 'planned' ? 'Will be set in' : 'Set in'
}

/** Why it was not written, and what to do; null: it was. */
export function refusalSentences(conversion: Conversion): string | null {
  const refusal = refusalOf(conversion)
  return refusal === null ? null : `Not written. ${sentence(refusal.message)} ${refusal.hint ?? ''}`
}

/** All but the one that says why it was not written. */
export function otherDiagnostics(conversion: Conversion): Conversion['diagnostics'] {
  const told = refusalOf(conversion)?.message
  return conversion.diagnostics.filter(({ message }) => message !== told)
}

/** What an agent may do before and after, in words. */
export const actionWords: Readonly<Record<Action, string>> = {
  allow: 'allowed',
  offer: 'offered',
  ask: 'asks',
  deny: 'denied',
}

/** What the words mean, for people who see them for the first time. */
export const actionLegend =
  'Allowed: done without a question; offered: there, and the mode of the harness decides about asking; asks: a person is asked each time; denied: not done.'

export const enforcedWords: Readonly<Record<AccessReport['enforced'], string>> = {
  observed: 'the target holds to it: observed by running it',
  claimed: 'the target holds to it, as far as its documentation says',
  no: 'the target does not hold to it',
}

export interface CapabilityRow {
  readonly capability: string
  readonly before: Action | null
  readonly after: Action | null
  readonly change: ChangeKind | null
}

export const changeKinds = ['widened', 'unasked', 'narrowed'] as const
export type ChangeKind = (typeof changeKinds)[number]

export const changeTitles: Readonly<Record<ChangeKind, string>> = {
  widened: 'Widened: more than before',
  unasked: 'Unasked: the same, but nobody is asked any more',
  narrowed: 'Narrowed: less than before',
}

export function capabilityRows(access: AccessReport): CapabilityRow[] {
  const capabilities = new Set([...Object.keys(access.before), ...Object.keys(access.after)])
  return [...capabilities].map((capability) => ({
    capability,
    before: access.before[capability] ?? null,
    after: access.after[capability] ?? null,
    change: changeKinds.find((kind) => access[kind].some((one) => one.capability === capability)) ?? null,
  }))
}

/** Changes of the same kind and cause. */
interface ChangeGroup {
  readonly before: Action
  readonly after: Action
  readonly why: string | null
  /** `shell`, or `shell: git push*` where only some calls changed. */
  readonly calls: readonly string[]
}

export function groupChanges(kind: ChangeKind, changes: readonly CapabilityChange[]): ChangeGroup[] {
  const groups = new Map<string, { before: Action; after: Action; why: string | null; calls: string[] }>()
  for (const change of changes) {
    const { capability, pattern, before, after } = change
    const why = change.why ?? sharedSwitch(kind, before)
    const key = `${before} ${after} ${why}`
    const group = groups.get(key) ?? { before, after, why, calls: [] }
    group.calls.push(oneLine(pattern === null ? capability : `${capability}: ${pattern}`))
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** Something denied counts as unasked only where it comes with a switch that the agent had on before. */
function sharedSwitch(kind: ChangeKind, before: Action): string | null {
  return kind === 'unasked' && before === 'deny'
    ? 'the target has one switch for this and for something of the same power that the agent had before'
    : null
}
