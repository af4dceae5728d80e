/** What is done to texts before they are data: references replaced, and words that older YAML reads in another way. */
import { describe, expect, test } from 'vitest'
import { toData } from '../../../src/formats/data.ts'
import { parseYaml } from '../../../src/formats/yaml/parse.ts'
import { asYaml11, substituteReferences } from '../../../src/harness/effective/as-loaded.ts'

const surroundings = {
  environment: (name: string) => ({ ONE: '1', DIR: 'texts' })[name],
  readBeside: (path: string) => (path === 'texts/a.txt' ? ' say "hi"\n twice \n' : null),
}
const both = (text: string) => substituteReferences(text, ['env', 'file'], surroundings)

describe('references', () => {
  test('variables first, so that they can name files; files without white space around them, and escaped', () => {
    expect(both('{"a": {env:ONE}, "b": "{file:{env:DIR}/a.txt}"}').text).toBe('{"a": 1, "b": "say \\"hi\\"\\n twice"}')
  })

  test('a variable that is not set is nothing, and a file that is not there is named', () => {
    expect(both('"{env:NONE}"')).toEqual({ text: '""', missing: [] })
    expect(both('"{file:none.txt}"').missing).toEqual(['{file:none.txt}'])
  })

  test('a line that begins as a comment is left alone', () => {
    expect(both('  // {file:none.txt}\n"{file:texts/a.txt}"').missing).toEqual([])
    expect(both('"x", // {file:none.txt}').missing).toEqual(['{file:none.txt}'])
  })
})

describe('older YAML', () => {
  const read = (text: string) => {
    const { root } = parseYaml(text, undefined, '', { knownKeys: new Set(), listKeys: new Set() })
    return root === null ? null : toData(asYaml11(text, root))
  }

  test.each([
    ['a: 010', 8],
    ['a: 0x1f', 31],
    ['a: 0b101', 5],
    ['a: 1_000', 1000],
    ['a: 1:30', 90],
    ['a: -012', -10],
    ['a: 2024-01-02', '2024-01-02T00:00:00.000Z'],
    ['a: "2024-01-02"', '2024-01-02'],
    ['a: "010"', '010'],
    ['a: yes', 'yes'],
    ['a: 10', 10],
    ['a: 1.5', 1.5],
    ['a: v010', 'v010'],
  ])('%s', (text, value) => {
    expect(read(text)).toEqual({ a: value })
  })
})
