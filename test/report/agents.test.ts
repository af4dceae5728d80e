/** Lists of agents: names whole, and nothing wider than the terminal. */
import { expect, test } from 'vitest'
import { type AgentRow, agentListText } from '../../src/report/agents.ts'
import { displayWidth } from '../../src/report/layout.ts'
import { createStyle } from '../../src/report/print-text.ts'

const row = (name: string, more: Partial<AgentRow> = {}): AgentRow => ({
  name,
  harness: 'opencode',
  path: `.opencode/agents/${name}.md`,
  scope: 'project',
  description: 'A description that is as long as descriptions are, and therefore is cut somewhere along the way',
  model: 'anthropic/claude-opus-5-5',
  mode: null,
  tools: null,
  access: {
    read: 'allow',
    write: 'allow',
    edit: 'deny',
    shell: 'allow',
    fetch: 'allow',
    delegate: 'ask',
    'mcp:*': 'deny',
    search: 'deny',
  },
  exceptions: [],
  alsoReadBy: [],
  plugin: null,
  shadowedBy: null,
  disabled: false,
  builtFrom: null,
  mergedWith: [],
  recovered: false,
  diagnostics: [],
  ...more,
})

const rows = [
  row('reviewer'),
  row('a-name-with-more-than-28-characters'),
  row('a-name-that-goes-on-and-on-until-it-has-sixty-characters-in-all'),
  row('hidden', { shadowedBy: '.opencode/agents/some/folder/hidden.md' }),
]

test.each([80, 100, 120])('in %d columns', (columns) => {
  const lines = agentListText(rows, (id) => id, createStyle(false), columns)
  for (const { name } of rows) expect(lines.join('\n')).toContain(name)
  for (const line of lines) expect([line, displayWidth(line) <= columns]).toEqual([line, true])
  expect(lines.join('\n')).toContain('hidden by .opencode/agents/some/folder/hidden.md')
})
