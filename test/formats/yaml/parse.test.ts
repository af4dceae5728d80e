/** YAML as people write it: strict where it can be, recovered with a repair where it cannot. */
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { getEntry, getNode, toData } from '../../../src/formats/data.ts'
import { splitFrontMatter } from '../../../src/formats/front-matter.ts'
import { parseYaml } from '../../../src/formats/yaml/parse.ts'

describe('parseYaml on valid YAML', () => {
  it.each([
    'name: a\ndescription: Use this\n',
    'a: "q \\"x\\" \\n"\nb: \'it\'\'s\'\n',
    'tools: [Read, "Write", Bash(git:*)]\n',
    'tools:\n- Read\n- Write\nmodel:\n',
    'n: 12\nf: 1.5\nh: 0x1f\nz: 007\nneg: -3\ne: 1e3\nv: 1.2.3\n',
    't: true\nn: null\nw: ~\ny: yes\n',
    'a: |\n  x\n  y\n\nb: >-\n  x\n  y\n',
    'a: plain\n  continued\nb: 1 # note\n',
    'a: {b: [1, {c: d}], e: }\n',
    'base: &b {x: 1}\nuse: *b\n<<: *b\n',
    '? a\n: b\n? c\n',
    '[1, 2]: x\n{a: b}: y\n~: z\n1: one\ntrue: yes\n',
    '__proto__: {a: 1}\nconstructor: 2\ntoString: 3\n',
    'a: !!str 1\nb: !custom x\n',
    '# only a comment\n',
    '',
    'a: 1\r\nb:\r\n  - x\r\n  - y\r\n',
    'a: caf\u00e9 \u{1f600}\nb: "\\u00e9"\n',
    'cafe: cafe\nb: e\nd: 0\n',
    'a: x\ry\n',
    '%YAML 1.2\n---\na: 1\n',
  ])('agrees with the library on %j', (text) => {
    const parsed = parseYaml(text)
    expect(parsed.findings).toEqual([])
    expect(parsed.recovered).toEqual([])
    expect(toData(parsed.root)).toEqual(parse(text, { logLevel: 'error' }))
  })

  it('keeps __proto__ as a key of its own', () => {
    const data = toData(parseYaml('__proto__: {polluted: true}\n').root) as object
    expect(Object.hasOwn(data, '__proto__')).toBe(true)
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype)
  })

  it('gives places in the file', () => {
    const text = '---\nname: "a"\ntools:\n  - Read\nnote: |\n  x\nempty:\n---\n'
    const { root } = parseYaml(text, splitFrontMatter(text).yaml!)
    const at = (path: (string | number)[]) => {
      const { start, end } = getNode(root, path)!.range
      return text.slice(start, end)
    }
    expect(at(['name'])).toBe('"a"')
    expect(at(['tools'])).toBe('- Read')
    expect(at(['tools', 0])).toBe('Read')
    expect(at(['note'])).toBe('|\n  x')
    expect(at(['empty'])).toBe('')
    const { keyRange, range } = getEntry(root, 'tools')!
    expect(text.slice(keyRange.start, keyRange.end)).toBe('tools')
    expect(text.slice(range.start, range.end)).toBe('tools:\n  - Read')
  })

  it('gives places in a file that is indented', () => {
    const text = '  ---\n  a: x\n  b:\n    - "y"\n  ---\n'
    const cut = splitFrontMatter(text)
    const { root, findings } = parseYaml(text, cut.yaml!, cut.indent)
    expect(toData(root)).toEqual({ a: 'x', b: ['y'] })
    expect(findings).toEqual([])
    const { start, end } = getNode(root, ['b', 0])!.range
    expect(text.slice(start, end)).toBe('"y"')
  })
})

describe('parseYaml on what is no map', () => {
  it.each([
    ['- a\n- b\n', ['a', 'b']],
    ['just words\n', 'just words'],
    ['Some words: and: more\nthen nothing\n', null],
  ])('reports %j', (text, data) => {
    const parsed = parseYaml(text)
    expect(parsed.findings.map(({ code }) => code)).toContain('front-matter-not-a-map')
    if (data !== null) expect(toData(parsed.root)).toEqual(data)
  })

  it('accepts a list where a list may stand', () => {
    expect(parseYaml('- a\n', undefined, '', { anyRoot: true }).findings).toEqual([])
  })

  it('refuses loops and bombs, and still answers', () => {
    const bomb = Array.from({ length: 30 }, (_, i) => `k${i}: &a${i} [${`*a${i - 1}, `.repeat(9)}x]`)
    bomb[0] = 'k0: &a0 [x]'
    for (const text of [bomb.join('\n'), 'a: &a [*a]\n', 'a: *nowhere\n']) {
      const parsed = parseYaml(text)
      expect(parsed.findings.length).toBeGreaterThan(0)
      expect(JSON.stringify(toData(parsed.root)).length).toBeLessThan(20_000)
    }
  })
})
