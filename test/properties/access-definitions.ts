/** Random definitions in every dialect, in all the spellings that people and attackers use. */
import fc from 'fast-check'

/** The lines of a definition; the text around them is the dialect's. */
export interface Definition {
  readonly lines: readonly string[]
}

/** The six, the universal form, and maps of rules with other ways to resolve them, as harness files of users may have. */
export const dialects = [
  'claude-code',
  'opencode',
  'copilot',
  'gemini-cli',
  'qwen-code',
  'codex',
  'agents',
  'first-match',
  'deny-wins',
] as const
export type Dialect = (typeof dialects)[number]

/** Patterns put together from what patterns are made of. */
const composed = (...pieces: string[]) =>
  fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 }).map((some) => some.join(''))

const someCommands = fc.constantFrom(
  'git *',
  'git status',
  'git status*',
  'git push*',
  'git push *',
  'git push --force*',
  'git p*',
  'git px*',
  'git ?',
  '*',
  '**',
  '',
  ' *',
  'git:*',
  'npm run:*',
  'git *:*',
  ':*',
  '*--force*',
  '*force',
  '* --force *',
  '* | sh',
  'curl * | sh',
  'git status && git push',
  'rm *',
  'rm x',
  'rm -rf /',
  'ls',
  'echo "a b"',
  'echo "*"',
  "find . -name '*.ts'",
  'echo \\*',
  'ls [ab]',
  '~/bin/x *',
  '~',
  '$HOME/bin/x *',
  '$HOME',
  '$(cat *)',
  'constructor',
  '__proto__',
  '1',
  '42',
  'GIT *',
)
const commands = fc.oneof(
  { weight: 3, arbitrary: someCommands },
  {
    weight: 1,
    arbitrary: composed(
      'git',
      ' ',
      'push',
      '*',
      '?',
      ' *',
      'x',
      ':*',
      ' && ',
      ' | ',
      '"',
      '$HOME',
      '~',
      '/',
      '\\',
      '-',
    ),
  },
)
const somePaths = fc.constantFrom(
  'src/**',
  'src/*',
  './src/**',
  '/src/**',
  '//etc/**',
  '//etc/passwd',
  'src/*.ts',
  'src/**/*.ts',
  'src/../**',
  'src/../docs/**',
  '../**',
  '..',
  '*.env',
  '**/.env',
  '.env*',
  '*',
  '**',
  '',
  'docs/readme.md',
  'readme.md',
  'readme.m?',
  '[abc].ts',
  'src/[ab].ts',
  '{a,b}.ts',
  '!src/**',
  '~/.ssh/**',
  '~/*',
  '$HOME/x/**',
  'a b/**',
  'SRC/**',
  'secret*',
  '*secret*',
  'src\\x',
  '7',
)
const paths = fc.oneof(
  { weight: 3, arbitrary: somePaths },
  { weight: 1, arbitrary: composed('src', '/', '/', '*', '**', '?', '.', '..', '~', 'a', '[ab]', '.env', '\\', 'x') },
)
const agents = fc.constantFrom(
  'helper',
  'other',
  '*',
  'help*',
  'h?lper',
  'Helper',
  'constructor',
  '1',
  'a-b',
  'a, b',
  '',
)
const domains = fc.constantFrom('domain:example.com', 'domain:*.example.com', 'domain:*', 'https://example.com/*', '*')

const servers = fc.constantFrom('s', 'a', 'a_b', 'b', 'github', 'x-y', 'A', 'constructor')
const serverTools = fc.constantFrom('t', 'b', 'b_c', 'c', 'get', 'get_x', '*', 'delete', 'get*')

const argument = (name: string): fc.Arbitrary<string> => {
  if (/^(Bash|Shell|bash|run_shell_command|execute|Monitor|exec)$/.test(name)) return commands
  if (/^(Agent|Task|task|agent)$/.test(name)) return agents
  if (/^WebFetch|webfetch/.test(name)) return domains
  return paths
}

/** `Tool`, `Tool(pattern)` or `Tool(one, other)`. */
function withPatterns(names: fc.Arbitrary<string>, often: number): fc.Arbitrary<string> {
  return names.chain((name) =>
    fc.oneof(
      { weight: 10 - often, arbitrary: fc.constant(name) },
      { weight: often, arbitrary: argument(name).map((one) => `${name}(${one})`) },
      {
        weight: often > 2 ? 1 : 0,
        arbitrary: fc.tuple(argument(name), argument(name)).map(([a, b]) => `${name}(${a}, ${b})`),
      },
    ),
  )
}

const strangeNames = fc.constantFrom(
  'constructor',
  '__proto__',
  'Frobnicate',
  'read',
  'BASH',
  'toString',
  '*',
  'Bash(',
  ')',
)

const claudeNames = fc.constantFrom(
  'Read',
  'Write',
  'Edit',
  'MultiEdit',
  'NotebookEdit',
  'Bash',
  'BashOutput',
  'Monitor',
  'Glob',
  'Grep',
  'LS',
  'WebFetch',
  'WebSearch',
  'Agent',
  'Task',
  'Skill',
  'TodoWrite',
  'LSP',
  'Workflow',
  'ToolSearch',
)
const markedMcp = fc.tuple(servers, serverTools).chain(([s, t]) => fc.constantFrom(`mcp__${s}__${t}`, `mcp__${s}`))
const claudeEntry = fc.oneof(
  { weight: 8, arbitrary: withPatterns(claudeNames, 4) },
  { weight: 2, arbitrary: markedMcp },
  { weight: 1, arbitrary: strangeNames },
)

const quoted = (text: string) => JSON.stringify(text)

/** A list in every spelling: commas, brackets, one name per line, empty, null. */
function listUnder(key: string, entry: fc.Arbitrary<string>, shapes = ['comma', 'flow', 'block']) {
  return fc.tuple(fc.array(entry, { maxLength: 6 }), fc.constantFrom(...shapes, 'absent')).map(([entries, shape]) => {
    if (shape === 'absent') return []
    if (shape === 'comma') return [entries.length === 0 ? `${key}:` : `${key}: ${quoted(entries.join(', '))}`]
    if (shape === 'flow' || entries.length === 0) return [`${key}: [${entries.map(quoted).join(', ')}]`]
    return [`${key}:`, ...entries.map((one) => `  - ${quoted(one)}`)]
  })
}

const lines = (...parts: fc.Arbitrary<readonly string[]>[]): fc.Arbitrary<Definition> =>
  fc.tuple(...parts).map((all) => ({ lines: all.flat() }))

const maybe = (...some: string[]) => fc.constantFrom<readonly string[]>([], [], ...some.map((one) => [one]))

/** What no parser takes as it stands, so that the rest has to be recovered. */
const broken = maybe(
  'color: a: b',
  'note: [unclosed',
  'note: "open',
  'tools: Read',
  'disallowedTools: Bash',
  '\tnote: 1',
  'permission: ask',
)

const claude = lines(
  broken,
  listUnder('tools', claudeEntry),
  listUnder('disallowedTools', claudeEntry),
  maybe('memory: user', 'memory: nowhere', 'permissionMode: plan'),
  maybe('mcpServers: [{ s: { command: x } }, a]'),
)

const openCodeAction = fc.constantFrom('allow', 'ask', 'deny')
const openCodeKeys = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      '*',
      'read',
      'edit',
      'glob',
      'grep',
      'list',
      'bash',
      'task',
      'webfetch',
      'websearch',
      'lsp',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('write', 'patch', 'b*', 'r*d', '?ash', 'e*', 'todowrite', 'external_directory'),
  },
  { weight: 2, arbitrary: fc.tuple(servers, serverTools).map(([s, t]) => `${s}_${t}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('*_delete', 'a_*', '*_*', 'mcp__s__t', 'constructor', '__proto__', '*b*', 'a*'),
  },
)
const openCodeValue = (key: string) => {
  const patterns = key === 'bash' || key === '*' ? commands : key === 'task' ? agents : paths
  return fc.oneof(
    { weight: 3, arbitrary: openCodeAction },
    {
      weight: key === 'webfetch' || key === 'websearch' || key === 'todowrite' ? 0 : 3,
      arbitrary: fc.uniqueArray(fc.tuple(patterns, openCodeAction), {
        minLength: 1,
        maxLength: 5,
        selector: ([pattern]) => pattern,
      }),
    },
  )
}
const permission = fc.oneof(
  { weight: 1, arbitrary: openCodeAction.map((action) => [`permission: ${action}`]) },
  {
    weight: 8,
    arbitrary: fc
      .uniqueArray(
        openCodeKeys.chain((key) => fc.tuple(fc.constant(key), openCodeValue(key))),
        { maxLength: 6, selector: ([key]) => key },
      )
      .map((entries) => [
        entries.length === 0 ? 'permission: {}' : 'permission:',
        ...entries.flatMap(([key, value]) =>
          typeof value === 'string'
            ? [`  ${quoted(key)}: ${value}`]
            : [`  ${quoted(key)}:`, ...value.map(([pattern, action]) => `    ${quoted(pattern)}: ${action}`)],
        ),
      ]),
  },
  { weight: 1, arbitrary: fc.constant<string[]>([]) },
)
const legacyTools = fc
  .uniqueArray(fc.tuple(fc.oneof(openCodeKeys, fc.constantFrom('write', 'patch', 'edit', 'bash')), fc.boolean()), {
    maxLength: 4,
    selector: ([key]) => key,
  })
  .map((entries) => (entries.length === 0 ? [] : ['tools:', ...entries.map(([key, on]) => `  ${quoted(key)}: ${on}`)]))
const openCode = lines(
  broken,
  fc.oneof({ weight: 3, arbitrary: fc.constant<string[]>([]) }, { weight: 1, arbitrary: legacyTools }),
  permission,
  maybe('mode: subagent', 'mode: primary', 'mode: all', 'mode: constructor'),
)

const copilotNames = fc.constantFrom(
  'read',
  'edit',
  'search',
  'execute',
  'agent',
  'web',
  'todo',
  'Read',
  'Edit',
  'WRITE',
  'grep',
  'Glob',
  'bash',
  'shell',
  'readFile',
  'editFiles',
  'runCommands',
  'web/fetch',
  'fetch',
  'githubRepo',
  'usages',
  'runTasks',
  'search/codebase',
  'listDirectory',
  'custom-agent',
  'vscode/runCommand',
)
const copilotEntry = fc.oneof(
  { weight: 7, arbitrary: copilotNames },
  { weight: 2, arbitrary: fc.tuple(servers, serverTools).map(([s, t]) => `${s}/${t}`) },
  { weight: 1, arbitrary: fc.oneof(strangeNames, withPatterns(claudeNames, 3)) },
)
const copilot = lines(
  broken,
  listUnder('tools', copilotEntry, ['comma', 'flow', 'block']),
  listUnder('agents', agents, ['flow']),
  maybe('disable-model-invocation: true', 'user-invocable: false'),
)

const geminiNames = fc.constantFrom(
  'read_file',
  'read_many_files',
  'write_file',
  'replace',
  'run_shell_command',
  'glob',
  'grep_search',
  'search_file_content',
  'list_directory',
  'web_fetch',
  'google_web_search',
  'invoke_agent',
  'activate_skill',
  'write_todos',
  'mcp_*',
  '*',
)
const geminiEntry = fc.oneof(
  { weight: 7, arbitrary: geminiNames },
  { weight: 2, arbitrary: fc.tuple(servers, serverTools).map(([s, t]) => `mcp_${s}_${t}`) },
  { weight: 1, arbitrary: fc.oneof(strangeNames, withPatterns(claudeNames, 3), markedMcp) },
)
const gemini = lines(
  listUnder('tools', geminiEntry, ['flow', 'block', 'comma']),
  maybe('mcp_servers: { s: { command: x } }', 'mcp_servers: { a: { command: x } }'),
)

const qwenNames = fc.constantFrom(
  'read_file',
  'ReadFile',
  'write_file',
  'edit',
  'notebook_edit',
  'run_shell_command',
  'Shell',
  'monitor',
  'exec',
  'glob',
  'grep_search',
  'list_directory',
  'web_fetch',
  'web_search',
  'agent',
  'Task',
  'workflow',
  'create_sub_session',
  'lsp',
  'Read',
  'Bash',
  '*',
)
const qwenEntry = fc.oneof(
  { weight: 7, arbitrary: withPatterns(qwenNames, 2) },
  { weight: 2, arbitrary: markedMcp },
  { weight: 1, arbitrary: strangeNames },
)
const qwen = lines(broken, listUnder('tools', qwenEntry), listUnder('disallowedTools', qwenEntry))

const feature = fc
  .uniqueArray(
    fc.tuple(
      fc.constantFrom('shell_tool', 'apps', 'plugins', 'memories', 'request_permissions_tool', 'goals'),
      fc.boolean(),
    ),
    { selector: ([key]) => key },
  )
  .map((entries) => (entries.length === 0 ? [] : ['[features]', ...entries.map(([key, on]) => `${key} = ${on}`)]))
const codex = lines(
  fc.constantFrom<readonly string[]>(
    [],
    ['sandbox_mode = "read-only"'],
    ['sandbox_mode = "workspace-write"'],
    ['sandbox_mode = "danger-full-access"'],
    ['sandbox_mode = "constructor"'],
    ['sandbox_mode = 1'],
  ),
  fc.constantFrom<readonly string[]>(
    [],
    ['web_search = "disabled"'],
    ['web_search = "live"'],
    ['web_search = "toString"'],
  ),
  feature,
)

const definitions: Readonly<Record<Dialect, fc.Arbitrary<Definition>>> = {
  'claude-code': claude,
  opencode: openCode,
  copilot,
  'gemini-cli': gemini,
  'qwen-code': qwen,
  codex,
  agents: claude,
  'first-match': openCode,
  'deny-wins': openCode,
}

export function definitionIn(dialect: Dialect): fc.Arbitrary<Definition> {
  return definitions[dialect]
}

/** The whole file. */
export function textOf(dialect: string, definition: Definition): string {
  if (dialect === 'codex') {
    return ['name = "a"', 'description = "d"', 'developer_instructions = "Do it."', ...definition.lines, ''].join('\n')
  }
  return ['---', 'name: a', 'description: d', ...definition.lines, '---', 'You are an agent for tests.', ''].join('\n')
}
