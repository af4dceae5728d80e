/** Widths as terminals show them, cutting that never breaks a character, and a sign for what is not seen or steers a terminal. */
import { describe, expect, test } from 'vitest'
import {
  cut,
  cutAtWord,
  cutStart,
  displayWidth,
  fitLines,
  jsonText,
  maskHidden,
  oneLine,
  wrapWithin,
} from '../../src/report/layout.ts'

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
  expect(cutStart('日本語', 4)).toBe('…語')
  expect(cutStart('src/abc', 5)).toBe('…/abc')
})

test('a sentence is cut at a word, one long word anywhere', () => {
  expect(cutAtWord('validate the name, and the password', 20)).toBe('validate the name…')
  expect(cutAtWord('validate the name and', 18)).toBe('validate the name…')
  expect(cutAtWord('a https://example.org/a/very/long/path', 20)).toBe('a https://example.o…')
})

test('wrapping within a width breaks what is longer, and loses nothing', () => {
  expect(wrapWithin('one 日本語日本語 two', 5)).toEqual(['one', '日本', '語日', '本語', 'two'])
})

const hidden = [0x7f, 0x85, 0x9b, 0xad, 0x200b, 0x200e, 0x202e, 0x2066, 0x2060, 0xfeff, 0xe0041]

test.each(hidden.map((code) => [code.toString(16), String.fromCodePoint(code)]))('U+%s', (_code, character) => {
  expect(maskHidden(`re${character}view`)).toBe('re\ufffdview')
  expect(oneLine(`re${character}view`)).not.toContain(character)
  const document = { [`a${character}`]: [`b${character}`] }
  const text = jsonText(document, 2)
  expect(text).toMatch(/^[\n -~]+$/)
  expect(JSON.parse(text)).toEqual(document)
})

test('joiners stay where they join, and show where they hide', () => {
  expect(maskHidden('👩\u200d💻 می\u200cخواهم')).toBe('👩\u200d💻 می\u200cخواهم')
  expect(maskHidden('re\u200dview \u200cx')).toBe('re\ufffdview \ufffdx')
})

test('everything else is left as it is', () => {
  expect(maskHidden('a\tb\n日本語 é')).toBe('a\tb\n日本語 é')
  expect(jsonText({ a: 'é日本語\n' })).toBe('{"a":"é日本語\\n"}')
})

describe('lines that are too long', () => {
  test.each([
    ['stay if they fit', 'one two', 7, ['one two']],
    ['break at spaces', 'one two three', 7, ['one two', 'three']],
    ['keep their indentation', '  one two three', 9, ['  one two', '  three']],
    ['keep columns, and never end in spaces', '  one    two', 8, ['  one', '  two']],
    ['keep a long word whole', 'a longer-than-that b', 6, ['a', 'longer-than-that', 'b']],
    ['do not count colours', '\u001b[1mone\u001b[22m two', 7, ['\u001b[1mone\u001b[22m two']],
    ['count wide characters twice', '漢字 漢字', 8, ['漢字', '漢字']],
  ])('%s', (_, line, width, lines) => {
    expect(fitLines([line], width)).toEqual(lines)
  })
})
