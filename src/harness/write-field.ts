/** A concept's neutral value as a dialect writes it, where the dialect can hold it. */
import { type Concept, concepts, type Json } from '../model/agent.ts'
import { nodeOf } from '../text/data.ts'
import { otherValue, violation } from './constraint.ts'
import type { FieldSpec } from './schema/harness.ts'

/** The value for the file; undefined where the dialect has no word for it or would not accept it. */
export function nativeValue(spec: FieldSpec, concept: Concept, value: Json): Json | undefined {
  const native = shaped(spec, concept, spoken(spec, value))
  if (native === undefined) return undefined
  const node = nodeOf(native)
  return violation(spec, node) === null && otherValue(spec.values, node) === null ? native : undefined
}

function spoken(spec: FieldSpec, value: Json): Json | undefined {
  if (spec.negated && typeof value === 'boolean') return !value
  if (spec.map === undefined) return value
  return Object.hasOwn(spec.map, String(value)) ? spec.map[String(value)] : undefined
}

/** A list where lists are taken, otherwise its words in one text; a text where only a list is taken. */
function shaped(spec: FieldSpec, concept: Concept, value: Json | undefined): Json | undefined {
  const { shape } = spec
  if (value === undefined || shape === undefined) return value
  const type = concepts[concept].type
  if (Array.isArray(value) && !shape.includes('list')) {
    return type === 'words' && shape.includes('string') ? value.join(', ') : undefined
  }
  if (typeof value === 'string' && !shape.includes('string') && shape.includes('list')) return [value]
  return value
}
