/** What people see of a text, whatever it is written with. */
import { expect, test } from 'vitest'
import { asSeen } from '../../src/formats/text.ts'

test.each([
  ['plain', 'plain'],
  ['G\u200Blo\u00ADb', 'Glob'],
  ['\uFF27\uFF4C\uFF4F\uFF42', 'Glob'],
  ['Gl\u043Eb', 'Glob'],
  ['\u0391gent', 'Agent'],
  ['Ge\u0301t', 'Get'],
  ['tools\uFF1A x', 'tools: x'],
  ['a\u00A0b', 'a b'],
  ['\u201Cx\u201D', '"x"'],
  ['\u65E5\u672C', '\u65E5\u672C'],
])('%j is seen as %j', (text, seen) => {
  expect(asSeen(text)).toBe(seen)
})
