/** Items of lists are set and removed by the value of a key, in every format that holds agents in lists. */
import { describe, expect, test } from 'vitest'
import { itemStep, toData } from '../../src/formats/data.ts'
import { dataFormat } from '../../src/formats/data-formats.ts'
import { applyEdits } from '../../src/formats/edit/edits.ts'
import type { Json } from '../../src/model/agent.ts'

const path = ['modes', itemStep('slug', 'b')]
const value: Json = { slug: 'b', role: 'Two.\nLines.', groups: ['read', ['edit', { fileRegex: '\\.md$' }]] }

function set(format: string, text: string, at: readonly string[] = path, wanted: Json = value): string | null {
  const edits = dataFormat(format).set(text, at, wanted)
  return edits === null ? null : applyEdits(text, edits)
}

const texts: Readonly<Record<string, readonly [format: string, text: string]>> = {
  'an empty YAML file': ['yaml', ''],
  'YAML with comments only': ['yaml', '# Modes\n'],
  'a YAML key without a value': ['yaml', 'modes:\nother: 1\n'],
  'an empty YAML list': ['yaml', 'modes: []\n'],
  'YAML lists with items': ['yaml', 'modes:\n  - slug: a # first\n    role: One.\n\n# between\nother: 1\n'],
  'YAML lists at the margin': ['yaml', 'modes:\n- slug: a\n  role: |\n    One.\n'],
  'YAML lists in brackets': ['yaml', 'modes: [{ slug: a, role: One. }]\n'],
  'JSON in a file for YAML': ['.modes', '{\n  "modes": [\n    { "slug": "a" }\n  ]\n}\n'],
  'YAML that has the item': ['yaml', 'modes:\n  - slug: b\n    role: Old.\n    groups: [read]\n  - slug: c\n'],
  'an empty JSON file': ['json', ''],
  'an empty JSON list': ['json', '{"modes": []}\n'],
  'JSON lists with items': ['json', '{\n  "modes": [\n    { "slug": "a" } // first\n  ]\n}\n'],
  'JSON that has the item': ['json', '{ "modes": [{ "slug": "b", "role": "Old." }, { "slug": "c" }] }\n'],
}

describe.each(Object.entries(texts))('%s', (_title, [format, text]) => {
  const { parse, remove } = dataFormat(format)
  const before = toData(parse(text).root) as { modes?: { slug: string }[] } | null

  test('takes the item, and keeps all others', () => {
    const after = set(format, text) ?? ''
    const { modes, ...rest } = toData(parse(after).root) as { modes: { slug: string }[] }
    expect(modes.find(({ slug }) => slug === 'b')).toEqual(value)
    expect(modes.filter(({ slug }) => slug !== 'b')).toEqual((before?.modes ?? []).filter(({ slug }) => slug !== 'b'))
    const { modes: _modes, ...others } = before ?? {}
    expect(rest).toEqual(others)
    for (const comment of text.match(/(?:#|\/\/) \w+/g) ?? []) expect(after).toContain(comment)
  })

  test('is as it was after the same value once more', () => {
    const once = set(format, text) ?? ''
    expect(set(format, once)).toBe(once)
  })

  test('loses the item again, and nothing else', () => {
    const with_ = set(format, text) ?? ''
    const edits = remove(with_, path) ?? []
    const { modes = [] } = toData(parse(applyEdits(with_, edits)).root) as { modes?: { slug: string }[] }
    expect(modes).toEqual((before?.modes ?? []).filter(({ slug }) => slug !== 'b'))
  })
})

test('nothing is written where something else is in the way', () => {
  expect(set('yaml', 'modes: text\n')).toBeNull()
  expect(set('json', '{"modes": "text"}')).toBeNull()
  expect(set('yaml', 'modes: [a: b: c]\n')).toBeNull()
  expect(set('toml', '[[modes]]\nslug = "a"\n')).toBeNull()
})

test('a change inside an item leaves its other lines alone', () => {
  const text = 'modes:\n  - slug: b # the second\n    role: "Old." # quoted\n    groups:\n      - read\n'
  expect(set('yaml', text, path, { slug: 'b', role: 'New.', groups: ['read'] })).toBe(text.replace('Old.', 'New.'))
})
