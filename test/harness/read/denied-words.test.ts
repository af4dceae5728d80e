/** Denials in words that the harness does not know: what they could mean is not given by a conversion. */
import { describe, expect, test } from 'vitest'
import { decide } from '../../../src/model/access/decide.ts'
import { accessCeiling, effectiveAccess } from '../../../src/model/access/rules.ts'
import { convertInto, harnessOf, sourceOf } from '../../convert/converting.ts'
import { type Given, markdown, readOne } from '../../reading.ts'

const tools = ['read', 'write', 'edit', 'shell', 'fetch', 'search', 'mcp:docs/get', 'mcp:other/get'] as const

function denied(harness: string, given: Given): string {
  const access = accessCeiling(readOne(harness, given).access, 'child')
  return tools.filter((tool) => decide(access, { tool }).action === 'deny').join(' ')
}

const lines = (...more: string[]) => ({ text: markdown('name: a', 'description: d', ...more) })

describe('a list of denials', () => {
  test.each([
    ['Bash*', 'shell'],
    ['Bash:*', 'shell'],
    ['Bash.*', 'shell'],
    ['*Bash*', 'shell'],
    ['/Bash/', 'shell'],
    ['@Bash', 'shell'],
    ['Bash:rm', 'shell'],
    ['BASH', 'shell'],
    ['BashTool', 'shell'],
    ['Web*', 'fetch search'],
    ['Bash，Write', 'write shell'],
    ['Bash、Write', 'write shell'],
    ['Bash/Write', 'write shell'],
    ['Bash+Write', 'write shell'],
    ['Bash:Write', 'write shell'],
    ['Bash=Write', 'write shell'],
    ['Ｂａｓｈ', 'shell'],
    ['mcp__', 'mcp:docs/get mcp:other/get'],
    ['mcp_docs', 'mcp:docs/get'],
    ['mcp:docs', 'mcp:docs/get'],
    ['MCP__DOCS', 'mcp:docs/get'],
    ['docs_*', 'mcp:docs/get'],
    ['docs/*', 'mcp:docs/get'],
    ['docs/get', 'mcp:docs/get'],
    ['all', tools.join(' ')],
    ['everything', tools.join(' ')],
    ['.*', tools.join(' ')],
    ['terminal', 'shell'],
    ['run commands', 'shell'],
    ['file edits', 'edit'],
    ['internet', 'fetch search'],
    ['Nonsense', ''],
    ['none', ''],
  ])('%s', (words, expected) => {
    expect(denied('claude-code', lines(`disallowedTools: ${JSON.stringify(words)}`))).toBe(expected)
  })

  test('a server that is called like a tool', () => {
    const access = accessCeiling(readOne('claude-code', lines('disallowedTools: Bash/get')).access, 'child')
    for (const tool of ['shell', 'mcp:Bash/get']) expect(decide(access, { tool }).action).toBe('deny')
  })

  test('a server that the definition names elsewhere', () => {
    const given = lines('tools: Bash, mcp__docs__get', 'disallowedTools: docs')
    expect(denied('claude-code', given)).toContain('mcp:docs/get')
    expect(denied('claude-code', lines('disallowedTools: docs'))).toBe('')
  })

  test('denies nothing in the harness that does not know the words', () => {
    const { access } = readOne('claude-code', lines('disallowedTools: Bash*'))
    expect(decide(effectiveAccess(access, 'child'), { tool: 'shell' }).action).toBe('offer')
  })
})

describe('a map of rules', () => {
  test.each([
    ['{write: deny}', 'write edit'],
    ['{write_file: deny}', 'write'],
    ['{"bash, edit": deny}', 'write edit shell'],
    ['{bash|edit: deny}', 'write edit shell'],
    ['{"{bash,edit}": deny}', 'write edit shell'],
    ['{deny: [bash]}', 'shell'],
    ['{deny: bash}', 'shell'],
    ['{deny: {bash: true}}', 'shell'],
    ['{rules: {bash: deny, edit: allow}}', 'shell'],
    ['{allow: [read]}', tools.join(' ')],
    ['{mcp: deny}', 'mcp:docs/get mcp:other/get'],
    ['{docs: deny}', 'mcp:docs/get'],
    ['{bash: {default: deny}}', 'shell'],
    ['{bash: {intent: deny, "git *": allow}}', 'shell'],
    ['{bash: {"rm *": deny}}', ''],
    ['{doom_loop: deny, external_directory: deny}', ''],
    ['{bash: true}', 'shell'],
    ['{bash: {"*": true}}', 'shell'],
    ['{bash: false}', 'shell'],
    ['{bash: allow}', ''],
  ])('%s', (rules, expected) => {
    expect(denied('opencode', lines(`permission: ${rules}`))).toBe(expected)
  })

  test('flags with a map of rules inside', () => {
    expect(denied('opencode', lines('tools:', '  permission: {bash: deny}'))).toBe('shell')
  })

  test('what is asked about by a name of another dialect', () => {
    const access = accessCeiling(readOne('opencode', lines('permission: {write_file: ask}')).access, 'child')
    expect(decide(access, { tool: 'write' }).action).toBe('ask')
  })

  test('the words of agent.toml in a file of another kind', () => {
    expect(denied('agent-toml', { ...lines('permissions: {bash: {intent: deny}}'), carrier: 'agent-md' })).toBe('shell')
    const text = 'name = "a"\ndescription = "d"\n[permissions.bash]\ndefault = "deny"\n'
    expect(denied('agent-toml', { text })).toBe('shell')
  })
})

describe('a list of what is given says what is not', () => {
  test.each([
    ['claude-code', '["*", "!Bash"]', 'shell'],
    ['claude-code', '"*, -Bash"', 'shell'],
    ['claude-code', '"* except Bash, Write"', 'write shell'],
    ['claude-code', '["*", "except", "Bash"]', 'shell'],
    ['claude-code', '["Read", "Edit", "Bash", "not Bash"]', 'write shell fetch search mcp:docs/get mcp:other/get'],
    ['claude-code', '"Read, no Bash"', 'write edit shell fetch search mcp:docs/get mcp:other/get'],
    ['claude-code', '"Read not Bash"', 'write edit shell fetch search mcp:docs/get mcp:other/get'],
    ['claude-code', '"Read, Grep (not Bash)"', 'write edit shell fetch search mcp:docs/get mcp:other/get'],
    ['claude-code', '"all except Bash"', tools.join(' ')],
    ['claude-code', '"everything but Bash"', tools.join(' ')],
    ['gemini-cli', '["*", "!run_shell_command"]', 'shell'],
    ['copilot', '["*", "-execute"]', 'shell'],
    ['qwen-code', '["*", "!run_shell_command"]', 'shell'],
    ['qwen-code', '["*", "& !run_shell_command"]', 'shell'],
    ['qwen-code', '"*, (-run_shell_command)"', 'shell'],
    ['copilot', '["*", "read/!execute"]', 'shell'],
    ['agents', '["*", "! Bash"]', 'shell'],
    ['agents', '["*", "!mcp__docs"]', 'mcp:docs/get'],
  ])('%s: %s', (harness, list, expected) => {
    expect(denied(harness, lines(`tools: ${list}`))).toBe(expected)
  })

  test('where nothing is left, a person is asked', () => {
    const source = sourceOf('claude-code', lines('tools: "all except Bash"'))
    expect(convertInto(source, harnessOf('opencode')).refusal?.code).toBe('dead-grants')
  })
})

test('what is denied is not said to be still allowed', () => {
  const given = lines('permission: {write: deny, "bash, edit": deny}')
  const { record } = convertInto(sourceOf('opencode', given), harnessOf('claude-code'))
  expect(JSON.stringify(record)).not.toContain('still allows it')
})
