/** Stage 2, fields: every field by what the target's harness file says of its concept. */
import type { Harness } from '../harness/schema/harness.ts'
import type { Concept, Json, Sourced } from '../model/agent.ts'
import type { Outcome } from '../model/conversion.ts'
import { assumedFields } from './assumed-fields.ts'
import { extraFare, type Fare, type FieldsInput, fareOf } from './field-fares.ts'
import { lineOf } from './parse.ts'
import type { Setting } from './setting.ts'
import { shown } from './shown-value.ts'
import type { WrittenField } from './written-field.ts'

/** What is said of a field until reading the file back has confirmed it. */
export interface FieldClaim {
  readonly feature: string
  readonly concept: Concept | null
  readonly outcome: Outcome
  readonly from: string
  readonly to: string | null
  readonly line: number | null
  readonly note: string | undefined
  /** It is the same under another word, which reading back alone could not tell. */
  readonly isCertain: boolean
}

export interface Fields {
  readonly written: readonly WrittenField[]
  readonly settings: readonly Setting[]
  /** For the top of the prompt. */
  readonly comments: readonly string[]
  readonly claims: readonly FieldClaim[]
}

export function convertFields(input: FieldsInput): Fields {
  const { source, target } = input
  const written: WrittenField[] = []
  const settings: Setting[] = []
  const comments: string[] = []
  const claims: FieldClaim[] = []
  const add = (feature: string, concept: Concept | null, from: Json, line: number | null, fare: Fare) => {
    for (const { key, value } of fare.written ?? []) written.push({ key, value, concept })
    if (fare.settings !== undefined) settings.push(...fare.settings)
    if (fare.comment !== undefined) comments.push(fare.comment)
    const said = shown(from)
    const [first] = fare.written ?? []
    const to = fare.to ?? (first === undefined ? null : first.value === from ? said : shown(first.value))
    const { outcome, note, isCertain = false } = fare
    claims.push({ feature, concept, outcome, from: said, to, line, note, isCertain })
  }
  for (const concept of Object.keys(source.agent.fields) as Concept[]) {
    const field: Sourced<Json> | undefined = source.agent.fields[concept]
    // Skills are looked up on the disk and have a stage of their own.
    if (concept === 'skills' || field === undefined) continue
    const line = lineOf(source, field.range)
    add(field.key ?? concept, concept, field.value, line, fareOf(input, concept, field.value, line))
  }
  for (const extra of source.agent.extras) {
    const line = lineOf(source, extra.range)
    add(extra.key, null, extra.value, line, extraFare(input, extra.key, extra.value, line))
  }
  written.push(...assumedFields(source, target, written))
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
