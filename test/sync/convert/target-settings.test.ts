/** Settings in files of the user's, and agents that others of the project are affected by. */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { readLockFile } from '../../../src/project/read-text.ts'
import { undoLastRun } from '../../../src/sync/run/undo.ts'
import { newProject, removeProjects, told } from '../new-project.ts'

afterEach(removeProjects)

const agent = (name: string, more = '') => `---\nname: ${name}\ndescription: d\n${more}---\nA prompt for ${name}.\n`
const database = agent('dba', 'tools: Read, mcp__db\nmcpServers:\n  - db:\n      command: db-mcp\n')
const dba = '.claude/agents/dba.md'

describe('entries in a configuration', () => {
  const reviewer = '.claude/agents/reviewer.md'

  test('one of the user stays, unless --force is given', async () => {
    const mine = '{\n  // Mine.\n  "agent": { "reviewer": { "prompt": "Mine." } }\n}\n'
    const project = newProject({ [reviewer]: agent('reviewer'), 'opencode.json': mine })
    expect(told(await project.convert(null, 'opencode:config'))).toEqual([
      'reviewer: failed opencode.json is left unchanged, because agent.reviewer is already set to something else, and not by Troupe.',
    ])
    expect(project.get('opencode.json')).toBe(mine)
    expect(told(await project.convert(null, 'opencode:config', { force: true }))).toEqual(['reviewer: written'])
    expect(project.get('opencode.json')).toContain('// Mine.')
    expect(project.get('opencode.json')).toContain('A prompt for reviewer.')
    undoLastRun(project.root)
    expect(project.get('opencode.json')).toBe(mine)
  })

  test('one of ours is replaced, one that was changed by hand is not', async () => {
    const project = newProject({ [reviewer]: agent('reviewer') })
    expect(told(await project.convert(null, 'opencode:config'))).toEqual(['reviewer: written'])
    expect(told(await project.convert(null, 'opencode:config'))).toEqual(['reviewer: unchanged'])
    project.put(reviewer, agent('reviewer').replace('A prompt', 'Another prompt'))
    expect(told(await project.convert(null, 'opencode:config'))).toEqual(['reviewer: written'])
    project.put('opencode.json', project.get('opencode.json').replace('Another prompt', 'My prompt'))
    const [result] = told(await project.convert(null, 'opencode:config'))
    expect(result).toMatch(/^reviewer: failed opencode\.json is left unchanged/)
    expect(project.get('opencode.json')).toContain('My prompt')
  })

  test('what is ours is no source', async () => {
    const project = newProject({ [reviewer]: agent('reviewer'), 'opencode.json': '{"agent":{"mine":{"prompt":"x"}}}' })
    await project.convert(null, 'opencode:config')
    expect([...readLockFile(project.root).lock.keys()]).toEqual(['opencode.json#agent.reviewer'])
    const { results } = await project.convert(null, 'qwen-code')
    expect(results.map(({ name, source }) => `${name} ${source.harness}`)).toEqual([
      'reviewer claude-code',
      'mine opencode',
    ])
  })

  test('is told as failed where the file cannot be written', async () => {
    const project = newProject({ [reviewer]: agent('reviewer') })
    symlinkSync(`${project.root}-elsewhere/opencode.json`, join(project.root, 'opencode.json'))
    const [result] = told(await project.convert(null, 'opencode:config'))
    expect(result).toMatch(/^reviewer: failed Not written: its path leads outside/)
  })

  test('the commented spelling is edited where it is the one there', async () => {
    const project = newProject({ [dba]: database, 'opencode.jsonc': '{\n  "theme": "x", // y\n}\n' })
    expect(told(await project.convert(null, 'opencode'))).toEqual(['dba: written'])
    expect(project.has('opencode.json')).toBe(false)
    expect(project.get('opencode.jsonc')).toMatch(/^\{\n {2}"theme": "x", \/\/ y\n {2}"mcp": \{/)
  })

  test('text that looks like a reference stays text', async () => {
    const text = 'See {file:./nowhere.md} and {env:HOME}.'
    const source = agent('reviewer').replace('description: d', `description: "${text}"`)
    const project = newProject({ [reviewer]: source })
    await project.convert(null, 'opencode:config')
    // OpenCode replaces references before it parses, and refuses to start when the file is not there.
    expect(project.get('opencode.json')).not.toMatch(/\{(?:file|env):/)
    expect(JSON.parse(project.get('opencode.json')).agent.reviewer.description).toBe(text)
    project.remove(reviewer)
    await project.convert('opencode', 'claude-code')
    expect(project.get(reviewer)).toBe(source)
  })

  test('references are not followed out of the project, nor into the environment', async () => {
    const prompt = '{file:/etc/hostname} {file:~/.ssh/id} {env:HOME} {file:./near.md}'
    const project = newProject({
      'opencode.json': JSON.stringify({ agent: { a: { description: 'd', prompt } } }),
      'near.md': 'Near.\n',
    })
    await project.convert(null, 'claude-code')
    const written = project.get('.claude/agents/a.md')
    expect(written).toContain('{file:/etc/hostname} {file:~/.ssh/id} {env:HOME} Near.')
  })
})

describe('a server that all agents of a project see', () => {
  const own = (rules: string) => `---\ndescription: d\npermission:\n${rules}---\nMine.\n`

  test('is kept from the others by a rule of the project, and given back to the agent', async () => {
    const project = newProject({
      [dba]: agent('dba', 'mcpServers:\n  - db:\n      command: db-mcp\n'),
      '.claude/agents/free.md': agent('free'),
      '.opencode/agents/mine.md': own('  edit: deny\n'),
    })
    expect(told(await project.convert('claude-code', 'opencode'))).toEqual(['free: written', 'dba: written'])
    expect(JSON.parse(project.get('opencode.json'))).toEqual({
      mcp: { db: { type: 'local', command: ['db-mcp'] } },
      permission: { 'db_*': 'deny' },
    })
    expect(project.get('.opencode/agents/dba.md')).toContain('permission:\n  "db_*": allow\n')
    expect(project.get('.opencode/agents/free.md')).not.toContain('permission')
  })

  test('comes last among the rules of the project, because the last one wins', async () => {
    const project = newProject({ [dba]: database, 'opencode.json': '{"permission":{"*":"allow","bash":"ask"}}' })
    await project.convert(null, 'opencode')
    const { permission } = JSON.parse(project.get('opencode.json'))
    expect(Object.keys(permission)).toEqual(['*', 'bash', 'db_*'])
  })

  test('is refused where an agent would gain it, and named', async () => {
    const project = newProject({ [dba]: database, '.opencode/agents/star.md': own('  "*": allow\n') })
    const before = project.files()
    const refused = await project.convert(null, 'opencode')
    expect(told(refused)).toEqual(['dba: refused "dba" needs db, which OpenCode would also give to star.'])
    expect(refused.results[0]?.access.widened).toEqual([
      {
        capability: 'mcp:db',
        pattern: null,
        before: 'deny',
        after: 'allow',
        why: 'opencode.json also gives db to star',
      },
    ])
    expect(project.files()).toEqual(before)
    const allowed = await project.convert(null, 'opencode', { allow: ['mcp:db'] })
    expect(told(allowed)).toEqual(['dba: written'])
    expect(project.get('opencode.json')).toContain('"db_*": "deny"')
  })

  test('also where that agent is part of the run', async () => {
    const project = newProject({ [dba]: database, '.claude/agents/zed.md': agent('zed') })
    // To be asked about everything is a rule for everything.
    const both = await project.convert(null, 'opencode', { keepAsking: true })
    expect(project.get('.opencode/agents/zed.md')).toContain('"*": ask')
    expect(told(both)).toEqual(['dba: refused "dba" needs db, which OpenCode would also give to zed.', 'zed: written'])
  })

  test('an agent whose rules name the server gains nothing it did not ask for', async () => {
    const project = newProject({ [dba]: database, '.opencode/agents/mine.md': own('  db_*: allow\n') })
    expect(told(await project.convert(null, 'opencode'))).toEqual(['dba: written'])
  })

  test.each([
    ['rules that are one word', '{"permission":"allow"}'],
    ['a rule of the user for this very server', '{"permission":{"db_*":"ask"}}'],
    ['a server whose tools the rule would take away', '{"mcp":{"db_two":{"type":"local","command":["x"]}}}'],
  ])('is refused where no rule can keep it from others: %s', async (_title, config) => {
    const project = newProject({ [dba]: database, 'opencode.json': config })
    expect(told(await project.convert(null, 'opencode'))).toEqual([
      'dba: refused "dba" needs db, which OpenCode would also give to every agent in the project.',
    ])
    expect(project.get('opencode.json')).toBe(config)
  })

  test('a name that OpenCode would spell in another way', async () => {
    const project = newProject({ [dba]: database.replaceAll('db:', 'my.db:').replace('mcp__db', 'Grep') })
    expect(told(await project.convert(null, 'opencode'))).toEqual([
      'dba: refused "dba" needs my.db, which OpenCode would also give to every agent in the project.',
    ])
  })

  test('one that is there already is nobody’s gain, and another of its name is not overwritten', async () => {
    const same = '{"mcp":{"db":{"type":"local","command":["db-mcp"]}}}'
    const project = newProject({ [dba]: database, 'opencode.json': same })
    expect(told(await project.convert(null, 'opencode'))).toEqual(['dba: written'])
    expect(project.get('opencode.json')).toBe(same)
    const other = '{"mcp":{"db":{"type":"local","command":["another"]}}}'
    const second = newProject({ [dba]: database, 'opencode.json': other })
    expect(told(await second.convert(null, 'opencode'))).toEqual([
      'dba: failed opencode.json is left unchanged, because mcp.db is already set to something else, and not by Troupe.',
    ])
    expect(second.get('opencode.json')).toBe(other)
    expect(second.has('.opencode/agents/dba.md')).toBe(false)
  })

  test('two agents that mean different servers by one name', async () => {
    const project = newProject({
      [dba]: database,
      '.claude/agents/other.md': database.replaceAll('dba', 'other').replace('command: db-mcp', 'command: another'),
    })
    expect(told(await project.convert(null, 'opencode'))).toEqual([
      'other: failed opencode.json is left unchanged, because two agents need different values of mcp.db.',
      'dba: written',
    ])
  })

  test('does not arrive without its agent', async () => {
    const project = newProject({ [dba]: database, '.opencode/agents/dba.md': 'Mine.\n' })
    const [result] = told(await project.convert(null, 'opencode'))
    expect(result).toBe('dba: failed Not written: the existing file was not written by Troupe.')
    expect(project.has('opencode.json')).toBe(false)
  })

  test('goes with everything else when the run is taken back', async () => {
    const mine = '{\r\n  // Mine.\r\n  "theme": "x",\r\n}\r\n'
    const project = newProject({ [dba]: database, 'opencode.json': mine })
    await project.convert(null, 'opencode')
    expect(project.get('opencode.json')).toContain('"db_*": "deny"')
    undoLastRun(project.root)
    expect(project.get('opencode.json')).toBe(mine)
    expect(project.files()).toEqual([dba, 'opencode.json'])
  })
})

describe('files that are sources', () => {
  test('are not written over, not even by force', async () => {
    const project = newProject({ '.claude/agents/a.md': agent('a', 'tools: Read\n') })
    project.put('.opencode/keep', '')
    symlinkSync('../.claude/agents', join(project.root, '.opencode/agents'))
    expect(told(await project.convert('claude-code', 'opencode', { force: true }))).toEqual([
      'a: failed Not written: the file is also a source.',
    ])
    expect(project.get('.claude/agents/a.md')).toBe(agent('a', 'tools: Read\n'))
  })
})

test('an agent that waits for another of its name is not forgotten when the other is gone', async () => {
  const toml = 'name = "a"\ndescription = "A"\ndeveloper_instructions = "Other"\n'
  const project = newProject({ '.claude/agents/a.md': agent('a'), '.codex/agents/a.toml': toml })
  const onProgress = (done: number) => (done === 1 ? project.remove('.codex') : undefined)
  expect(told(await project.convert(null, 'opencode', { onProgress }))).toEqual(['a: written'])
})
