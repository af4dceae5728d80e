import { describe, expect, test } from 'vitest'
import { restrictingKeys } from '../../../src/harness/keys.ts'
import { otherHarnesses } from '../../../src/harness/recognise/conventions.ts'
import { insidePath, readMarketplace, readPluginManifest } from '../../../src/harness/recognise/manifests.ts'
import { type Declared, notAnAgent, recognise } from '../../../src/harness/recognise/recognise.ts'
import type { PluginsSpec } from '../../../src/harness/schema/harness.ts'
import { markdown, readOne, registry } from '../../reading.ts'

const harness = (id: string) => {
  const found = registry.byId(id)
  if (found === undefined) throw new Error(`no ${id}`)
  return found
}

function see(path: string, text: string, more: { declared?: Declared; as?: string; otherwise?: string } = {}): string {
  const { declared, as, otherwise } = more
  const seen = recognise({
    registry,
    path,
    text: () => text,
    declared: declared ?? null,
    harness: as === undefined ? undefined : harness(as),
    otherwise: otherwise === undefined ? undefined : harness(otherwise),
  })
  if (seen.kind !== 'agent') return seen.kind
  return `${seen.harness.id}:${seen.carrier.id}${seen.isUnclear ? ' unclear' : ''}`
}

const agent = markdown('name: a', 'description: d', 'tools: Read, Grep')
const command = '---\ndescription: d\nallowed-tools: Bash(git:*)\n---\nDo $ARGUMENTS\n'

describe('what a file is', () => {
  test.each([
    // The folders of harnesses
    ['.claude/agents/a.md', agent, 'claude-code:file'],
    ['packages/x/.claude/agents/deep/a.md', agent, 'claude-code:file'],
    ['.opencode/agent/a.md', agent, 'opencode:file'],
    ['.github/agents/a.agent.md', agent, 'copilot:file'],
    ['.codex/agents/a.toml', 'name = "a"\n', 'codex:file'],
    ['opencode.json', '{"agent":{}}', 'opencode:config'],
    ['sub/.opencode/opencode.jsonc', '{}', 'opencode:config'],
    ['.claude/commands/c.md', command, 'command'],
    ['.claude/skills/s/SKILL.md', agent, 'skill'],
    ['.claude/skills/s/agents/a.md', agent, 'skill'],
    ['.claude/rules/deep/r.md', agent, 'instructions'],
    ['.claude/settings.json', '{}', 'settings'],
    ['.codex/config.toml', '', 'settings'],
    ['.gemini/commands/c.toml', 'prompt = "x"', 'command'],
    ['.github/instructions/x.instructions.md', agent, 'instructions'],
    ['.github/hooks/x.json', '{}', 'hook'],
    ['.mcp.json', '{}', 'server'],
    ['CLAUDE.md', agent, 'instructions'],
    ['deep/down/AGENTS.md', agent, 'instructions'],
    ['.claude-plugin/marketplace.json', '{}', 'manifest'],
    ['.windsurf/agents/a.md', agent, 'other-harness'],
    ['.devin/agents/a.json', '{"name":"a","prompt":"x"}', 'other-harness'],
    ['.kiro/agents/a.json', '{"name":"a","prompt":"x"}', 'kiro:json'],
    ['.kiro/agents/team/a.md', '---\ndescription: d\n---\nx\n', 'kiro:file'],
    ['.goose/recipes/a.yaml', 'title: a\ninstructions: x\n', 'goose:recipe'],
    ['.roomodes', '', 'roo:modes'],
    // What a harness leaves out, and what it does not
    ['.claude/agents/README.md', '# About\n', 'document'],
    ['.claude/agents/e.md', '', 'document'],
    ['.claude/agents/page.md', '---\ntitle: A page\n---\nText\n', 'document'],
    ['.opencode/agents/plain.md', 'Only a prompt.\n', 'opencode:file'],
    ['.opencode/agents/README.md', '# About\n', 'opencode:file unclear'],
    ['.opencode/agents/e.md', '', 'opencode:file unclear'],
    // Broken, and meant
    ['.claude/agents/b.md', '---\ndescription: x: y: [z\ntools: Read\n---\nHi\n', 'claude-code:file'],
    ['.claude/agents/b.md', '---\nname: a\nNever closed.\n', 'claude-code:file'],
    ['.claude/agents/b.md', '---\ntools: Read\n---\nNo name.\n', 'claude-code:file'],
    // By what is in them
    ['loose/a.md', agent, 'claude-code:file'],
    ['loose/a.prs', '@agents { }', 'promptscript:file'],
    ['loose/c.md', command, 'command'],
    ['loose/r.md', '---\ndescription: d\nglobs: "*.ts"\n---\nx\n', 'instructions'],
    ['loose/SKILL.md', agent, 'skill'],
    ['loose/README.md', agent, 'document'],
    ['loose/SCHEMA.md', '---\ntype: object\n---\nText\n', 'document'],
    ['loose/index.md', '---\ndescription: All pages\n---\nText\n', 'document'],
    ['loose/security.md', agent, 'claude-code:file'],
    ['loose/template.md', '---\ndescription: d\npermission: { bash: deny }\n---\nText\n', 'opencode:file'],
    ['loose/text.md', 'Only text.\n', 'document'],
    ['loose/page.md', '---\ntitle: x\n---\nText\n', 'unknown'],
    ['loose/s.json', '{"mcpServers":{}}', 'server'],
    ['loose/h.json', '{"hooks":{}}', 'hook'],
    ['loose/p.json', '{"plugins":[]}', 'manifest'],
    ['loose/data.json', '{"a":1}', 'unknown'],
    ['loose/picture.png', '', 'unknown'],
  ])('%s', (path, text, kind) => {
    expect(see(path, text)).toBe(kind)
  })

  test('what a manifest says counts before folders and contents', () => {
    expect(see('.claude/agents/a.md', agent, { declared: { kind: 'command' } })).toBe('command')
    const plugin = harness('claude-code').carriers.find(({ id }) => id === 'plugin')
    if (plugin === undefined) throw new Error('no plugins')
    const declared = { kind: 'agent', harness: harness('claude-code'), carrier: plugin, relativePath: 'a.md' } as const
    expect(see('anything/a.md', agent, { declared })).toBe('claude-code:plugin')
    expect(see('anything/README.md', '# About\n', { declared })).toBe('claude-code:plugin unclear')
  })

  test('a dialect that the user names decides, but does not make an agent of anything', () => {
    expect(see('.cursor/agents/a.md', agent, { as: 'claude-code' })).toBe('claude-code:file')
    expect(see('loose/text.md', 'Only text.\n', { as: 'claude-code' })).toBe('document')
    expect(see('loose/text.md', 'Only text.\n', { as: 'opencode' })).toBe('opencode:file')
    expect(see('loose/only.md', '---\ndescription: d\n---\nx\n', { otherwise: 'agents' })).toBe('agents:file')
  })

  test('sentences say what it seems to be', () => {
    const said = (path: string, text: string) => {
      const seen = recognise({ registry, path, text: () => text })
      return seen.kind === 'agent' ? '' : notAnAgent(path, seen)
    }
    expect(said('CLAUDE.md', '')).toBe('CLAUDE.md holds instructions, not an agent.')
    expect(said('loose/c.md', command)).toBe('loose/c.md holds a slash command, not an agent.')
    expect(said('.claude/agents/e.md', '')).toMatch(/is a document: .*\. Claude Code skips it\.$/)
    expect(said('.devin/agents/k.json', '{}')).toContain('belongs to Devin, which Troupe does not support')
  })
})

test('a harness with a file of data is not among those without', () => {
  const titles = registry.all.flatMap(({ title, alsoCalled }) => [title, ...alsoCalled])
  expect(Object.values(otherHarnesses).filter((title) => titles.includes(title))).toEqual([])
})

describe('keys that limit in a way nobody knows', () => {
  const keys = (...lines: string[]) =>
    restrictingKeys(readOne('claude-code', { text: markdown('name: a', 'description: d', ...lines) })).map(
      ({ key }) => key,
    )
  test.each([
    'readonly: true',
    'read-only: yes',
    'ReadOnly: true',
    'allowed-tools: Read',
    'allowedTools: [Read]',
    'Tools: Read',
    'TOOLS: Read',
    'deny: [Bash]',
    'restricted_to: docs',
    'permissions: { bash: deny }',
    'sandbox-mode: strict',
    'mode: read-only',
    'tool: Read',
    'toolset: [Read, Grep]',
    'only: Read',
    'without: Bash(git *)',
    'exclude: [Bash, Write]',
    'access: none',
    'capabilities: [read, grep]',
    'capabilities: { write: false }',
    'security: strict',
    'limits: { policy: deny }',
    'claude: { disallowedTools: Bash }',
    'settings: { more: [{ allowedTools: [Read] }] }',
    'bash: deny',
    'edit: never',
    'shell: false',
    'bash: { "git push *": ask }',
    'web: off',
    'network: false',
    'noNetwork: true',
    'disable-shell: yes',
    'can_write: false',
    'writable: no',
    'mode: plan',
    'profile: safe',
    'askBefore: [Bash]',
    'confirm: true',
    'locked: true',
    'safe_mode: true',
    'trust: none',
    'policy: locked',
    'enabled: false',
    'disabled: true',
    'disable: yes',
    'active: no',
    'status: disabled',
  ])('%s', (line) => {
    expect(keys(line)).toEqual([line.slice(0, line.indexOf(':'))])
  })
  test.each([
    ...['readonly: false', 'author: me', 'tooltip: x', 'shallow: true', 'category: tooling', 'tools: Read'],
    ...['capabilities: [api design, code review]', 'scope: project', 'use: always', 'enabled: true', 'security: owasp'],
    ...['bash: scripts', 'network: partners', 'network: true', 'noNetwork: false', 'mode: fast', 'status: Planned'],
    ...['disabled: false', 'active: true', 'shell: zsh', 'write: weekly', 'status: draft', 'profile: senior'],
    ...['tool: hammer', 'policy: See the handbook.', 'limit: 10', 'only: []', 'metadata: { author: me, scope: team }'],
  ])('%s limits nothing that is not known', (line) => {
    expect(keys(line)).toEqual([])
  })
  test('what somebody has decided to pass over is passed over', () => {
    const read = readOne('claude-code', { text: markdown('name: a', 'description: d', 'ReadOnly: true') })
    expect(restrictingKeys(read, new Set(['readonly']))).toEqual([])
  })
})

describe('manifests', () => {
  const plugins = harness('claude-code').plugins as PluginsSpec
  test.each([
    ['{"name":"p"}', { name: 'p', agents: null, problem: null }],
    ['{"name":"p","agents":"./a.md"}', { name: 'p', agents: ['./a.md'], problem: null }],
    ['{"name":"p","agents":[]}', { name: 'p', agents: [], problem: null }],
  ])('%s', (text, expected) => {
    expect(readPluginManifest(plugins, text)).toEqual(expected)
  })
  test.each([
    '{',
    '[]',
    '{}',
    '{"name":"a b"}',
    '{"name":"p","agents":["./agents"]}',
    '{"name":"p","agents":["a.md"]}',
    '{"name":"p","agents":{}}',
  ])('%s is not loaded', (text) => {
    expect(readPluginManifest(plugins, text).problem).not.toBeNull()
  })
  test('a marketplace names folders of its own repository, and nothing else', () => {
    const sources = ['./a', './', '../out', './a/../../out', '/etc', 'plain', '~/x', 'C:\\x', { source: 'github' }]
    const text = JSON.stringify({ plugins: sources.map((source, index) => ({ name: `p${index}`, source })) })
    const { entries, problems } = readMarketplace(plugins, text)
    expect(entries.map(({ folder }) => folder)).toEqual(['a', '', null, null, null, null, null, null, null])
    expect(problems).toHaveLength(6)
    const rooted = JSON.stringify({ metadata: { pluginRoot: './plugins' }, plugins: [{ name: 'p', source: 'x' }] })
    expect(readMarketplace(plugins, rooted).entries[0]?.folder).toBe('plugins/x')
  })
  test('no number of plugins is too much', () => {
    const text = JSON.stringify({ plugins: Array.from({ length: 5000 }, (_, n) => ({ name: `p${n}`, source: './' })) })
    const { entries, problems } = readMarketplace(plugins, text)
    expect(entries).toHaveLength(2000)
    expect(problems).toEqual(['3000 plugins are left out: Troupe reads at most 2000.'])
  })
  test.each([
    ['./a/b.md', 'a/b.md'],
    ['a/./b/../c', 'a/c'],
    ['./../x', null],
    ['a/../../x', null],
    ['a\0b', null],
  ])('%j leads to %j', (path, inside) => {
    expect(insidePath(path)).toBe(inside)
  })
})
