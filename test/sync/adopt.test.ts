/** What is changed by hand in any target goes back into any source: the source says it, nothing else in it changed, all is in step. */
import { symlinkSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { buildOnce } from '../../src/cli/commands/build-once.ts'
import { createStyle } from '../../src/report/print-text.ts'
import { newProject, type Project, removeProjects } from './new-project.ts'

afterAll(removeProjects)

/** The command, without the program around it. */
async function build(project: Project, options: Readonly<Record<string, string | boolean>> = {}) {
  const terminal = { style: createStyle(false), columns: 100, print: () => {}, info: () => {} }
  const input = { positionals: [], options: { yes: true, ...options }, terminal, here: project.root }
  const built = await buildOnce(input, { keepsResults: false, findsPlaces: false })
  return { code: built.code, drifts: built.drifts, problems: built.adoptions.map(({ problem }) => problem) }
}

const adopting = { 'on-edit': 'adopt' }

const outputs = {
  'claude-code': '.claude/agents/scout.md',
  opencode: '.opencode/agents/scout.md',
  codex: '.codex/agents/scout.toml',
  'gemini-cli': '.gemini/agents/scout.md',
  copilot: '.github/agents/scout.agent.md',
  'qwen-code': '.qwen/agents/scout.md',
} as const
type Target = keyof typeof outputs

/** In Codex access is a switch, which is no place for a list. */
const config = `source: team
targets: [${Object.keys(outputs).join(', ')}]
accept:
  codex: { '*': for the test }
`

/** The same agent in three dialects, with what must not be touched: comments, quotes, empty lines, an own key. */
const sources = {
  'claude-code': {
    path: 'team/scout.md',
    text: [
      '---',
      '# The scout.',
      'name: scout',
      "description: 'Looks around'   # shown to people",
      '',
      'tools: Read, Grep, Glob',
      'color: green',
      '---',
      '',
      'You are a scout.',
      '',
      'Use the Read tool on each file.',
      'Report what you saw.',
      '',
    ].join('\n'),
    tools: ['tools: Read, Grep, Glob', 'tools: Read'],
  },
  opencode: {
    path: 'team/scout.md',
    text: [
      '---',
      "description: 'Looks around'   # shown to people",
      'mode: subagent',
      'permission:',
      '  "*": deny',
      '  # reading',
      '  read: allow',
      '  grep: allow',
      '  glob: allow',
      '---',
      '',
      'You are a scout.',
      '',
      'Use the read tool on each file.',
      'Report what you saw.',
      '',
    ].join('\n'),
    tools: ['  grep: allow\n  glob: allow\n', ''],
  },
  'gemini-cli': {
    path: 'team/scout.md',
    text: [
      '---',
      'name: scout',
      "description: 'Looks around'   # shown to people",
      'tools:',
      '  - read_file',
      '  - grep_search',
      '  - glob',
      'temperature: 0.2   # calm',
      '---',
      '',
      'You are a scout.',
      '',
      'Use the read_file tool on each file.',
      'Report what you saw.',
      '',
    ].join('\n'),
    tools: ['  - read_file\n  - grep_search\n  - glob\n', '  - read_file\n'],
  },
} as const

/** In the words of each target: all but reading is taken away. */
const onlyRead: Readonly<Partial<Record<Target, (text: string) => string>>> = {
  'claude-code': (text) => text.replace('Read, Grep, Glob', 'Read').replace('Read, Glob, Grep', 'Read'),
  opencode: (text) => text.replace(/ {2}(?:grep|glob): allow\n/g, ''),
  'gemini-cli': (text) => text.replace(/ {2}- (?:grep_search|glob)\n/g, ''),
  'qwen-code': (text) => text.replace(/ {2}- (?:grep_search|glob)\n/g, ''),
}

describe.each(Object.keys(sources) as (keyof typeof sources)[])('a source of %s', (from) => {
  const { path, text, tools } = sources[from]
  const inLines = { lf: text, crlf: text.replaceAll('\n', '\r\n') }
  const begun = async (source: string) => {
    const project = newProject({ 'troupe.yaml': config, [path]: source })
    expect(await build(project)).toMatchObject({ code: 0 })
    return project
  }
  const edit = (project: Project, target: Target, change: (text: string) => string) => {
    const before = project.get(outputs[target])
    const after = change(before)
    expect(after).not.toBe(before)
    project.put(outputs[target], after)
  }
  const adopted = async (project: Project) => {
    expect(await build(project, adopting)).toMatchObject({ code: 0 })
    expect(await build(project, { check: true })).toMatchObject({ code: 0, drifts: [] })
    return project.get(path)
  }

  describe.each(Object.keys(outputs) as Target[])('changed in %s', (target) => {
    test.each(['lf', 'crlf'] as const)('a description, with %s', async (ends) => {
      const project = await begun(inLines[ends])
      edit(project, target, (now) => now.replace('Looks around', 'Looks far ahead'))
      expect(await adopted(project)).toBe(inLines[ends].replace('Looks around', 'Looks far ahead'))
    })

    test.each(['lf', 'crlf'] as const)('the prompt, with %s', async (ends) => {
      const project = await begun(inLines[ends])
      edit(project, target, (now) => now.replace('Report what', 'Report at once what'))
      expect(await adopted(project)).toBe(inLines[ends].replace('Report what', 'Report at once what'))
    })

    const narrow = onlyRead[target]
    test('all of them, and what was added is said in the words of the source', async () => {
      const project = await begun(text)
      edit(project, target, (now) =>
        (narrow ?? String)(now)
          .replace('Looks around', 'Looks ahead')
          .replace('You are a scout.', 'You are the scout.'),
      )
      const expected = text.replace('Looks around', 'Looks ahead').replace('You are a scout.', 'You are the scout.')
      expect(await adopted(project)).toBe(narrow === undefined ? expected : expected.replace(tools[0], tools[1]))
    })
  })

  test.each(Object.keys(onlyRead) as Target[])('the tools in %s', async (target) => {
    const project = await begun(text)
    edit(project, target, onlyRead[target] ?? String)
    expect(await adopted(project)).toBe(text.replace(tools[0], tools[1]))
  })

  test('one thing in each of two targets', async () => {
    const project = await begun(text)
    edit(project, 'opencode', (now) => now.replace('Looks around', 'Looks ahead'))
    edit(project, 'codex', (now) => now.replace('Report what', 'Report at once what'))
    expect(await adopted(project)).toBe(
      text.replace('Looks around', 'Looks ahead').replace('Report what', 'Report at once what'),
    )
  })

  test('a source that cannot be written stays as it is, and so does the output', async () => {
    const project = await begun(text)
    edit(project, 'opencode', (now) => now.replace('Looks around', 'Looks ahead'))
    const changed = project.get(outputs.opencode)
    const outside = newProject({ 'scout.md': text })
    project.remove(path)
    symlinkSync(`${outside.root}/scout.md`, `${project.root}/${path}`)
    expect(await build(project, adopting)).toMatchObject({ code: 1, problems: ['its source cannot be written'] })
    expect(project.get(outputs.opencode)).toBe(changed)
    expect(outside.get('scout.md')).toBe(text)
  })
})

describe('what must not happen on the way', () => {
  const { path, text } = sources['claude-code']
  const changed = async (source: string, target: Target, change: (text: string) => string) => {
    const project = newProject({ 'troupe.yaml': config, [path]: source })
    await build(project)
    project.put(outputs[target], change(project.get(outputs[target])))
    return { ...(await build(project, adopting)), source: project.get(path) }
  }

  test('a secret in the source is lost', async () => {
    const server = 'mcpServers:\n  - docs: { command: serve, env: { TOKEN: hunter2 } }\n'
    const source = text.replace('color: green\n', `color: green\n${server}`)
    const end = await changed(source, 'copilot', (now) => now.replace('Looks around', 'Looks ahead'))
    expect(end).toMatchObject({ problems: [null], source: source.replace('Looks around', 'Looks ahead') })
  })

  test('other lines of the prompt change', async () => {
    const source = text.replace('You are a scout.\n', 'You are a scout.\r\n')
    const end = await changed(source, 'codex', (now) => now.replace('Report what', 'Report at once what'))
    expect(end).toMatchObject({ code: 1, source, problems: ['other lines of the prompt would change with it'] })
  })

  test('a guard goes', async () => {
    const end = await changed(text, 'claude-code', (now) =>
      now.replace('color: green', 'color: green\npermissionMode: bypassPermissions'),
    )
    expect(end).toMatchObject({
      code: 1,
      source: text,
      problems: ['the agent could do more: permissionMode (accept it with --allow-widening=permissionMode)'],
    })
  })

  test('a file that cannot be read as it stands is guessed at', async () => {
    const end = await changed(text, 'gemini-cli', (now) => now.replace('description: ', 'description: a: b: "'))
    expect(end).toMatchObject({ code: 1, source: text, problems: ['it has errors that must be fixed first'] })
  })

  test('a comment in the source is lost', async () => {
    const source = text.replace(
      'tools: Read, Grep, Glob',
      'tools:\n  - Read # always\n  - Grep # for now\n  - Glob # for now',
    )
    const end = await changed(source, 'gemini-cli', onlyRead['gemini-cli'] ?? String)
    expect(end).toMatchObject({ code: 1, source, problems: ['the source would lose the comment `# always`'] })
  })
})
