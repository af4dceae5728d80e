/** Where lines begin and end. */
import { describe, expect, it } from 'vitest'
import { dominantLineEnd, indexLines, lineStart, lineStop, nextLine, positionAt } from '../../src/formats/lines.ts'

const TEXT = 'ab\r\nc\rd\n\ne'

describe('lines', () => {
  it('counts from 1; a lone CR is content', () => {
    const lines = indexLines(TEXT)
    expect(lines.count()).toBe(4)
    expect([0, 1, 4, 6, 8, 9, 10, 99].map((offset) => lines.positionAt(offset))).toEqual([
      { line: 1, column: 1 },
      { line: 1, column: 2 },
      { line: 2, column: 1 },
      { line: 2, column: 3 },
      { line: 3, column: 1 },
      { line: 4, column: 1 },
      { line: 4, column: 2 },
      { line: 4, column: 2 },
    ])
    expect([1, 2, 3, 4, 5].map(lines.startOf)).toEqual([0, 4, 8, 9, 10])
  })

  it('answers a single question alike', () => {
    const lines = indexLines(TEXT)
    for (let offset = 0; offset <= TEXT.length; offset++) {
      expect(positionAt(TEXT, offset)).toEqual(lines.positionAt(offset))
    }
  })

  it('finds the bounds of a line', () => {
    expect([lineStart(TEXT, 5), lineStop(TEXT, 0), lineStop(TEXT, 4), nextLine(TEXT, 0)]).toEqual([4, 2, 7, 4])
    expect([lineStart(TEXT, 0), lineStop(TEXT, 9), nextLine(TEXT, 9)]).toEqual([0, 10, 10])
  })

  it('knows the line end most lines have', () => {
    expect(dominantLineEnd('a\r\nb\r\nc\n')).toBe('\r\n')
    expect(dominantLineEnd('a\r\nb\nc\n')).toBe('\n')
    expect(dominantLineEnd('a\r')).toBe('\n')
  })
})
