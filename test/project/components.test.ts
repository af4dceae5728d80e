import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { takeInventory } from '../../src/project/inventory.ts'
import { registry } from '../reading.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'troupe-components-'))
  mkdirSync(join(root, '.git'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** Another harness does not change what these tests expect. */
const harnesses = ['claude-code', 'codex', 'copilot', 'gemini-cli', 'opencode', 'qwen-code']

function found() {
  const { components, problems } = takeInventory({ registry, here: root }).components()
  const names = components.map(
    ({ kind, name, readBy }) => `${kind} ${name}: ${readBy.filter((id) => harnesses.includes(id)).join(' ')}`,
  )
  return { names, components, problems: problems.map(({ code, path }) => `${code} ${path}`) }
}

const skill = '---\nname: deploy\ndescription: Deploys\n---\nDeploy.\n'

describe('who reads what', () => {
  test('a skill of Claude Code is read by those who look there too', () => {
    put('.claude/skills/deploy/SKILL.md', skill)
    put('.claude/skills/deploy/scripts/run.sh', 'true\n')
    const { names, components } = found()
    expect(names).toEqual(['skill deploy: claude-code copilot opencode'])
    expect(components[0]?.files).toEqual(['.claude/skills/deploy/SKILL.md', '.claude/skills/deploy/scripts/run.sh'])
  })

  test('a file that another one replaces is not read', () => {
    put('AGENTS.md', 'All.\n')
    expect(found().names).toEqual(['instructions AGENTS.md: claude-code codex copilot opencode qwen-code'])
    put('CLAUDE.md', 'Claude.\n')
    expect(found().names).toEqual([
      'instructions AGENTS.md: codex copilot opencode qwen-code',
      'instructions CLAUDE.md: claude-code copilot',
    ])
  })

  test('each server of a file is a component', () => {
    put('.mcp.json', '{"mcpServers": {"one": {"command": "a"}, "two": {"type": "http", "url": "https://x.org"}}}')
    put('.codex/config.toml', '[mcp_servers.three]\ncommand = "b"\n')
    expect(found().names).toEqual([
      'server one: claude-code copilot qwen-code',
      'server two: claude-code copilot qwen-code',
      'server three: codex',
    ])
  })

  test('what a plugin holds has its name, and is loaded by those who load such plugins', () => {
    put('.claude-plugin/plugin.json', '{"name": "tools", "skills": ["./more/"], "mcpServers": {"s": {"command": "a"}}}')
    put('skills/deploy/SKILL.md', skill)
    put('more/other/SKILL.md', skill)
    put('hooks/hooks.json', '{"hooks": {"PreToolUse": []}}')
    expect(found().names).toEqual([
      'plugin tools: claude-code codex copilot qwen-code',
      'skill tools:deploy: claude-code codex copilot qwen-code',
      'skill tools:other: claude-code codex copilot qwen-code',
      'server plugin:tools:s: claude-code codex copilot qwen-code',
      'hook PreToolUse: claude-code codex copilot qwen-code',
    ])
  })
})

describe('what strangers write', () => {
  test('links to the outside are not read, and links beside a skill are named', () => {
    const outside = mkdtempSync(join(tmpdir(), 'troupe-outside-'))
    writeFileSync(join(outside, 'SKILL.md'), skill)
    mkdirSync(join(root, '.claude/skills'), { recursive: true })
    symlinkSync(outside, join(root, '.claude/skills/evil'))
    put('.claude/skills/deploy/SKILL.md', skill)
    symlinkSync('/etc/passwd', join(root, '.claude/skills/deploy/passwd'))
    const { names, components, problems } = found()
    rmSync(outside, { recursive: true })
    expect(names).toEqual(['skill deploy: claude-code copilot opencode'])
    expect(problems).toEqual(['unreadable-file .claude/skills/evil', 'unreadable-file .claude/skills/evil/SKILL.md'])
    expect(components[0]?.diagnostics.map(({ message }) => message)).toEqual([
      'passwd beside it is a link. Troupe copies no links.',
    ])
  })

  test.each([
    ['broken JSON', '{"mcpServers": {"one": {', 'invalid-json .mcp.json'],
    ['another shape', '{"mcpServers": "x"}', 'invalid-value .mcp.json'],
    [
      'too many',
      JSON.stringify({ mcpServers: Object.fromEntries([...'x'.repeat(101)].map((_, i) => [`s${i}`, {}])) }),
      'too-many-rules .mcp.json',
    ],
  ])('servers: %s', (_what, text, problem) => {
    put('.mcp.json', text)
    expect(found().problems).toContain(problem)
  })

  test('front matter that is not valid still gives a name', () => {
    put('.opencode/skills/one/SKILL.md', '---\nname: [unclosed\ndescription: Use when: a: b\n---\nText\n')
    put('.opencode/skills/two/SKILL.md', '')
    const { names } = found()
    expect(names).toHaveLength(2)
    expect(names).toContain('skill two: opencode')
  })
})

describe('hostile repositories', () => {
  test('a folder whose name has two lines is one skill, and no other', () => {
    put('.claude/skills/a/SKILL.md', skill)
    put('.claude/skills/a\nb/SKILL.md', skill)
    const { names, problems } = found()
    expect(names.length).toBe(2)
    expect(problems).toEqual([])
  })

  test('a link to a folder outside is named and not followed', () => {
    const outside = mkdtempSync(join(tmpdir(), 'troupe-outside-'))
    try {
      mkdirSync(join(outside, 'deep', 'own'), { recursive: true })
      writeFileSync(join(outside, 'deep', 'own', 'SKILL.md'), skill)
      symlinkSync(join(outside, 'deep', 'own'), join(outside, 'deep', 'more'))
      mkdirSync(join(root, '.opencode', 'skills'), { recursive: true })
      symlinkSync(outside, join(root, '.opencode', 'skills', 'linked'))
      const { names, problems } = found()
      expect(names).toEqual([])
      expect(problems).toEqual(['unreadable-file .opencode/skills/linked'])
    } finally {
      rmSync(outside, { recursive: true })
    }
  })

  test('a folder that a marketplace names thousands of times is read once', () => {
    const plugins = Array.from({ length: 2000 }, (_, index) => ({ name: `p${index}`, source: './' }))
    put('.claude-plugin/marketplace.json', JSON.stringify({ name: 'm', plugins }))
    put('.claude-plugin/plugin.json', JSON.stringify({ name: 'p', more: Array.from({ length: 60_000 }, () => ['y']) }))
    put('skills/deploy/SKILL.md', skill)
    const before = process.cpuUsage()
    const { components } = found()
    expect(components.filter(({ kind }) => kind === 'skill').length).toBe(1)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(4000)
  })

  test('a manifest names a limited number of paths, none of them endless', () => {
    const paths = Array.from({ length: 5000 }, (_, index) => `./s${index}`)
    const manifest = { name: 'p', skills: ['./given', ...paths], commands: [`./${'a/'.repeat(200_000)}x.md`] }
    put('.claude-plugin/plugin.json', JSON.stringify(manifest))
    put('given/deploy/SKILL.md', skill)
    const { names, problems } = found()
    expect(names.filter((name) => name.startsWith('skill'))).toEqual([
      'skill p:deploy: claude-code codex copilot qwen-code',
    ])
    expect(problems).toContain('broken-manifest .claude-plugin/plugin.json')
  })
})
