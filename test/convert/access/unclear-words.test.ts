/** Words of a list that its program takes in one way and its author may have meant in another: the lesser counts. */
import { describe, expect, test } from 'vitest'
import { markdown } from '../../reading.ts'
import { accessFor } from '../converting.ts'

function keysFor(from: string, to: string, ...lines: string[]) {
  return accessFor(from, to, { text: markdown('name: a', 'description: d', ...lines) }).keys
}

describe('a name that several dialects know', () => {
  test('denied, it takes all that any of them means by it', () => {
    const { tools } = keysFor('claude-code', 'gemini-cli', 'disallowedTools: edit')
    expect(tools).not.toContain('replace')
    expect(tools).not.toContain('write_file')
  })

  test('denied in the letters of one dialect, it takes what that one means', () => {
    expect(keysFor('qwen-code', 'claude-code', 'disallowedTools: [Write]')).toEqual({ disallowedTools: 'Write' })
  })

  test('granted, it gives nothing where the program does not know it', () => {
    expect(keysFor('claude-code', 'gemini-cli', 'tools: Read, edit')).toEqual({ tools: ['read_file'] })
  })
})

describe('behind a parenthesis that is never closed', () => {
  test.each(['copilot', 'qwen-code'])('%s gives a tool that its author has not granted', (from) => {
    const keys = keysFor(from, 'claude-code', 'tools: edit, read(src/**, glob, web_fetch')
    expect(keys).toEqual({ tools: from === 'copilot' ? 'Write, Edit, NotebookEdit' : 'Edit' })
  })
})

describe('tools of equal power that the harness lacks', () => {
  test('go where all that it has are denied', () => {
    const { disallowedTools } = keysFor('claude-code', 'qwen-code', 'disallowedTools: Read, Glob, Grep')
    expect(disallowedTools).toContain('list_directory')
  })

  test('stay where one stays', () => {
    const { disallowedTools } = keysFor('claude-code', 'qwen-code', 'disallowedTools: Glob, Grep')
    expect(disallowedTools).not.toContain('list_directory')
  })
})

test('a key of OpenCode for a tool that is gone grants nothing', () => {
  const keys = keysFor('opencode', 'qwen-code', 'permission:', '  "*": deny', '  list: allow', '  bash: allow')
  expect(keys).toEqual({ tools: ['run_shell_command'] })
})

test('a denial of a tool that only some sessions have is kept as a denial', () => {
  const keys = keysFor('opencode', 'claude-code', 'permission:', '  question: deny')
  expect(keys).toEqual({ disallowedTools: 'AskUserQuestion' })
})

test('to rename symbols is not to edit files', () => {
  expect(keysFor('copilot', 'claude-code', 'tools: [read, rename]')).toEqual({ tools: 'Read' })
})

describe('a rule of OpenCode without an action', () => {
  test.each([
    ['before a clear one', '    "src/**":', '    "src/*": allow'],
    ['behind a clear one', '    "*": allow', '    "src/**":'],
    ['with a word that is none', '    "*": allow', '    "src/**": maybe', '    "docs/**": allow'],
    ['with a list', '    "*": allow', '    "src/**": [allow]'],
  ])('allows nothing of its tool, %s', (_, ...rules) => {
    const { disallowedTools } = keysFor('opencode', 'claude-code', 'permission:', '  edit:', ...rules)
    expect(disallowedTools).toBe('Write, Edit, NotebookEdit')
  })

  test('leaves other tools alone', () => {
    const keys = keysFor('opencode', 'claude-code', 'permission:', '  edit:', '    "a":', '  bash: allow')
    expect(keys).toEqual({ disallowedTools: 'Write, Edit, NotebookEdit' })
  })

  test('yields to a later clear rule for another tool, where it speaks of all', () => {
    const keys = keysFor('opencode', 'claude-code', 'permission:', '  "*":', '  bash: allow')
    expect(keys).toEqual({ tools: 'Bash' })
  })
})

describe('a key of OpenCode with white space around it', () => {
  test.each(['" *"', '"* "', '" * "'])('%s takes everything away', (key) => {
    const { tools } = keysFor('opencode', 'gemini-cli', 'permission:', `  ${key}: deny`)
    expect(tools).not.toContain('run_shell_command')
    expect(tools).not.toContain('read_file')
  })

  test('takes its tool away', () => {
    expect(keysFor('opencode', 'claude-code', 'permission:', '  " webfetch ": deny')).toEqual({
      disallowedTools: 'WebFetch',
    })
  })

  test('grants nothing', () => {
    const keys = keysFor('opencode', 'qwen-code', 'permission:', '  "*": deny', '  " bash": allow', '  read: allow')
    expect(keys).toEqual({ tools: ['read_file'] })
  })
})

describe('denied names that run together with something', () => {
  test.each([
    ['line ends between entries with parentheses', '["Write(*)\\nWebFetch\\nTask(helper)"]', 'web_fetch'],
    ['an older name among them', '["Read(a)\\nTodoRead\\nTask(b)"]', 'write_todos'],
  ])('%s', (_, list, denied) => {
    const { tools } = keysFor('claude-code', 'gemini-cli', `disallowedTools: ${list}`)
    expect(tools).not.toContain(denied)
    expect(tools).toContain('run_shell_command')
  })

  test.each(['web_fetch#', '#web_fetch', '**web_fetch**', 'web_fetch.', '<web_fetch>', '!web_fetch!'])('%s', (name) => {
    const keys = keysFor('qwen-code', 'claude-code', `disallowedTools: ["${name}"]`)
    expect(keys).toEqual({ disallowedTools: 'WebFetch' })
  })

  test('a tool of a server', () => {
    const { disallowedTools } = keysFor('qwen-code', 'claude-code', 'disallowedTools: ["mcp__docs__find!"]')
    expect(disallowedTools).toContain('mcp__docs__find')
  })

  test('a pattern with parentheses in it holds no names', () => {
    const { tools } = keysFor('claude-code', 'gemini-cli', 'disallowedTools: ["Bash(echo $(Write))"]')
    expect(tools).toContain('write_file')
  })
})

describe('a tool of one server that is called like a tool of another, where names are joined by one underscore', () => {
  const lists = (to: string, ...names: string[]) =>
    keysFor('claude-code', to, `tools: [Read, ${names.map((one) => `"${one}"`).join(', ')}]`)

  test.each([
    ['a tool', 'mcp__a_b__find'],
    ['a dead pattern', 'mcp__a_*'],
    ['names that run together', 'mcp__a_b__find;mcp__c__d'],
  ])('is not granted where the definition speaks of the other by %s', (_, other) => {
    expect(lists('gemini-cli', 'mcp__a__b_get', other)).toEqual({ tools: ['read_file'] })
    expect(lists('opencode', 'mcp__a__b_get', other)).toEqual({ permission: { '*': 'deny', read: 'allow' } })
  })

  test('is granted where the other has it, too', () => {
    expect(lists('gemini-cli', 'mcp__a__b_get', 'mcp__a_b')).toEqual({ tools: ['read_file', 'mcp_a_b_get'] })
    expect(lists('opencode', 'mcp__a__b_get', 'mcp__a_b__get')).toEqual({
      permission: { '*': 'deny', read: 'allow', a_b_get: 'allow' },
    })
  })

  test('is granted where nothing speaks of the other', () => {
    expect(lists('gemini-cli', 'mcp__a__b_get', 'mcp__c__get')).toEqual({
      tools: ['read_file', 'mcp_a_b_get', 'mcp_c_get'],
    })
  })

  test('is granted where names are not joined like that', () => {
    expect(lists('qwen-code', 'mcp__a__b_get', 'mcp__a_b__find')).toEqual({
      tools: ['read_file', 'mcp__a__b_get', 'mcp__a_b__find'],
    })
  })
})
