/** Access from one dialect to another: the keys that are written, and what they achieve. */
import { describe, expect, test } from 'vitest'
import { markdown } from '../reading.ts'
import { accessFor } from './converting.ts'

const claude = (...lines: string[]) => ({ text: markdown('name: a', 'description: b', ...lines) })
const openCode = (...lines: string[]) => ({ text: markdown('description: b', ...lines) })

describe('a Claude Code tool list', () => {
  test('becomes rules that begin with a denial', () => {
    const { keys, report } = accessFor('claude-code', 'opencode', claude('tools: Read, Grep, Bash'))
    const permission = keys.permission as Record<string, string>
    expect(permission).toEqual({ '*': 'deny', read: 'allow', grep: 'allow', bash: 'allow' })
    expect(Object.keys(permission)[0]).toBe('*')
    expect(report.widened).toEqual([])
  })

  test('keeps its patterns, denials last', () => {
    const given = claude('tools: Read, Bash(git *), Bash(npm test:*)', 'disallowedTools: Bash(git push *)')
    const { keys } = accessFor('claude-code', 'opencode', given)
    const { bash } = keys.permission as { bash: Record<string, string> }
    expect(Object.entries(bash)).toEqual([
      ['*', 'deny'],
      ['git *', 'allow'],
      ['npm test *', 'allow'],
      ['git push *', 'deny'],
    ])
  })

  test('loses a tool that the target could not limit', () => {
    const { keys, report } = accessFor('claude-code', 'copilot', claude('tools: Read, Bash(git *)'))
    expect(keys.tools).toEqual(['read'])
    expect(report.widened).toEqual([])
    expect(report.narrowed.map(({ capability }) => capability)).toContain('shell')
  })

  test('is refused where the target ignores it, with the reason', () => {
    const { report } = accessFor('claude-code', 'codex', claude('tools: Read, Grep'))
    const capabilities = new Set(report.widened.map(({ capability }) => capability))
    expect(capabilities).toEqual(new Set(['write', 'edit', 'shell', 'search', 'mcp:*']))
    expect(report.widened[0]?.why).toContain('Codex CLI ignores sandbox_mode in agent files')
  })

  test('that is empty is never written as one that means everything', () => {
    expect(accessFor('claude-code', 'qwen-code', claude('tools: []')).keys.tools).not.toEqual([])
    expect(accessFor('claude-code', 'gemini-cli', claude('tools: []')).keys.tools).toEqual([])
  })

  test('with denials alone denies what was denied, and nothing of the same power beside it', () => {
    const { keys } = accessFor('claude-code', 'opencode', claude('disallowedTools: Write, Edit'))
    expect(keys.permission).toEqual({ edit: 'deny' })
  })
})

test('asking is kept where it is asked for', () => {
  const { keys, report } = accessFor('claude-code', 'opencode', claude('tools: Read, Bash'), true)
  expect(keys.permission).toEqual({ '*': 'deny', read: 'ask', bash: 'ask' })
  expect(report.unasked).toEqual([])
})

test('an OpenCode map with patterns becomes the strictest list', () => {
  const given = openCode('permission:', '  edit: deny', '  bash:', '    "*": allow', '    "rm *": deny')
  const { keys, report } = accessFor('opencode', 'claude-code', given)
  expect(keys).toEqual({ disallowedTools: 'Write, Edit, NotebookEdit, Bash, Monitor, Agent, Workflow' })
  expect(report.widened).toEqual([])
})
