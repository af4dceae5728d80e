/** Agents that a harness makes of several files: what is said of them is said of the whole, and what is uncertain is said to be. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { json, listed } from './agreement.ts'

let root = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'troupe-merged-'))
  mkdirSync(join(root, '.git'))
  writeFileSync(join(root, '.git/HEAD'), 'ref: refs/heads/main\n')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const definition = (...lines: string[]) => `---\ndescription: Helps\n${lines.join('\n')}\n---\nYou help.\n`
const entry = (permission: object) => JSON.stringify({ agent: { gran: { permission } } })

function found(code: string): { path: string; message: string }[] {
  return json(root, 'check').diagnostics.filter((one: { code: string }) => one.code === code)
}

describe('check speaks of the whole', () => {
  test('a shell that another file denies is no way round a locked door', () => {
    put('opencode.json', entry({ bash: 'deny' }))
    put('.opencode/agents/gran.md', definition('permission:', '  edit: deny'))
    expect(listed(root)[0]).toMatchObject({ access: { edit: 'deny', shell: 'deny' } })
    expect(found('shell-can-write')).toEqual([])
  })

  test('a door that another file locks is told of, once', () => {
    put('opencode.json', entry({ edit: 'deny' }))
    put('.opencode/agents/gran.md', definition('mode: subagent'))
    expect(found('shell-can-write').map(({ path }) => path)).toEqual(['.opencode/agents/gran.md'])
  })

  test('alone, a file speaks for itself', () => {
    put('.opencode/agents/gran.md', definition('permission:', '  edit: deny'))
    expect(found('shell-can-write')).toHaveLength(1)
  })
})

describe('a file that is named by hand is still only a part of its agent', () => {
  const file = '.opencode/agents/gran.md'
  const access = (...words: string[]) => {
    const { results } = json(root, 'convert', ...words, '--to', 'claude-code', '--dry-run')
    return results.map((one: { name: string; access: { after: unknown } }) => [one.name, one.access.after])
  }

  test.each([file, '.opencode/agents', '.opencode'])('%s: what the configuration denies stays denied', (path) => {
    put('opencode.json', entry({ bash: 'deny' }))
    put(file, definition('mode: subagent'))
    put('.opencode/agents/other.md', definition('mode: subagent'))
    const whole = access()
    expect(whole).toContainEqual(['gran', expect.objectContaining({ shell: 'deny', edit: 'offer' })])
    const named = access(path)
    expect(named).toHaveLength(path === file ? 1 : 2)
    for (const one of named) expect(whole).toContainEqual(one)
  })

  test('what is switched off there is not converted', () => {
    put('opencode.json', JSON.stringify({ agent: { gran: { disable: true } } }))
    put(file, definition('mode: subagent'))
    expect(access(file)).toEqual([])
  })

  test('a configuration that is named has what the files say', () => {
    put('opencode.json', JSON.stringify({ agent: { gran: { description: 'Helps', prompt: 'You help.' } } }))
    put(file, definition('permission:', '  bash: deny'))
    expect(access('opencode.json')).toEqual([['gran', expect.objectContaining({ shell: 'deny' })]])
  })
})

describe('two files of one name in one folder', () => {
  beforeEach(() => {
    put('.opencode/agent/x.md', definition('permission: { bash: deny }'))
    put('.opencode/agents/x.md', definition('permission: { bash: allow, edit: deny }'))
  })
  const sentence = 'OpenCode has another agent "x" in .opencode/agent/x.md, and which of them it takes varies.'

  test('nobody is told which of them counts', () => {
    expect(found('name-collision').map(({ message }) => message)).toEqual([sentence])
    const { notes } = json(root, 'show', 'x', '--effective').agent
    expect(notes.map(({ what }: { what: string }) => what)).toContainEqual(expect.stringContaining('varies'))
    expect(json(root, 'explain', 'x', 'shell').notes).toContain(sentence)
  })

  test('the agent may do what both allow', () => {
    expect(listed(root)).toMatchObject([{ name: 'x', access: { shell: 'deny', edit: 'deny' } }])
    const [result] = json(root, 'convert', '--to', 'claude-code', '--dry-run').results
    expect(result.access.after).toMatchObject({ shell: 'deny', edit: 'deny' })
    expect(result.diagnostics.map(({ message }: { message: string }) => message)).toContain(sentence)
  })
})

test('a file that a declaration hides is told of by every command', () => {
  put('agents/planner.md', '---\nname: planner\ndescription: Found\n---\nYou plan.\n')
  put(
    '.promptscript/project.prs',
    '@meta { id: "t" syntax: "1.1.0" }\n@agents {\n  planner: { description: "Declared" content: "You plan." }\n}\n',
  )
  const told = ({ code, path }: { code: string; path: string }) =>
    code === 'declared-twice' && path === 'agents/planner.md'
  expect(listed(root).map(({ shadowedBy }) => shadowedBy)).toEqual(['.promptscript/project.prs', null])
  expect(json(root, 'check').diagnostics.some(told)).toBe(true)
  expect(json(root, 'convert', '--to', 'claude-code', '--dry-run').diagnostics.some(told)).toBe(true)
  expect(json(root, 'import', '.').diagnostics.some(told)).toBe(true)
  expect(json(root, 'show', 'planner').agent.description).toBe('Declared')
})

test('of two agents of one name in one plugin the hidden one is told of by every command', () => {
  put('.claude-plugin/marketplace.json', '{"name":"m","plugins":[{"name":"p","source":"./p"}]}')
  put('p/agents/a.md', '---\nname: twin\ndescription: One\ntools: Read\n---\nYou are one.\n')
  put('p/agents/b.md', '---\nname: twin\ndescription: Other\ntools: Bash\n---\nYou are another.\n')
  expect(listed(root).map(({ name, shadowedBy }) => [name, shadowedBy])).toEqual([
    ['p:twin', null],
    ['p:twin', 'p/agents/a.md'],
  ])
  expect(found('name-collision').map(({ path }) => path)).toEqual(['p/agents/b.md'])
  const { results } = json(root, 'convert', '--to', 'opencode', '--dry-run')
  expect(results.map(({ status }: { status: string }) => status)).toEqual(['failed', 'failed'])
  const [said] = results[0].diagnostics.filter(({ code }: { code: string }) => code === 'same-output')
  expect(said.hint).toBe('Give one of the agents another name.')
})
