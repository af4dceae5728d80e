/** One inventory: every command speaks of the same agents, under the names that their harnesses call them by. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { json, listed, sayings, troupe } from './agreement.ts'
import { allNames, claudeNames, repository, switchedOffNames } from './plugin-repository.ts'

let root = ''

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'troupe-plugins-'))
  execFileSync('git', ['init', '-q', root])
  for (const [path, text] of Object.entries(repository)) put(path, text)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('a repository of plugins', () => {
  test.each(['list', 'check', 'convert', 'import', 'build'])('%s speaks of the agents that are there', (command) => {
    for (const said of sayings(root, '.', 'codex'))
      if (said.command === command) expect([...said.names].sort()).toEqual(allNames)
  })

  test('list says the same without a path, and names what is switched off', () => {
    const agents = listed(root)
    expect(agents.map(({ name }) => name).sort()).toEqual([...allNames, ...switchedOffNames].sort())
    expect(agents.filter(({ disabled }) => disabled).map(({ name }) => name)).toEqual(switchedOffNames)
  })

  test.each(allNames)('show and explain know %s', (name) => {
    expect(json(root, 'show', name).agent.name).toBe(name)
    expect(json(root, 'explain', name, 'read').agent).toBe(name)
  })

  test('a short name is enough where it is unique, and the candidates are told where it is not', () => {
    expect(json(root, 'show', 'writer').agent.name).toBe('by-list:writer')
    expect(json(root, 'show', 'claude-code:review:code-reviewer').agent.name).toBe('review:code-reviewer')
    const { status, stderr } = troupe(root, 'show', 'code-reviewer')
    expect(status).toBe(2)
    expect(stderr).toContain('claude-code:review:code-reviewer')
    expect(stderr).toContain('claude-code:features:code-reviewer')
  })

  test('what belongs to another program, or leads out of the repository, is told', () => {
    const { diagnostics, nested } = json(root, 'list')
    const messages = diagnostics.map(({ message }: { message: string }) => message).join('\n')
    for (const word of ['"escaping"', '"missing"', '"./gone.md"', '"broken"']) expect(messages).toContain(word)
    expect(nested).toEqual(['packages/app'])
    expect(listed(root, 'packages/app').map(({ name }) => name)).toEqual(['nested'])
  })

  test('a plugin, its folder of agents and a folder of plugins can be named', () => {
    const names = (path: string) => listed(root, path).map(({ name }) => name)
    expect(names('plugins/review')).toEqual(['review:code-reviewer', 'review:deep:tracer'])
    expect(names('plugins/features/agents')).toEqual(['features:code-reviewer'])
    expect(names('plugins/review/agents/deep/tracer.md')).toEqual(['review:deep:tracer'])
    expect(names('plugins').sort()).toEqual(claudeNames.filter((name) => name.includes(':')))
    expect(json(root, 'check', 'plugins/review').summary.agents).toBe(2)
  })

  test.each([
    ['CLAUDE.md', 'holds instructions'],
    ['.claude-plugin/marketplace.json', 'is a manifest'],
    ['plugins/review/commands/commit.md', 'holds a slash command'],
    ['plugins/review/skills/forms/SKILL.md', 'is part of a skill'],
    ['plugins/review/skills/forms/agents/helper.md', 'is part of a skill'],
    ['plugins/review/hooks/hooks.json', 'holds hooks'],
    ['plugins/review/.mcp.json', 'holds MCP servers'],
    ['plugins/review/rules/style.md', 'holds instructions'],
    ['.claude/commands/release.md', 'holds a slash command'],
    ['.opencode/commands/ship.md', 'holds a slash command'],
    ['.claude/agents/README.md', 'Claude Code skips it'],
    ['.claude/agents/empty.md', 'Claude Code skips it'],
    ['.trae/agents/cursed.md', 'belongs to Trae'],
  ])('%s is refused by every command', (path, sentence) => {
    for (const words of [
      ['list', path],
      ['check', path],
      ['show', path],
      ['explain', path, 'read'],
      ['convert', path, '--to', 'codex', '--dry-run'],
      ['import', path],
    ]) {
      const { status, stderr } = troupe(root, ...words)
      expect([words[0], status]).toEqual([words[0], 2])
      expect(stderr).toContain(sentence)
    }
  })

  test('a configuration stands for the agents in it', () => {
    expect(listed(root, 'opencode.json').map(({ name }) => name)).toEqual(['helper', 'alone', 'resting'])
  })

  test('an agent that is an entry and a file is one agent, held to both', () => {
    const { agent } = json(root, 'show', 'helper')
    expect(agent).toMatchObject({ path: '.opencode/agents/helper.md', mergedWith: ['opencode.json'] })
    expect(agent.access).toMatchObject({ edit: 'deny', shell: 'deny' })
    const { results } = json(root, 'convert', '--from', 'opencode', '--to', 'claude-code', '--dry-run')
    expect(results.map(({ name }: { name: string }) => name).sort()).toEqual(['alone', 'helper'])
    const helper = results.find(({ name }: { name: string }) => name === 'helper')
    expect(helper.access.after).toMatchObject({ edit: 'deny', shell: 'deny' })
  })

  test('a key that limits in a way nobody knows is refused until it is passed over', () => {
    const convert = (...more: string[]) =>
      json(root, 'convert', '.trae/agents/cursed.md', '--from', 'claude-code', '--to', 'opencode', '--dry-run', ...more)
    const [refused] = convert().results
    expect(refused.status).toBe('refused')
    expect(refused.diagnostics.map(({ code }: { code: string }) => code)).toContain('limiting-key')
    expect(convert('--ignore-key', 'readonly').results[0].status).toBe('planned')
  })
})

describe('a build of plugins', () => {
  test('keeps two agents of one name apart, and knows its outputs', () => {
    expect(troupe(root, 'init', '--targets', 'opencode,claude-code').status).toBe(0)
    put('troupe.yaml', 'source: plugins\ntargets:\n  - opencode\n  - { id: qwen-code, names: "{plugin}_{name}" }\n')
    const { summary } = json(root, 'build', '--on-gap', 'omit')
    expect(summary).toMatchObject({ agents: 10, failed: 0 })
    const outputs = json(root, 'list').outputs.map(({ path }: { path: string }) => path)
    expect(outputs).toContain('.opencode/agents/review-code-reviewer.md')
    expect(outputs).toContain('.opencode/agents/features-code-reviewer.md')
    expect(outputs).toContain('.opencode/agents/writer.md')
    expect(outputs).toContain('.qwen/agents/by-list_writer.md')
    expect(
      listed(root)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...allNames, ...switchedOffNames].sort())
    expect(readFileSync(join(root, '.opencode/agents/review-code-reviewer.md'), 'utf8')).toContain(
      'You are code-reviewer.',
    )
    expect(troupe(root, 'build', '--check').status).toBe(0)
    expect(json(root, 'show', 'opencode:writer').agent.builtFrom).toBe('plugins/listed/own/writer.md')
  })
})

test('a file with the name of a document is the same to all commands', () => {
  const files = {
    'agents/README.md': '---\nname: readme\ndescription: About the agents\n---\nText.\n',
    'agents/SCHEMA.md': '---\ntype: object\n---\nText.\n',
    'agents/security.md': '---\nname: security\ndescription: Looks for holes\n---\nYou look for holes.\n',
    'agents/writer.md': '---\nname: writer\ndescription: Writes\n---\nYou write.\n',
  }
  const other = mkdtempSync(join(tmpdir(), 'troupe-documents-'))
  mkdirSync(join(other, 'agents'))
  for (const [path, text] of Object.entries(files)) writeFileSync(join(other, path), text)
  for (const path of ['.', 'agents', ...Object.keys(files).slice(2)])
    for (const { command, names } of sayings(other, path, 'codex'))
      expect([path, command, names]).toEqual([
        path,
        command,
        path.endsWith('.md') ? [path.slice(7, -3)] : ['security', 'writer'],
      ])
  for (const path of Object.keys(files).slice(0, 2))
    expect(troupe(other, 'convert', path, '--to', 'codex').status).toBe(2)
  rmSync(other, { recursive: true })
})
