/** Lines that differ, in white space alone, or because it was meant. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareLines, linesOf } from '../../src/text/compare-lines.ts'
import { runs } from '../chance.ts'

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
