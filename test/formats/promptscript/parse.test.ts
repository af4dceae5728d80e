/** PromptScript with places, and what is left of it when it is broken. */
import { describe, expect, it } from 'vitest'
import { getEntry, getNode, isMap, toData } from '../../../src/formats/data.ts'
import { applyFixes } from '../../../src/formats/edit/edits.ts'
import { parsePrs } from '../../../src/formats/promptscript/parse.ts'
import { isDamaged } from '../../../src/formats/promptscript/strings.ts'
import type { Range } from '../../../src/model/range.ts'

const lines = (...all: string[]) => `${all.join('\n')}\n`
const dataOf = (text: string) => toData(parsePrs(text).root)
const agents = (body: string) => `@agents { a: { ${body} } }`
const agentOf = (body: string) => (dataOf(agents(body)) as { agents: { a: unknown } }).agents.a

/** Every construct of the grammar. */
const WHOLE = lines(
  '# a comment',
  '@meta {',
  '  id: "everything"',
  "  syntax: '1.1.0'",
  '  params: { name?: string = "x", size: range(1..10), kind: enum("a", "b"), on: boolean }',
  '}',
  '@inherit @company/base@1.2.0(team: "core", size: 3)',
  '@use ./parts/one as one into "folder"',
  '@use github.com/org/repo/path@^2.0.0',
  '@use git@host.example:org/repo@main',
  '@identity {',
  '  """',
  '  You are @someone. { not a block } "quoted"',
  '  """',
  '}',
  '@restrictions {',
  '  - "Never this"',
  '  - "Never that"',
  '}',
  '@standards {',
  '  @header code "Code style"',
  '  @use ./more',
  '  naming!: [camel, "Pascal", 3, true, null, { deep: -1.5, more: [] },]',
  '  "quoted key": ${HOME:-/root}',
  '  string: {{placeholder}}',
  '  typed?: number = 4',
  '}',
  '@extend agents.planner { tools: ["Read"] }',
  '@override standards.naming { ["a"] }',
  '@agents {',
  '  planner: {',
  '    description: "Plans" # why',
  '    content: """',
  '      You plan.',
  '        - well',
  '    """',
  '  }',
  '}',
)

describe('parsePrs', () => {
  it('reads every construct', () => {
    expect(parsePrs(WHOLE)).toMatchObject({ findings: [], recovered: [] })
    expect(dataOf(WHOLE)).toEqual({
      meta: {
        id: 'everything',
        syntax: '1.1.0',
        params: { name: 'string', size: 'range(1..10)', kind: 'enum("a", "b")', on: 'boolean' },
      },
      inherit: '@company/base@1.2.0',
      use: 'git@host.example:org/repo@main',
      identity: 'You are @someone. { not a block } "quoted"',
      restrictions: {},
      standards: {
        naming: ['camel', 'Pascal', 3, true, null, { deep: -1.5, more: [] }],
        'quoted key': '${HOME:-/root}',
        string: '{{placeholder}}',
        typed: 'number',
      },
      'extend agents.planner': { tools: ['Read'] },
      'override standards.naming': ['a'],
      agents: { planner: { description: 'Plans', content: '\nYou plan.\n  - well\n' } },
    })
  })

  it('knows where everything stands', () => {
    const { root } = parsePrs(WHOLE)
    const at = ({ start, end }: Range) => WHOLE.slice(start, end)
    const planner = getEntry(getNode(root, ['agents']), 'planner')!
    expect(at(planner.keyRange)).toBe('planner')
    expect(at(planner.range).startsWith('planner: {')).toBe(true)
    expect(at(planner.value.range).endsWith('}')).toBe(true)
    expect(at(getNode(root, ['agents', 'planner', 'description'])!.range)).toBe('"Plans"')
    expect(at(getNode(root, ['agents', 'planner', 'content'])!.range)).toMatch(/^"""[\s\S]*"""$/)
    expect(at(getNode(root, ['standards', 'naming', 5, 'deep'])!.range)).toBe('-1.5')
    expect(at(getNode(root, ['standards', 'string'])!.range)).toBe('{{placeholder}}')
    expect(at(getEntry(getNode(root, ['standards']), 'typed')!.range)).toBe('typed?: number = 4')
    expect(at(getEntry(root, 'agents')!.range).startsWith('@agents {')).toBe(true)
    expect(at(getEntry(root, 'extend agents.planner')!.keyRange)).toBe('extend agents.planner')
    expect(isMap(root) && root.entries.every(({ range, value }) => range.end >= value.range.end)).toBe(true)
  })

  it('joins blocks of one name', () => {
    expect(dataOf('@agents { a: { x: 1 } }\n@agents { b: { x: 2 } }')).toEqual({ agents: { a: { x: 1 }, b: { x: 2 } } })
  })

  it('reads the fields of a block without a colon, and says what PromptScript wants', () => {
    const sample = lines('@agents {', 'planner {', 'description: "Plans"', 'model: opus', '}', '}')
    const { root, findings } = parsePrs(sample)
    expect(toData(root)).toEqual({ agents: { planner: { description: 'Plans', model: 'opus' } } })
    expect(findings).toMatchObject([{ code: 'invalid-prs', severity: 'warning' }])
    const fixed = applyFixes(sample, findings).text
    expect(fixed).toContain('planner: {')
    expect(parsePrs(fixed).findings).toEqual([])
  })

  it.each([
    ['model: inherit', { model: 'inherit' }],
    ['model: anthropic/claude-opus-4.1', { model: 'anthropic/claude-opus-4.1' }],
    ['model: gpt-4.1 tools: []', { model: 'gpt-4.1', tools: [] }],
    ['use: "x"', { use: 'x' }],
    ['x: { y: 1}', { x: { y: 1 } }],
  ])('takes %s for what was meant, and mends it', (body, data) => {
    const text = `@agents { a: { ${body}}}`
    const { findings } = parsePrs(text)
    expect(agentOf(body)).toEqual(data)
    expect(findings.every(({ severity }) => severity === 'warning')).toBe(true)
    const fixed = applyFixes(text, findings).text
    expect(parsePrs(fixed).findings).toEqual([])
    expect(dataOf(fixed)).toEqual(dataOf(text))
  })

  it('reads texts as they were meant', () => {
    expect(agentOf(String.raw`x: "a\n\t\"\\n \d" y: 'it''s'`)).toMatchObject({ x: 'a\n\t"\\n \\d' })
    expect(agentOf('x: "two\nlines"')).toEqual({ x: 'two\nlines' })
    expect(agentOf(String.raw`x: 'it\'s "so"'`)).toEqual({ x: 'it\'s "so"' })
    expect(agentOf('x: """"quoted" text"""')).toEqual({ x: '"quoted" text' })
    expect(agentOf('x: """\r\n  a\r\n    b\r\n  c\r\n"""')).toEqual({ x: 'a\n  b\nc' })
  })

  it('keeps the line ends at the edges of prose alone', () => {
    const block = '"""\n\n    You plan.\n      - well\n  """'
    expect(agentOf(`content: ${block} other: ${block}`)).toEqual({
      content: '\n\nYou plan.\n  - well\n',
      other: 'You plan.\n  - well',
    })
    expect(agentOf('content: """  You plan. """ other: """ \n """')).toEqual({ content: 'You plan.', other: '' })
  })

  it('knows what PromptScript would damage', () => {
    expect(isDamaged('a\\nb', true)).toBe(false)
    expect(isDamaged('a\\nb', false)).toBe(false)
    expect(isDamaged('a\\nb """', true)).toBe(true)
    expect(isDamaged(' a\\nb', false)).toBe(true)
    expect(isDamaged('\\d \\" \\\\ "" """', true)).toBe(false)
  })
})

describe('broken files', () => {
  const other = 'other: { description: "fine", tools: ["Read"] }'
  const fine = { description: 'fine', tools: ['Read'] }

  it.each([
    ['an unclosed string', 'a: { description: "never closed\n tools: ["Read"] }'],
    ['an unclosed string before a block', 'a: { description: "never closed\n content: """\nText\n""" }'],
    ['a list without its end', 'a: {\n tools: ["Read", "Grep"\n model: "opus"\n}'],
    ['a value that is missing', 'a: {\n model:\n tools: ["Read"]\n}'],
    ['a field without a colon', 'a: {\n model "opus"\n tools: ["Read"]\n}'],
    ['characters of no meaning', 'a: {\n model: opus\n §§§ %% \n}'],
    ['a list of fields', 'a: {\n - "x"\n tools: ["Read"]\n}'],
    ['a bracket too many', 'a: {\n tools: ["Read"]]\n}'],
  ])('%s hides no other agent', (_what, broken) => {
    const text = `@agents {\n ${broken}\n ${other}\n}\n`
    const { root, findings, recovered } = parsePrs(text)
    expect(findings.some(({ code }) => code === 'invalid-prs')).toBe(true)
    expect(recovered).toContain('agents')
    expect(toData(getNode(root, ['agents', 'other'])!)).toEqual(fine)
    expect(getNode(root, ['agents', 'a'])).toBeDefined()
  })

  it.each([
    ['a block that is not closed', '@identity {\n x: 1\n@agents { other: { description: "fine", tools: ["Read"] } }'],
    ['an agent that is not closed', '@skills { a: { x: 1\n@agents { other: { description: "fine", tools: ["Read"] } }'],
    ['words before a block', 'hello { world }\n@agents { other: { description: "fine", tools: ["Read"] } }'],
    ['a reference that leads nowhere', '@use\n@agents { other: { description: "fine", tools: ["Read"] } }'],
  ])('%s hides no other block', (_what, text) => {
    expect(parsePrs(text).findings).not.toEqual([])
    expect(toData(getNode(parsePrs(text).root, ['agents', 'other'])!)).toEqual(fine)
  })

  it.each([
    ['nothing', ''],
    ['a mark of byte order', '\uFEFF@agents { other: { description: "fine" } }'],
    ['only an opening', '@agents {'],
    ['an unclosed text', '@agents { a: { content: """never closed } }'],
    ['a NUL', '@agents { a\0: { description: "x\0y" } }'],
    ['quotes alone', '"'],
    ['a lone at', '@'],
    ['braces by the thousand', `@a { b: ${'{ c: '.repeat(5000)}`],
    ['brackets by the thousand', `@a { b: ${'['.repeat(5000)} }`],
    ['closing braces', '}}}}}}'],
    ['a long line', `@agents { a: { description: "${'x'.repeat(1_000_000)}" } }`],
    ['a long line of nothing', `@agents { ${'§'.repeat(1_000_000)} }`],
    ['a long line of words', `@agents { ${'a '.repeat(200_000)} }`],
    ['many blocks', '@a { x: 1 }\n'.repeat(20_000)],
  ])('%s is read without a crash', (_what, text) => {
    const { root, findings } = parsePrs(text)
    expect(root).not.toBeNull()
    expect(findings.length).toBeLessThanOrEqual(20)
    for (const { range } of findings) expect(range.end).toBeLessThanOrEqual(text.length)
  })

  it('reads the same with other line ends', () => {
    const windows = WHOLE.replaceAll('\n', '\r\n')
    expect(parsePrs(windows).findings).toEqual([])
    expect(dataOf(windows)).toEqual(dataOf(WHOLE))
  })

  it('tells keys that stand twice', () => {
    const text = '@agents { a: { x: 1 x: 2 } a: { x: 3 } }'
    expect(parsePrs(text).findings).toMatchObject([{ code: 'duplicate-key' }, { code: 'duplicate-key' }])
    expect(dataOf(text)).toEqual({ agents: { a: { x: 3 } } })
  })
})
