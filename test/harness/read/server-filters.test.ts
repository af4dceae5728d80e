/** Lists of tools inside the entries of servers: they limit wherever the server goes. */
import { describe, expect, test } from 'vitest'
import { decide } from '../../../src/model/access/decide.ts'
import { accessCeiling } from '../../../src/model/access/rules.ts'
import { convertInto, harnessOf, sourceOf } from '../../convert/converting.ts'
import { markdown, readOne } from '../../reading.ts'

function written(from: string, to: string, text: string): string {
  const { output, record } = convertInto(sourceOf(from, { text }), harnessOf(to))
  expect(record.access.widened).toEqual([])
  return output.kind === 'file' ? output.text : ''
}

const gemini = (filter: string) =>
  markdown('name: a', 'description: d', 'mcp_servers:', '  docs:', '    command: docs-server', `    ${filter}`)

describe('what a list in the entry of a server means', () => {
  const answers = (harness: string, text: string) => {
    const access = accessCeiling(readOne(harness, { text }).access, 'child')
    return ['get', 'put'].map((tool) => decide(access, { tool: `mcp:docs/${tool}` }).action).join(' ')
  }
  const cases: readonly [string, string, string][] = [
    ['exclude_tools: [put]', 'offer deny', 'names'],
    ['include_tools: [get]', 'offer deny', 'names'],
    ['include_tools: [get, put]\n    exclude_tools: [put]', 'offer deny', 'both lists'],
    ['exclude_tools: ["*"]', 'deny deny', 'a star that denies'],
    ['include_tools: ["*"]', 'offer offer', 'a star that gives'],
    ['include_tools: ["*\\t"]', 'deny deny', 'a star with a tab behind it'],
    ['include_tools: [" *"]', 'deny deny', 'a star with a space before it'],
    ['include_tools: []', 'deny deny', 'nothing'],
    ['include_tools: ["get\\t", put]', 'deny offer', 'a name with a tab behind it'],
    ['exclude_tools: ["put\\t"]', 'offer deny', 'a denied name with a tab behind it'],
    ['include_tools:', 'offer offer', 'no value'],
    ['include_tools: {get: true}', 'deny deny', 'what nobody can read'],
    ['exclude_tools: {put: true}', 'deny deny', 'what nobody can read'],
    ['exclude_tools: put', 'offer deny', 'a text'],
    ['exclude_tools: ["put(x)"]', 'offer deny', 'a denial of some calls'],
    ['include_tools: ["put(x)", get]', 'offer deny', 'a grant of some calls'],
    ['excludeTools: [put]', 'offer deny', 'a key of another dialect'],
    ['enabled_tools: [get]', 'offer deny', 'a key of another dialect'],
    ['enabledTools: [get]', 'offer deny', 'a key that no dialect has'],
    ['blocked-tools: [put]', 'offer deny', 'a key that no dialect has'],
    ['disabled: true', 'deny deny', 'a server that is switched off'],
    ['enabled: false', 'deny deny', 'a server that is switched off'],
    ['enabled: true', 'offer offer', 'a server that is switched on'],
  ]
  test.each(cases)('%s: %s', (filter, expected) => {
    expect(answers('gemini-cli', gemini(filter))).toBe(expected)
  })

  test('in a list of servers', () => {
    const text = markdown('name: a', 'description: d', 'mcpServers:', '  - docs: {command: x, tools: [get]}')
    expect(answers('claude-code', text)).toBe('offer deny')
  })
})

test('a server that is switched off is started nowhere', () => {
  const both = (filter: string) =>
    `${gemini(filter).replace('  docs:', '  other:\n    command: other-server\n  docs:')}`
  for (const to of ['claude-code', 'qwen-code', 'copilot']) {
    expect(written('gemini-cli', to, both('disabled: true'))).not.toContain('docs-server')
    expect(written('gemini-cli', to, both('disabled: true'))).toContain('other-server')
    expect(written('gemini-cli', to, both('disabled: false'))).toContain('docs-server')
  }
})

test('the list goes along where the target has a key for it', () => {
  const text = gemini('exclude_tools: [put]')
  expect(written('gemini-cli', 'qwen-code', text)).toContain('    excludeTools:\n      - put\n')
  expect(written('gemini-cli', 'copilot', gemini('include_tools: [get]'))).toContain('    tools:\n      - get\n')
})

test('where it has none, the rules of the agent say it', () => {
  expect(written('gemini-cli', 'claude-code', gemini('exclude_tools: [put]'))).toContain(
    'disallowedTools: mcp__docs__put',
  )
  expect(written('gemini-cli', 'opencode', gemini('include_tools: [get]'))).toContain(
    '  "docs_*": deny\n  docs_get: allow\n',
  )
})

test('a target without any such rule refuses', () => {
  const { record } = convertInto(sourceOf('gemini-cli', { text: gemini('exclude_tools: [put]') }), harnessOf('codex'))
  expect(record.access.widened.map(({ capability }) => capability)).toContain('mcp:docs')
})

test('a filter that a role drops still counts as said', () => {
  const text = `name = "a"\ndescription = "d"\ndeveloper_instructions = "Do."\n[mcp_servers.docs]\ncommand = "x"\ndisabled_tools = ["put"]\n`
  expect(written('codex', 'claude-code', text)).toContain('disallowedTools: mcp__docs__put')
})
