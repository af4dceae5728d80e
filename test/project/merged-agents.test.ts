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

describe('an older switch is a rule before definitions are merged', () => {
  const config = (permission: object) => JSON.stringify({ agent: { gran: { permission } } })

  test('a switch that is off beats a rule of a weaker layer', () => {
    put('opencode.json', config({ edit: 'allow', bash: { '*': 'allow' } }))
    put('.opencode/agents/gran.md', definition('tools:', '  write: false', '  bash: false'))
    const [agent] = listed(root)
    expect(agent).toMatchObject({ access: { edit: 'deny', shell: 'deny', read: 'allow' } })
    const [converted] = json(root, 'convert', '--to', 'claude-code', '--dry-run').results
    expect(converted.access.after).toMatchObject({ edit: 'deny', shell: 'deny', read: 'offer' })
  })

  test('a switch that is on does so, too', () => {
    put('opencode.json', config({ edit: 'deny' }))
    put('.opencode/agents/gran.md', definition('tools:', '  write: true'))
    expect(listed(root)[0]).toMatchObject({ access: { edit: 'allow' } })
  })

  test('switches that are none allow nothing', () => {
    put('opencode.json', config({ edit: 'allow' }))
    put('.opencode/agents/gran.md', definition('tools: [write]'))
    expect(listed(root)[0]).toMatchObject({ access: { shell: 'deny' } })
  })
})

interface Row {
  readonly name: string
  readonly mode: string
  readonly access: Readonly<Record<string, string>>
}

describe('the older map of modes in a configuration', () => {
  const modes = (mode: object, agent: object = {}) => JSON.stringify({ agent, mode })
  const named = (): string[][] => json(root, 'list').agents.map((row: Row) => [row.name, row.mode, row.access.edit])

  test('is found by every command, and its agents are primary', () => {
    put(
      'opencode.json',
      modes({ old: { description: 'd', prompt: 'You help.', mode: 'subagent', tools: { write: false } } }),
    )
    expect(named()).toEqual([['old', 'primary', 'deny']])
    expect(json(root, 'show', 'old').agent).toMatchObject({ name: 'old', mode: 'primary' })
    expect(json(root, 'explain', 'old', 'edit', 'a', '--main')).toMatchObject({ action: 'deny' })
    expect(json(root, 'check').summary).toMatchObject({ agents: 1 })
    const [converted] = json(root, 'convert', '--to', 'claude-code', '--dry-run').results
    expect(converted).toMatchObject({ name: 'old', access: { after: { edit: 'deny' } } })
  })

  test('goes over an agent of the same name', () => {
    const agent = { description: 'd', prompt: 'You help.', permission: { edit: 'allow', bash: 'deny' } }
    put('opencode.json', modes({ gran: { tools: { write: false } }, other: { prompt: 'You help.' } }, { gran: agent }))
    expect(named()).toEqual([
      ['gran', 'primary', 'deny'],
      ['other', 'primary', 'allow'],
    ])
    expect(listed(root)[0]).toMatchObject({ access: { shell: 'deny', read: 'allow' }, mergedWith: [] })
    const { results } = json(root, 'convert', '--to', 'claude-code', '--dry-run')
    expect(results.map((one: { name: string }) => one.name)).toEqual(['gran', 'other'])
    expect(results[0].access.after).toMatchObject({ edit: 'deny', shell: 'deny', read: 'offer' })
  })

  test('and files of modes, also without front matter', () => {
    put('.opencode/modes/plain.md', 'You help.\n')
    put('.opencode/mode/own.md', definition('mode: subagent'))
    expect(named().sort()).toEqual([
      ['own', 'primary', 'allow'],
      ['plain', 'primary', 'allow'],
    ])
  })

  test('in which something is wrong is told of', () => {
    put('opencode.json', modes({ old: 'You help.' }))
    expect(json(root, 'check').diagnostics).toEqual([
      expect.objectContaining({ code: 'invalid-value', severity: 'error' }),
    ])
  })
})

describe('rules for all agents', () => {
  const claude = (...lines: string[]) => `---\nname: gran\ndescription: d\n${lines.join('\n')}\n---\nYou help.\n`
  const access = (tool: string) => {
    const [row] = json(root, 'list').agents
    const shown = json(root, 'show', 'gran').agent
    expect(shown.access).toEqual(row.access)
    expect(json(root, 'explain', 'gran', tool).action).toBe(row.access[tool])
    return row.access[tool]
  }

  test.each([
    ['permission', { permission: { bash: 'deny' } }, 'deny'],
    ['permission that asks', { permission: { bash: 'ask' } }, 'ask'],
    ['older switches', { tools: { bash: false } }, 'deny'],
    ['something else', { theme: 'dark' }, 'allow'],
  ])('in opencode.json: %s', (_, config, expected) => {
    put('opencode.json', JSON.stringify(config))
    put('.opencode/agents/gran.md', definition('mode: subagent'))
    expect(access('shell')).toBe(expected)
    expect(access('read')).toBe('allow')
  })

  test('yield to those of the agent', () => {
    put('opencode.json', JSON.stringify({ permission: { bash: 'deny' } }))
    put('.opencode/agents/gran.md', definition('permission:', '  bash: allow'))
    expect(access('shell')).toBe('allow')
  })

  test('in the settings of Claude Code', () => {
    put('.claude/settings.json', JSON.stringify({ permissions: { deny: ['Bash'] } }))
    put('.claude/agents/gran.md', claude('tools: Read, Bash'))
    expect(access('shell')).toBe('deny')
    expect(access('read')).toBe('offer')
    expect(json(root, 'explain', 'gran', 'shell').rule).toMatchObject({ path: '.claude/settings.json', line: 1 })
  })

  test('in the settings of a project say nothing about agents elsewhere', () => {
    put('.claude/settings.json', JSON.stringify({ permissions: { deny: ['Bash'] } }))
    put('loose/gran.md', claude('tools: Read, Bash'))
    const { agents } = json(root, 'list', 'loose', '--harness', 'claude-code')
    expect(agents[0].access.shell).toBe('offer')
  })
})

describe('two files of one name in one folder', () => {
  beforeEach(() => {
    put('.opencode/agent/x.md', definition('permission: { bash: deny }'))
    put('.opencode/agents/x.md', definition('permission: { bash: allow, edit: deny }'))
  })
  const sentence = 'OpenCode has another agent "x" in .opencode/agent/x.md. It does not always pick the same one.'

  test('it is reported that either of them may count', () => {
    expect(found('name-collision').map(({ message }) => message)).toEqual([sentence])
    const { notes } = json(root, 'show', 'x', '--effective').agent
    expect(notes.map(({ what }: { what: string }) => what)).toContainEqual(
      expect.stringContaining('does not always pick the same one'),
    )
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
  expect(said.hint).toBe('Rename one of the agents.')
})
