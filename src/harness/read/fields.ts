/** Fields of a definition: which key means which concept, how values are typed, and what they must look like. */

import { type DataNode, getNode, isJsonObject, jsonOf, type MapNode, setOwn } from '../../formats/data.ts'
import {
  type Agent,
  type Concept,
  type ConceptType,
  concepts,
  type ExtraKey,
  type Json,
  type Sourced,
} from '../../model/agent.ts'
import { harnessKeys } from '../keys.ts'
import type { Each, FieldSpec, Harness } from '../schema/harness.ts'
import { cutList } from './tool-list.ts'

/** The neutral value; undefined if the text has no value of this type. */
export function conceptValue(type: ConceptType, spec: FieldSpec, node: DataNode): Json | undefined {
  const value = typedValue(type, node)
  if (value === undefined) return undefined
  if (spec.servers?.named !== undefined) return serversByName(spec.servers, value)
  if (spec.negated && typeof value === 'boolean') return !value
  for (const [neutral, native] of Object.entries(spec.map ?? {})) if (String(native) === String(value)) return neutral
  return value
}

/** A list of servers as a map; what stands for the harness's own tools is none. */
function serversByName({ named = '', own }: NonNullable<FieldSpec['servers']>, value: Json): Json {
  if (!Array.isArray(value)) return value
  const servers: Record<string, Json> = {}
  for (const one of value) {
    if (!isJsonObject(one) || typeof one[named] !== 'string') return value
    const { [named]: name, ...settings } = one
    if (!own.includes(String(one.type))) setOwn(servers, String(name), settings)
  }
  return servers
}

function typedValue(type: ConceptType, node: DataNode): Json | undefined {
  switch (type) {
    case 'text':
      return scalarText(node)
    case 'number':
      return number(node)
    case 'flag':
      return flag(node)
    case 'words':
      return words(node)
    case 'model':
      return node.kind === 'list' ? words(node) : scalarText(node)
    case 'data':
      return jsonOf(node)
  }
}

function scalarText(node: DataNode): string | undefined {
  return node.kind === 'scalar' && node.value !== null ? String(node.value) : undefined
}

function number(node: DataNode): number | undefined {
  if (node.kind !== 'scalar') return undefined
  if (typeof node.value === 'number') return node.value
  if (typeof node.value !== 'string' || node.value.trim() === '') return undefined
  const value = Number(node.value)
  return Number.isFinite(value) ? value : undefined
}

function flag(node: DataNode): boolean | undefined {
  if (node.kind !== 'scalar') return undefined
  if (node.value === true || node.value === 'true') return true
  if (node.value === false || node.value === 'false') return false
  return undefined
}

function words(node: DataNode): string[] | undefined {
  if (node.kind === 'map') return undefined
  if (node.kind === 'scalar') {
    return node.value === null ? [] : cutList(String(node.value)).map(({ text }) => text)
  }
  const texts = node.items.map(scalarText)
  return texts.every((text) => text !== undefined) ? texts : undefined
}

/** What a value under a key must look like, according to the harness file. */
export type Constraint = Pick<
  Harness['nativeKeys'][string],
  | 'shape'
  | 'each'
  | 'keys'
  | 'needs'
  | 'values'
  | 'pattern'
  | 'expects'
  | 'min'
  | 'above'
  | 'unique'
  | 'invalid'
  | 'unknownValue'
  | 'blank'
>

/** What the value should have been; null if it is valid. */
export function violation(spec: Constraint, node: DataNode): string | null {
  const { shape } = spec
  if (shape !== undefined && !shape.some((one) => hasShape(one, node))) return listOf(shape.map(shapeWord))
  if (node.kind !== 'scalar') return outerViolation(spec, node) ?? innerViolation(spec.each, node)
  const { value } = node
  if (typeof value === 'string' && spec.pattern !== undefined && !patternOf(spec.pattern).test(value)) {
    return spec.expects ?? `of the form ${spec.pattern}`
  }
  if (typeof value === 'number' && spec.min !== undefined && value < spec.min) return `at least ${spec.min}`
  if (typeof value === 'number' && spec.above !== undefined && value <= spec.above) return `more than ${spec.above}`
  return null
}

/** A text that is not one of the known values. */
export function otherValue(values: readonly string[] | undefined, node: DataNode): string | null {
  if (values === undefined || node.kind !== 'scalar' || typeof node.value !== 'string') return null
  return values.includes(node.value) ? null : `one of ${values.join(', ')}`
}

/** What a list or a map as a whole should have been. */
function outerViolation(
  { min, unique, keys, needs }: Constraint,
  node: Exclude<DataNode, { kind: 'scalar' }>,
): string | null {
  if (node.kind === 'list') {
    if (min !== undefined && node.items.length < min) return `a list with at least ${min} item${min > 1 ? 's' : ''}`
    const different = new Set(node.items.map((item) => JSON.stringify(jsonOf(item))))
    return unique === true && different.size < node.items.length ? 'a list without duplicates' : null
  }
  if (needs !== undefined && !needs.some((some) => hasKeys(node, some))) {
    return `a map with ${listOf(needs.map((some) => some.join(', ')))}`
  }
  const strange = node.entries.find(({ key }) => keys !== undefined && !keys.includes(key))
  return strange === undefined ? null : `a map without the unknown key \`${strange.key}\``
}

/** What all items of a list, or values of a map, should have been. */
function innerViolation(each: Each | undefined, node: DataNode): string | null {
  if (each === undefined || node.kind === 'scalar') return null
  const inner = node.kind === 'list' ? node.items : node.entries.map(({ value }) => value)
  const { shape, needs, pattern, expects } = each
  if (shape !== undefined && !inner.every((one) => shape.some((word) => hasShape(word, one)))) {
    return `${shapeWord(node.kind)} in which every value is ${listOf(shape.map(shapeWord))}`
  }
  if (needs !== undefined && !inner.every((one) => needs.some((keys) => hasKeys(one, keys)))) {
    return `${shapeWord(node.kind)} in which every value has ${listOf(needs.map((keys) => keys.join(', ')))}`
  }
  if (pattern !== undefined && !inner.every((one) => isOfForm(pattern, one))) {
    return `${shapeWord(node.kind)} in which every value is ${expects ?? `of the form ${pattern}`}`
  }
  return inner.map((one) => innerViolation(each.each, one)).find((problem) => problem !== null) ?? null
}

function isOfForm(pattern: string, node: DataNode): boolean {
  return node.kind !== 'scalar' || typeof node.value !== 'string' || patternOf(pattern).test(node.value)
}

const patterns = new Map<string, RegExp>()

/** Harness files have few patterns, and every value is compared with them. */
export function patternOf(pattern: string): RegExp {
  let found = patterns.get(pattern)
  if (found === undefined) {
    found = new RegExp(pattern, 'u')
    patterns.set(pattern, found)
  }
  return found
}

function hasKeys(node: DataNode, keys: readonly string[]): boolean {
  return keys.every((key) => getNode(node, [key]) !== undefined)
}

type Shape = NonNullable<Constraint['shape']>[number]

function hasShape(shape: Shape, node: DataNode): boolean {
  if (node.kind !== 'scalar') return shape === node.kind
  switch (shape) {
    case 'null':
      return node.value === null
    case 'integer':
      return Number.isInteger(node.value) || typeof node.value === 'bigint'
    case 'number':
      // No dialect accepts NaN as a number.
      return typeof node.value === 'number' && !Number.isNaN(node.value)
    case 'string':
    case 'boolean':
      return typeof node.value === shape
    default:
      return false
  }
}

export function shapeWord(shape: Shape): string {
  const words: Record<Shape, string> = {
    string: 'text',
    number: 'a number',
    integer: 'a whole number',
    boolean: 'true or false',
    list: 'a list',
    map: 'a map of keys and values',
    null: 'empty',
  }
  return words[shape]
}

function listOf(words: readonly string[]): string {
  return words.join(' or ')
}

export function readFields(
  harness: Harness,
  map: MapNode | null,
): { fields: Agent['fields']; understood: Set<string> } {
  const found = new Map<Concept, { readonly as: FieldKey; readonly field: Sourced<Json> }>()
  const understood = new Set<string>()
  const index = fieldIndex(harness)
  for (const { key: top, value: node } of map?.entries ?? []) {
    for (const as of index.get(top) ?? []) {
      const { concept, spec, key, inside, rank } = as
      const inner = inside.length === 0 ? node : getNode(node, inside)
      const known = found.get(concept)
      // An older spelling yields to the current one; of a repeated key the last one counts.
      if (inner === undefined || (known !== undefined && known.as.rank < rank)) continue
      const value = conceptValue(concepts[concept].type, spec, inner)
      if (value === undefined) continue
      found.set(concept, { as, field: { value, key, range: inner.range } })
      understood.add(top)
    }
  }
  const fields: {
    [C in Concept]?: Sourced<Json>
  } = {}
  for (const { as, field } of [...found.values()].sort((a, b) => a.as.place - b.as.place)) fields[as.concept] = field
  return { fields: fields as Agent['fields'], understood }
}

interface FieldKey {
  readonly concept: Concept
  readonly spec: FieldSpec
  /** As spelled in the harness file, and its steps inside the first key. */
  readonly key: string
  readonly inside: readonly string[]
  /** Zero: the current spelling. */
  readonly rank: number
  /** The position of the concept in the harness file. */
  readonly place: number
}

const fieldIndexes = new WeakMap<Harness, ReadonlyMap<string, readonly FieldKey[]>>()

/** By the first key of each spelling: files have few keys, and harness files define many. */
function fieldIndex(harness: Harness): ReadonlyMap<string, readonly FieldKey[]> {
  let index = fieldIndexes.get(harness)
  if (index === undefined) {
    const keys = new Map<string, FieldKey[]>()
    const fields = Object.entries(harness.fields) as [Concept, Harness['fields'][Concept]][]
    for (const [place, [concept, spec]] of fields.entries()) {
      if (spec === null || spec === undefined) continue
      for (const [rank, key] of [spec.key, ...(spec.aliases ?? [])].entries()) {
        if (key === undefined) continue
        const [top = key, ...inside] = key.split('.')
        keys.set(top, [...(keys.get(top) ?? []), { concept, spec, key, inside, rank, place }])
      }
    }
    index = keys
    fieldIndexes.set(harness, index)
  }
  return index
}

export function extraKeys(harness: Harness, map: MapNode | null, understood: ReadonlySet<string>): ExtraKey[] {
  const known = harnessKeys(harness)
  return (map?.entries ?? [])
    .filter(({ key }) => !understood.has(key))
    .map(({ key, value, keyRange }) => {
      const isKnown = known.has(key)
      const fits = isKnown && violation(harness.nativeKeys[key] ?? {}, value) === null
      return { key, value: jsonOf(value), range: keyRange, known: isKnown, fits }
    })
}
