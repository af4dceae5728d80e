/** What an expression is worth for given data. Only own properties of plain data are seen, and nothing is ever called. */
import type { Comparison, Expression } from './syntax.ts'

/** The data, and around a list its items: inner ones come last, and are looked at first. */
export type Scopes = readonly Scope[]

export interface Scope {
  readonly value: unknown
  /** Where in the list the item stands. */
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

/** Unknown, empty, zero and "" are not true. */
export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (typeof value === 'function' || typeof value === 'symbol') return false
  return Boolean(value)
}

/** Whatever is compared with something unknown: the answer is no, unless it is asked for by its name. */
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

/** A list is as large as the number of its items. */
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

function positionIn(scope: Scope | undefined, word: string): unknown {
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
