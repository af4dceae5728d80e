/** The least that turns one list of lines into another. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Change, diffLines } from '../../src/text/line-diff.ts'
import { runs } from '../chance.ts'

function applied(before: readonly string[], after: readonly string[], changes: readonly Change[]): string[] {
  const result = [...before]
  for (const change of [...changes].reverse()) {
    const { start, end } = change.before
    result.splice(start, end - start, ...after.slice(change.after.start, change.after.end))
  }
  return result
}

function size(changes: readonly Change[]): number {
  const lengths = changes.flatMap(({ before, after }) => [before.end - before.start, after.end - after.start])
  return lengths.reduce((sum, one) => sum + one, 0)
}

/** The length of the longest common subsequence, by the table of the textbook. */
function common(a: readonly string[], b: readonly string[]): number {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0))
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const kept = a[i - 1] === b[j - 1] ? table[i - 1]![j - 1]! + 1 : 0
      table[i]![j] = Math.max(kept, table[i - 1]![j]!, table[i]![j - 1]!)
    }
  }
  return table[a.length]![b.length]!
}

const diff = (before: string, after: string) =>
  diffLines([...before], [...after]).map((change) => [
    [...before].slice(change.before.start, change.before.end).join(''),
    [...after].slice(change.after.start, change.after.end).join(''),
  ])

describe('line diff', () => {
  it.each([
    ['', '', []],
    ['abc', 'abc', []],
    ['', 'ab', [['', 'ab']]],
    ['ab', '', [['ab', '']]],
    ['abc', 'axc', [['b', 'x']]],
    ['abc', 'xyz', [['abc', 'xyz']]],
    [
      'xa',
      'ay',
      [
        ['x', ''],
        ['', 'y'],
      ],
    ],
    ['aaa', 'aa', [['a', '']]],
  ])('%s to %s', (before, after, changes) => {
    expect(diff(before, after)).toEqual(changes)
  })

  // Few different lines, so that there are many ways.
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 14 })

  it('gives the other side when applied, and is as small as can be', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const changes = diffLines(before, after)
        expect(applied(before, after, changes)).toEqual(after)
        expect(size(changes)).toBe(before.length + after.length - 2 * common(before, after))
      }),
      runs(2000),
    )
  })

  it('gives the other side also where it does not look for the smallest', () => {
    fc.assert(
      fc.property(lines, lines, fc.integer({ min: 1, max: 4 }), (before, after, patience) => {
        expect(applied(before, after, diffLines(before, after, patience))).toEqual(after)
      }),
      runs(2000),
    )
  })

  it('leaves something the same between two changes', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const changes = diffLines(before, after)
        for (const [index, change] of changes.slice(1).entries()) {
          const gap = change.before.start - changes[index]!.before.end
          expect(gap).toBeGreaterThan(0)
          expect(change.after.start - changes[index]!.after.end).toBe(gap)
        }
      }),
    )
  })

  it('is quick with long texts in another order', () => {
    const before = Array.from({ length: 20_000 }, (_, index) => `line ${index}`)
    const after = before.map((_, index) => before[(index * 7919) % before.length]!)
    expect(applied(before, after, diffLines(before, after))).toEqual(after)
  })
})
