/** Widths as terminals show them, and cutting that never breaks a character. */
import { expect, test } from 'vitest'
import { cut, cutAtWord, displayWidth, wrapWithin } from '../../src/report/layout.ts'

test.each([
  ['plain', 5],
  ['', 0],
  ['日本', 4],
  ['한국', 4],
  ['한', 2],
  ['é', 1],
  ['e\u0301', 1],
  ['👍🏽', 2],
  ['👩‍👩‍👧', 2],
  ['🇩🇪', 2],
  ['❤️', 2],
  ['→…✗', 3],
  ['ไทย', 3],
  ['ｆｕｌｌ', 8],
])('%s takes %i columns', (text, width) => {
  expect(displayWidth(text)).toBe(width)
})

test('cutting leaves characters whole', () => {
  expect(cut('👩‍👩‍👧👩‍👩‍👧', 3)).toBe('👩‍👩‍👧…')
  expect(cut('日本語', 4)).toBe('日…')
  expect(cut('abc', 0)).toBe('')
  expect(cut('abc', 3)).toBe('abc')
})

test('a sentence is cut at a word, one long word anywhere', () => {
  expect(cutAtWord('validate the name, and the password', 20)).toBe('validate the name…')
  expect(cutAtWord('validate the name and', 18)).toBe('validate the name…')
  expect(cutAtWord('a https://example.org/a/very/long/path', 20)).toBe('a https://example.o…')
})

test('wrapping within a width breaks what is longer, and loses nothing', () => {
  expect(wrapWithin('one 日本語日本語 two', 5)).toEqual(['one', '日本', '語日', '本語', 'two'])
})
