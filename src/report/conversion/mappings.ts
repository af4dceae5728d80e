/** What became of an agent's fields, tools, skills and prompt: a row for each, with remarks, and no secrets. */

import type { Json } from '../../model/agent.ts'
import type { Conversion, Feature, Outcome } from '../../model/conversion.ts'
import { allValues, type Block, badge, type Inline, listOf, paragraph, type Tone, table, value } from '../document.ts'
import { cut, oneLine, quote } from '../layout.ts'

type FieldStatus = 'mapped' | 'embedded' | 'comment' | 'config' | 'partial' | 'inlined' | 'gap'
type ToolStatus = 'direct' | 'partial' | 'gap'

export interface MappingRow {
  readonly feature: string
  readonly from: string
  /** Null: nothing. */
  readonly to: string | null
  readonly status: FieldStatus | ToolStatus
}

export function fieldRows(conversion: Conversion): MappingRow[] {
  const fields = inArea(conversion, 'fields')
  const rows = fields.map((one) => listRow(conversion, mappingRow(one, fieldStatus(conversion, one))))
  const isNamed = fields.some(({ from, feature }) => feature === 'name' || from === conversion.name)
  const { name, target } = conversion
  // A file without a name key still has a name.
  return isNamed ? rows : [{ feature: 'name', from: name, to: target.name, status: 'embedded' }, ...rows]
}

/** `rows` may be a subset. */
export function fieldBlocks(conversion: Conversion, rows: readonly MappingRow[]): Block[] {
  return [...mappingTable(['Field', 'Source Value', 'Target Value', 'Status'], rows), ...remarks(conversion, 'fields')]
}

export function toolBlocks(conversion: Conversion): Block[] {
  const rows = inArea(conversion, 'tools').map((one) => mappingRow(one, toolStatus(one.outcome)))
  return [...mappingTable(['Source Tool', 'Target Tool', 'Status'], rows), ...remarks(conversion, 'tools')]
}

export function skillBlocks(conversion: Conversion): Block[] {
  const rows = inArea(conversion, 'skills').map((one) => mappingRow(one, skillStatus(one)))
  return [...mappingTable(['Skill', 'Target', 'Status'], rows), ...remarks(conversion, 'skills')]
}

export function bodyBlocks(conversion: Conversion): Block[] {
  const rows = inArea(conversion, 'body').map((one) => [
    patternText(one.feature),
    String(one.occurrences ?? 1),
    bodyAction(one),
  ])
  return [
    ...table(['Pattern', 'Occurrences', 'Action'], rows),
    ...remarks(conversion, 'body'),
    ...changedLines(conversion),
  ]
}

const tones: Readonly<Record<MappingRow['status'], Tone>> = {
  mapped: 'good',
  direct: 'good',
  embedded: 'warning',
  comment: 'warning',
  config: 'warning',
  partial: 'warning',
  inlined: 'warning',
  gap: 'bad',
}

/** With four columns, one is for the source value. */
function mappingTable(columns: readonly string[], rows: readonly MappingRow[]): Block[] {
  return table(
    columns,
    rows.map(({ feature, from, to, status }) => [
      value(feature),
      ...(columns.length === 4 ? [value(from)] : []),
      to === null ? 'N/A' : value(to),
      badge(tones[status], status),
    ]),
  )
}

/** A remark about several features is printed once. */
function remarks(conversion: Conversion, area: Feature['area']): Block[] {
  const features = new Map<string, string[]>()
  for (const { feature, note } of inArea(conversion, area))
    if (note !== undefined) features.set(note, [...(features.get(note) ?? []), feature])
  return listOf([...features].map(([note, names]) => [allValues(names), ': ', oneLine(note)]))
}

const LINES_SHOWN = 20

/** The lines of the source in which the prompt was changed. */
function changedLines({ edits }: Conversion): Block[] {
  const lines = [...new Set(edits.map(({ line }) => line))].sort((a, b) => a - b)
  if (lines.length === 0) return []
  const rest = lines.length > LINES_SHOWN ? ` and ${lines.length - LINES_SHOWN} more` : ''
  return [paragraph(`Changed lines of the source: ${lines.slice(0, LINES_SHOWN).join(', ')}${rest}.`)]
}

/** "Tool name: `Read`" */
function patternText(feature: string): Inline {
  const [, prefix = '', name = ''] = /^([a-z]+): (.+)$/s.exec(feature) ?? []
  const kind = Object.hasOwn(patternKinds, prefix) ? patternKinds[prefix] : undefined
  return kind === undefined ? value(feature) : [`${kind}: `, value(name)]
}

/** A list of tools is shown as one, if it is the only one. */
function listRow(conversion: Conversion, row: MappingRow): MappingRow {
  const isList = ({ area, feature, from }: Feature) => area === 'fields' && from === feature
  const lists = conversion.features.filter(isList)
  const tools = inArea(conversion, 'tools')
  if (lists.length !== 1 || lists[0]?.feature !== row.feature || tools.length === 0) return row
  const targets = [...new Set(tools.flatMap(({ to }) => to ?? []))].join(', ')
  const to = row.to === null || targets === '' ? row.to : `${row.to}: ${targets}`
  return { ...row, from: tools.map(({ feature }) => feature).join(', '), to }
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

function mappingRow({ feature, from, to }: Feature, status: MappingRow['status']): MappingRow {
  return { feature, from: redactText(from ?? feature), to: to === null ? null : redactText(to), status }
}

/** Places other than a key, as the converter names them. */
const places = new Set(['filename', 'config-key', 'body', 'presence'])

function fieldStatus({ config, features }: Conversion, { feature, outcome, to }: Feature): FieldStatus {
  if (outcome === 'todo' || outcome === 'omitted') return 'gap'
  const isInlined = features.some((one) => one.area === 'skills' && one.to === 'inlined')
  if (feature === 'skills' && to === null && isInlined) return 'inlined'
  if (to?.startsWith('comment in ')) return 'comment'
  if (to !== null && config.some(({ path }) => to.startsWith(`${path}: `))) return 'config'
  if (to !== null && places.has(to)) return 'embedded'
  return outcome === 'direct' ? 'mapped' : 'partial'
}

function skillStatus({ outcome, to }: Feature): FieldStatus {
  if (outcome === 'todo' || outcome === 'omitted') return 'gap'
  if (to === 'inlined') return 'inlined'
  return outcome === 'direct' ? 'mapped' : 'partial'
}

function toolStatus(outcome: Outcome): ToolStatus {
  if (outcome === 'direct') return 'direct'
  return outcome === 'workaround' ? 'partial' : 'gap'
}

function bodyAction({ outcome, from, to }: Feature): string {
  const isSame = from !== null && from === to
  if (outcome === 'omitted') return 'No equivalent; left out'
  if (outcome === 'todo') return to === null ? 'TODO comment' : `Replaced with ${quote(to)} and a TODO comment`
  if (to === null || isSame) return outcome === 'direct' ? 'Kept as it is' : 'Kept, but it means something else'
  return `Replaced with ${quote(to)}`
}

/** Values that must not be in a report: those of an environment or a header in a configuration. */
const SECRET =
  /^(?:env|environment|headers|[a-z_]*_headers|oauth|auth|authorization|.*(?:token|secret|password|api[_-]?key).*)$/i
const REDACTED = '(not shown)'

/** The value with its shape, long texts cut, and no secrets. */
export function redactValue(value: Json, isSecret = false): Json {
  if (typeof value === 'string') return isSecret && !isReference(value) ? REDACTED : cut(oneLine(value), 160)
  if (typeof value !== 'object' || value === null) return isSecret && value !== null ? REDACTED : value
  if (Array.isArray(value)) return value.map((one: Json) => redactValue(one, isSecret))
  const entries = Object.entries(value).map(([key, inner]): [string, Json] => [
    cut(oneLine(key), 80),
    redactValue(inner, isSecret || SECRET.test(key)),
  ])
  return Object.fromEntries(entries)
}

/** `${TOKEN}`, `{env:TOKEN}`, `$TOKEN`: the name of a secret is not secret. */
function isReference(value: string): boolean {
  return /^(?:Bearer )?(?:\$\w+|\$?\{[\w:]+\})$/.test(value)
}

const TEXT = '"(?:[^"\\\\]|\\\\.)*(?:"|$)'
const FLAT = `\\{(?:[^"{}]|${TEXT})*\\}?`
/** A JSON value, two objects deep, or the rest of one that was cut. */
const VALUE = new RegExp(`\\{(?:[^"{}]|${TEXT}|${FLAT})*\\}?|\\[(?:[^"\\]]|${TEXT})*\\]?|${TEXT}|[^,}\\]]*`, 'y')

/** The same in a text that may be the beginning of JSON. */
export function redactText(text: string): string {
  let shown = ''
  let at = 0
  for (const { 0: lead, 1: key = '', index } of text.matchAll(/"([\w-]+)"\s*:\s*/g)) {
    if (index < at || !SECRET.test(key)) continue
    VALUE.lastIndex = index + lead.length
    const value = VALUE.exec(text)?.[0] ?? ''
    shown += text.slice(at, index) + lead + REDACTED
    at = index + lead.length + value.length
  }
  return shown + text.slice(at)
}
