/** Texts are cut between characters. */
import { expect, test } from 'vitest'
import { wholeSlice } from '../../src/formats/text.ts'

test('at every place, from both ends: no half of a character is left, and nothing else is missing', () => {
  const text = 'a\u{1f600}b\u{1f468}\u200d\u{1f469}cd\u{1f600}'
  for (let from = -text.length - 1; from <= text.length + 1; from++)
    for (let to = -text.length - 1; to <= text.length + 1; to++) {
      const whole = wholeSlice(text, from, to)
      expect(whole.isWellFormed()).toBe(true)
      const half = /^[\udc00-\udfff]|[\ud800-\udbff]$/g
      expect(whole).toBe(text.slice(from, to).replace(half, '').replace(half, ''))
    }
  expect(wholeSlice(text, -2)).toBe('\u{1f600}')
  expect(wholeSlice(text, -1)).toBe('')
})

test('what was no text before is left as it is where nothing is cut', () => {
  expect(wholeSlice('\udc00x\ud800', 0)).toBe('\udc00x\ud800')
})
