/** What is not seen, or steers a terminal, is shown: as a sign in text, as its number in JSON. */
import { expect, test } from 'vitest'
import { jsonText, maskHidden } from '../../src/report/characters.ts'
import { oneLine } from '../../src/report/layout.ts'

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
