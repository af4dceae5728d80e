/** Values set in TOML, and removed: the comments stay, and so does all else. */
import fc from 'fast-check'
import { parseTOML } from 'toml-eslint-parser'
import { describe, expect, it } from 'vitest'
import { isJsonObject, sameData, toData } from '../../../src/formats/data.ts'
import { applyEdits } from '../../../src/formats/edit/edits.ts'
import { removeTomlValue, setTomlValue } from '../../../src/formats/toml/edit.ts'
import { parseToml } from '../../../src/formats/toml/parse.ts'
import { tomlDocument } from '../../../src/formats/toml/render.ts'
import type { Json, JsonObject } from '../../../src/model/agent.ts'
import type { Edit } from '../../../src/model/range.ts'
import { runs } from '../../chance.ts'
import { changeData, expectLineEnds } from '../change-data.ts'

const apply = (text: string, edits: Edit[] | null) => (edits === null ? null : applyEdits(text, edits))
const set = (text: string, path: string[], value: Json) => apply(text, setTomlValue(text, path, value))
const remove = (text: string, path: string[]) => apply(text, removeTomlValue(text, path))
const lines = (...all: string[]) => `${all.join('\n')}\n`

const CONFIG = lines(
  '#:schema x',
  '# Codex',
  '',
  'model = "o3" # the model',
  'approval.mode = "never"',
  '',
  '# servers',
  '[mcp.a] # a',
  'command = "npx"',
  'args = [',
  '  "-y", # yes',
  '  "pkg",',
  ']',
  'env = { A = "1", B.C = 2 }',
  '',
  '# second',
  '[mcp."b c"]',
  "  command = 'x\\y'",
  '',
  '[[hooks]]',
  'name = "h1"',
  '[hooks.when]',
  'x = 0.5',
  '',
  '[[hooks]]',
  'name = "h2"',
)
const changed = (from: string, to: string) => {
  expect(CONFIG).toContain(from)
  return CONFIG.replace(from, () => to)
}

describe('setTomlValue', () => {
  it.each<[string[], Json, string, string]>([
    [['model'], 'x', '"o3"', '"x"'],
    [['model'], 'x\ny', '"o3"', '"""\nx\ny"""'],
    [['approval', 'mode'], true, '"never"', 'true'],
    [['mcp', 'a', 'command'], 1, '"npx"', '1'],
    [['mcp', 'b c', 'command'], 'C:\\z', "'x\\y'", "'C:\\z'"],
    [['mcp', 'b c', 'command'], "it's", "'x\\y'", '"it\'s"'],
    [['mcp', 'a', 'env', 'A'], { q: [1, 'x'] }, '{ A = "1"', '{ A = { q = [1, "x"] }'],
    [['mcp', 'a', 'env', 'B', 'C'], 'a\nb', 'B.C = 2', 'B.C = "a\\nb"'],
    [['mcp', 'a', 'args'], ['-y', 'p2', 'z'], '  "pkg",\n', '  "p2",\n  "z",\n'],
    [['mcp', 'a', 'args'], ['pkg'], '  "-y", # yes\n', '  # yes\n'],
    [['mcp', 'a', 'args'], 'all', 'args = [\n  "-y", # yes\n  "pkg",\n]', '# yes\nargs = "all"'],
    [['mcp', 'a', 'env'], 'none', '{ A = "1", B.C = 2 }', '"none"'],
  ])('replaces %j by %j in place', (path, value, from, to) => {
    expect(set(CONFIG, path, value)).toBe(changed(from, to))
  })

  it.each<[string[], Json, string, string]>([
    [['effort'], 'high', 'approval.mode = "never"\n', 'approval.mode = "never"\neffort = "high"\n'],
    [['approval', 'x'], 1, 'approval.mode = "never"\n', 'approval.mode = "never"\napproval.x = 1\n'],
    [['mcp', 'a', 'k v'], 1, 'B.C = 2 }\n', 'B.C = 2 }\n"k v" = 1\n'],
    [['mcp', 'b c', 'k'], 1, "'x\\y'\n", "'x\\y'\n  k = 1\n"],
    [['mcp', 'a', 'env', 'D'], 1, 'B.C = 2 }', 'B.C = 2, D = 1 }'],
    [['mcp', 'a', 'env', 'B', 'E', 'F'], 1, 'B.C = 2 }', 'B.C = 2, B.E.F = 1 }'],
    [['mcp', 'k'], 1, '# servers\n', '[mcp]\nk = 1\n\n# servers\n'],
    [['mcp', 'c'], { x: 1, t: { u: 'a\nb' } }, '"h2"\n', '"h2"\n\n[mcp.c]\nx = 1\n\n[mcp.c.t]\nu = """\na\nb"""\n'],
    [['approval', 'sub'], { x: 1 }, '"h2"\n', '"h2"\n\n[approval.sub]\nx = 1\n'],
    [['n', 'e', 'w'], 1, '"h2"\n', '"h2"\n\n[n.e]\nw = 1\n'],
    [['empty'], {}, '"h2"\n', '"h2"\n\n[empty]\n'],
  ])('adds %j (%j) where it belongs', (path, value, from, to) => {
    expect(set(CONFIG, path, value)).toBe(changed(from, to))
  })

  it.each([
    ['', 'a = 1\n'],
    ['\uFEFF', '\uFEFFa = 1\n'],
    ['# c', '# c\na = 1\n'],
    ['b = 2', 'b = 2\na = 1'],
    ['b = 2 # two\r\n# end\r\n', 'b = 2 # two\r\na = 1\r\n# end\r\n'],
    ['[b]\nx = 2\n', 'a = 1\n\n[b]\nx = 2\n'],
    ['# file\n\n# b\n[b]\n', '# file\n\na = 1\n\n# b\n[b]\n'],
    ['#:schema x\n[b]\n', '#:schema x\na = 1\n\n[b]\n'],
    ['b = """\n# x"""\n[c]\n', 'b = """\n# x"""\na = 1\n[c]\n'],
  ])('adds a key to %j before the first header', (text, expected) => {
    expect(set(text, ['a'], 1)).toBe(expected)
    expect(set(expected, ['a'], 1)).toBe(expected)
  })

  it('says nothing where nothing changes', () => {
    expect(setTomlValue(CONFIG, ['mcp', 'a', 'env'], { B: { C: 2 }, A: '1' })).toEqual([])
    expect(setTomlValue('a = 1.0\nb = 0x10\nc = 1979-05-27\n', [], { a: 1, b: 16, c: '1979-05-27' })).toEqual([])
  })

  it('keeps a float a float', () => {
    expect(set('t = 0.7\n', ['t'], 1)).toBe('t = 1.0\n')
    expect(set('t = 7\n', ['t'], 2 ** 60)).toBe('t = 1152921504606847000.0\n')
    expect(set('t = 7\n', ['t'], Number.NEGATIVE_INFINITY)).toBe('t = -inf\n')
  })

  it('changes a table key by key, and keeps its comments', () => {
    expect(set(CONFIG, ['mcp', 'a'], { command: 'y', env: { A: '1' }, new: true })).toBe(
      changed('"npx"\nargs = [\n  "-y", # yes\n  "pkg",\n]\n', '"y"\n# yes\n').replace(', B.C = 2 }', ' }\nnew = true'),
    )
    expect(set(CONFIG, ['mcp', 'b c'], {})).toBe(changed("  command = 'x\\y'\n", ''))
    expect(set('a.b = 1\n', ['a'], { c: 2 })).toBe('a.c = 2\n')
    expect(set('a.b = 1\n', ['a'], {})).toBe('[a]\n')
  })

  it('puts a value where a table was', () => {
    expect(set(CONFIG, ['mcp', 'a'], 3)).toContain('# servers\n# a\n# yes\n\n[mcp]\na = 3\n\n# second\n')
    expect(set('a = 1\n\n[t]\nx = 1\n[t.u]\n', ['t'], 2)).toBe('a = 1\nt = 2\n')
  })

  it('changes arrays of tables one by one', () => {
    const hooks = [
      { name: 'h1', when: { x: 1, y: { z: 1 } } },
      { name: 'h2', args: ['a'] },
      { name: 'h3', t: { u: 1 } },
    ]
    expect(set(CONFIG, ['hooks'], hooks)).toBe(
      changed('x = 0.5\n', 'x = 1.0\n\n[hooks.when.y]\nz = 1\n').replace(
        '"h2"\n',
        '"h2"\nargs = ["a"]\n\n[[hooks]]\nname = "h3"\n\n[hooks.t]\nu = 1\n',
      ),
    )
    expect(set(CONFIG, ['hooks'], hooks.slice(0, 1))).toBe(
      changed('x = 0.5\n', 'x = 1.0\n\n[hooks.when.y]\nz = 1\n').replace('\n[[hooks]]\nname = "h2"\n', ''),
    )
    expect(set('[[a]]\n[[a]]\n', ['a'], [])).toBe('a = []\n')
  })

  it('writes lists of objects as tables only where they are large', () => {
    expect(set('', ['a'], [{ x: 1 }, { y: 'z' }])).toBe('a = [{ x = 1 }, { y = "z" }]\n')
    expect(set('', ['a'], [{ x: { y: 1 } }, {}])).toBe('[[a]]\n\n[a.x]\ny = 1\n\n[[a]]\n')
  })

  it('leaves out what is null', () => {
    expect(set('a = 1\n', ['b'], { c: null, d: [1, null] })).toBe('a = 1\n\n[b]\nd = [1]\n')
    expect(set('a = 1\nb = 2\n', ['a'], null)).toBe('b = 2\n')
  })

  it('does not break inline tables over lines', () => {
    const text = 'a = { b = [ # why\n  1 ], c = {} }\n'
    expect(set(text, ['a', 'c', 'd'], 1)).toBe('a = { b = [ # why\n  1 ], c = { d = 1 } }\n')
    expect(set(text, ['a', 'b'], 1)).toBe('# why\na = { b = 1, c = {} }\n')
    expect(remove(text, ['a', 'b'])).toBe('# why\na = { c = {} }\n')
  })

  it('follows inline tables that are broken over lines', () => {
    const text = 'a = {\n  b = 1, # why\n}\n'
    expect(set(text, ['a', 'c'], 2)).toBe('a = {\n  b = 1, # why\n  c = 2,\n}\n')
    expect(remove(text, ['a', 'b'])).toBe('a = {\n  # why\n}\n')
  })

  it.each(['a = ', 'a = 1\na = 2', '[a', 'a = 1\n[a]\nb = 2', 'a: b', '{"a": 1}'])('leaves %j alone', (text) => {
    expect([setTomlValue(text, ['x'], 1), removeTomlValue(text, ['x'])]).toEqual([null, null])
  })

  it('leaves alone what is nested absurdly deep', () => {
    expect(setTomlValue(`a = ${'['.repeat(10_000)}${']'.repeat(10_000)}`, ['x'], 1)).toBeNull()
  })

  it('does not go through what has no keys', () => {
    for (const text of ['a = 1', 'a = [{ b = 1 }]', '[[a]]\nb = 1', 'x = { a = 1 }\na = 2', 'a = 1979-05-27']) {
      expect([setTomlValue(text, ['a', 'b'], 1), removeTomlValue(text, ['a', 'b'])]).toEqual([null, null])
    }
    expect([setTomlValue('a = 1', [], 1), removeTomlValue('a = 1', [])]).toEqual([null, null])
  })
})

describe('removeTomlValue', () => {
  it.each<[string[], string, string]>([
    [['model'], 'model = "o3" # the model', '# the model'],
    [['approval'], 'approval.mode = "never"\n', ''],
    [['mcp', 'a', 'args'], 'args = [\n  "-y", # yes\n  "pkg",\n]', '# yes'],
    [['mcp', 'a', 'env', 'A'], 'A = "1", ', ''],
    [['mcp', 'a', 'env', 'B'], ', B.C = 2', ''],
    [['mcp', 'b c'], '[mcp."b c"]\n  command = \'x\\y\'\n', ''],
    [['hooks'], CONFIG.slice(CONFIG.indexOf('\n[[hooks]]')), ''],
    [['nothing', 'here'], 'model', 'model'],
  ])('takes out %j', (path, from, to) => {
    expect(remove(CONFIG, path)).toBe(changed(from, to))
  })

  it('finds every part of a table', () => {
    expect(remove('[a.b]\nx = 1\n\n[c]\n\n[a]\ny = 1\n[[a.d]]\n', ['a'])).toBe('\n[c]\n')
    expect(remove('a = { b.c = 1, d = 2, b.e = 3 }', ['a', 'b'])).toBe('a = { d = 2 }')
    expect(remove('a = { b = 1 }', ['a', 'b'])).toBe('a = {}')
  })
})

describe('tomlDocument', () => {
  it('is made to be read', () => {
    const text = tomlDocument({
      mcp: { a: { command: 'c', args: ['x'.repeat(50), 'y'.repeat(50)], env: {} } },
      name: 'x',
      nothing: null,
      prompt: 'One "line"\nand \\d\n',
      tools: ['a', 'b'],
      hooks: [{ a: 1 }, { b: 'c' }],
    })
    expect(text).toBe(
      lines(
        'name = "x"',
        'prompt = """',
        'One "line"',
        'and \\\\d',
        '"""',
        'tools = ["a", "b"]',
        'hooks = [{ a = 1 }, { b = "c" }]',
        '',
        '[mcp.a]',
        'command = "c"',
        'args = [',
        `  "${'x'.repeat(50)}",`,
        `  "${'y'.repeat(50)}",`,
        ']',
        '',
        '[mcp.a.env]',
      ),
    )
    expect(tomlDocument({})).toBe('')
  })
})

const key = fc.constantFrom('a', 'b', 'c', 'x y', '', '1', '__proto__', 'q"t', '# no', 'é')
const word = fc.constantFrom('', 'x', '# no', 'a\nb', '"""\n"', "it's", '\\d', '[t]', 'a\r\nb', '\u0000')
const { json, table } = fc.letrec<{ json: Json; table: JsonObject }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    word,
    fc.constantFrom<Json>(0, -1.5, 1e30, 7, 2 ** 60, true, false),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.array(tie('table'), { maxLength: 3 }),
    tie('table'),
  ),
  table: fc.dictionary(key, tie('json'), { maxKeys: 4 }).map((one) => ({ ...one })),
}))

/** Writes the data in all the ways TOML has; the numbers decide which. */
function scribble(data: JsonObject, numbers: readonly number[], end: string): string {
  let used = 0
  const pick = (count: number) => (numbers[used++ % numbers.length]! + used) % count
  const dot = (path: readonly string[]) => path.map(name).join(pick(4) === 0 ? ' . ' : '.')
  const name = (one: string) => (/^[\w-]+$/.test(one) && pick(4) > 0 ? one : JSON.stringify(one))
  const space = () => ['', ' ', ' ', '\t'][pick(4)]!
  const rest = () => (pick(3) === 0 ? `${space()}# ${used} "` : space()) + end
  const above = () => (pick(4) === 0 ? `${space()}# ${used}${end}` : pick(4) === 0 ? end : '') + space()
  const gap = () => (pick(3) === 0 ? (pick(2) === 0 ? `# ${used} ]` : '') + end : space())
  const scalar = (value: Json): string => {
    if (typeof value === 'number' && !Number.isSafeInteger(value)) return value.toExponential()
    if (typeof value !== 'string') return String(value)
    if (/^[ -&(-~]*$/.test(value) && pick(2) === 0) return `'${value}'`
    if (value.includes('\n') && !/[\r"\u0000]/.test(value)) return `"""${end}${value.replaceAll('\n', end)}"""`
    return JSON.stringify(value)
  }
  const inline = (value: Json): string => {
    if (Array.isArray(value)) {
      const last = value.length > 0 && pick(3) === 0 ? `,${gap()}` : ''
      return `[${gap()}${value.map((one) => inline(one)).join(`${gap()},${gap()}`)}${gap()}${last}]`
    }
    if (!isJsonObject(value)) return scalar(value)
    const members = pairs([], value).map(([path, one]) => `${dot(path)}${space()}=${space()}${inline(one)}`)
    return `{${space()}${members.join(`${space()},${space()}`)}${space()}}`
  }
  /** The members, some of them through dotted keys. */
  const pairs = (path: readonly string[], value: JsonObject): [string[], Json][] =>
    Object.entries(value).flatMap(([one, inner]): [string[], Json][] => {
      const dotted = isJsonObject(inner) && Object.keys(inner).length > 0 && pick(2) === 0
      return dotted ? pairs([...path, one], inner) : [[[...path, one], inner]]
    })
  const section = (path: readonly string[], value: JsonObject, element: boolean): string => {
    const own: JsonObject = {}
    const blocks: string[] = []
    for (const [one, inner] of Object.entries(value)) {
      const tables = Array.isArray(inner) && inner.length > 0 && inner.every((item) => isJsonObject(item))
      const here = [...path, one]
      if (isJsonObject(inner) && pick(3) > 0) blocks.push(section(here, inner, false))
      else if (tables && pick(3) > 0) blocks.push(inner.map((item) => section(here, item as JsonObject, true)).join(''))
      else Object.defineProperty(own, one, { value: inner, enumerable: true })
    }
    const lines = pairs([], own).map(
      ([one, inner]) => `${above()}${dot(one)}${space()}=${space()}${inline(inner)}${rest()}`,
    )
    const implied = path.length === 0 || (!element && lines.length === 0 && blocks.length > 0 && pick(2) === 0)
    const [left, right] = element ? ['[[', ']]'] : ['[', ']']
    const header = implied ? '' : `${above()}${left}${space()}${dot(path)}${space()}${right}${rest()}`
    const block = header + lines.join('')
    // A table may be defined below those it contains.
    return !element && path.length > 0 && pick(4) === 0 ? blocks.join('') + block : block + blocks.join('')
  }
  const text = section([], data, false) + above()
  return (pick(4) === 0 ? '\uFEFF' : '') + (pick(4) === 0 ? text.trimEnd() : text)
}

const scribbled = fc
  .tuple(table, fc.array(fc.nat(1000), { minLength: 1, maxLength: 40 }), fc.constantFrom('\n', '\r\n'))
  .map(([data, numbers, end]) => ({ data, text: scribble(data, numbers, end) }))
const place = fc.array(key, { minLength: 1, maxLength: 3 })

function read(text: string): unknown {
  const { root, findings } = parseToml(text)
  expect(findings).toEqual([])
  return toData(root)
}

function comments(text: string): string[] {
  return parseTOML(text.replace(/^\uFEFF/, ''))
    .comments.map(({ value }) => value)
    .sort()
}

function expectData(text: string, expected: unknown): void {
  const data = read(text)
  if (!sameData(data, expected)) expect(data).toEqual(expected)
}

function at(data: unknown, path: readonly string[]): unknown {
  let here = data
  for (const step of path) {
    if (!isJsonObject(here as Json) || !Object.hasOwn(here as JsonObject, step)) return undefined
    here = (here as JsonObject)[step]
  }
  return here
}

describe('any TOML', () => {
  it('is written by the test as it should be', () => {
    fc.assert(
      fc.property(scribbled, ({ data, text }) => expectData(text, data)),
      runs(1000),
    )
  })

  it('has exactly the path changed after a set, and every comment', () => {
    let set = 0
    fc.assert(
      fc.property(scribbled, place, json, ({ data, text }, path, value) => {
        const edits = setTomlValue(text, path, value)
        const expected = changeData(data, path, value)
        expect(edits === null).toBe(expected === null)
        if (expected === null) return
        set++
        const after = applyEdits(text, edits!)
        expectData(after, expected)
        expect(comments(after)).toEqual(comments(text))
        expectLineEnds(after, text)
        expect(after.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'))
        expect(setTomlValue(after, path, value)).toEqual([])
      }),
      runs(2000),
    )
    expect(set).toBeGreaterThan(100)
  })

  it('becomes any other table', () => {
    fc.assert(
      fc.property(scribbled, table, ({ text }, value) => {
        const after = applyEdits(text, setTomlValue(text, [], value)!)
        expectData(after, value)
        expect(comments(after)).toEqual(comments(text))
        expectLineEnds(after, text)
      }),
      runs(1000),
    )
  })

  it('has exactly the path less after a removal, and every comment', () => {
    fc.assert(
      fc.property(scribbled, place, ({ data, text }, path) => {
        const edits = removeTomlValue(text, path)
        let expected = changeData(data, path, undefined)
        expect(edits === null).toBe(expected === null)
        if (expected === null) return
        const after = applyEdits(text, edits!)
        // Tables that only this key had made are gone with it.
        for (let i = path.length - 1; i > 0 && at(data, path) !== undefined; i--) {
          const parent = path.slice(0, i)
          const empty = Object.keys((at(expected, parent) ?? { no: 1 }) as object).length === 0
          if (empty && at(read(after), parent) === undefined) expected = changeData(expected, parent, undefined)!
        }
        expectData(after, expected)
        expect(comments(after)).toEqual(comments(text))
      }),
      runs(2000),
    )
  })

  it('has its data back when what was added is removed', () => {
    fc.assert(
      fc.property(scribbled, place, json, ({ data, text }, path, value) => {
        const missing = path.findIndex((_, i) => at(data, path.slice(0, i + 1)) === undefined)
        const edits = setTomlValue(text, path, value)
        if (missing < 0 || edits === null) return
        const after = applyEdits(text, edits)
        expectData(applyEdits(after, removeTomlValue(after, path.slice(0, missing + 1))!), data)
      }),
      runs(1000),
    )
  })

  it('can be broken without harm', () => {
    fc.assert(
      fc.property(scribbled, fc.nat(), fc.nat(3), place, ({ text }, from, length, path) => {
        const start = from % (text.length + 1)
        const broken = text.slice(0, start) + text.slice(start + length)
        for (const edits of [setTomlValue(broken, path, 1), removeTomlValue(broken, path)]) {
          if (edits !== null) read(applyEdits(broken, edits))
        }
      }),
      runs(1000),
    )
  })

  it('can be written from any data', () => {
    fc.assert(
      fc.property(table, (data) => expectData(tomlDocument(data), data)),
      runs(2000),
    )
  })
})
