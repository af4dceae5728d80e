/** The tools of the team: who is given which, where, and what they never do. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { predictWireTools } from '../../../src/harness/effective/predict-request.ts'
import { decide } from '../../../src/model/access/decide.ts'
import { type TeamTool, teamToolRule } from '../../../src/model/tools.ts'
import { takeInventory } from '../../../src/project/inventory.ts'
import { renderMember } from '../../../src/team/members/render-member.ts'
import { registry } from '../../reading.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** The agent as a member in a harness, or why it cannot be one. */
function member(path: string, text: string, id: string, tools: readonly TeamTool[] = ['handoff', 'roster']) {
  const here = mkdtempSync(join(tmpdir(), 'troupe-member-'))
  folders.push(here)
  mkdirSync(dirname(join(here, path)), { recursive: true })
  writeFileSync(join(here, path), text)
  const [found] = takeInventory({ registry, here }).agents
  const harness = registry.byId(id)
  if (found === undefined || harness === undefined) throw new Error(path)
  const fill = (words: string) => words.replace('{workplace_name}', 'shop')
  return { harness, rendered: renderMember(here, registry, found, harness, { tools, fill }) }
}

const claude = (...lines: string[]) =>
  `---\nname: a\ndescription: d\n${lines.join('\n')}\n---\nWork for {workplace_name}.\n`
const played = registry.all.flatMap(({ id, embody }) => (embody === undefined ? [] : [id]))

describe('a reader from Claude Code', () => {
  test.each(played)('in %s: nothing more than it could do, and the tools of the team; or it is refused', (id) => {
    const { harness, rendered } = member('.claude/agents/a.md', claude('tools: Read, Grep, Glob'), id)
    if ('problem' in rendered) {
      expect(rendered.problem).toContain('could do more')
      // Its only way to read is a shell.
      expect(id).toBe('codex')
      return
    }
    const { agent } = rendered
    expect(agent.prompt.text.trim()).toBe('Work for shop.')
    for (const tool of ['write', 'edit', 'shell', 'fetch', 'delegate'])
      expect([tool, decide(agent.access, { tool }).action]).toEqual([tool, 'deny'])
    expect(decide(agent.access, { tool: teamToolRule('handoff') }).action).not.toBe('deny')
    expect(decide(agent.access, { tool: teamToolRule('task_create') }).action).toBe('deny')
    const role = harness.embody?.role ?? 'main'
    expect(predictWireTools(harness, agent, role).filter((name) => /write|edit|bash|shell|patch/i.test(name))).toEqual(
      [],
    )
  })
})

describe('in its own harness a definition keeps what it says', () => {
  test('a list gets the names', () => {
    const { rendered } = member('.claude/agents/a.md', claude('tools: Read', 'model: opus', 'x-own: 1'), 'claude-code')
    expect(rendered).toMatchObject({
      keys: { name: 'a', tools: 'Read, mcp__troupe__handoff, mcp__troupe__roster', model: 'opus', 'x-own': 1 },
    })
  })

  test('no list stays none, and an empty one is not opened', () => {
    expect(member('.claude/agents/a.md', claude(), 'claude-code').rendered).not.toHaveProperty('keys.tools')
    const { rendered } = member('.claude/agents/a.md', claude('tools:'), 'claude-code')
    expect(rendered).toMatchObject({ keys: { tools: ['mcp__troupe__handoff', 'mcp__troupe__roster'] } })
  })

  test('rules get theirs after all others, and what is left open stays open', () => {
    const text = '---\ndescription: d\npermission:\n  "*": deny\n  read: allow\n---\nWork.\n'
    const { rendered } = member('.opencode/agents/a.md', text, 'opencode')
    if ('problem' in rendered) throw new Error(rendered.problem)
    expect(Object.entries(rendered.keys.permission ?? {})).toEqual([
      ['*', 'deny'],
      ['read', 'allow'],
      ['troupe_handoff', 'allow'],
      ['troupe_roster', 'allow'],
    ])
    const open = member('.opencode/agents/a.md', '---\ndescription: d\n---\nWork.\n', 'opencode').rendered
    expect(open).toMatchObject({ keys: { permission: { troupe_handoff: 'allow', troupe_roster: 'allow' } } })
    const strict = member('.opencode/agents/a.md', '---\ndescription: d\npermission: deny\n---\nWork.\n', 'opencode')
    expect(strict.rendered).toMatchObject({ keys: { permission: { '*': 'deny', troupe_handoff: 'allow' } } })
  })
})
