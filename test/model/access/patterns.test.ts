/** Patterns of one language in another: never more than the one, or never less. */
import { expect, test } from 'vitest'
import { translatePattern } from '../../../src/model/access/patterns.ts'

test.each([
  ['prefix', 'wildcard', 'git status', 'within', 'git status'],
  ['prefix', 'wildcard', 'git diff:*', 'within', 'git diff *'],
  // Whether it is a question mark or any character: what is given must be both.
  ['prefix', 'wildcard', 'git?', 'within', null],
  ['prefix', 'wildcard', 'git?', 'around', 'git?'],
  ['wildcard', 'prefix', 'git?', 'within', 'git?'],
  ['wildcard', 'prefix', 'git?', 'around', 'git*'],
  ['names', 'wildcard', 'a?', 'within', null],
] as const)('%s to %s: %s, %s', (from, to, pattern, side, expected) => {
  expect(translatePattern(from, to, pattern, side)).toBe(expected)
})
