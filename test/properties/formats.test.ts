/** Whatever the text: it can be read, edits change their ranges alone, and what is written reads back. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { sameData, toData } from '../../src/formats/data.ts'
import { decode, encode } from '../../src/formats/decode.ts'
import { applyEdits, applyFixes } from '../../src/formats/edit/edits.ts'
import { splitFrontMatter } from '../../src/formats/front-matter.ts'
import { parseJson } from '../../src/formats/json/parse.ts'
import { parseToml } from '../../src/formats/toml/parse.ts'
import { tomlString } from '../../src/formats/toml/render.ts'
import { parseYaml } from '../../src/formats/yaml/parse.ts'
import { yamlEntry, yamlScalar, yamlValue } from '../../src/formats/yaml/render.ts'
import type { Edit } from '../../src/model/range.ts'
import { runs } from '../chance.ts'

const options = { knownKeys: new Set(['name', 'description', 'tools', 'model']), listKeys: new Set(['tools']) }
const whole = (text: string) => ({ start: 0, end: text.length })

/** Pieces that mean something to one of the formats, so that random texts come close to real ones. */
const pieces = [
  ...[
    'name',
    'description',
    'tools',
    'model',
    'custom',
    'a',
    'Context',
    'user',
    'x y',
    '12',
    'true',
    'null',
    '~',
    'é',
    '😀',
  ],
  ...[
    ': ',
    ':',
    ' ',
    '  ',
    '\n',
    '\n',
    '\n',
    '\r\n',
    '\r',
    '\t',
    '- ',
    '-',
    '---',
    '----',
    '...',
    '# ',
    '#',
    '"',
    "'",
    '`',
    '```',
  ],
  ...[
    '[',
    ']',
    '{',
    '}',
    ', ',
    ',',
    '|',
    '>',
    '|-',
    '*',
    '**',
    '&a ',
    '*a',
    '!',
    '%',
    '@',
    '?',
    '\\',
    '\\n',
    '=',
    ' = ',
    '"""',
    "'''",
  ],
  ...[
    '<!--',
    '-->',
    '<b>',
    '(',
    ')',
    '\uFEFF',
    '\0',
    '\u0085',
    '\u2028',
    '\u00a0',
    '\ud800',
    '0x1',
    '1.5',
    '1e3',
    '<<',
    '.',
    '_',
    '1.',
  ],
]
const soup = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(''))

/** Lines that look like front matter, some valid and some not. */
const value = fc.oneof(
  soup.map((text) => text.replace(/[\r\n]/g, ' ')),
  fc.constantFrom(
    'plain',
    '"quoted"',
    "'single'",
    '[a, b]',
    '[]',
    '[ ]',
    'Use when: x',
    '*',
    '**B**: c',
    '{a: 1}',
    '12',
    'true',
    '',
    '|',
    '>-',
    '"open',
    'a # b',
  ),
)
const line = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.constantFrom('name', 'description', 'tools', 'model', 'custom', 'Context'), value)
      .map(([key, text]) => `${key}: ${text}`),
  },
  { weight: 2, arbitrary: value.map((text) => `  - ${text}`) },
  { weight: 1, arbitrary: value.map((text) => `  ${text}`) },
  { weight: 1, arbitrary: value.map((text) => `\tkey: ${text}`) },
  { weight: 1, arbitrary: soup },
)
const frontMatter = fc
  .array(line, { maxLength: 6 })
  .chain((lines) => fc.constantFrom('\n', '\r\n').map((end) => lines.join(end) + end))

/** A block of text below its key, with whatever may stand around its lines. */
const block = fc
  .tuple(
    fc.constantFrom('|', '|-', '>', '>-', '|+', '>2', '| ', '> # c'),
    fc.array(
      fc.tuple(
        fc.constantFrom('  ', '  ', '  ', '   ', ' ', '', '\t'),
        fc.constantFrom('one', 'two: 3', '- x', '# y', '', ' ', 'z  ', '---', "it's", '\u2028', '<e>\\n</e>'),
      ),
      { maxLength: 6 },
    ),
    fc.constantFrom('b: 1\n', '', '\n', ' c\n'),
  )
  .map(([sign, lines, after]) => `a: ${sign}\n${lines.map((parts) => `${parts.join('')}\n`).join('')}${after}`)

describe('bytes', () => {
  it('survive any way through text', () => {
    const marked = fc.tuple(
      fc.constantFrom([], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff]),
      fc.uint8Array({ maxLength: 60 }),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          marked.map(([mark, rest]) => Uint8Array.from([...mark, ...rest])),
        ),
        (bytes) => {
          const { text, encoding, findings } = decode(bytes)
          expect(encode(text, encoding)).toEqual(bytes)
          for (const { range } of findings) expect(range.end).toBeLessThanOrEqual(text.length)
        },
      ),
      runs(500),
    )
  })
})

describe('any text', () => {
  it('can be read as anything', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          soup,
          frontMatter.map((yaml) => `---\n${yaml}---\nbody`),
          fc.string({ unit: 'binary' }),
        ),
        (text) => {
          const cut = splitFrontMatter(text)
          const parsed = [
            parseYaml(text, cut.yaml ?? undefined, cut.indent, options),
            parseYaml(text, undefined, ' ', options),
            parseToml(text),
            parseJson(text),
            parseJson(text, { comments: true }),
          ]
          for (const { root, findings } of parsed) {
            toData(root)
            for (const { range, fix } of [...cut.findings, ...findings]) {
              expect(range.start).toBeLessThanOrEqual(range.end)
              expect(range.end).toBeLessThanOrEqual(text.length)
              if (fix) applyEdits(text, fix)
            }
          }
        },
      ),
      runs(3000),
    )
  })
})

describe('edits', () => {
  it('change their ranges and nothing else', () => {
    const case_ = fc.string({ maxLength: 30 }).chain((text) => {
      const cuts = fc.array(fc.tuple(fc.nat(text.length), fc.string({ maxLength: 4 })), { maxLength: 6 })
      return fc.tuple(fc.constant(text), cuts)
    })
    fc.assert(
      fc.property(case_, ([text, cuts]) => {
        const sorted = cuts.toSorted(([a], [b]) => a - b)
        const edits: Edit[] = []
        let expected = ''
        let done = 0
        for (let i = 0; i + 1 < sorted.length; i += 2) {
          const range = { start: sorted[i]![0], end: sorted[i + 1]![0] }
          edits.push({ range, text: sorted[i]![1] })
          expected += text.slice(done, range.start) + sorted[i]![1]
          done = range.end
        }
        expect(applyEdits(text, edits)).toBe(expected + text.slice(done))
      }),
    )
  })
})

describe('YAML', () => {
  it('that is valid means what the library says', () => {
    fc.assert(
      fc.property(fc.oneof(frontMatter, soup, block), (text) => {
        let expected: unknown
        try {
          expected = parse(text, { logLevel: 'error' })
        } catch {
          return
        }
        const parsed = parseYaml(text, whole(text), '', { ...options, anyRoot: true })
        expect(parsed.findings).toEqual([])
        expect(toData(parsed.root)).toEqual(expected)
      }),
      runs(5000),
    )
  })

  it('that had to be recovered is valid after its fixes, with the same data', () => {
    let fixable = 0
    fc.assert(
      fc.property(frontMatter, (yaml) => {
        const text = `---\n${yaml}---\nbody`
        const cut = splitFrontMatter(text)
        if (!cut.yaml) return
        const { root, findings } = parseYaml(text, cut.yaml, cut.indent, options)
        if (!findings.some(({ fix }) => fix)) return
        fixable++
        const fixed = applyFixes(text, findings).text
        const again = splitFrontMatter(fixed)
        expect(fixed.slice(again.body.start)).toBe(text.slice(cut.body.start))
        const source = fixed.slice(again.yaml!.start, again.yaml!.end)
        expect(sameData(parse(source, { logLevel: 'error' }), toData(root))).toBe(true)
      }),
      runs(3000),
    )
    expect(fixable).toBeGreaterThan(100)
  }, 60_000)
})

describe('rendering', () => {
  const text = fc.oneof(soup, fc.string({ unit: 'binary', maxLength: 30 }), fc.string({ maxLength: 30 }))
  const scalar = fc.oneof(text, fc.integer(), fc.double(), fc.boolean(), fc.constant(null))

  it('of YAML scalars reads back', () => {
    fc.assert(
      fc.property(scalar, fc.boolean(), (value, flow) => {
        const source = flow
          ? `[${yamlScalar(value, { flow })}]`
          : `key: ${yamlScalar(value, { indent: '' })}\nnext: 1\n`
        const data = parse(source, { logLevel: 'error' })
        expect(flow ? data[0] : data.key).toEqual(value)
        expect(flow || data.next === 1).toBe(true)
      }),
      runs(5000),
    )
  })

  it('of YAML values reads back', () => {
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        scalar,
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(text, tie('tree'), { maxKeys: 3 }),
      ),
    }))
    fc.assert(
      fc.property(tree, fc.boolean(), (value, flow) => {
        expect(sameData(parse(yamlEntry('key', value, { flow }), { logLevel: 'error' }), { key: value })).toBe(true)
        expect(sameData(parse(`- ${yamlValue(value, { flow: true })}`, { logLevel: 'error' }), [value])).toBe(true)
      }),
      runs(2000),
    )
  })

  it('of TOML and JSON strings reads back', () => {
    fc.assert(
      fc.property(text, (value) => {
        const sound = value.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
        expect(toData(parseToml(`a = ${tomlString(value)}\nb = 1\n`).root)).toEqual({ a: sound, b: 1 })
        expect(toData(parseJson(`{"a": ${JSON.stringify(value)}}`).root)).toEqual({ a: value })
      }),
      runs(2000),
    )
  })
})
