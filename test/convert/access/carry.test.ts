/** What becomes of tool lists and permission maps in other dialects; and one case for every way in which access once grew. */
import { describe, expect, test } from 'vitest'
import { carryAccess } from '../../../src/convert/access/carry.ts'
import type { Converted } from '../../../src/convert/convert.ts'
import type { Harness } from '../../../src/harness/schema/harness.ts'
import { decide } from '../../../src/model/access/decide.ts'
import { effectiveAccess } from '../../../src/model/access/rules.ts'
import type { Json } from '../../../src/model/agent.ts'
import { markdown, readOne } from '../../reading.ts'
import { accessFor, convertInto, harnessOf, sourceOf } from '../converting.ts'

test('a name of a tool that could be one of a server is not written where servers are denied', () => {
  const rules = (...more: string[]) =>
    carried('opencode', 'copilot', 'permission:', '  "*": deny', '  lsp: allow', ...more)
  expect(rules('  edit: allow').keys).toEqual({ tools: ['edit', 'usages'] })
  expect(rules('  "search_*": allow').keys).toEqual({ tools: ['search/usages', 'search/*'] })
})

/** A definition with a name, a description and these lines. */
function definition(from: string, lines: readonly string[]): string {
  if (from === 'codex')
    return ['name = "a"', 'description = "d"', 'developer_instructions = "Do."', ...lines, ''].join('\n')
  return markdown('name: a', 'description: d', ...lines)
}

function carried(from: string, to: string, ...lines: string[]) {
  const { keys, report } = accessFor(from, to, { text: definition(from, lines) })
  return { keys, wider: capabilities(report.widened), narrower: capabilities(report.narrowed), report }
}

function capabilities(changes: readonly { readonly capability: string }[]): string {
  return [...new Set(changes.map(({ capability }) => capability))].join(' ')
}

interface Case {
  readonly title: string
  readonly from: string
  readonly lines: readonly string[]
  readonly becomes: Readonly<Record<string, { keys: Json; wider?: string; narrower?: string }>>
}

/** What an agent gets that may change no file and run no command, whoever forbids it and how. */
const noChanges = {
  'claude-code': { disallowedTools: 'Write, Edit, NotebookEdit, Bash, Monitor' },
  codex: { sandbox_mode: 'read-only' },
  'gemini-cli': {
    tools: [
      'read_file',
      'glob',
      'grep_search',
      'list_directory',
      'web_fetch',
      'google_web_search',
      'invoke_agent',
      'ask_user',
      'activate_skill',
      'write_todos',
      'tracker_create_task',
      'tracker_update_task',
      'tracker_get_task',
      'tracker_list_tasks',
      'enter_plan_mode',
      'exit_plan_mode',
      'mcp_*',
    ],
  },
  copilot: { tools: ['read', 'search', 'web', 'agent', 'ask_user', 'skill', 'todo'] },
  'qwen-code': {
    disallowedTools: ['write_file', 'edit', 'notebook_edit', 'run_shell_command', 'monitor', 'exec'],
  },
  agents: { disallowedTools: 'Write, Edit, NotebookEdit, Bash' },
} satisfies Readonly<Record<string, Json>>

const cases: Case[] = [
  {
    title: 'nothing said',
    from: 'claude-code',
    lines: [],
    becomes: {
      opencode: { keys: {}, narrower: 'delegate' },
      codex: { keys: {}, narrower: 'lsp fetch delegate' },
      'gemini-cli': { keys: {}, narrower: 'lsp delegate' },
      copilot: { keys: {} },
      'qwen-code': { keys: {} },
      agents: { keys: {} },
    },
  },
  {
    title: 'a list',
    from: 'claude-code',
    lines: ['tools: Read, Grep, Glob, Bash'],
    becomes: {
      opencode: { keys: { permission: { '*': 'deny', read: 'allow', glob: 'allow', grep: 'allow', bash: 'allow' } } },
      codex: {
        keys: { sandbox_mode: 'read-only', 'features.apps': false, web_search: 'disabled' },
        wider: 'write edit search mcp:*',
      },
      'gemini-cli': { keys: { tools: ['read_file', 'run_shell_command', 'glob', 'grep_search'] } },
      copilot: { keys: { tools: ['read', 'execute', 'search'] } },
      'qwen-code': { keys: { tools: ['read_file', 'run_shell_command', 'glob', 'grep_search'] } },
      agents: { keys: { tools: 'Read, Bash, Glob, Grep' } },
    },
  },
  {
    title: 'a long list',
    from: 'claude-code',
    lines: ['tools: Read, Write, Edit, Bash, Glob, Grep, WebFetch, WebSearch, Task, TodoWrite'],
    becomes: {
      opencode: {
        keys: {
          permission: {
            '*': 'deny',
            read: 'allow',
            edit: 'allow',
            glob: 'allow',
            grep: 'allow',
            bash: 'allow',
            task: 'allow',
            todowrite: 'allow',
            webfetch: 'allow',
            websearch: 'allow',
          },
        },
      },
      codex: { keys: { 'features.apps': false }, wider: 'mcp:*', narrower: 'fetch delegate' },
      'gemini-cli': {
        keys: {
          tools: [
            'read_file',
            'write_file',
            'replace',
            'run_shell_command',
            'glob',
            'grep_search',
            'web_fetch',
            'google_web_search',
            'invoke_agent',
            'write_todos',
          ],
        },
        narrower: 'delegate',
      },
      copilot: { keys: { tools: ['read', 'edit', 'execute', 'search', 'web', 'agent', 'todo'] } },
      'qwen-code': {
        keys: {
          tools: [
            'read_file',
            'write_file',
            'edit',
            'run_shell_command',
            'glob',
            'grep_search',
            'web_fetch',
            'web_search',
            'agent',
            'todo_write',
          ],
        },
      },
      agents: { keys: { tools: 'Read, Write, Edit, Bash, Glob, Grep, WebFetch, WebSearch, Task, TodoWrite' } },
    },
  },
  {
    title: 'patterns, granted and denied',
    from: 'agents',
    lines: ['tools: Read, Edit, Bash(git *), Bash(npm test:*)', 'disallowedTools: Bash(git push *)'],
    becomes: {
      opencode: {
        keys: {
          permission: {
            '*': 'deny',
            read: 'allow',
            edit: 'allow',
            bash: { '*': 'deny', 'git *': 'allow', 'npm test *': 'allow', 'git push *': 'deny' },
          },
        },
      },
      codex: { keys: { 'features.apps': false, web_search: 'disabled' }, wider: 'shell search mcp:*' },
      'gemini-cli': { keys: { tools: ['read_file', 'replace'] }, narrower: 'shell' },
      copilot: { keys: { tools: ['read', 'edit'] }, narrower: 'shell' },
      'qwen-code': { keys: { tools: ['read_file', 'edit'] }, narrower: 'shell' },
      'claude-code': { keys: { tools: 'Read, Edit' }, narrower: 'shell' },
    },
  },
  {
    title: 'a pattern that denies the whole tool in its harness',
    from: 'claude-code',
    lines: ['tools: Read, Bash', 'disallowedTools: Bash(git push *)'],
    becomes: {
      opencode: { keys: { permission: { '*': 'deny', read: 'allow' } } },
      copilot: { keys: { tools: ['read'] } },
      agents: { keys: { tools: 'Read' } },
    },
  },
  {
    title: 'names that Claude Code ignores',
    from: 'claude-code',
    lines: ['tools: Read, bash, WebFetch, mcp__*'],
    becomes: {
      opencode: { keys: { permission: { '*': 'deny', read: 'allow', webfetch: 'allow' } } },
      'gemini-cli': { keys: { tools: ['read_file', 'web_fetch'] } },
    },
  },
  {
    title: 'names set apart by spaces',
    from: 'claude-code',
    lines: ['disallowedTools: Bash Write Edit'],
    becomes: {
      opencode: { keys: { permission: { edit: 'deny', bash: 'deny' } }, narrower: 'edit delegate' },
      'qwen-code': { keys: { disallowedTools: ['write_file', 'edit', 'run_shell_command', 'monitor', 'exec'] } },
    },
  },
  {
    title: 'a deny list',
    from: 'claude-code',
    lines: ['disallowedTools: Write, Edit'],
    becomes: {
      opencode: { keys: { permission: { edit: 'deny' } }, narrower: 'edit delegate' },
      codex: { keys: {}, wider: 'write edit', narrower: 'lsp fetch delegate' },
      'gemini-cli': {
        keys: {
          tools: [
            'read_file',
            'run_shell_command',
            'glob',
            'grep_search',
            'list_directory',
            'web_fetch',
            'google_web_search',
            'invoke_agent',
            'ask_user',
            'activate_skill',
            'write_todos',
            'tracker_create_task',
            'tracker_update_task',
            'tracker_get_task',
            'tracker_list_tasks',
            'enter_plan_mode',
            'exit_plan_mode',
            'mcp_*',
          ],
        },
        narrower: 'lsp edit delegate',
      },
      copilot: {
        keys: { tools: ['read', 'execute', 'search', 'web', 'agent', 'ask_user', 'skill', 'todo', 'write_agent'] },
        narrower: 'lsp edit mcp:*',
      },
      'qwen-code': { keys: { disallowedTools: ['write_file', 'edit'] } },
      agents: { keys: { disallowedTools: 'Write, Edit' } },
    },
  },
  {
    title: 'MCP tools',
    from: 'claude-code',
    lines: ['tools: Read, mcp__ctx__get, mcp__other'],
    becomes: {
      opencode: { keys: { permission: { '*': 'deny', read: 'allow', 'other_*': 'allow', ctx_get: 'allow' } } },
      codex: {
        keys: { sandbox_mode: 'read-only', 'features.apps': false, web_search: 'disabled' },
        wider: 'write edit shell search mcp:ctx mcp:*',
      },
      'gemini-cli': { keys: { tools: ['read_file', 'mcp_ctx_get', 'mcp_other_*'] } },
      copilot: { keys: { tools: ['read', 'ctx/get', 'other/*'] } },
      'qwen-code': { keys: { tools: ['read_file', 'mcp__ctx__get'] }, narrower: 'mcp:other' },
      agents: { keys: { tools: 'Read, mcp__ctx__get, mcp__other' } },
    },
  },
  {
    title: 'an empty list',
    from: 'claude-code',
    lines: ['tools: []'],
    becomes: {
      opencode: { keys: { permission: { '*': 'deny' } } },
      codex: {
        keys: {
          sandbox_mode: 'read-only',
          'features.shell_tool': false,
          'features.apps': false,
          web_search: 'disabled',
        },
        wider: 'write edit search mcp:*',
      },
      'gemini-cli': { keys: { tools: [] } },
      copilot: { keys: { tools: [] } },
      'qwen-code': { keys: { tools: ['ask_user_question'] } },
      agents: { keys: { tools: [] } },
    },
  },
  {
    title: 'agents by name',
    from: 'claude-code',
    lines: ['tools: Read, Agent(helper, other)'],
    becomes: {
      opencode: {
        keys: { permission: { '*': 'deny', read: 'allow', task: { '*': 'deny', helper: 'allow', other: 'allow' } } },
      },
      codex: {
        keys: { sandbox_mode: 'read-only', 'features.apps': false, web_search: 'disabled' },
        wider: 'write edit shell search mcp:*',
        narrower: 'delegate',
      },
      'gemini-cli': { keys: { tools: ['read_file'] }, narrower: 'delegate' },
      copilot: { keys: { tools: ['read'] }, narrower: 'delegate' },
      'qwen-code': { keys: { tools: ['read_file'] }, narrower: 'delegate' },
      agents: { keys: { tools: 'Read, Task(helper, other)' } },
    },
  },
  {
    title: 'rules in order',
    from: 'opencode',
    lines: [
      'permission:',
      '  edit: deny',
      '  bash:',
      '    "*": ask',
      '    "git push*": ask',
      '    "git push --force*": deny',
      '    "git status*": allow',
    ],
    becomes: {
      'claude-code': { keys: noChanges['claude-code'], narrower: 'shell' },
      codex: { keys: noChanges.codex, wider: 'write edit shell', narrower: 'lsp fetch delegate' },
      'gemini-cli': { keys: noChanges['gemini-cli'], narrower: 'lsp shell delegate' },
      copilot: { keys: noChanges.copilot, narrower: 'lsp shell mcp:*' },
      'qwen-code': { keys: noChanges['qwen-code'], narrower: 'shell' },
      agents: { keys: noChanges.agents, narrower: 'shell' },
    },
  },
  {
    title: 'an old map',
    from: 'opencode',
    lines: ['tools:', '  write: false', '  edit: false', '  bash: false'],
    becomes: {
      'claude-code': { keys: noChanges['claude-code'] },
      codex: { keys: noChanges.codex, wider: 'write edit shell', narrower: 'lsp fetch delegate' },
      'gemini-cli': { keys: noChanges['gemini-cli'], narrower: 'lsp delegate' },
      copilot: { keys: noChanges.copilot, narrower: 'lsp mcp:*' },
      'qwen-code': { keys: noChanges['qwen-code'] },
      agents: { keys: noChanges.agents },
    },
  },
  {
    title: 'words of VS Code',
    from: 'copilot',
    lines: ["tools: ['read', 'search', 'web/fetch', 'ctx/*']"],
    becomes: {
      'claude-code': { keys: { tools: 'Read, Glob, Grep, WebFetch, mcp__ctx' } },
      opencode: {
        keys: {
          permission: { '*': 'deny', read: 'allow', glob: 'allow', grep: 'allow', webfetch: 'allow', 'ctx_*': 'allow' },
        },
      },
      codex: {
        keys: { sandbox_mode: 'read-only', 'features.apps': false, web_search: 'disabled' },
        wider: 'write edit shell search mcp:*',
        narrower: 'fetch',
      },
      'gemini-cli': { keys: { tools: ['read_file', 'glob', 'grep_search', 'web_fetch', 'mcp_ctx_*'] } },
      'qwen-code': { keys: { tools: ['read_file', 'glob', 'grep_search', 'web_fetch'] }, narrower: 'mcp:ctx' },
      agents: { keys: { tools: 'Read, Glob, Grep, WebFetch, mcp__ctx' } },
    },
  },
  {
    title: 'a list of Gemini CLI',
    from: 'gemini-cli',
    lines: ['tools: [read_file, grep_search, run_shell_command]'],
    becomes: {
      'claude-code': { keys: { tools: 'Read, Bash, Grep' } },
      opencode: { keys: { permission: { '*': 'deny', read: 'allow', grep: 'allow', bash: 'allow' } } },
      codex: {
        keys: { sandbox_mode: 'read-only', 'features.apps': false, web_search: 'disabled' },
        wider: 'write edit search mcp:*',
      },
      copilot: { keys: { tools: ['read', 'execute', 'search'] } },
      'qwen-code': { keys: { tools: ['read_file', 'run_shell_command', 'grep_search'] } },
      agents: { keys: { tools: 'Read, Bash, Grep' } },
    },
  },
]

describe('what becomes of', () => {
  for (const { title, from, lines, becomes } of cases) {
    test.each(Object.entries(becomes))(`${title}, from ${from} to %s`, (to, { keys, wider = '', narrower = '' }) => {
      expect(carried(from, to, ...lines)).toMatchObject({ keys, wider, narrower })
    })
  }
})

describe('a denial is found, however it hides', () => {
  const closed = { disallowedTools: 'Bash, Monitor' }
  const bash = (...rules: string[]) => carried('opencode', 'claude-code', 'permission:', '  bash:', ...rules)

  test.each([
    ['behind a longer grant', ['    "git p*": deny', '    "git px*": allow']],
    ['behind a grant of one of its calls', ['    "rm *": deny', '    "rm x": allow']],
    ['before grants that look like everything', ['    "*": deny', '    "??": allow', '    "?": allow']],
    ['where only part is granted', ['    "*": deny', '    "git *": allow']],
  ])('%s', (_, rules) => {
    expect(bash(...rules)).toMatchObject({ keys: closed, wider: '' })
  })

  test('a denial that a later rule takes back whole is none', () => {
    expect(bash('    "git push*": deny', '    "git *": allow').keys).toEqual({})
  })

  test('the order of rules decides, and a star first leaves what comes after', () => {
    const lines = ['permission:', '  "*": deny', '  read: allow', '  bash: allow']
    expect(carried('opencode', 'claude-code', ...lines)).toMatchObject({ keys: { tools: 'Read, Bash' }, wider: '' })
    const reversed = ['permission:', '  read: allow', '  bash: allow', '  "*": deny']
    expect(carried('opencode', 'claude-code', ...reversed)).toMatchObject({ keys: { tools: [] }, wider: '' })
  })
})

describe('patterns are translated on the safe side', () => {
  const written = (tools: string, denied?: string) => {
    const lines = [`tools: ${tools}`, ...(denied === undefined ? [] : [`disallowedTools: ${denied}`])]
    // A dialect in which denials of a part count.
    const { keys, wider } = carried('agents', 'opencode', ...lines)
    expect(wider).toBe('')
    return keys.permission
  }

  test.each([
    ['a folder', 'Read(src/**)', { '*': 'deny', read: { '*': 'deny', 'src/*': 'allow' } }],
    ['a folder by a detour', 'Read(./src/../docs/**)', { '*': 'deny', read: { '*': 'deny', 'docs/*': 'allow' } }],
    [
      'a name at any depth: only its own',
      'Read(readme.md)',
      { '*': 'deny', read: { '*': 'deny', 'readme.md': 'allow' } },
    ],
    ['a star that stops at a slash', 'Read(src/*.ts)', { '*': 'deny' }],
    ['one of several characters', 'Read(src/[ab].ts)', { '*': 'deny' }],
    ['a way out of the project', 'Read(../**)', { '*': 'deny' }],
    ['the disk and the home folder', '"Read(//etc/**), Read(~/x/**)"', { '*': 'deny' }],
    ['where is no what: OpenCode compares what is searched for', 'Grep(src/**)', { '*': 'deny' }],
    ['a prefix', 'Bash(git diff:*)', { '*': 'deny', bash: { '*': 'deny', 'git diff *': 'allow' } }],
    ['a star that is only a star', 'Bash(git *:*)', { '*': 'deny' }],
    ['a line of commands', 'Bash(git status && git push)', { '*': 'deny' }],
    ['a backslash, which is a slash there', 'Bash(echo \\x)', { '*': 'deny' }],
    ['a key that looks like a number, which would come first', 'Agent(1)', { '*': 'deny' }],
  ])('granted: %s', (_, tools, permission) => {
    expect(written(tools)).toEqual(permission)
  })

  test.each([
    [
      'a folder, wherever it is seen from',
      'Read',
      'Read(secret/**)',
      { '*': 'deny', read: { '*': 'allow', '*secret/*': 'deny' } },
    ],
    ['one of several characters', 'Read', 'Read(a[bc])', { '*': 'deny', read: { '*': 'allow', '*a?*': 'deny' } }],
    ['the home folder, which is not seen as such', 'Read', 'Read(~/.ssh/**)', { '*': 'deny' }],
    ['the disk', 'Read', 'Read(//etc/**)', { '*': 'deny' }],
    [
      'a program of the home folder',
      'Bash',
      'Bash(~/bin/x *)',
      { '*': 'deny', bash: { '*': 'allow', '*/bin/x *': 'deny' } },
    ],
    ['a line, which nobody sees as a whole', 'Bash', 'Bash(* | sh)', { '*': 'deny' }],
    ['a key that looks like a number', 'Bash', 'Bash(42)', { '*': 'deny' }],
    ['nothing in parentheses is the whole tool', 'Read, Bash', 'Bash()', { '*': 'deny', read: 'allow' }],
  ])('denied: %s', (_, tools, denied, permission) => {
    expect(written(tools, denied)).toEqual(permission)
  })

  test('no detour leads out of a folder, in either syntax', () => {
    const [from, to] = ['claude-code', 'opencode'].map((id) =>
      id === 'opencode'
        ? readOne(id, { text: markdown('permission:', '  "*": deny', '  read:', '    "src/*": allow') })
        : readOne(id, { text: definition(id, ['tools: Read(src/**)']) }),
    )
    for (const argument of ['src/../x', './src/../../etc/passwd', '/src/a', 'src', '../src/a']) {
      expect([argument, decide(from?.access ?? [], { tool: 'read', argument }).action]).toEqual([argument, 'deny'])
      expect([argument, decide(to?.access ?? [], { tool: 'read', argument }).action]).toEqual([argument, 'deny'])
    }
  })

  test('a name with a comma does not become two', () => {
    const { keys, wider } = carried(
      'opencode',
      'claude-code',
      'permission:',
      '  "*": deny',
      '  task:',
      '    "a, b": allow',
    )
    expect({ keys, wider }).toEqual({ keys: { tools: [] }, wider: '' })
  })
})

describe('names of MCP tools stay what they are', () => {
  test('a tool that is denied of a server that is granted', () => {
    const lines = ['tools: mcp__hub, Read', 'disallowedTools: mcp__hub__delete']
    expect(carried('claude-code', 'opencode', ...lines)).toMatchObject({
      keys: { permission: { '*': 'deny', read: 'allow', 'hub_*': 'allow', hub_delete: 'deny' } },
      wider: '',
    })
    expect(carried('claude-code', 'qwen-code', ...lines)).toMatchObject({
      keys: { tools: ['read_file'] },
      wider: '',
      narrower: 'mcp:hub',
    })
    expect(carried('claude-code', 'gemini-cli', ...lines)).toMatchObject({ keys: { tools: ['read_file'] }, wider: '' })
  })

  test('all tools of a server, where each must be named', () => {
    const source = sourceOf('claude-code', { text: definition('claude-code', ['tools: Read, mcp__hub, mcp__a__b']) })
    const { record, output } = convertInto(source, harnessOf('qwen-code'))
    expect(output).toMatchObject({ text: expect.stringContaining('tools:\n  - read_file\n  - mcp__a__b\n---') })
    expect(record.gaps).toMatchObject([{ type: 'tool-missing', feature: 'mcp__hub' }])
    expect(record.access).toMatchObject({ widened: [], narrowed: [{ capability: 'mcp:hub' }] })
  })

  test('all tools of a server, denied', () => {
    expect(carried('claude-code', 'qwen-code', 'disallowedTools: mcp__hub, mcp__a__*')).toMatchObject({
      keys: { disallowedTools: ['mcp__hub', 'mcp__a'] },
      wider: '',
      narrower: '',
    })
  })

  test('all tools of a server, in a name that runs together', () => {
    const lines = ['permission:', '  "*": deny', '  context7_*: allow']
    expect(carried('opencode', 'copilot', ...lines)).toMatchObject({ keys: { tools: ['context7/*'] }, wider: '' })
    expect(carried('opencode', 'claude-code', ...lines)).toMatchObject({ keys: { tools: 'mcp__context7' }, wider: '' })
  })

  test('a tool of any server', () => {
    const { keys, wider } = carried('opencode', 'claude-code', 'permission:', '  "*_delete": deny')
    expect({ tools: typeof keys.tools, wider }).toEqual({ tools: 'string', wider: '' })
    expect(keys.tools).not.toContain('mcp')
  })

  test.each([
    ['a tool of the target itself', 'copilot', 'mcp__execute__runInTerminal', { tools: [] }],
    ['a switch of the target itself', 'opencode', 'mcp__external__directory', { permission: { '*': 'deny' } }],
    ['a tool of another server', 'gemini-cli', 'mcp__a_b__c', { tools: [] }],
  ])('%s', (_, to, tool, keys) => {
    expect(carried('claude-code', to, `tools: ${tool}`)).toMatchObject({ keys, wider: '' })
  })

  test('a server with an underscore is nobody else', () => {
    const { keys, wider } = carried('claude-code', 'opencode', 'tools: mcp__chrome_devtools__click')
    expect({ keys, wider }).toEqual({
      keys: { permission: { '*': 'deny', chrome_devtools_click: 'allow' } },
      wider: '',
    })
  })

  test('unless the definition knows somebody else', () => {
    const lines = ['tools: mcp__a__b_c, Read', 'disallowedTools: mcp__a_b__d']
    expect(carried('claude-code', 'opencode', ...lines)).toMatchObject({
      keys: { permission: { '*': 'deny', read: 'allow' } },
      wider: '',
    })
  })
})

describe('what is not understood is not granted', () => {
  test.each(['constructor', '__proto__', 'toString'])('a switch in the position %s', (word) => {
    const { keys, wider } = carried('codex', 'claude-code', `sandbox_mode = "${word}"`)
    expect({ keys, wider }).toEqual({ keys: { tools: [] }, wider: '' })
  })

  test.each(['constructor', '__proto__', 'hasOwnProperty'])('a tool called %s', (name) => {
    for (const to of ['opencode', 'copilot', 'gemini-cli', 'qwen-code']) {
      expect(carried('claude-code', to, `tools: Read, ${name}`).wider).toBe('')
    }
  })
})

describe('where parentheses mean nothing to the harness', () => {
  const granted = (list: string) => carried('qwen-code', 'claude-code', `tools: ${list}`).keys

  test.each(['made_up(x, agent, )', 'glob(x, agent, grep_search, )', 'glob(x, agent'])(
    'what follows an open one is not granted: %s',
    (list) => {
      expect(JSON.stringify(granted(list))).not.toMatch(/Agent|Grep/)
    },
  )

  test.each(['glob(x), agent', 'glob(x, y), agent', 'agent, glob(x'])('what is outside is: %s', (list) => {
    expect(granted(list)).toEqual({ tools: 'Agent' })
  })
})

describe('one definition is never taken for another', () => {
  const becomes = (from: string, to: string, ...lines: string[]) => carried(from, to, ...lines).keys

  test('a pattern under a key, and a key that reads like both', () => {
    const nested = becomes('opencode', 'agents', 'permission:', '  "*": deny', '  bash:', '    "git *": allow')
    const single = becomes('opencode', 'agents', 'permission:', '  "*": deny', '  "bash: git *": allow')
    expect([nested, single]).toEqual([{ tools: 'Bash(git *)' }, { tools: [] }])
  })

  test('servers that come with a field', () => {
    const server = (name: string) =>
      becomes('gemini-cli', 'claude-code', 'tools: [read_file]', `mcp_servers: { ${name}: { command: x } }`)
    expect([server('one'), server('two')]).toEqual([{ tools: 'Read, mcp__one' }, { tools: 'Read, mcp__two' }])
  })
})

describe('tools of one power share a switch only where one of them is granted by name', () => {
  test('a denial by name is no grant', () => {
    const lines = ['tools:', '  grep: false', 'permission:', '  "*": allow', '  list:', '    "src/*": deny']
    expect(carried('opencode', 'codex', ...lines).wider).toContain('read')
  })

  test('each brings its own part', () => {
    const { keys, wider } = carried('claude-code', 'opencode', 'tools: Edit(src/**), Write(docs/**)')
    const edit = { '*': 'deny', 'src/*': 'allow', 'docs/*': 'allow' }
    expect({ keys, wider }).toEqual({ keys: { permission: { '*': 'deny', edit } }, wider: '' })
  })
})

describe('a denial by name that a later key replaces', () => {
  const skills = (...lines: string[]) => carried('opencode', 'copilot', 'tools:', '  skill: false', ...lines).wider

  test('still names what the agent is not to have', () => {
    expect(skills('  "*": false', 'permission:', '  skill: { "a, b": ask }')).toContain('skill')
  })

  test('counts no more where the other allows it', () => {
    expect(skills('permission:', '  skill: allow')).toBe('')
    expect(skills('  bash: false', 'permission:', '  skill: allow', '  bash: allow')).toBe('')
  })
})

describe('a guard that only one harness has', () => {
  const outside = (...lines: string[]) => carried('opencode', 'claude-code', 'permission:', ...lines)

  test('is missed where it was set', () => {
    expect(outside('  external_directory: deny').wider).toBe('read write edit shell')
    expect(outside('  external_directory: deny', '  edit: deny', '  bash: deny').wider).toBe('read')
  })

  test('is not missed where it only asked, or was never spoken of', () => {
    expect(outside('  external_directory: ask').wider).toBe('')
    expect(outside('  "*": deny', '  read: allow').wider).toBe('')
  })
})

describe('whoever may do everything still may', () => {
  const dialects = ['claude-code', 'opencode', 'copilot', 'gemini-cli', 'qwen-code', 'agents']
  test.each(dialects.filter((id) => id !== 'claude-code'))('in %s', (to) => {
    expect(carried('claude-code', to)).toMatchObject({ keys: {}, wider: '' })
  })

  test('a role that the target cannot be told is every role', () => {
    const source = sourceOf('gemini-cli', { text: definition('gemini-cli', ['tools: [read_file]']) })
    const { roles } = carryAccess({
      source,
      target: harnessOf('copilot'),
      fields: new Map(),
      mode: 'subagent',
      keepAsking: false,
    })
    expect(roles).toEqual(['main', 'child'])
  })
})

describe('maps that are resolved in another way', () => {
  const openCode = harnessOf('opencode')
  const target = (resolution: Harness['access']['resolution']): Harness => ({
    ...openCode,
    id: resolution,
    access: { ...openCode.access, resolution, combine: 'strictest', after: [] },
  })
  const written = (resolution: Harness['access']['resolution'], ...lines: string[]) => {
    const source = sourceOf('agents', { text: definition('agents', lines) })
    const { keys, report } = carryAccess({
      source,
      target: target(resolution),
      fields: new Map(),
      mode: 'subagent',
      keepAsking: false,
    })
    return { rules: JSON.stringify(keys.get('permission')), wider: capabilities(report.widened) }
  }
  const lines = ['tools: Read, Bash(git *)', 'disallowedTools: Bash(git push *)']

  test('where the first match wins, everything stands the other way round', () => {
    expect(written('first-match', ...lines)).toEqual({
      rules: '{"bash":{"git push *":"deny","git *":"allow","*":"deny"},"read":"allow","*":"deny"}',
      wider: '',
    })
  })

  test('where denials win, a star that denies leaves nothing', () => {
    expect(written('deny-ask-allow', ...lines).wider).toBe('')
  })
})

describe('on the way back', () => {
  const convert = (from: string, to: string, text: string, kept: Converted['kept'] | null) => {
    const converted = convertInto(sourceOf(from, { text, path: 'a.md' }), harnessOf(to), { kept })
    return { ...converted, text: converted.output.kind === 'file' ? converted.output.text : '' }
  }

  test('an empty list that was added since counts', () => {
    const there = convert('opencode', 'claude-code', markdown('description: d', 'permission:', '  edit: allow'), null)
    const edited = there.text.replace('description: d', 'description: d\ntools: []')
    const again = convert('claude-code', 'opencode', edited, there.kept)
    expect(again.text).toContain('permission:\n  "*": deny\n---')
  })

  test('a field that brings tools along does not come back to an agent that lost them', () => {
    const there = convert('claude-code', 'opencode', definition('claude-code', ['tools: Edit', 'memory: user']), null)
    expect(there.text).toContain('edit: allow')
    const edited = there.text.replace('  edit: allow\n', '')
    const again = convert('opencode', 'claude-code', edited, there.kept)
    const { access } = readOne('claude-code', { text: again.text })
    expect(decide(effectiveAccess(access, 'main'), { tool: 'edit', argument: 'x' }).action).toBe('deny')
  })
})

test('of hundreds of rules, what cannot be proved is not granted', () => {
  const many = (line: (i: number) => string) => Array.from({ length: 480 }, (_, i) => line(i))
  const patterns = carried('claude-code', 'opencode', 'tools:', ...many((i) => `  - Bash(cmd${i} *)`))
  expect(patterns).toMatchObject({ keys: { permission: { '*': 'deny' } }, wider: '' })
  const names = carried('claude-code', 'qwen-code', 'disallowedTools:', ...many((i) => `  - mcp__s${i}__t`))
  expect((names.keys.disallowedTools as string[]).length).toBe(480)
  const rules = carried(
    'opencode',
    'claude-code',
    'permission:',
    '  bash:',
    ...many((i) => `    "c${i} *": ${i % 2 ? 'allow' : 'deny'}`),
  )
  expect(rules).toMatchObject({ keys: { disallowedTools: 'Bash, Monitor' }, wider: '' })
})
