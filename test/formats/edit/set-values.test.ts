/** Many values set at once give the very text that comes of setting one after the other. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toData } from '../../../src/formats/data.ts'
import { dataFormat } from '../../../src/formats/data-formats.ts'
import { applyEdits } from '../../../src/formats/edit/edits.ts'
import { setValues } from '../../../src/formats/edit/set-values.ts'
import type { Json } from '../../../src/model/agent.ts'

interface Placed {
  readonly path: readonly string[]
  readonly value: Json
}

const jsonTexts = [
  '',
  '{}',
  '{ "agent": {} }',
  '{\n  // one\n  "agent": {\n    "a": { "x": 1 }, // two\n\n    /* three */ "b": { "x": 2 }\n  },\n  "z": 1\n}\n',
  '{"agent":{"a":{"x":1},"b":{"x":2}}}',
  '{\r\n\t"agent": {\r\n\t\t"c": {\r\n\t\t\t"x": 1 // why\r\n\t\t},\r\n\t\t"b": {},\r\n\t},\r\n}\r\n',
]

const prsTexts = [
  '',
  '@meta { id: "x" syntax: "1.1.0" }\n\n@agent {\n}\n',
  '@meta {\n  id: "x"\n  syntax: "1.1.0"\n}\n\n@agent {\n    a: { x: 1 } # two\n\n    # three\n    b: {\n        x: 2\n    }\n}\n\n@guards {\n  b: 1\n}\n',
  '@agent { a: { x: 1 } b: { x: 2 } }',
]

const value = fc.oneof(
  fc.record({ x: fc.integer(), content: fc.constantFrom('One.', 'One.\nTwo.\n', '{}}{', '"""') }, { requiredKeys: [] }),
  fc.record({ y: fc.array(fc.constantFrom('Read', 'Grep')), z: fc.record({ '*': fc.constant('deny') }) }),
) as fc.Arbitrary<Json>

const placed = fc.record({
  path: fc.constantFrom('a', 'b', 'c', 'd', 'e-f', '9', 'use').map((key) => ['agent', key]),
  value,
})

const values = fc.uniqueArray(placed, { selector: ({ path }) => path.join('.'), minLength: 1, maxLength: 7 })

describe.each([
  ['json', jsonTexts],
  ['prs', prsTexts],
] as const)('%s', (name, texts) => {
  const format = dataFormat(name)
  const set = (text: string, { path, value }: Placed) => format.set(text, path, value)

  test('says what it should, and leaves all else alone', () => {
    fc.assert(
      fc.property(fc.constantFrom(...texts), values, (text, some) => {
        const oneByOne = some.reduce((now, one) => applyEdits(now, set(now, one) ?? []), text)
        const together = setValues(text, some, { parse: format.parse, set })
        expect(toData(format.parse(together ?? '').root)).toEqual(toData(format.parse(oneByOne).root))
        const comments = (written: string | null) => written?.match(/(?:\/\/|#|\/\*) ?\w+/g) ?? []
        expect(comments(together)).toEqual(comments(oneByOne))
        // Those that are there already are set before those that are new.
        if (some.every(({ path }) => !text.includes(`${path[1]}`))) expect(together).toBe(oneByOne)
      }),
    )
  })

  test('takes out what it should at once', () => {
    const keys = fc.subarray(['a', 'b', 'c', 'nobody'], { minLength: 1 })
    fc.assert(
      fc.property(fc.constantFrom(...texts.slice(2)), keys, (text, some) => {
        const oneByOne = some.reduce((now, key) => applyEdits(now, format.remove(now, ['agent', key]) ?? []), text)
        const together = applyEdits(text, format.removeAll?.(text, ['agent'], some) ?? [])
        expect(format.parse(together).findings).toEqual([])
        expect(toData(format.parse(together).root)).toEqual(toData(format.parse(oneByOne).root))
      }),
    )
  })

  test('looks at a text only a few times, however many values there are', () => {
    let seen = 0
    const entries = Array.from({ length: 400 }, (_one, index) => ({
      path: ['agent', `agent-${index}`],
      value: { description: `Number ${index}`, content: 'You help.\n'.repeat(20) },
    }))
    const counting = {
      parse: format.parse,
      set: (text: string, one: Placed) => {
        seen += text.length
        return set(text, one)
      },
    }
    const text = setValues('', entries, counting)
    expect(Object.keys((toData(format.parse(text ?? '').root) as { agent: object }).agent)).toHaveLength(400)
    expect(seen).toBeLessThan(5 * (text?.length ?? 0))
    const again = entries.map((one, index) => ({ ...one, value: { ...one.value, description: `Other ${index}` } }))
    seen = 0
    const changed = setValues(text ?? '', again, counting)
    expect(changed).toBe(text?.replaceAll('Number', 'Other'))
    expect(seen).toBeLessThan(5 * (text?.length ?? 0))
  })
})
