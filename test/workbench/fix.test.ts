/** Repairs that must leave everything else alone, and repairs that must not be made. */
import { describe, expect, test } from 'vitest'
import type { Carrier, Harness } from '../../src/harness/schema/harness.ts'
import { checkInventory } from '../../src/workbench/check-inventory.ts'
import type { LoadedFile } from '../../src/workbench/file.ts'
import { repairFile } from '../../src/workbench/fix.ts'
import { readAs, registry } from '../reading.ts'

function load(id: string, text: string): LoadedFile {
  const harness = registry.byId(id) as Harness
  const carrier = harness.carriers[0] as Carrier
  const candidate = { path: '/nowhere/a.md', harness, carrier, relativePath: 'a.md', scope: 'project' as const }
  const source = { text, encoding: 'utf-8' as const, findings: [] }
  return {
    candidate,
    path: 'a.md',
    source,
    read: readAs(id, { text }),
    surroundings: { readBeside: () => null, environment: () => undefined },
    diagnostics: [],
  }
}

const repaired = (id: string, ...lines: string[]) => repairFile(registry, load(id, file(...lines)))?.text ?? null
const file = (...lines: string[]) => `---\n${lines.join('\n')}\n---\nYou are an agent for tests.\n`

describe('a repair', () => {
  test('puts a rule map below an indented key', () => {
    expect(repaired('opencode', '  description: d', '  tools: Read, Grep')).toBe(
      file('  description: d', '  permission:', '    "*": deny', '    read: allow', '    grep: allow'),
    )
  })

  test('keeps MCP tools in the list', () => {
    expect(repaired('opencode', 'description: d', 'tools: [mcp__github__get, Read]')).toBe(
      file('description: d', 'permission:', '  "*": deny', '  github_get: allow', '  read: allow'),
    )
  })

  test('keeps the quotes of a value', () => {
    expect(repaired('opencode', "model: 'sonnet'")).toBe(file("model: 'anthropic/claude-sonnet-5'"))
  })
})

test('a file that loads again tells what its harness gives beyond its words', () => {
  const server = ['mcp-servers:', '  docs:', '    type: http', '    url: https://docs.invalid', '    tools: [get]']
  const repair = repairFile(registry, load('copilot', file('description: - a: b', ...server)))
  expect(repair?.exceeding).toEqual(['mcp:docs'])
})

describe('is not made', () => {
  test.each([
    ['where an anchor stands', 'opencode', ['description: d', 'tools: &t [Read]', 'foo: *t']],
    ['where a model is anchored', 'opencode', ['description: d', 'model: &m sonnet', 'foo: *m']],
    ['where a comment would be lost', 'opencode', ['description: d', 'tools:', '  - Read # r', '  # c', '  - Grep']],
    ['where a denial cannot be read', 'claude-code', ['name: a', 'description: d', 'disallowedTools: "Bash", "Write"']],
    ['where the harness would stop', 'opencode', ['description: d', 'tools: *']],
    ['where prose would grant', 'copilot', ['tools:', '  - read', 'We never use Bash, Write', 'description: d']],
    ['where a limit of another harness would be lost', 'copilot', ['description: x: y', 'disallowedTools: Bash']],
    ['where a limit in other letters would be lost', 'copilot', ['description: x: y', 'to\u200bols: read']],
  ])('%s', (_why, id, lines) => {
    expect(repaired(id, ...lines)).toBeNull()
    const loaded = load(id, file(...lines))
    const { diagnostics } = checkInventory(registry, {
      files: [loaded],
      agents: [],
      diagnostics: [],
      otherFiles: [],
      outputs: [],
      nested: () => [],
      components: () => ({ components: [], outputs: [], problems: [], files: [] }),
    })
    expect(diagnostics.filter(({ fixable }) => fixable)).toEqual([])
  })
})
