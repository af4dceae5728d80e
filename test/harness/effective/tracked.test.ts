/** Merging as programs in JavaScript merge objects, with who said what. */
import { describe, expect, test } from 'vitest'
import {
  mergeTracked,
  plainData,
  type Tracked,
  type TrackedMap,
  trackData,
} from '../../../src/harness/effective/tracked.ts'
import type { Origin } from '../../../src/model/effective.ts'

const from = (path: string): Origin => ({ from: 'file', path, line: 1, column: 1 })
const layers = (...values: unknown[]): Tracked =>
  values.map((value, index) => trackData(value, from(`layer-${index}`))).reduce(mergeTracked)
const at = (tracked: Tracked, key: string) => (tracked as TrackedMap).entries[key] as Tracked

describe('merging', () => {
  test('a key keeps the place that the first layer gave it', () => {
    const merged = layers({ '*': 'ask', bash: 'deny' }, { read: 'deny', '*': 'allow' })
    expect(JSON.stringify(plainData(merged))).toBe('{"*":"allow","bash":"deny","read":"deny"}')
  })

  test('maps are merged, lists and values replaced, and a map over a value counts whole', () => {
    expect(plainData(layers({ a: { b: 1 }, c: [1, 2] }, { a: { d: 2 }, c: [3] }))).toEqual({
      a: { b: 1, d: 2 },
      c: [3],
    })
    expect(plainData(layers({ bash: 'deny' }, { bash: { 'git *': 'allow' } }))).toEqual({ bash: { 'git *': 'allow' } })
    expect(plainData(layers({ bash: { 'git *': 'allow' } }, { bash: 'deny' }))).toEqual({ bash: 'deny' })
  })

  test('names that are numbers come first, as in every object', () => {
    const merged = layers({ b: 1, 10: 1 }, { 9: 1 })
    expect(Object.keys((merged as TrackedMap).entries)).toEqual(['9', '10', 'b'])
  })

  test('keys with the names of methods are keys like others', () => {
    const merged = layers({ constructor: { a: 1 }, toString: 1 }, { constructor: { b: 2 } })
    expect(plainData(merged)).toEqual({ constructor: { a: 1, b: 2 }, toString: 1 })
  })

  test('every value remembers who said it, and whom it overruled', () => {
    const merged = layers({ model: 'a' }, { model: 'b', steps: 1 }, { model: 'c' })
    const model = at(merged, 'model')
    expect(model.origin.path).toBe('layer-2')
    expect(model.kind === 'value' && model.overruled.map(({ path }) => path)).toEqual(['layer-0', 'layer-1'])
    expect(at(merged, 'steps').origin.path).toBe('layer-1')
  })
})
