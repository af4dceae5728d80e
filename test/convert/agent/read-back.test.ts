/** What cannot be held is refused, or told as a gap: never written as if nothing were lost. */
import { describe, expect, test } from 'vitest'
import { readBack } from '../../../src/convert/agent/read-back.ts'
import type { Carrier, Harness } from '../../../src/harness/schema/harness.ts'
import { convertInto, harnessOf, sourceOf } from '../converting.ts'

const reviewer = '---\nname: reviewer\ndescription: Reviews\ntools: Read, Grep\n---\n\nReview it.\n'

/** A harness like another, with one kind of file. */
function like(id: string, carrier: Partial<Carrier>, more: Partial<Harness> = {}): Harness {
  const harness = harnessOf(id)
  const [first] = harness.carriers
  if (first === undefined) throw new Error('no kind of file')
  return { ...harness, id: 'other', title: 'Other', carriers: [{ ...first, ...carrier }], ...more }
}

const unnamed: Carrier['name'] = { wins: 'key', strip: [], separator: '/', taken: [] }

function refusalFor(text: string, target: Harness) {
  return convertInto(sourceOf('claude-code', { text }), target).refusal
}

describe('a kind of file that does not give back what is written', () => {
  const entry: Partial<Carrier> = { format: 'json', project: { read: ['modes.json'], write: 'modes.json' }, drops: [] }
  const prompt = { in: 'key', key: 'prompt' } as const

  test('a list of agents without a key for their names', () => {
    const target = like('qwen-code', { ...entry, prompt, name: unnamed, agents: { at: 'modes', as: 'list' } })
    expect(refusalFor(reviewer, target)?.message).toContain('cannot be written for Other (agent file): when read back')
  })

  test.each(['json', 'yaml', 'toml'] as const)('a list of agents in %s can', (format) => {
    const name: Carrier['name'] = { key: 'slug', ...unnamed }
    const lists = { ...entry, format, prompt, name, agents: { at: 'modes', as: 'list' as const } }
    expect(refusalFor(reviewer, like('qwen-code', lists))).toBe(null)
  })

  test('a map of agents can', () => {
    const name: Carrier['name'] = { path: 'mapKey', ...unnamed }
    expect(
      refusalFor(reviewer, like('qwen-code', { ...entry, prompt, name, agents: { at: 'modes', as: 'map' } })),
    ).toBe(null)
  })

  test('a name that is read from somewhere else', () => {
    const name: Carrier['name'] = { ...unnamed, path: 'stem', wins: 'path', strip: ['er'] }
    expect(refusalFor(reviewer, like('qwen-code', { name }))?.message).toMatch(
      /read back, it is called ".*" instead of/,
    )
  })

  test('a prompt in a key that the header has for something else', () => {
    const target = like('qwen-code', { format: 'json', prompt: { in: 'key', key: 'description' } })
    expect(refusalFor(reviewer, target)?.message).toMatch(/read back, `description` differs/)
  })

  test('a kind of file without front matter', () => {
    expect(refusalFor(reviewer, like('qwen-code', { plain: true }))?.message).toMatch(/read back, /)
  })

  test('in an entry of a file that others share references are text, and stay', () => {
    const source = sourceOf('claude-code', { text: `${reviewer}Say {env:SECRET} and {file:./x}.\n` })
    const harness = harnessOf('opencode')
    const carrier = harness.carriers.find(({ id }) => id === 'config') as Carrier
    const converted = convertInto(source, harness, { target: { harness, carrier } } as object)
    expect(converted.refusal).toBe(null)
    const read = readBack(source.registry, { harness, carrier }, converted.output)
    expect(read.prompt.text).toMatch(/Say \{ ?env:SECRET\} and \{ ?file:\.\/x\}\./)
  })
})

describe('an agent without a prompt', () => {
  test.each(['', '\n\n', 'file://./reviewer.md', '{file:./gone.md}', '@prompts/reviewer.md', './reviewer.md'])(
    'is refused: %j',
    (prompt) => {
      const text = `---\nname: reviewer\ndescription: Reviews\n---\n${prompt}`
      expect(refusalFor(text, harnessOf('opencode'))?.code).toBe('no-prompt')
    },
  )

  test.each(['Review.', 'See @prompts/reviewer.md for how.', 'Read {file:./x.md} first.'])('is not: %j', (prompt) => {
    const text = `---\nname: reviewer\ndescription: Reviews\n---\n${prompt}\n`
    expect(refusalFor(text, harnessOf('opencode'))).toBe(null)
  })
})

describe('MCP servers', () => {
  test.each([
    ['a list of settings', 'mcpServers:\n  - type: stdio\n    name: code_review\n    command: uv\n    args: [run]'],
    ['one without a name', 'mcpServers:\n  command: uv\n  args: [run]'],
    ['a number', 'mcpServers: [7]'],
  ])('that are %s become no names of servers, and a gap', (_what, lines) => {
    const text = `---\nname: reviewer\ndescription: Reviews\n${lines}\n---\n\nReview it.\n`
    for (const id of ['claude-code', 'qwen-code', 'copilot', 'gemini-cli', 'opencode']) {
      const source = sourceOf('qwen-code', { text })
      const { record, output } = convertInto(source, harnessOf(id === 'qwen-code' ? 'claude-code' : id))
      expect([id, record.gaps.some(({ feature }) => feature === 'mcpServers')]).toEqual([id, true])
      if (output.kind === 'file') expect(output.text.split('Review it.')[0]).not.toMatch(/code_review|command|\buv\b/)
    }
  })
})

describe('a harness where no list means no tools', () => {
  test('an agent that has all of them elsewhere is refused', () => {
    const { access } = harnessOf('qwen-code')
    const closed = { ...access, base: [{ tools: ['*'], action: 'deny' }] } as unknown as Harness['access']
    const text = '---\nname: reviewer\ndescription: Reviews\n---\n\nReview it.\n'
    expect(refusalFor(text, like('qwen-code', {}, { access: closed }))?.code).toBe('nothing-left')
  })
})

describe('values that say nothing', () => {
  test.each(['skills: []', 'hooks: {}', 'mcpServers: {}', 'memory: ""', 'skills:'])('%s is no loss', (line) => {
    const text = `---\nname: reviewer\ndescription: Reviews\n${line}\n---\n\nReview it.\n`
    const { record, output } = convertInto(sourceOf('claude-code', { text }), harnessOf('gemini-cli'))
    expect(record.gaps).toEqual([])
    if (output.kind === 'file') expect(output.text).not.toContain('TODO')
  })
})
