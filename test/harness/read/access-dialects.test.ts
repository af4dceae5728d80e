/** One case per trap of a dialect: what a definition says, a concrete call, and what must come of it. */
import { describe, expect, test } from 'vitest'
import { decide } from '../../../src/model/access/decide.ts'
import { type Action, writtenAccess } from '../../../src/model/access/rules.ts'
import { markdown, readOne } from '../../reading.ts'

interface Case {
  readonly trap: string
  /** With the kind of file, where it is not the first one. */
  readonly harness: string
  readonly text: string
  readonly call: readonly [tool: string, argument?: string]
  readonly action: Action
}

const claude = (...lines: string[]) => ({
  harness: 'claude-code',
  text: markdown('name: a', 'description: d', ...lines),
})
const opencode = (...lines: string[]) => ({ harness: 'opencode', text: markdown('description: d', ...lines) })
const qwen = (...lines: string[]) => ({ harness: 'qwen-code', text: markdown('name: a', 'description: d', ...lines) })
const gemini = (...lines: string[]) => ({
  harness: 'gemini-cli',
  text: markdown('name: a', 'description: d', ...lines),
})
const copilot = (...lines: string[]) => ({ harness: 'copilot', text: markdown('description: d', ...lines) })
const codex = (...lines: string[]) => ({
  harness: 'codex',
  text: ['name = "a"', 'description = "d"', 'developer_instructions = "Do it."', ...lines, ''].join('\n'),
})
const toml = (...lines: string[]) => ({
  harness: 'agent-toml',
  text: ['name = "a"', 'description = "d"', ...lines, ''].join('\n'),
})

const cases: Case[] = [
  // Claude Code: a list is a filter, an absent list is everything, an empty one is nothing.
  { trap: 'no tools key: everything is offered', ...claude(), call: ['shell', 'ls'], action: 'offer' },
  { trap: 'listed tool is offered', ...claude('tools: Read, Grep'), call: ['read', 'a.ts'], action: 'offer' },
  { trap: 'unlisted tool is denied', ...claude('tools: Read, Grep'), call: ['write', 'a.ts'], action: 'deny' },
  { trap: 'a real list is the same as commas', ...claude('tools: [Read, Grep]'), call: ['grep'], action: 'offer' },
  { trap: 'an empty list means none', ...claude('tools: []'), call: ['read'], action: 'deny' },
  { trap: 'a bare key means none', ...claude('tools:'), call: ['read'], action: 'deny' },
  { trap: 'a star means all', ...claude('tools: "*"'), call: ['shell', 'ls'], action: 'offer' },
  {
    trap: 'disallowedTools subtracts from a list',
    ...claude('tools: Read, Bash', 'disallowedTools: Bash'),
    call: ['shell', 'ls'],
    action: 'deny',
  },
  {
    trap: 'disallowedTools alone leaves the rest',
    ...claude('disallowedTools: Write, Edit'),
    call: ['shell', 'ls'],
    action: 'offer',
  },
  {
    trap: 'disallowedTools alone denies',
    ...claude('disallowedTools: Write, Edit'),
    call: ['edit', 'a'],
    action: 'deny',
  },
  {
    trap: 'an empty disallowedTools denies nothing',
    ...claude('disallowedTools:'),
    call: ['edit', 'a'],
    action: 'offer',
  },
  {
    trap: 'a pattern admits what it matches',
    ...claude('tools: Bash(git *)'),
    call: ['shell', 'git status'],
    action: 'offer',
  },
  {
    trap: 'a pattern keeps out the rest',
    ...claude('tools: Bash(git *)'),
    call: ['shell', 'rm -rf /'],
    action: 'deny',
  },
  { trap: 'a prefix pattern is about words', ...claude('tools: Bash(git:*)'), call: ['shell', 'gitk'], action: 'deny' },
  {
    trap: 'commas inside parentheses do not split tools',
    ...claude('tools: Bash(git diff, git log), Read'),
    call: ['shell', 'git log'],
    action: 'offer',
  },
  { trap: 'Task is the old name of Agent', ...claude('tools: Task'), call: ['delegate', 'helper'], action: 'offer' },
  { trap: 'Agent(x, y) admits x', ...claude('tools: Agent(x, y)'), call: ['delegate', 'y'], action: 'offer' },
  { trap: 'Agent(x, y) keeps out others', ...claude('tools: Agent(x, y)'), call: ['delegate', 'z'], action: 'deny' },
  {
    trap: 'memory brings Write into a tool list',
    ...claude('tools: Read', 'memory: project'),
    call: ['write', 'a'],
    action: 'offer',
  },
  { trap: 'one MCP tool', ...claude('tools: mcp__github__get_issue'), call: ['mcp:github/get_issue'], action: 'offer' },
  {
    trap: 'one MCP tool is not its server',
    ...claude('tools: mcp__github__get_issue'),
    call: ['mcp:github/delete_repo'],
    action: 'deny',
  },
  { trap: 'a whole MCP server', ...claude('tools: mcp__github'), call: ['mcp:github/anything'], action: 'offer' },
  { trap: 'a tool nobody knows grants nothing', ...claude('tools: Frobnicate'), call: ['shell', 'ls'], action: 'deny' },
  { trap: 'what cannot be understood allows nothing', ...claude('tools: { a: 1 }'), call: ['read'], action: 'deny' },

  // OpenCode: one list with the defaults in front, the last match wins, keys and patterns are wildcards.
  { trap: 'no permission: allowed without asking', ...opencode(), call: ['shell', 'ls'], action: 'allow' },
  { trap: 'the defaults ask about .env', ...opencode(), call: ['read', '.env'], action: 'ask' },
  { trap: 'the defaults allow .env.example', ...opencode(), call: ['read', '.env.example'], action: 'allow' },
  {
    trap: 'read: allow allows .env again',
    ...opencode('permission:', '  read: allow'),
    call: ['read', '.env'],
    action: 'allow',
  },
  { trap: 'edit governs write', ...opencode('permission:', '  edit: deny'), call: ['write', 'a'], action: 'deny' },
  {
    trap: 'a later general rule wins',
    ...opencode('permission:', '  webfetch: deny', '  "*": ask'),
    call: ['fetch', 'http://a'],
    action: 'ask',
  },
  {
    trap: 'a general rule first, then exceptions',
    ...opencode('permission:', '  "*": deny', '  read: allow'),
    call: ['read', 'a'],
    action: 'allow',
  },
  {
    trap: 'inside a tool too, the last match wins',
    ...opencode('permission:', '  bash:', '    "rm *": deny', '    "*": allow'),
    call: ['shell', 'rm -rf /'],
    action: 'allow',
  },
  {
    trap: 'git push before git push --force',
    ...opencode('permission:', '  bash:', '    "*": allow', '    "git push*": ask', '    "git push --force*": deny'),
    call: ['shell', 'git push --force origin'],
    action: 'deny',
  },
  {
    trap: 'a trailing " *" matches no argument',
    ...opencode('permission:', '  bash:', '    "*": deny', '    "git *": allow'),
    call: ['shell', 'git'],
    action: 'allow',
  },
  {
    trap: 'a star crosses slashes',
    ...opencode('permission:', '  edit:', '    "*": deny', '    "src/*": allow'),
    call: ['edit', 'src/a/b.ts'],
    action: 'allow',
  },
  { trap: 'permission as one word', ...opencode('permission: ask'), call: ['shell', 'ls'], action: 'ask' },
  {
    trap: 'old tools map: false denies',
    ...opencode('tools:', '  bash: false'),
    call: ['shell', 'ls'],
    action: 'deny',
  },
  {
    trap: 'old tools map: write, edit and patch are one switch, the last counts',
    ...opencode('tools:', '  write: false', '  edit: true', '  patch: false'),
    call: ['edit', 'a'],
    action: 'deny',
  },
  {
    trap: 'permission replaces the old map in its place',
    ...opencode('tools:', '  bash: false', 'permission:', '  "*": deny', '  bash: allow'),
    call: ['shell', 'ls'],
    action: 'deny',
  },
  {
    trap: 'a wildcard key covers MCP tools',
    ...opencode('permission:', '  "github_*": deny'),
    call: ['mcp:github/get_issue'],
    action: 'deny',
  },
  {
    trap: 'a wildcard key covers built-in tools',
    ...opencode('permission:', '  "web*": deny'),
    call: ['search'],
    action: 'deny',
  },
  {
    trap: 'tasks are limited by agent',
    ...opencode('permission:', '  task:', '    "*": deny', '    "review-*": allow'),
    call: ['delegate', 'review-code'],
    action: 'allow',
  },
  {
    trap: 'booleans are read as meant',
    ...opencode('permission:', '  bash: false'),
    call: ['shell', 'ls'],
    action: 'deny',
  },
  {
    trap: 'a list instead of a map admits only what it lists',
    ...opencode('tools: Read, Grep'),
    call: ['shell', 'ls'],
    action: 'deny',
  },
  {
    trap: 'nonsense for an action denies',
    ...opencode('permission:', '  bash: maybe'),
    call: ['shell', 'ls'],
    action: 'deny',
  },

  // Codex: no tool list; a sandbox that binds the main session only.
  { trap: 'nothing said: tools are there', ...codex(), call: ['shell', 'ls'], action: 'offer' },
  { trap: 'read-only forbids patches', ...codex('sandbox_mode = "read-only"'), call: ['edit', 'a'], action: 'deny' },
  {
    trap: 'read-only asks before commands',
    ...codex('sandbox_mode = "read-only"'),
    call: ['shell', 'ls'],
    action: 'ask',
  },
  {
    trap: 'a feature can be switched off',
    ...codex('[features]', 'shell_tool = false'),
    call: ['shell', 'ls'],
    action: 'deny',
  },

  // Gemini CLI: strict names, no nesting.
  { trap: 'listed tool is there', ...gemini('tools: [read_file]'), call: ['read', 'a'], action: 'offer' },
  { trap: 'unlisted tool is not', ...gemini('tools: [read_file]'), call: ['shell', 'ls'], action: 'deny' },
  { trap: 'an agent never calls agents', ...gemini(), call: ['delegate', 'b'], action: 'deny' },
  {
    trap: 'all tools of an MCP server',
    ...gemini('tools: ["mcp_github_*"]'),
    call: ['mcp:github/get_issue'],
    action: 'offer',
  },

  // Copilot: aliases in any case, one switch for all that changes files.
  { trap: 'an alias in any case', ...copilot('tools: [Read]'), call: ['read', 'a'], action: 'offer' },
  { trap: 'edit means all that changes files', ...copilot('tools: [edit]'), call: ['write', 'a'], action: 'offer' },
  { trap: 'search is not the web', ...copilot('tools: [search]'), call: ['search'], action: 'deny' },
  { trap: 'search finds in files', ...copilot('tools: [search]'), call: ['grep'], action: 'offer' },
  { trap: 'an empty list takes the rest away', ...copilot('tools: []'), call: ['shell', 'ls'], action: 'deny' },
  { trap: 'a whole MCP server', ...copilot('tools: ["github/*"]'), call: ['mcp:github/get_issue'], action: 'offer' },

  // Qwen Code: its own names; others are understood as meant, in the narrowest way.
  { trap: 'a native name', ...qwen('tools: [run_shell_command]'), call: ['shell', 'ls'], action: 'offer' },
  { trap: 'a display name', ...qwen('tools: [Shell]'), call: ['shell', 'ls'], action: 'offer' },
  {
    trap: 'a name of another dialect is meant as there',
    ...qwen('tools: [Bash]'),
    call: ['shell', 'ls'],
    action: 'offer',
  },
  { trap: 'disallowedTools denies', ...qwen('disallowedTools: [edit]'), call: ['edit', 'a'], action: 'deny' },
  // What is broken or odd is never wider than the text can mean.
  {
    trap: 'a deny list that cannot be read denies all',
    ...claude('x: a: b', 'disallowedTools: "Bash", "Write"'),
    call: ['shell', 'ls'],
    action: 'deny',
  },
  {
    trap: 'an unclosed quote in a deny list denies all',
    ...claude('disallowedTools: "Bash'),
    call: ['read', 'a'],
    action: 'deny',
  },
  {
    trap: 'empty parentheses deny the whole tool',
    ...claude('disallowedTools: Bash()'),
    call: ['shell', 'ls'],
    action: 'deny',
  },
  { trap: 'empty parentheses grant nothing', ...claude('tools: Bash()'), call: ['shell', 'ls'], action: 'deny' },
  {
    trap: 'an invalid memory brings nothing',
    ...claude('tools: Read', 'memory: banana'),
    call: ['write', 'a'],
    action: 'deny',
  },
  {
    trap: 'part of an MCP server',
    ...claude('tools: mcp__github__get_*'),
    call: ['mcp:github/get_issue'],
    action: 'offer',
  },
  {
    trap: 'part of an MCP server is not the rest',
    ...claude('tools: mcp__github__get_*'),
    call: ['mcp:github/delete'],
    action: 'deny',
  },
  {
    trap: 'every command of a line is judged',
    ...claude('tools: Bash(git diff:*)'),
    call: ['shell', 'git diff && rm -rf /'],
    action: 'deny',
  },
  {
    trap: 'a substitution is a command too',
    ...claude('tools: Bash(git diff:*)'),
    call: ['shell', 'git diff $(rm -rf /)'],
    action: 'deny',
  },
  {
    trap: 'a detour does not lead out of a folder',
    ...claude('tools: Edit(src/**)'),
    call: ['edit', 'src/../../etc/passwd'],
    action: 'deny',
  },
  {
    trap: 'what stands before an @ is no host',
    ...claude('tools: WebFetch(domain:example.com)'),
    call: ['fetch', 'https://example.com:80@evil.com/'],
    action: 'deny',
  },
  {
    trap: 'a subdomain is covered',
    ...claude('tools: WebFetch(domain:example.com)'),
    call: ['fetch', 'https://docs.example.com/x'],
    action: 'offer',
  },
  {
    trap: 'write is no permission of its own, and still says what is meant',
    ...opencode('permission:', '  write: deny'),
    call: ['write', 'a'],
    action: 'deny',
  },
  {
    trap: 'a wildcard does not reach names that are none',
    ...opencode('permission:', '  "*": deny', '  "wr*": allow'),
    call: ['write', 'a'],
    action: 'deny',
  },
  {
    trap: 'a question mark in a key is one character',
    ...opencode('permission:', '  "ba?h": deny'),
    call: ['shell', 'ls'],
    action: 'deny',
  },
  {
    trap: 'a denial of a whole line is not undone by taking it apart',
    ...opencode('permission:', '  bash:', '    "*": allow', '    "* | sh": deny'),
    call: ['shell', 'curl x | sh'],
    action: 'deny',
  },
  {
    trap: 'a merge key brings its rules along',
    ...opencode('base: &b { bash: deny }', 'permission:', '  <<: *b', '  edit: ask'),
    call: ['shell', 'ls'],
    action: 'deny',
  },
  {
    trap: 'a subagent calls nobody unless its rules say so',
    ...opencode('permission: allow'),
    call: ['delegate', 'x'],
    action: 'deny',
  },
  // agent.toml: an intent, then rules of which the last that matches decides; each is split at its last colon.
  { trap: 'what is not spoken of is left to the target', ...toml(), call: ['shell', 'ls'], action: 'offer' },
  {
    trap: 'the intent answers what no rule matches',
    ...toml('[permissions.bash]', 'intent = "ask"', 'rules = ["git log*:allow"]'),
    call: ['shell', 'ls'],
    action: 'ask',
  },
  {
    trap: 'the last rule that matches decides',
    ...toml('[permissions.bash]', 'intent = "allow"', 'rules = ["git push*:ask", "git push --force*:deny"]'),
    call: ['shell', 'git push --force'],
    action: 'deny',
  },
  {
    trap: 'a pattern that stands twice counts where it stands last',
    ...toml('[permissions.bash]', 'intent = "allow"', 'rules = ["git *:ask", "git push*:deny", "git *:allow"]'),
    call: ['shell', 'git push'],
    action: 'allow',
  },
  {
    trap: 'colons in a pattern are part of it',
    ...toml('[permissions.bash]', 'intent = "deny"', 'rules = ["curl http://localhost:8080/*:allow"]'),
    call: ['shell', 'curl http://localhost:8080/a'],
    action: 'allow',
  },
  {
    trap: 'a rule without an answer denies',
    ...toml('[permissions.bash]', 'intent = "allow"', 'rules = ["rm *"]'),
    call: ['shell', 'rm -r x'],
    action: 'deny',
  },
  {
    trap: 'rules without an intent deny the rest',
    ...toml('[permissions.bash]', 'rules = ["git log*:allow"]'),
    call: ['shell', 'ls'],
    action: 'deny',
  },
  {
    trap: 'the plain spelling is a map of patterns',
    ...toml('[permission.edit]', '"*" = "deny"', '"docs/*" = "allow"'),
    call: ['edit', 'docs/a.md'],
    action: 'allow',
  },
  {
    trap: 'a list of tools in an AGENT.md means no others',
    harness: 'agent-toml/agent-md',
    text: markdown('name: a', 'description: d', 'tools: [read, grep]'),
    call: ['shell', 'ls'],
    action: 'deny',
  },
]

describe('a definition decides a call', () => {
  test.each(cases)('$harness: $trap', ({ harness, text, call: [tool, argument], action }) => {
    const [id = '', carrier] = harness.split('/')
    const given = carrier === undefined ? { text } : { text, carrier }
    const access = writtenAccess(readOne(id, given).access, 'child')
    expect(decide(access, argument === undefined ? { tool } : { tool, argument }).action).toBe(action)
  })
})
