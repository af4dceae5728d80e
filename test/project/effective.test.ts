/** Agents of whole projects: in another home, with other variables, and what is said about those that are not there. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { decide } from '../../src/model/access/decide.ts'
import { effectiveAccess } from '../../src/model/access/rules.ts'
import type { EffectiveAgents } from '../../src/model/effective.ts'
import { effectiveAgents } from '../../src/project/effective/effective.ts'
import { registry } from '../reading.ts'

let root = ''
afterEach(() => rmSync(root, { recursive: true, force: true }))

function agentsOf(
  id: string,
  files: Record<string, string>,
  environment: Record<string, string> = {},
): EffectiveAgents {
  root = mkdtempSync(join(tmpdir(), 'troupe-effective-'))
  for (const [path, text] of Object.entries({ 'project/.git/HEAD': '', 'home/.keep': '', ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const harness = registry.byId(id)
  if (harness === undefined) throw new Error(id)
  return effectiveAgents({ registry, harness, here: join(root, 'project'), home: join(root, 'home'), environment })
}

const named = ({ agents }: EffectiveAgents, name: string) => agents.find((one) => one.name === name)

describe('layers that are merged', () => {
  test('the rules decide calls as they stand in the list', () => {
    const agents = agentsOf('opencode', {
      'home/.config/opencode/opencode.json': '{"agent":{"x":{"permission":{"bash":{"git *":"allow"}}}}}',
      'project/.opencode/agents/x.md': '---\npermission:\n  bash: { "*": deny }\n---\nX.\n',
    })
    const access = effectiveAccess(named(agents, 'x')?.access ?? [], 'main')
    expect(decide(access, { tool: 'shell', argument: 'git log' }).action).toBe('deny')
    expect(decide(access, { tool: 'read', argument: '.env' }).action).toBe('ask')
  })

  test('variables are those that are handed in, and so is the home', () => {
    const agents = agentsOf(
      'opencode',
      { 'home/xdg/opencode/agents/x.md': 'X.\n', 'home/.config/opencode/agents/y.md': 'Y.\n' },
      { XDG_CONFIG_HOME: '/nowhere' },
    )
    expect(named(agents, 'x') ?? named(agents, 'y')).toBeUndefined()
  })

  test('who is not there is said to be missing, with the reason', () => {
    const agents = agentsOf('opencode', {
      'project/opencode.json': '{"agent":{"off":{"disable":true}}}',
      'project/.opencode/modes/bad.md': '---\ntemperature: hot\n---\nBad.\n',
    })
    expect(agents.absent.map(({ name, origin }) => [name, origin.path, origin.line])).toEqual([
      ['off', 'opencode.json', 1],
      ['bad', '.opencode/modes/bad.md', 2],
    ])
    expect(agents.refused).toEqual([])
  })

  test('one wrong value keeps everybody away', () => {
    const agents = agentsOf('opencode', { 'project/.opencode/agents/x.md': '---\nmode: agent\n---\nX.\n' })
    expect(agents.agents).toEqual([])
    expect(agents.refused).toHaveLength(1)
    expect(agents.absent.map(({ name }) => name)).toContain('build')
  })

  test('what only the running program knows is said', () => {
    const agents = agentsOf('opencode', { 'project/opencode.json': '{"plugin":["x"],"skills":{"urls":[]}}' })
    expect(agents.notes.map(({ what }) => what.split(':')[0])).toEqual(['`plugin`', '`skills.urls`'])
  })
})

describe('layers that hide each other', () => {
  const agent = (description: string, name = 'x') =>
    `---\nname: ${name}\ndescription: ${description}\n---\nYou do it well.\n`

  test.each([
    ['claude-code', '.claude/agents', '.claude/agents', 'project'],
    ['gemini-cli', '.gemini/agents', '.gemini/agents', 'project'],
    ['qwen-code', '.qwen/agents', '.qwen/agents', 'project'],
    ['copilot', '.github/agents', '.copilot/agents', 'user'],
  ])('%s', (id, project, user, winner) => {
    const agents = agentsOf(id, {
      [`project/${project}/twin.md`]: agent('project', 'twin'),
      [`home/${user}/twin.md`]: agent('user', 'twin'),
    })
    const twin = named(agents, 'twin')
    expect(twin?.fields.description?.value).toBe(winner)
    expect(twin?.layers.map(({ counts }) => counts)).toEqual([false, true])
  })

  test('a file that is not loaded hides nobody', () => {
    const agents = agentsOf('claude-code', {
      'project/.claude/agents/x.md': '---\nname: x\n---\nNo description.\n',
      'home/.claude/agents/x.md': agent('user'),
    })
    expect(named(agents, 'x')?.fields.description?.value).toBe('user')
  })

  test('settings deny tools to everybody, and switch single agents off', () => {
    const agents = agentsOf('claude-code', {
      'project/.claude/settings.local.json': '{"permissions":{"deny":["Bash","Task(y)"]}}',
      'project/.claude/agents/x.md': agent('X'),
      'project/.claude/agents/y.md': agent('Y', 'y'),
    })
    const access = effectiveAccess(named(agents, 'x')?.access ?? [], 'child')
    expect(decide(access, { tool: 'shell', argument: 'ls' }).action).toBe('deny')
    expect(agents.absent.map(({ name }) => name)).toEqual(['y'])
  })

  test('a role that the configuration describes anew keeps its instructions', () => {
    const role = 'name = "x"\ndescription = "old"\ndeveloper_instructions = "You do."\n'
    const agents = agentsOf('codex', {
      'home/.codex/agents/x.toml': role,
      'project/.codex/config.toml': '[agents.x]\ndescription = "new"\n',
    })
    expect(named(agents, 'x')?.fields.description?.value).toBe('new')
    expect(named(agents, 'x')?.prompt.value).toBe('You do.')
  })
})

describe('what harness files say twice, in their own words and in neutral ones', () => {
  test.each(registry.all.filter(({ effective }) => effective !== undefined))('$id', (harness) => {
    const [place] = harness.carriers.flatMap(({ project }) => project?.write ?? [])
    const agents = agentsOf(harness.id, { [`project/${place?.replace('{name}', 'x')}`]: 'X.\n' })
    expect(named(agents, 'x')).toBeDefined()
    const merged = effectiveAccess(named(agents, 'x')?.access ?? [], 'main')
    const base = harness.access.base.map((rule) => ({
      tools: rule.tools,
      subject: rule.subject ?? ('none' as const),
      pattern: rule.pattern ?? null,
      syntax: 'wildcard' as const,
      action: rule.action,
      native: '',
      range: null,
    }))
    const enforced = { main: 'observed', child: 'observed' } as const
    const neutral = [{ origin: 'default', resolution: 'last-match', rules: base, otherwise: 'ask', enforced } as const]
    const calls = [
      ...Object.values(harness.units).flatMap(({ grants }) => grants.map((tool) => ({ tool }))),
      ...['a.ts', '.env', 'x/.env.local', '.env.example'].map((argument) => ({ tool: 'read', argument })),
      { tool: 'mcp:server/tool' },
    ]
    for (const call of calls) {
      expect([call, decide(merged, call).action]).toEqual([call, decide(neutral, call).action])
    }
  })
})
