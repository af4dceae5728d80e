/** The least that turns one list of lines into another. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareLines, diffLines, type LineChange, linesOf, unifiedHunks } from '../../src/formats/line-diff.ts'
import { runs } from '../chance.ts'

function applied(before: readonly string[], after: readonly string[], changes: readonly LineChange[]): string[] {
  const result = [...before]
  for (const change of [...changes].reverse()) {
    const { start, end } = change.before
    result.splice(start, end - start, ...after.slice(change.after.start, change.after.end))
  }
  return result
}

function size(changes: readonly LineChange[]): number {
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

/** Unified hunks, as other tools write them. */
function hunks(before: string, after: string, offsets = { before: 0, after: 0 }): string {
  const one = [...before]
  const other = [...after]
  return unifiedHunks(one, other, diffLines(one, other), offsets).join('|')
}

describe('unified hunks', () => {
  it.each([
    ['abc', 'abc', ''],
    ['abcdefghi', 'abcdXfghi', '@@ -2,7 +2,7 @@| b| c| d|-e|+X| f| g| h'],
    ['', 'a', '@@ -0,0 +1 @@|+a'],
    ['a', '', '@@ -1 +0,0 @@|-a'],
    ['ab', 'aXb', '@@ -1,2 +1,3 @@| a|+X| b'],
    // Six lines between two changes belong to both; seven do not.
    ['1abcdef2', 'XabcdefY', '@@ -1,8 +1,8 @@|-1|+X| a| b| c| d| e| f|-2|+Y'],
    ['1abcdefg2', 'XabcdefgY', '@@ -1,4 +1,4 @@|-1|+X| a| b| c|@@ -6,4 +6,4 @@| e| f| g|-2|+Y'],
  ])('%s to %s', (before, after, expected) => {
    expect(hunks(before, after)).toBe(expected)
  })

  it('counts from the top of the file', () => {
    expect(hunks('ab', 'ax', { before: 5, after: 8 })).toBe('@@ -6,2 +9,2 @@| a|-b|+x')
  })
})

/** Changed, in white space alone, meant, of how many. */
function compared(before: string, after: string, meant: string | null = null): number[] {
  const counts = compareLines(linesOf(before), linesOf(after), () => (meant === null ? null : linesOf(meant)))
  return [counts.changedLines, counts.whitespaceLines, counts.editedLines, counts.totalLines]
}

describe('lines of a text', () => {
  it.each([
    ['', []],
    [' \n\t\r\n', []],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\n\n', ['a', '']],
    ['\na\r\nb\r\n', ['', 'a', 'b']],
    ['a\rb', ['a\rb']],
  ])('%j', (text, lines) => {
    expect(linesOf(text)).toEqual(lines)
  })
})

describe('what differs', () => {
  it.each([
    ['nothing', 'a\nb\n', 'a\nb\n', [0, 0, 0, 2]],
    ['line ends alone', 'a\nb\n', 'a\r\nb', [0, 0, 0, 2]],
    ['nothing at all on both sides', '', '\n\n', [0, 0, 0, 0]],
    ['a prompt that was lost', 'a\nb\n', '', [2, 0, 0, 2]],
    ['a line that was replaced counts once', 'a\nb\nc', 'a\nx\nc', [1, 0, 0, 3]],
    ['a line that was added', 'a\nb', 'a\nx\nb', [1, 0, 0, 3]],
    ['a line that has moved counts once', 'x\na\nb', 'a\nb\nx', [1, 0, 0, 3]],
    ['indent', 'a\n  b\n', 'a\nb\n', [0, 1, 0, 2]],
    ['spaces between words', 'a  b\n', 'a b\n', [0, 1, 0, 1]],
    ['spaces that make two words of one', 'ab\n', 'a b\n', [1, 0, 0, 1]],
    ['an empty line at the beginning', '\na\nb', 'a\nb', [0, 1, 0, 3]],
    ['an empty line that has moved', 'a\n\nb\nc', 'a\nb\n\nc', [0, 1, 0, 4]],
    ['both kinds', 'a\n  b\nc', 'a\nb\nx', [1, 1, 0, 3]],
    ['an exact line is not given away for one with other spaces', 'a', ' a\na', [1, 0, 0, 2]],
    ['an empty line gone does not hide a line that came', '\na', 'a\nb', [1, 0, 0, 2]],
  ])('%s', (_what, before, after, counts) => {
    expect(compared(before, after)).toEqual(counts)
  })
})

describe('what was meant', () => {
  it.each([
    ['all of it', 'Grep\nb', 'grep\nb', 'grep\nb', [1, 0, 1, 2]],
    ['one of two', 'Grep\nb', 'grep\nx', 'grep\nb', [2, 0, 1, 2]],
    ['a line that was left as it was', 'Grep\nb', 'Grep\nb', 'grep\nb', [0, 0, 0, 2]],
    ['a line that became another than it should', 'Grep\nb', 'rg\nb', 'grep\nb', [1, 0, 0, 2]],
    ['lines added at the end', 'a', 'a\nTODO', 'a\nTODO', [1, 0, 1, 2]],
    ['a line left out on purpose', 'a\nb\nc', 'a\nc', 'a\nc', [1, 0, 1, 3]],
    ['a line that should have stayed', 'Grep\nb\nc', 'grep\nc', 'grep\nb\nc', [2, 0, 1, 3]],
  ])('%s', (_what, before, after, meant, counts) => {
    expect(compared(before, after, meant)).toEqual(counts)
  })
})

describe('whatever the texts', () => {
  const text = fc.array(fc.constantFrom('a', ' a', 'a b', 'a  b', '', ' ', 'c'), { maxLength: 10 })

  it('never counts more than there is', () => {
    fc.assert(
      fc.property(text, text, text, (before, after, meant) => {
        const counts = compareLines(before, after, () => meant)
        expect(counts.whitespaceLines).toBeGreaterThanOrEqual(0)
        expect(counts.changedLines + counts.whitespaceLines).toBeLessThanOrEqual(counts.totalLines)
        expect(counts.editedLines).toBeGreaterThanOrEqual(0)
        expect(counts.editedLines).toBeLessThanOrEqual(counts.changedLines)
      }),
      runs(1000),
    )
  })

  it('finds nothing that was not meant where all is as it should be', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const counts = compareLines(before, after, () => after)
        expect(counts.editedLines).toBe(counts.changedLines)
      }),
    )
  })

  it('sees white space alone where the words are the same', () => {
    fc.assert(
      fc.property(text, (lines) => {
        const loose = lines.flatMap((line) => [`  ${line}\t`, ''])
        expect(compareLines(lines, loose).changedLines).toBe(0)
      }),
    )
  })
})
