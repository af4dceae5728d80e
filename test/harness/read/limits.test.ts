/** What is beyond a limit is told, and read in the strictest way. */
import { describe, expect, test } from 'vitest'
import { checkDefinition } from '../../../src/check/check.ts'
import { convertPrompt } from '../../../src/convert/prompt/convert-prompt.ts'
import { locateFindings } from '../../../src/formats/lines.ts'
import { parseToml } from '../../../src/formats/toml/parse.ts'
import { decide } from '../../../src/model/access/decide.ts'
import { contains, overlaps } from '../../../src/model/access/pattern-sets.ts'
import { limits } from '../../../src/model/limits.ts'
import { markdown, readAs, registry } from '../../reading.ts'

const many = <T>(count: number, line: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => line(index))

const calls = [
  { tool: 'read', argument: 'src/x.ts' },
  { tool: 'shell', argument: 'c1 x' },
  { tool: 'edit', argument: 'a1' },
  { tool: 'mcp:s1/t' },
  { tool: 'delegate', argument: 'someone' },
]

function answers(id: string, text: string, carrier?: string): { codes: string[]; allowed: string[]; beyond: boolean } {
  const { agents, findings } = readAs(id, { text, ...(carrier === undefined ? {} : { carrier }) })
  const [one] = agents
  if (one === undefined) throw new Error('no agent')
  return {
    codes: findings.map(({ code }) => code),
    allowed: calls.filter((call) => decide(one.agent.access, call).action !== 'deny').map(({ tool }) => tool),
    beyond: one.isBeyondLimit === true,
  }
}

const closed = (code: string) => ({ codes: [code], allowed: [], beyond: true })

describe('rules', () => {
  const lists: readonly (readonly [string, string, (count: number) => string])[] = [
    [
      'claude-code',
      'grants',
      (n) => markdown('name: a', 'description: d', `tools: ${many(n, (i) => `mcp__s${i}__t`).join(', ')}`),
    ],
    [
      'claude-code',
      'denials',
      (n) => markdown('name: a', 'description: d', 'disallowedTools:', ...many(n, (i) => `  - Bash(c${i} *)`)),
    ],
    ['opencode', 'keys', (n) => markdown('description: d', 'permission:', ...many(n, (i) => `  "s${i}_*": allow`))],
    [
      'opencode',
      'patterns',
      (n) => markdown('description: d', 'permission:', '  bash:', ...many(n, (i) => `    "c${i} *": allow`)),
    ],
    ['opencode', 'flags', (n) => markdown('description: d', 'tools:', ...many(n, (i) => `  s${i}_t: false`))],
    [
      'qwen-code',
      'grants',
      (n) => markdown('name: aa', 'description: d', 'tools:', ...many(n, (i) => `  - mcp__s${i}__t`)),
    ],
  ]
  test.each(lists)('%s, %s: so many are read, and one more means that nothing is allowed', (id, _what, text) => {
    expect(answers(id, text(limits.rules))).toMatchObject({ codes: [], beyond: false })
    expect(answers(id, text(limits.rules + 1))).toEqual(closed('too-many-rules'))
  })

  test('those of several keys count together', () => {
    const half = limits.rules / 2
    const text = (more: number) =>
      markdown(
        'name: a',
        'description: d',
        `tools: ${many(half, (i) => `mcp__s${i}__t`).join(', ')}`,
        `disallowedTools: ${many(half + more, (i) => `mcp__d${i}__t`).join(', ')}`,
      )
    expect(answers('claude-code', text(0))).toMatchObject({ codes: [], beyond: false })
    expect(answers('claude-code', text(1))).toEqual(closed('too-many-rules'))
  })

  test('few of them can be too long', () => {
    const long = (i: number) => `    "${i}${'*a'.repeat(500)}": allow`
    const text = (count: number) => markdown('description: d', 'permission:', '  bash:', ...many(count, long))
    expect(answers('opencode', text(30)).codes).toEqual([])
    expect(answers('opencode', text(33))).toEqual(closed('too-many-rules'))
  })

  test('servers that an agent brings along count, too', () => {
    const text = (count: number) =>
      markdown('name: a', 'description: d', 'mcpServers:', ...many(count, (i) => `  s${i}: {command: x}`))
    expect(answers('claude-code', text(limits.servers)).beyond).toBe(false)
    expect(answers('claude-code', text(limits.servers + 1))).toEqual(closed('too-many-rules'))
  })

  test('what is not read is not checked entry by entry', () => {
    const text = markdown('name: a', 'description: d', `tools: ${many(600, (i) => `Tol${i}`).join(', ')}`)
    const { agents, document } = readAs('claude-code', { text })
    const harness = registry.byId('claude-code')!
    const found = checkDefinition({ registry, harness, carrier: harness.carriers[0]!, document, ...agents[0]! })
    expect(found.filter(({ code }) => code === 'unknown-tool')).toEqual([])
  })
})

describe('keys', () => {
  const filler = (size: number) => `x: ${'v'.repeat(size)}`

  test('front matter that is too long is not read, and nothing is allowed', () => {
    const text = (size: number) => markdown('name: a', 'description: d', 'tools: Read', filler(size))
    expect(answers('claude-code', text(limits.keys - 100)).codes).toEqual([])
    expect(answers('claude-code', text(limits.keys))).toEqual(closed('long-definition'))
  })

  test('so it is in TOML, where a long prompt is no matter', () => {
    const toml = (prompt: number, other: number) =>
      `name = "a"\ndescription = "d"\ndeveloper_instructions = """\n${'p'.repeat(prompt)}"""\nx = "${'v'.repeat(other / 2)}"\ny = "${'v'.repeat(other / 2)}"\n`
    expect(readAs('codex', { text: toml(100_000, 40_000) }).findings).toEqual([])
    expect(answers('codex', toml(10, 10)).beyond).toBe(false)
    expect(answers('codex', toml(100_000, limits.keys))).toEqual(closed('long-definition'))
    expect(parseToml(`x = [${'1,'.repeat(limits.keys)}]`)).toMatchObject({ root: null, isUnread: true })
  })

  test('so it is for an entry of a JSON file', () => {
    const json = (prompt: number, other: number) =>
      JSON.stringify({ agent: { a: { prompt: 'p'.repeat(prompt), description: 'v'.repeat(other) } } })
    expect(answers('opencode', json(limits.keys * 2, 10), 'config').codes).toEqual([])
    expect(answers('opencode', json(10, limits.keys), 'config')).toEqual(closed('long-definition'))
  })
})

describe('prompts', () => {
  test('the rest of a long one is carried over as it is, and that is told', () => {
    const line = 'Use the Read tool.\n'
    const text = line.repeat(Math.ceil((limits.prompt * 2) / line.length))
    const { findings } = readAs('claude-code', { text: `---\nname: a\ndescription: d\n---\n${text}` })
    expect(findings.map(({ code }) => code)).toEqual(['long-prompt'])
    const [source, target] = [registry.byId('claude-code')!, registry.byId('opencode')!]
    const carrier = target.carriers[0]!
    const done = convertPrompt({
      text,
      source,
      target,
      carrier,
      renamed: new Map(),
      resolve: () => 'omit',
      model: () => null,
    })
    expect(done.text.startsWith('Use the read tool.\n')).toBe(true)
    expect(done.text.endsWith(line)).toBe(true)
    expect(done.text.length).toBe(text.length)
    const changed = done.changes.at(-1)?.range.end ?? 0
    expect(changed).toBeLessThanOrEqual(limits.prompt)
    expect(changed).toBeGreaterThan(limits.prompt - 2 * line.length)
  })

  test('what prompts include has an end, and that is told', () => {
    const include = (count: number) => JSON.stringify({ agent: { a: { prompt: '{file:./x.md}'.repeat(count) } } })
    const files = { './x.md': 'x'.repeat(limits.included / 4) }
    const read = (count: number) => readAs('opencode', { carrier: 'config', text: include(count), files })
    expect(read(4).findings.map(({ code }) => code)).not.toContain('too-much-included')
    const { findings, agents } = read(6)
    expect(findings.map(({ code }) => code)).toContain('too-much-included')
    expect(agents[0]?.agent.prompt.text.endsWith('x{file:./x.md}{file:./x.md}')).toBe(true)
  })

  test('all prompts of a file share it, and the files that they name are counted', () => {
    const agents = Object.fromEntries(many(6, (i) => [`a${i}`, { prompt: '{file:./x.md}' }] as const))
    const files = { './x.md': 'x'.repeat(limits.included / 4) }
    const shared = readAs('opencode', { carrier: 'config', text: JSON.stringify({ agent: agents }), files })
    expect(shared.findings.filter(({ code }) => code === 'too-much-included')).toHaveLength(2)
    const prompt = many(limits.references + 1, (i) => `{file:./${i}.md}`).join('')
    const { findings } = readAs('opencode', { carrier: 'config', text: JSON.stringify({ agent: { a: { prompt } } }) })
    expect(findings.filter(({ code }) => code === 'missing-reference')).toHaveLength(limits.references)
    expect(findings.filter(({ code }) => code === 'too-much-included')).toHaveLength(1)
  })
})

test('of the agents in one file so many are read, and the others are told of', () => {
  const text = (count: number) =>
    JSON.stringify({ agent: Object.fromEntries(many(count, (i) => [`a${i}`, { prompt: 'p' }] as const)) })
  const read = (count: number) => readAs('opencode', { carrier: 'config', text: text(count) })
  expect(read(limits.agents).findings).toEqual([])
  const { agents, findings } = read(limits.agents + 3)
  expect(agents).toHaveLength(limits.agents)
  expect(findings.map(({ code, message }) => [code, message])).toEqual([
    ['too-many-agents', 'The file holds 1003 agents. Troupe reads the first 1000.'],
  ])
})

test('thousands of findings of one kind are counted, and other kinds are still told', () => {
  const range = { start: 0, end: 0 }
  const same = many(3000, () => 'The same.').map((message) => ({ code: 'duplicate-key' as const, message, range }))
  const told = locateFindings([...same, { code: 'unreadable-access', message: 'Another.', range }], 'a.md', '')
  expect(told).toHaveLength(limits.findings + 1)
  expect(told[limits.findings - 1]?.message).toBe('2501 more like this are not listed: The same.')
  expect(told.at(-1)?.code).toBe('unreadable-access')
})

test('patterns with many stars are compared exactly', () => {
  const stars = (count: number) => ({ syntax: 'wildcard' as const, pattern: '*a'.repeat(count) })
  expect(contains(stars(300), stars(301))).toBe(true)
  expect(contains(stars(301), stars(300))).toBe(false)
  expect(overlaps(stars(300), { syntax: 'wildcard', pattern: `${'*b'.repeat(300)}` })).toBe(false)
  expect(overlaps(stars(300), { syntax: 'wildcard', pattern: `${'*b'.repeat(300)}*` })).toBe(true)
})
