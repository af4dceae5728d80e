/** There and back again: with the lock every byte is restored, and what was edited in between survives. */
import { afterEach, describe, expect, test } from 'vitest'
import { newProject, type Project, removeProjects, told } from '../new-project.ts'

afterEach(removeProjects)

const kinds = ['claude-code', 'opencode', 'opencode:config', 'codex', 'copilot', 'gemini-cli', 'qwen-code', 'agents']
const all = { allow: ['*'] }

/** One agent in each dialect, with comments and odd quotes in it, and a prompt that speaks of tools. */
const agents: Readonly<Record<string, readonly [path: string, text: string]>> = {
  'claude-code': [
    '.claude/agents/dba.md',
    '---\n# who\nname: dba   # the name\ndescription: "Talks to: the db"\ntools: Read, Grep   # few\nmodel: sonnet\nowner: me\nx.y: 1\n---\n\nUse Read first.\nThen use Grep and `Bash`.\nThe middle line.\nTell others with SendMessage.\nLast line uses Read.\n',
  ],
  opencode: [
    '.opencode/agents/dba.md',
    '---\n# who\ndescription: "Talks to: the db"\nmode: subagent   # x\npermission:\n  "*": deny\n  read: allow # ok\n  grep: allow\n---\n\nUse the read tool first.\nThe middle line.\nLast line uses the `grep` tool.\n',
  ],
  copilot: [
    '.github/agents/dba.agent.md',
    "---\n# who\ndescription: 'Talks to: the db'\ntools: ['read', 'search']   # few\n---\n\nUse the read tool first.\nThe middle line.\nLast.\n",
  ],
  'gemini-cli': [
    '.gemini/agents/dba.md',
    '---\nname: dba # n\ndescription: "Talks to: the db"\ntools:\n  - read_file # r\n---\n\nUse read_file first.\nThe middle line.\nLast line uses read_file.\n',
  ],
  'qwen-code': [
    '.qwen/agents/dba.md',
    '---\nname: dba # n\ndescription: "Talks to: the db"\ntools:\n  - read_file # r\n---\n\nUse read_file first.\nThe middle line.\nLast line uses read_file.\n',
  ],
  codex: [
    '.codex/agents/dba.toml',
    '# who\nname = "dba" # n\ndescription = "Talks to: the db"\nsandbox_mode = "read-only" # safe\ndeveloper_instructions = """\nUse exec_command first.\nThe middle line.\nLast line uses apply_patch.\n"""\n\n[features] # f\napps = false\n',
  ],
}

const ways = Object.keys(agents).flatMap((from) =>
  kinds.filter((to) => to.split(':')[0] !== from).map((to) => [from, to] as const),
)

const idOf = (kind: string) => kind.split(':')[0] ?? kind

/** To the other dialect; the path of what was written. */
async function forth(project: Project, from: string, to: string): Promise<string> {
  const { results } = await project.convert(from, to, all)
  expect(results.map(({ status }) => status)).toEqual(['written'])
  return results[0]?.target.files[0] ?? ''
}

describe('unchanged', () => {
  test.each(ways)('%s to %s and back, and there again', async (from, to) => {
    const [path, text] = agents[from] ?? ['', '']
    const project = newProject({ [path]: text })
    const output = await forth(project, from, to)
    const there = project.get(output)
    expect(told(await project.convert(idOf(to), from, all))).toEqual(['dba: unchanged'])
    project.remove(path)
    expect(told(await project.convert(idOf(to), from, all))).toEqual(['dba: written'])
    expect(project.get(path)).toBe(text)
    // What is kept for a restored file must lead to where it came from, too.
    await project.convert(from, to, all)
    expect(project.get(output)).toBe(there)
  })

  const odd: readonly [string, string | Uint8Array][] = [
    ['a flow map', '---\n{name: odd, description: "In one line"}\n---\nA prompt.\n'],
    ['an indented fence', '  ---\n  name: odd\n  description: d\n  ---\nA prompt.\n'],
    ['blank lines above', '\n\n---\nname: odd\ndescription: d\n---\nA prompt.\n'],
    ['no line end', '---\nname: odd\ndescription: d\n---\nA prompt.'],
    ['broken YAML', '---\nname: odd\ndescription: Use it: when: needed\ntools: Read\n---\nA prompt.\n'],
    ['a key twice', '---\nname: odd\ndescription: one\ndescription: two\n---\nA prompt.\n'],
    ['an anchor', '---\nname: &n odd\ndescription: *n\n---\nA prompt.\n'],
    ['CRLF', '---\r\nname: odd\r\ndescription: |\r\n  one\r\n  two\r\ntools: Read\r\n---\r\nUse Read.\r\n'],
    ['a byte order mark', '\ufeff---\nname: odd\ndescription: d\n---\nUse Read.\n'],
    ['UTF-16', Buffer.from('\ufeff---\nname: odd\ndescription: ünï\n---\nUse Read. 🦊\n', 'utf16le')],
    ['Latin-1', Buffer.from('---\nname: odd\ndescription: dünn\n---\nBody é, Read.\n', 'latin1')],
    ['NUL', '---\nname: odd\ndescription: d\n---\na\0b\n'],
    ['numbers and blanks', '---\nname: odd\ndescription: 42\nmodel: ""\n---\nA prompt.\n'],
    ['no description to speak of', '---\nname: odd\ndescription: " "\n---\nA prompt.\n'],
    ['half a surrogate pair', '---\nname: odd\ndescription: "a\\ud800b"\n---\nA prompt.\n'],
    ['something that looks like a secret', '---\nname: odd\ndescription: "${X} {env:B} env: c"\n---\nA {env:HOME}.\n'],
    ['keys that objects have', '---\nname: odd\ndescription: d\nconstructor: 1\n__proto__: 2\na.b.c: 3\n---\nA.\n'],
    ['a long key', `---\nname: odd\ndescription: d\n? ${'k'.repeat(1500)}\n: v\n---\nA prompt.\n`],
    ['white space around it', '---\nname: odd\ndescription: d\n---\n  \n\t\nA prompt. \n\t\n'],
  ]
  test.each(odd)('%s', async (_title, content) => {
    for (const to of kinds.slice(1)) {
      const project = newProject({ '.claude/agents/odd.md': content })
      const before = project.bytes('.claude/agents/odd.md')
      await forth(project, 'claude-code', to)
      project.remove('.claude/agents/odd.md')
      await forth(project, idOf(to), 'claude-code')
      expect(project.bytes('.claude/agents/odd.md').equals(before), to).toBe(true)
    }
  })
})

test('a long prompt with escapes, which stays in the text that is kept', async () => {
  const path = '.codex/agents/dba.toml'
  const text = `name = "dba"\ndescription = "d"\ndeveloper_instructions = """\n${'Match \\\\d here.\n'.repeat(9000)}"""\nsandbox_mode = "read-only" # safe\n`
  const project = newProject({ [path]: text })
  await forth(project, 'codex', 'claude-code')
  project.remove(path)
  await project.convert('claude-code', 'codex', all)
  expect(project.get(path)).toBe(text)
})

describe('edited in between', () => {
  const edits: readonly [string, RegExp, string, (original: string) => string][] = [
    [
      'the description',
      /Talks to: the db/,
      'About # x',
      (text) => text.replace(/(description[:=\s]*).*/, '$1"About # x"'),
    ],
    [
      'a line of the prompt',
      /The middle line\./,
      'A new one.',
      (text) => text.replace('The middle line.', 'A new one.'),
    ],
    ['a line that speaks of a tool', / first/, ' FIRST', (text) => text.replace(' first', ' FIRST')],
  ]
  test.each(ways)('%s to %s', async (from, to) => {
    const [path, text] = agents[from] ?? ['', '']
    for (const [title, what, now, expected] of edits) {
      const project = newProject({ [path]: text })
      const output = await forth(project, from, to)
      project.put(output, project.get(output).replace(what, now))
      expect(told(await project.convert(idOf(to), from, { ...all, force: true })), title).toEqual(['dba: written'])
      expect(project.get(path), title).toBe(expected(text))
    }
  })

  test('two places at once: what stands between them is found again', async () => {
    const [path, text] = agents['claude-code'] ?? ['', '']
    const project = newProject({ [path]: text })
    const output = await forth(project, 'claude-code', 'opencode')
    expect(project.get(output)).toContain('[NO_EQUIVALENT: SendMessage]')
    project.put(output, project.get(output).replace('The middle', 'A middle').replace('Last line', 'The last line'))
    await project.convert('opencode', 'claude-code', { ...all, force: true })
    expect(project.get(path)).toBe(text.replace('The middle', 'A middle').replace('Last line', 'The last line'))
  })

  test('a key of its own, and one that was not there before', async () => {
    const [path, text] = agents['claude-code'] ?? ['', '']
    const project = newProject({ [path]: text })
    const output = await forth(project, 'claude-code', 'qwen-code')
    project.put(output, project.get(output).replace('owner: me', 'owner: you\nteam: red'))
    await project.convert('qwen-code', 'claude-code', { ...all, force: true })
    expect(project.get(path)).toBe(text.replace('owner: me', 'owner: you').replace('x.y: 1\n', 'x.y: 1\nteam: red\n'))
  })

  test('a restriction that was not there before', async () => {
    const project = newProject({ '.claude/agents/free.md': '---\nname: free\ndescription: d\n---\nA prompt.\n' })
    const output = await forth(project, 'claude-code', 'opencode')
    project.put(output, project.get(output).replace('mode: subagent', 'mode: subagent\npermission:\n  bash: deny'))
    await project.convert('opencode', 'claude-code', { ...all, force: true })
    expect(project.get('.claude/agents/free.md')).toMatch(/^disallowedTools: .*\bBash\b/m)
  })

  test('a value in TOML, with everything around it', async () => {
    const [path, text] = agents.codex ?? ['', '']
    const project = newProject({ [path]: text })
    const output = await forth(project, 'codex', 'claude-code')
    project.put(output, project.get(output).replace('---\n\n', 'model: opus\n---\n\n'))
    await project.convert('claude-code', 'codex', { ...all, force: true })
    expect(project.get(path).replace(/^model = .*\n/m, '')).toBe(text)
    expect(project.get(path)).toMatch(/^model = "/m)
  })
})

describe('secrets', () => {
  const secret = 's3cr3t'
  const sources: readonly [string, string, string][] = [
    [
      'claude-code',
      '.claude/agents/dba.md',
      `---\nname: dba\ndescription: d\nmcpServers:\n  - db:\n      command: db-mcp # run\n      env:\n        TOKEN: ${secret}\n---\nA prompt.\n`,
    ],
    [
      'codex',
      '.codex/agents/dba.toml',
      `name = "dba"\ndescription = "d"\ndeveloper_instructions = "A prompt."\n\n[mcp_servers.db]\ncommand = "db-mcp" # run\n[mcp_servers.db.env]\nTOKEN = "${secret}"\n`,
    ],
    [
      'codex',
      '.codex/agents/dba.toml',
      `name = "dba"\ndescription = "d"\ndeveloper_instructions = "A prompt."\nmcp_servers.db.url = "https://x.y"\nmcp_servers.db.http_headers = { Authorization = "${secret}" }\n`,
    ],
    [
      'copilot',
      '.github/agents/dba.agent.md',
      `---\ndescription: d\ntools: [read]\nmcp-servers:\n  db:\n    type: http\n    url: https://x.y\n    tools: ['*']\n    headers: { Authorization: ${secret} }\n---\nA prompt.\n`,
    ],
  ]
  test.each(sources)('%s: never in the lock, and not lost while the original is there', async (from, path, text) => {
    for (const to of kinds.filter((kind) => idOf(kind) !== from)) {
      const project = newProject({ [path]: text })
      const output = await forth(project, from, to)
      expect(project.get('troupe.lock'), to).not.toContain(secret)
      const todos = project.get(output).match(/TODO: .*/g) ?? []
      expect(todos.join(), to).not.toContain(secret)
      const edited = project.get(output).replace('A prompt.', 'Another prompt.')
      project.put(output, edited)
      await project.convert(idOf(to), from, { ...all, force: true })
      expect(project.get(path), to).toBe(text.replace('A prompt.', 'Another prompt.'))
      expect(project.get('troupe.lock'), to).not.toContain(secret)
    }
  })

  test('lost with the original, and then it is said', async () => {
    const [from, path, text] = sources[0] ?? ['', '', '']
    const project = newProject({ [path]: text })
    await forth(project, from, 'codex')
    project.remove(path)
    const { results } = await project.convert('codex', from, all)
    expect(project.get(path)).not.toContain('mcpServers')
    expect(results[0]?.gaps.map(({ feature, reason }) => `${feature}: ${reason}`)).toContain(
      'mcpServers: `mcpServers` held secrets, which troupe.lock never stores, and the original is gone or has changed',
    )
  })
})

test('a lock that somebody has tampered with is of no use, and no harm', async () => {
  const [path, text] = agents['claude-code'] ?? ['', '']
  const project = newProject({ [path]: text })
  await forth(project, 'claude-code', 'opencode')
  const lock = JSON.parse(project.get('troupe.lock'))
  const entry = Object.values(lock.files)[0] as { kept: Record<string, unknown> }
  const hostile: Record<string, unknown>[] = [
    { header: [5, null, { a: 1 }] },
    { around: [1, 2] },
    { prompt: ['x', null] },
    { prompt: [3, [-1, 1e9, 'a', 'b']] },
    { held: {} },
    { encoding: 'ebcdic' },
  ]
  for (const wrong of hostile) {
    const tampered = { ...entry, kept: { ...entry.kept, ...wrong } }
    project.put('troupe.lock', JSON.stringify({ schema: 1, files: { '.opencode/agents/dba.md': tampered } }))
    const [result] = told(await project.convert('opencode', 'claude-code', { ...all, force: true }))
    expect(result).toMatch(/^dba: (?:written|unchanged)$/)
    expect(project.get(path)).toContain('tools: Read, Grep')
  }
})

describe('where only the lock vouches for the original', () => {
  const path = '.opencode/agents/dba.md'
  const agent = (...rules: string[]) =>
    ['---', 'description: d', 'mode: subagent', 'permission:', ...rules, '---', 'You are careful.', ''].join('\n')
  const back = async (text: string, forge: (lock: string) => string = (lock) => lock) => {
    const project = newProject({ [path]: text })
    await project.convert('opencode', 'claude-code')
    project.remove(path)
    project.put('troupe.lock', forge(project.get('troupe.lock')))
    await project.convert('claude-code', 'opencode')
    return project.get(path)
  }

  test('what it asked about is asked about again, although not all of it can be put back', async () => {
    const text = await back(agent('  bash: {"*": deny, "git *": ask}', '  edit: ask', '  webfetch: deny'))
    expect(text).toBe(agent('  edit: ask', '  bash: deny', '  webfetch: deny'))
  })

  test.each([
    ['external_directory: allow'],
    ['read: allow'],
    ['question: allow'],
    ['"*_*": allow'],
    ['external_directory: {"/etc/*": allow}'],
  ])('it gives nothing that a conversion would not write: %s', async (rule) => {
    const line = JSON.stringify(`permission:\n  ${rule}\n`).slice(1, -1)
    const text = await back(agent('  webfetch: deny'), (lock) => lock.replace('permission:\\n', () => line))
    expect(text).toBe(agent('  webfetch: deny'))
  })
})
