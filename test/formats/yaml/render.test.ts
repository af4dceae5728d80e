/** Values as text that reads back as the same value, and edits to YAML. */
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { getEntry, getNode, isMap, type MapNode, toData } from '../../../src/formats/data.ts'
import { applyEdits } from '../../../src/formats/edit/edits.ts'
import { parseToml } from '../../../src/formats/toml/parse.ts'
import { tomlString } from '../../../src/formats/toml/render.ts'
import { insertEntry, removeEntry, setYamlValue } from '../../../src/formats/yaml/edit.ts'
import { parseYaml } from '../../../src/formats/yaml/parse.ts'
import { yamlEntry, yamlScalar, yamlValue } from '../../../src/formats/yaml/render.ts'

describe('yamlScalar', () => {
  it.each([
    ['plain words', 'plain words'],
    ['Read, Grep', 'Read, Grep'],
    ['a:b #c', '"a:b #c"'],
    ['a: b', '"a: b"'],
    ["it's: x", '"it\'s: x"'],
    ['say "x": y', '\'say "x": y\''],
    ['', '""'],
    ['true', '"true"'],
    ['yes', '"yes"'],
    ['1.5', '"1.5"'],
    ['2026-01-01', '"2026-01-01"'],
    ['-x', '-x'],
    ['- x', '"- x"'],
    ['*', '"*"'],
    [' x', '" x"'],
    ['a\tb', '"a\\tb"'],
    ['a\nb', '"a\\nb"'],
    ['...', '"..."'],
    [true, 'true'],
    [null, 'null'],
    [1.5, '1.5'],
    [Number.POSITIVE_INFINITY, '.inf'],
  ])('writes %j as %s', (value, text) => {
    expect(yamlScalar(value)).toBe(text)
    expect(parse(text)).toEqual(value)
  })

  it('is stricter inside brackets', () => {
    expect(yamlScalar('Read, Grep', { flow: true })).toBe('"Read, Grep"')
  })

  it('writes lines as a block where it knows the indent', () => {
    expect(yamlScalar('a: b\n\nc', { indent: '' })).toBe('|-\n  a: b\n\n  c')
    expect(yamlScalar('a\nb\n', { indent: ' ', lineEnd: '\r\n' })).toBe('|\r\n   a\r\n   b')
    expect(yamlScalar(' a\nb', { indent: '' })).toBe('" a\\nb"')
  })
})

describe('yamlValue and yamlEntry', () => {
  it('writes blocks', () => {
    const value = { edit: 'deny', bash: { 'git *': 'allow', '*': 'ask' }, list: [1, ['x'], { a: 1, b: [] }], empty: {} }
    const text = yamlEntry('permission', value)
    expect(text).toBe(
      [
        'permission:',
        '  edit: deny',
        '  bash:',
        '    "git *": allow',
        '    "*": ask',
        '  list:',
        '    - 1',
        '    - - x',
        '    - a: 1',
        '      b: []',
        '  empty: {}',
      ].join('\n'),
    )
    expect(parse(text)).toEqual({ permission: value })
  })

  it('writes flow', () => {
    expect(yamlValue(['a', 'b, c'], { flow: true })).toBe('[a, "b, c"]')
    expect(yamlValue({ a: [1] }, { flow: true })).toBe('{ a: [1] }')
  })
})

describe('tomlString', () => {
  it.each([
    'x',
    'a "b" \\c',
    'one\ntwo',
    'a\n"""\nb""',
    'x\n"',
    '\n',
    'a\r\nb',
    'tab\t\n\u0000\u007f',
    '\\\n',
    '""""""\n',
  ])('TOML reads %j back', (text) => {
    expect(toData(parseToml(`a = ${tomlString(text)}\n`).root)).toEqual({ a: text })
  })

  it('keeps lines readable', () => {
    expect(tomlString('say "x"\nthen \\d')).toBe('"""\nsay "x"\nthen \\\\d"""')
  })
})

describe('edits to YAML', () => {
  const text =
    'name: a # who\ndescription: "old"\ntools:\n  - Read\n  - Write\nmode: \'x\'\nflow: {a: 1, b: 2}\nnone:\nlast: |\n  x\n'
  const root = parseYaml(text).root as MapNode
  const set = (path: (string | number)[], value: unknown) => {
    return applyEdits(text, [setYamlValue(text, getNode(root, path)!, value)])
  }

  it.each([
    [['name'], 'b', 'name: b # who'],
    [['description'], 'plain', 'description: "plain"'],
    [['mode'], "it's", "mode: 'it''s'"],
    [['none'], 'x', 'none: x\n'],
    [['tools'], ['Grep', 'a: b'], 'tools:\n  - Grep\n  - "a: b"\nmode'],
    [['tools'], 'Read', 'tools:\n  Read\nmode'],
    [['tools', 1], 'Edit', '  - Read\n  - Edit\n'],
    [['name'], ['a', 'b'], 'name: [a, b] # who'],
    [['last'], 'one', 'last: one\n'],
    [['last'], 'one\ntwo\n', 'last: |\n  one\n  two\n'],
  ] as const)('sets %j to %j', (path, value, expected) => {
    const changed = set([...path], value)
    expect(changed).toContain(expected)
    expect(toData(getNode(parseYaml(changed).root, path)!)).toEqual(value)
  })

  it('removes whole lines, or one item of a flow map', () => {
    const remove = (path: string[], key: string) => {
      const map = path.length === 0 ? root : getNode(root, path)!
      return applyEdits(text, [removeEntry(text, getEntry(map, key)!)])
    }
    expect(remove([], 'tools')).toBe(text.replace('tools:\n  - Read\n  - Write\n', ''))
    expect(remove([], 'last')).toBe(text.replace('last: |\n  x\n', ''))
    expect(remove([], 'name')).toBe(text.replace('name: a # who\n', ''))
    expect(remove(['flow'], 'a')).toContain('flow: {b: 2}')
    expect(remove(['flow'], 'b')).toContain('flow: {a: 1}')
  })

  it('adds an entry at the end', () => {
    expect(applyEdits(text, [insertEntry(text, root, 'k', 'v')])).toBe(`${text.slice(0, -1)}\nk: v\n`)
    const flow = getNode(root, ['flow'])!
    expect(isMap(flow) && applyEdits(text, [insertEntry(text, flow, 'k', 'v')])).toContain('{a: 1, b: 2, k: v}')
    expect(
      applyEdits('---\r\n---\r\n', [insertEntry('---\r\n---\r\n', { start: 5, end: 5 }, 'a b', '\r\n  - x')]),
    ).toBe('---\r\na b:\r\n  - x\r\n---\r\n')
  })
})
