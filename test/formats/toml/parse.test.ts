/** TOML with places, valid and broken. */
import { describe, expect, it } from 'vitest'
import { getNode, toData } from '../../../src/formats/data.ts'
import { applyFixes } from '../../../src/formats/edit/edits.ts'
import { parseToml } from '../../../src/formats/toml/parse.ts'

describe('parseToml on valid TOML', () => {
  it('reads every kind of value', () => {
    const text = [
      's = "a\\nb"',
      "l = 'c:\\x'",
      'i = 1_000',
      'big = 9223372036854775807',
      'f = 2.5',
      'b = true',
      'd = 1979-05-27T07:32:00Z',
      'a = [1, [2, "x"], { y = 1, z.w = 2 }]',
      'p.q = 1',
      '[t.u]',
      'v = 1',
      '[[m]]',
      'n = 1',
      '[[m]]',
      'n = 2',
      '[m.o]',
      'k = 3',
    ].join('\n')
    const parsed = parseToml(text)
    expect(parsed.findings).toEqual([])
    expect(toData(parsed.root)).toEqual({
      s: 'a\nb',
      l: 'c:\\x',
      i: 1000,
      big: 9223372036854775807n,
      f: 2.5,
      b: true,
      d: '1979-05-27T07:32:00Z',
      a: [1, [2, 'x'], { y: 1, z: { w: 2 } }],
      p: { q: 1 },
      t: { u: { v: 1 } },
      m: [{ n: 1 }, { n: 2, o: { k: 3 } }],
    })
    const { start, end } = getNode(parsed.root, ['m', 1, 'o', 'k'])!.range
    expect(text.slice(start, end)).toBe('3')
  })

  it('skips a byte order mark and reads CRLF', () => {
    const text = '\uFEFFa = """\r\nx\r\ny"""\r\nb = 1\r\n'
    const { root, findings } = parseToml(text)
    expect([toData(root), findings]).toEqual([{ a: 'x\ny', b: 1 }, []])
    const { start, end } = getNode(root, ['b'])!.range
    expect(text.slice(start, end)).toBe('1')
  })

  it.each(['a = 0', 'a = 1\nb = 0', '\uFEFF[t]\nb.c = 0', 'a = [0]', 'a = 10'])(
    'places the value that ends %j',
    (text) => {
      const { root, findings } = parseToml(text)
      expect(findings).toEqual([])
      let last = root
      while (last?.kind === 'map') last = last.entries.at(-1)!.value
      expect(last?.range).toEqual({ start: text.lastIndexOf(' ') + 1, end: text.length })
      expect(root?.range.end).toBe(text.length)
    },
  )

  it('reads an empty file, and __proto__ as a key', () => {
    expect(toData(parseToml('').root)).toEqual({})
    expect(Object.hasOwn(toData(parseToml('__proto__ = 1').root) as object, '__proto__')).toBe(true)
  })
})

describe('parseToml on broken TOML', () => {
  it.each([
    ['name = reviewer\nb = 1\n', { name: 'reviewer', b: 1 }, ['name']],
    ['name = reviewer # who\n', { name: 'reviewer' }, ['name']],
    ['d = "match \\d+ and \\"x\\""\n', { d: 'match \\d+ and "x"' }, ['d']],
    ['d = """\nmatch \\s\nend"""\nb = 1\n', { d: 'match \\s\nend', b: 1 }, ['d']],
    ['d = """\none\ntwo\n', { d: 'one\ntwo' }, ['d']],
    ["d = 'it's'\n", { d: "it's" }, ['d']],
    ['d = "open\nb = 1\n', { d: 'open', b: 1 }, ['d']],
    ['t = [Read, "Wr, ite"]\nb = 1\n', { t: ['Read', 'Wr, ite'], b: 1 }, ['t']],
    ['t = [\n  "Read",\n  Write\n]\nb = 1\n', { t: ['Read', 'Write'], b: 1 }, ['t']],
    ['t = ["Read",\nb = 1\n', { t: ['Read'], b: 1 }, ['t']],
    ['a: b\n', { a: 'b' }, ['a']],
    ['stray words\na = 1\n', { a: 1 }, []],
    ['a = 1\na = 2\n', { a: 2 }, ['a']],
    ['[t]\na = x\n[t.u]\nb = 2\n', { t: { a: 'x', u: { b: 2 } } }, ['t']],
    ['\uFEFFa = x\r\nb = """\r\ny\r\n"""\r\n', { a: 'x', b: 'y\n' }, ['a']],
  ])('recovers %j', (text, data, recovered) => {
    const parsed = parseToml(text)
    expect(toData(parsed.root)).toEqual(data)
    expect(parsed.recovered).toEqual(recovered)
    expect(parsed.findings.length).toBeGreaterThan(0)
    const again = parseToml(applyFixes(text, parsed.findings).text)
    expect([toData(again.root), again.findings]).toEqual([data, []])
  })

  it('places its findings', () => {
    const text = 'a = 1\nname = reviewer\n'
    expect(parseToml(text).findings).toMatchObject([{ code: 'invalid-toml', range: { start: 6, end: 21 } }])
    expect(parseToml('a = 1\na = 2\n').findings).toMatchObject([
      { code: 'duplicate-key', severity: 'error', range: { start: 0, end: 5 } },
    ])
  })

  it('survives tables that contradict each other, and absurd nesting', () => {
    expect(toData(parseToml('a = 1\n[a]\nb = 2\n').root)).toEqual({ a: { b: 2 } })
    expect(parseToml('[t\na = 1\n').findings).toMatchObject([{ code: 'invalid-toml' }])
    expect(parseToml(`a = ${'['.repeat(10_000)}`).findings.length).toBeGreaterThan(0)
    expect(parseToml(`${'a.'.repeat(10_000)}a = 1`).findings.length).toBeGreaterThan(0)
  })
})
