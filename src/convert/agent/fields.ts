/** Stage 2, fields: maps every field by what the target's harness file defines for its concept. */
import type { Harness } from '../../harness/schema/harness.ts'
import { nativeValue } from '../../harness/write/fields.ts'
import type { Concept, Json, Sourced } from '../../model/agent.ts'
import type { Outcome } from '../../model/conversion.ts'
import { shortValue } from './keys.ts'
import { type MapFieldsInput, type MappedField, mapExtraKey, mapField } from './map-field.ts'
import type { ConfigSetting, WrittenField } from './output.ts'
import { lineOf, type Source } from './source.ts'

/** The outcome of a field, as claimed until reading the file back confirms it. */
export interface FieldClaim {
  readonly feature: string
  readonly concept: Concept | null
  readonly outcome: Outcome
  readonly from: string
  readonly to: string | null
  readonly line: number | null
  readonly note: string | undefined
  /** It has the same meaning under another word, which reading back alone could not show. */
  readonly isCertain: boolean
}

export interface MappedFields {
  readonly written: readonly WrittenField[]
  readonly settings: readonly ConfigSetting[]
  /** For the top of the prompt. */
  readonly comments: readonly string[]
  readonly claims: readonly FieldClaim[]
}

export function mapFields(input: MapFieldsInput): MappedFields {
  const { source, target } = input
  const written: WrittenField[] = []
  const settings: ConfigSetting[] = []
  const comments: string[] = []
  const claims: FieldClaim[] = []
  const add = (feature: string, concept: Concept | null, from: Json, line: number | null, fare: MappedField) => {
    for (const { key, value } of fare.written ?? []) written.push({ key, value, concept })
    if (fare.settings !== undefined) settings.push(...fare.settings)
    if (fare.comment !== undefined) comments.push(fare.comment)
    const said = shortValue(from)
    const [first] = fare.written ?? []
    const to = fare.to ?? (first === undefined ? null : first.value === from ? said : shortValue(first.value))
    const { outcome, note, isCertain = false } = fare
    claims.push({ feature, concept, outcome, from: said, to, line, note, isCertain })
  }
  for (const concept of Object.keys(source.agent.fields) as Concept[]) {
    const field: Sourced<Json> | undefined = source.agent.fields[concept]
    // Skills are looked up on disk and have a stage of their own.
    if (concept === 'skills' || field === undefined) continue
    const line = lineOf(source, field.range)
    add(field.key ?? concept, concept, field.value, line, mapField(input, concept, field.value, line))
  }
  for (const extra of source.agent.extras) {
    const line = lineOf(source, extra.range)
    add(extra.key, null, extra.value, line, mapExtraKey(input, extra.key, extra.value, line))
  }
  written.push(...deriveFields(source, target, written))
  return { written: inOrder(target, written), settings, comments, claims }
}

const orders = new WeakMap<Harness, ReadonlyMap<string, number>>()

/** Labels first, then what the harness file lists, then the author's own keys. */
function inOrder(target: Harness, written: readonly WrittenField[]): readonly WrittenField[] {
  let order = orders.get(target)
  if (order === undefined) {
    const concepts = new Set(['displayName', 'description', 'mode', 'model', ...Object.keys(target.fields)])
    order = new Map([...concepts].map((concept, place) => [concept, place]))
    orders.set(target, order)
  }
  const place = ({ concept }: WrittenField) => (concept === null ? 100 : (order.get(concept) ?? 100))
  return [...written].sort((a, b) => place(a) - place(b))
}

/** What the target requires and the source does not define, derived from what it does. */
function deriveFields(source: Source, target: Harness, written: readonly WrittenField[]): WrittenField[] {
  const added: WrittenField[] = []
  const { mode } = target.fields
  const usual = source.harness.fields.mode?.default
  if (
    source.agent.fields.mode === undefined &&
    mode?.key !== undefined &&
    usual !== undefined &&
    usual !== mode.default
  ) {
    const value = nativeValue(mode, 'mode', usual)
    if (value !== undefined) added.push({ key: mode.key, value, concept: 'mode' })
  }
  for (const concept of ['displayName', 'description', 'role'] as const) {
    const spec = target.fields[concept]
    const isWanted = spec?.missing !== undefined && spec.missing !== 'accepted'
    const has = written.some((one) => one.concept === concept && String(one.value).trim() !== '')
    if (spec?.key === undefined || !isWanted || has) continue
    const said = concept === 'displayName' ? source.agent.name : shortDescription(source)
    const value = nativeValue(spec, concept, said)
    if (value !== undefined) added.push({ key: spec.key, value, concept })
  }
  return added
}

function shortDescription({ agent }: Source): string {
  const given = agent.fields.description?.value ?? agent.fields.role?.value ?? agent.fields.displayName?.value
  if (given !== undefined && given.trim() !== '') return given
  const lines = agent.prompt.text.split(/\r?\n/).map((line) => line.replace(/^[#>*\-\s]+/, '').trim())
  const first = lines.find((line) => /\p{L}/u.test(line)) ?? agent.name
  return first.length > 200 ? `${first.slice(0, 199)}…` : first
}
