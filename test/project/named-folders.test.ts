/** A folder that is named by hand holds the agents that the project says are there, in the dialect that they have there. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { json, listed } from './agreement.ts'

let root = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'troupe-named-'))
  mkdirSync(join(root, '.git'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, ...lines: string[]): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), `---\n${lines.join('\n')}\n---\nYou help.\n`)
}

const said = (...paths: string[]) => listed(root, ...paths).map(({ harness, name }) => `${harness}:${name}`)

describe('the folder of a harness', () => {
  test.each([
    ['.claude', 'claude-code', '.claude/agents'],
    ['.opencode', 'opencode', '.opencode/agents'],
    ['.qwen', 'qwen-code', '.qwen/agents'],
    ['.gemini', 'gemini-cli', '.gemini/agents'],
  ])('%s holds agents of %s', (folder, harness, agents) => {
    put(`${agents}/one.md`, 'name: one', 'description: One')
    expect(said(folder)).toEqual([`${harness}:one`])
    expect(said(agents)).toEqual([`${harness}:one`])
    expect(said(folder)).toEqual(said())
  })

  test('what lies deeper counts, and commands beside it do not', () => {
    put('.claude/agents/deep/two.md', 'name: two', 'description: Two')
    put('.claude/commands/ship.md', 'description: Ships')
    expect(said('.claude')).toEqual(['claude-code:two'])
  })

  test('names that its harness ignores stay dead', () => {
    put('.claude/agents/one.md', 'name: one', 'description: One', 'tools: read, bash')
    const [result] = json(root, 'convert', '.claude', '--to', 'opencode', '--dry-run').results
    expect([result.status, result.source.harness]).toEqual(['refused', 'claude-code'])
  })
})

test('the folder for all harnesses holds as many agents by its path as without', () => {
  put('agents/named.md', 'name: named')
  put('agents/told.md', 'description: Told')
  put('agents/usual.md', 'name: usual', 'description: Usual', 'tools: Read')
  const names = ['named', 'told', 'usual']
  for (const paths of [[], ['agents'], ['.']])
    expect(
      listed(root, ...paths)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(names)
  expect(json(root, 'check', 'agents').summary.agents).toBe(3)
  expect(json(root, 'convert', 'agents', '--to', 'opencode', '--dry-run').summary.agents).toBe(3)
})

const all = { read: 'allow', shell: 'allow' }

describe('what list and show say of access is what explain decides', () => {
  test.each([
    ['a name that is ignored', '.claude/agents/a.md', 'tools: Read, bash', { read: 'offer', shell: 'deny' }],
    ['a limit that is not heeded', '.claude/agents/a.md', 'tools: Bash(git *)', { read: 'deny', shell: 'offer' }],
    ['a list that is heeded', '.claude/agents/a.md', 'tools: Read, Bash', { read: 'offer', shell: 'offer' }],
    ['a file that is loaded without its keys', '.opencode/agents/a.md', "color: 'it's\npermission: deny", all],
    ['a list without a known name', '.qwen/agents/a.md', 'tools: [Read, Bash]', { read: 'deny', shell: 'deny' }],
  ])('%s', (_what, path, line, expected) => {
    put(path, 'name: a', 'description: A', line)
    expect(listed(root)[0]).toMatchObject({ access: expected })
    expect(json(root, 'show', 'a').agent.access).toMatchObject(expected)
    for (const [tool, action] of Object.entries(expected)) expect(json(root, 'explain', 'a', tool).action).toBe(action)
  })
})
