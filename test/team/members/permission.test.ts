/** Who answers a harness that asks: the agent's own rules, and where they leave it to a person, the person. */
import { describe, expect, test } from 'vitest'
import { decidePermission } from '../../../src/team/members/permission.ts'
import { markdown, readOne, registry } from '../../reading.ts'

const ask = (id: string, lines: string[], tool: string, ...subjects: string[]) => {
  const harness = registry.byId(id)
  if (harness === undefined) throw new Error(id)
  return decidePermission(registry, harness, readOne(id, { text: markdown('description: d', ...lines) }), {
    tool,
    subjects,
    about: '',
  })
}

describe('by the name that the harness has for a tool', () => {
  const rules = ['permission:', '  bash:', '    "*": ask', '    "git *": allow', '    "rm *": deny', '  edit: deny']
  test.each([
    ['bash', 'git status', 'allow'],
    ['bash', 'rm -rf /', 'deny'],
    ['bash', 'make', 'ask'],
    ['edit', 'a.ts', 'deny'],
    ['external_directory', '/etc/*', 'ask'],
    ['something_new', 'x', 'ask'],
    // Nothing but a default allows it, and somebody has set the harness to ask.
    ['webfetch', 'https://example.org', 'ask'],
  ])('%s %s: %s', (tool, subject, action) => {
    expect(ask('opencode', rules, tool, subject)).toBe(action)
  })

  test('all of what is asked for must be allowed', () => {
    expect(ask('opencode', rules, 'bash', 'git status', 'git log')).toBe('allow')
    expect(ask('opencode', rules, 'bash', 'git status', 'make')).toBe('ask')
    expect(ask('opencode', rules, 'bash', 'git status', 'make', 'rm -rf /')).toBe('deny')
  })
})

describe('by the kinds of the Agent Client Protocol', () => {
  const reader = ['name: a', 'tools: [read_file, run_shell_command]']
  test.each([
    ['read', 'offer'],
    ['execute', 'offer'],
    ['edit', 'deny'],
    ['delete', 'deny'],
    ['fetch', 'deny'],
    ['think', 'ask'],
    ['other', 'ask'],
  ])('%s: %s', (kind, action) => {
    expect(ask('gemini-cli', reader, kind)).toBe(action)
  })
})
