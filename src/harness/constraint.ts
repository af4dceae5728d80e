/** What a value must look like to be accepted under a key, by what the harness file says of it. */
import { get } from '../text/data.ts'
import type { DataNode } from '../text/tree.ts'
import type { Each, Harness } from './schema/harness.ts'
import { jsonOf } from './values.ts'

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

/** What the value should have been; null when it is fine. */
export function violation(spec: Constraint, node: DataNode): string | null {
  const { shape } = spec
  if (shape !== undefined && !shape.some((one) => hasShape(one, node))) return listOf(shape.map(shapeWord))
  if (node.kind !== 'scalar') return outerViolation(spec, node) ?? innerViolation(spec.each, node)
  const { value } = node
  if (typeof value === 'string' && spec.pattern !== undefined && !new RegExp(spec.pattern, 'u').test(value)) {
    return spec.expects ?? `of the form ${spec.pattern}`
  }
  if (typeof value === 'number' && spec.min !== undefined && value < spec.min) return `at least ${spec.min}`
  if (typeof value === 'number' && spec.above !== undefined && value <= spec.above) return `more than ${spec.above}`
  return null
}

/** A text that is none of those that mean something. */
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
    return unique === true && different.size < node.items.length ? 'a list without doubles' : null
  }
  if (needs !== undefined && !needs.some((some) => hasKeys(node, some))) {
    return `a map with ${listOf(needs.map((some) => some.join(', ')))}`
  }
  const strange = node.entries.find(({ key }) => keys !== undefined && !keys.includes(key))
  return strange === undefined ? null : `a map without \`${strange.key}\`, which is not known there`
}

/** What all items of a list, or values of a map, should have been. */
function innerViolation(each: Each | undefined, node: DataNode): string | null {
  if (each === undefined || node.kind === 'scalar') return null
  const inner = node.kind === 'list' ? node.items : node.entries.map(({ value }) => value)
  const { shape, needs, pattern, expects } = each
  if (shape !== undefined && !inner.every((one) => shape.some((word) => hasShape(word, one)))) {
    return `${shapeWord(node.kind)} in which everything is ${listOf(shape.map(shapeWord))}`
  }
  if (needs !== undefined && !inner.every((one) => needs.some((keys) => hasKeys(one, keys)))) {
    return `${shapeWord(node.kind)} in which everything has ${listOf(needs.map((keys) => keys.join(', ')))}`
  }
  if (pattern !== undefined && !inner.every((one) => isOfForm(pattern, one))) {
    return `${shapeWord(node.kind)} in which everything is ${expects ?? `of the form ${pattern}`}`
  }
  return inner.map((one) => innerViolation(each.each, one)).find((problem) => problem !== null) ?? null
}

function isOfForm(pattern: string, node: DataNode): boolean {
  return node.kind !== 'scalar' || typeof node.value !== 'string' || new RegExp(pattern, 'u').test(node.value)
}

function hasKeys(node: DataNode, keys: readonly string[]): boolean {
  return keys.every((key) => get(node, [key]) !== undefined)
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
      // No dialect takes "not a number" for one.
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
