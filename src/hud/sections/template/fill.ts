/** Fills a template with data. It always terminates, and never fails. */
import { MARK } from '../size.ts'
import { formatValue, valueFormats } from './formats.ts'
import type { Comparison, Expression, Formatting, Node, Template } from './syntax.ts'

/** Nested lists multiply: more than this is no longer a status. */
export const MOST_STEPS = 5000
const MOST_TEXT = 100_000
const MOST_ITEMS = 200

interface Filled {
  readonly text: string
  /** How many parts were processed. */
  readonly steps: number
}

export function fillTemplate(template: Template, data: unknown, most = MOST_STEPS): Filled {
  const work: FillState = { parts: [], length: 0, steps: 0, most }
  fill(template.nodes, [{ value: data }], work)
  // The reader should know that something is missing.
  if (isOver(work)) work.parts.push(`\n${MARK}`)
  return { text: work.parts.join(''), steps: work.steps }
}

interface FillState {
  readonly most: number
  readonly parts: string[]
  length: number
  steps: number
}

function fill(nodes: readonly Node[], scopes: Scopes, work: FillState): void {
  for (const node of nodes) {
    if (isOver(work)) return
    work.steps++
    if (node.kind === 'text') append(work, node.text)
    else if (node.kind === 'value') append(work, printed(evaluate(node.of, scopes), node.as))
    else if (node.kind === 'if') fill(chosen(node, scopes, work), scopes, work)
    else fillList(node, scopes, work)
  }
}

function isOver({ steps, length, most }: FillState): boolean {
  return steps >= most || length >= MOST_TEXT
}

function append(work: FillState, text: string): void {
  work.parts.push(text)
  work.length += text.length
}

function chosen(
  { branches, otherwise }: Extract<Node, { kind: 'if' }>,
  scopes: Scopes,
  work: FillState,
): readonly Node[] {
  for (const { condition, body } of branches) {
    if (isOver(work)) return []
    work.steps++
    if (isTrue(evaluate(condition, scopes))) return body
  }
  return otherwise
}

function fillList({ list, body, otherwise }: Extract<Node, { kind: 'each' }>, scopes: Scopes, work: FillState): void {
  const value = evaluate(list, scopes)
  const all = Array.isArray(value) ? value.length : 0
  const items = Array.isArray(value) ? value.slice(0, MOST_ITEMS) : []
  if (items.length === 0) fill(otherwise, scopes, work)
  for (const [index, item] of items.entries()) {
    if (isOver(work)) return
    work.steps++
    fill(body, [...scopes, { value: item, index, count: items.length }], work)
  }
  if (all > items.length) append(work, `${MARK} ${all - items.length} more\n`)
}

function printed(value: unknown, as: readonly Formatting[]): string {
  const [first, ...more] = as
  if (first === undefined) return formatValue(value)
  let text = valueFormats[first.name]?.(value, first.argument) ?? formatValue(value)
  for (const { name, argument } of more) text = valueFormats[name]?.(text, argument) ?? text
  return text
}

/** The data, and inside a list its items: inner ones come last, and are looked up first. */
type Scopes = readonly TemplateScope[]

interface TemplateScope {
  readonly value: unknown
  /** The index of the item in the list. */
  readonly index?: number
  readonly count?: number
}

/** Undefined: unknown. */
export function evaluate(expression: Expression, scopes: Scopes): unknown {
  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'path':
      return lookUp(expression.path, scopes)
    case 'not':
      return !isTrue(evaluate(expression.of, scopes))
    case 'and':
      return isTrue(evaluate(expression.left, scopes)) && isTrue(evaluate(expression.right, scopes))
    case 'or':
      return isTrue(evaluate(expression.left, scopes)) || isTrue(evaluate(expression.right, scopes))
    case 'compare':
      return compare(evaluate(expression.left, scopes), expression.by, evaluate(expression.right, scopes))
  }
}

/** Unknown, empty, zero and "" are false. */
export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (typeof value === 'function' || typeof value === 'symbol') return false
  return Boolean(value)
}

/** A comparison with an unknown value is false, unless it tests for the unknown by name. */
function compare(left: unknown, by: Comparison, right: unknown): boolean {
  const isUnknown = isAbsent(left) || isAbsent(right)
  if (by === '==') return isUnknown ? isAbsent(left) && isAbsent(right) : same(left, right)
  if (by === '!=') return isUnknown ? isAbsent(left) !== isAbsent(right) && isAbsent(right) : !same(left, right)
  const [a, b] = [numberOf(left), numberOf(right)]
  if (a === null || b === null) return false
  if (by === '<') return a < b
  if (by === '<=') return a <= b
  return by === '>' ? a > b : a >= b
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

function same(left: unknown, right: unknown): boolean {
  if (typeof left === typeof right) return left === right
  const [a, b] = [numberOf(left), numberOf(right)]
  return a !== null && a === b
}

/** A list counts as the number of its items. */
function numberOf(value: unknown): number | null {
  if (Array.isArray(value)) return value.length
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value.slice(0, 40))) return Number(value)
  return null
}

function lookUp([first = '', ...rest]: readonly string[], scopes: Scopes): unknown {
  const inner = scopes.at(-1)
  let value: unknown
  if (first === 'this') value = inner?.value
  else if (first.startsWith('@')) value = positionIn(inner, first)
  else {
    const holder = scopes.findLast((scope) => hasOwn(scope.value, first))
    value = holder === undefined ? undefined : ownValue(holder.value, first)
  }
  for (const step of rest) value = ownValue(value, step)
  return typeof value === 'function' || typeof value === 'symbol' ? undefined : value
}

function positionIn(scope: TemplateScope | undefined, word: string): unknown {
  if (scope?.index === undefined) return undefined
  if (word === '@index') return scope.index
  if (word === '@number') return scope.index + 1
  if (word === '@first') return scope.index === 0
  return word === '@last' ? scope.index + 1 === scope.count : undefined
}

function hasOwn(holder: unknown, key: string): boolean {
  return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, key)
}

/** Never through a getter: that would be a call. */
function ownValue(holder: unknown, key: string): unknown {
  if (typeof holder !== 'object' || holder === null) return undefined
  return Object.getOwnPropertyDescriptor(holder, key)?.value
}
