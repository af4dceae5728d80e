/** Patterns as sets, against arguments: what is claimed of all must hold for each. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contains, overlaps } from '../../src/model/access/pattern-sets.ts'
import {
  coversEverything,
  matchesPattern,
  plainPath,
  type Syntax,
  translatePattern,
  witnessOf,
} from '../../src/model/access/patterns.ts'
import { runs } from '../chance.ts'

const piece = fc.constantFrom(
  'a',
  'b',
  'ab',
  '/',
  '/',
  '*',
  '**',
  '?',
  ' ',
  ' *',
  '.',
  '..',
  './',
  '~',
  ':*',
  '\\',
  '[ab]',
  '1',
)
const text = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''))
const syntax = fc.constantFrom<Syntax>('names', 'wildcard', 'prefix', 'path')
const pattern = fc.record({ syntax, pattern: text })
/** Paths are compared with patterns for paths, and in their plain form. */
const pair = fc.oneof(
  fc.tuple(text, text).chain(([a, b]) => {
    const some = fc.constantFrom<Syntax>('path', 'wildcard')
    return fc.record({
      one: fc.record({ syntax: some, pattern: fc.constant(a) }),
      other: fc.record({ syntax: some, pattern: fc.constant(b) }),
    })
  }),
  fc
    .record({ one: pattern, other: pattern })
    .filter(({ one, other }) => one.syntax !== 'path' && other.syntax !== 'path'),
)
const isPlain = (argument: string) => plainPath(argument) === argument
const argument = fc
  .array(fc.constantFrom('a', 'b', '/', ' ', '.', '..', 'x', '*', ':', '~', 'ab', '1', 'c'), { maxLength: 7 })
  .map((pieces) => pieces.join(''))
  // As harnesses compare them.
  .map(plainPath)

const matches = (one: { syntax: Syntax; pattern: string }, of: string) => matchesPattern(one.syntax, one.pattern, of)

describe('patterns as sets', () => {
  test('what lies inside another is matched by it', () => {
    fc.assert(
      fc.property(pair, fc.array(argument, { minLength: 20, maxLength: 60 }), ({ one: outer, other: inner }, some) => {
        fc.pre(contains(outer, inner))
        const all = [...some, ...variants(inner.pattern)].filter(isPlain)
        expect(all.filter((one) => matches(inner, one) && !matches(outer, one))).toEqual([])
      }),
      { ...runs(500), maxSkipsPerRun: 1000 },
    )
  })

  test('what cannot meet has no argument in common', () => {
    fc.assert(
      fc.property(pair, fc.array(argument, { minLength: 20, maxLength: 60 }), ({ one: a, other: b }, some) => {
        fc.pre(!overlaps(a, b))
        const all = [...some, ...variants(a.pattern), ...variants(b.pattern)].filter(isPlain)
        expect(all.filter((one) => matches(a, one) && matches(b, one))).toEqual([])
      }),
      { ...runs(500), maxSkipsPerRun: 1000 },
    )
  })

  test('a pattern for everything matches every argument', () => {
    fc.assert(
      fc.property(pattern, argument, (one, any) => {
        fc.pre(coversEverything(one.syntax, one.pattern))
        expect(matches(one, any)).toBe(true)
      }),
      { ...runs(500), maxSkipsPerRun: 1000 },
    )
  })

  test('a witness of a wildcard is matched only by what covers it', () => {
    fc.assert(
      fc.property(text, text, (outer, inner) => {
        fc.pre(!outer.includes('?') && !inner.includes('?') && !inner.endsWith(' *'))
        const one = { syntax: 'wildcard' as const, pattern: outer }
        const other = { syntax: 'wildcard' as const, pattern: inner }
        expect(contains(one, other)).toBe(matches(one, witnessOf('wildcard', inner)))
      }),
      runs(500),
    )
  })

  test('translations stay on their side', () => {
    fc.assert(
      fc.property(pattern, syntax, fc.array(argument, { minLength: 10, maxLength: 30 }), (one, to, some) => {
        const all = [...some, ...variants(one.pattern)].filter(isPlain)
        const within = translatePattern(one.syntax, to, one.pattern, 'within')
        const around = translatePattern(one.syntax, to, one.pattern, 'around')
        for (const any of all) {
          if (within !== null && matchesPattern(to, within, any)) expect([any, matches(one, any)]).toEqual([any, true])
          if (around !== null && matches(one, any)) expect([any, matchesPattern(to, around, any)]).toEqual([any, true])
        }
      }),
      runs(500),
    )
  })
})

/** Arguments near a pattern: its wildcards filled in several ways. */
function variants(pattern: string): string[] {
  return ['', 'a', 'b', 'ab', 'a/b', 'x', ' a', '..', '/'].flatMap((word) => {
    const plain = pattern.replace(/:\*$/, ' *').replace('[ab]', 'a')
    const filled = plain.replace(/\*+/g, () => word).replaceAll('?', 'a')
    return [filled, filled.trimEnd(), plainPath(filled), plainPath(`a/${filled}`), plainPath(`${filled}/a`)]
  })
}
