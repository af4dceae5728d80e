/** Qwen Code 0.24.4: what a Markdown agent says, and which tools the program then offers to it as a subagent. */

import { type Answer, type Call, type Reading, type Role, serverTool } from './call.ts'
import { cutFrontMatter, findKey, parseYaml } from './front-matter.ts'
import { isFiltered } from './plain-words.ts'
import { denialsByName, patternsIn, saidAccess } from './said.ts'

/** By id. Denying the shell leaves `monitor`, which runs commands too. */
const tools: Readonly<Record<string, readonly string[]>> = {
  ...{ read: ['read_file'], glob: ['glob'], grep: ['grep_search'], list: ['list_directory'], write: ['write_file'] },
  ...{
    edit: ['edit'],
    notebook: ['notebook_edit'],
    shell: ['run_shell_command', 'monitor'],
    fetch: ['web_fetch'],
  },
  ...{ search: ['web_search'], delegate: ['agent'], skill: ['skill'] },
  ...{ ask: ['ask_user_question'], todo: ['todo_write'], task: ['task_create', 'task_update', 'task_list'] },
  ...{ message: ['send_message'], team: ['team_create', 'team_delete'], plan: ['enter_plan_mode', 'exit_plan_mode'] },
}

/** A subagent never has these, and of the others these only where they were switched on. */
const never = new Set(['ask', 'todo', 'task', 'message', 'team', 'plan'])

const ids: Readonly<Record<string, string>> = {
  ...{
    ReadFile: 'read_file',
    WriteFile: 'write_file',
    Edit: 'edit',
    NotebookEdit: 'notebook_edit',
    Shell: 'run_shell_command',
  },
  ...{
    Monitor: 'monitor',
    Exec: 'exec',
    Glob: 'glob',
    FindFiles: 'glob',
    Grep: 'grep_search',
    SearchFiles: 'grep_search',
  },
  ...{
    ListFiles: 'list_directory',
    ReadFolder: 'list_directory',
    WebFetch: 'web_fetch',
    WebSearch: 'web_search',
    Agent: 'agent',
  },
  ...{ Task: 'agent', Workflow: 'workflow', CreateSubSession: 'create_sub_session', Skill: 'skill' },
  ...{
    AskUserQuestion: 'ask_user_question',
    TodoWrite: 'todo_write',
  },
  ...{ TodoList: 'todo_write', SendMessage: 'send_message', TeamCreate: 'team_create', TeamDelete: 'team_delete' },
  ...{ TaskCreate: 'task_create', TaskUpdate: 'task_update', TaskList: 'task_list', EnterPlanMode: 'enter_plan_mode' },
  ...{ ExitPlanMode: 'exit_plan_mode' },
}

export function readQwenCode(text: string): Reading {
  const { header, body, whole } = cutFrontMatter(text)
  const data = header === null ? null : (strictData(header) ?? byLines(header))
  const granted = listOf(data?.tools)
  const denied = listOf(data?.disallowedTools) ?? []
  const isFree = granted === null || granted.includes('*')
  const offers = (id: string) =>
    (isFree || granted.some((name) => idOf(name) === id)) && denied.every((name) => idOf(name) !== id)
  const given = ({ tool }: Call, _role: Role, isOwn = false): Answer => {
    const mcp = serverTool(tool)
    if (mcp !== null) {
      const full = `mcp__${mcp.server}__${mcp.tool}`
      const servers = header === null ? [] : findKey(header, 'mcpServers')
      if (servers.some((found) => isFiltered(found, mcp.server, mcp.tool, ['includeTools', 'excludeTools'])))
        return 'deny'
      if (denied.some((name) => name === full || name === `mcp__${mcp.server}` || isBeginning(name, full)))
        return 'deny'
      return isFree || granted.includes(full) ? 'offer' : 'deny'
    }
    if (never.has(tool) && (!isOwn || !isFree)) return 'deny'
    return (tools[tool] ?? []).some(offers) ? 'offer' : 'deny'
  }
  return {
    said: saidAccess(whole, {
      grants: 'tools',
      denials: 'disallowedTools',
      emptyMeansAll: true,
      plain: { edit: 'edit' },
    }),
    given,
    denies: denialsByName(whole),
    names: (tool) => granted !== null && (tools[tool] ?? []).some((one) => granted.some((name) => idOf(name) === one)),
    roles: ['child'],
    loads:
      data !== null &&
      isName(data.name) &&
      hasText(data.description) &&
      body.trim().length >= 10 &&
      !hasBlank(data) &&
      data.approvalMode !== 'PLAN',
    disabled: false,
    patterns: patternsIn(text),
    keys: JSON.stringify([data?.tools, data?.disallowedTools]),
  }
}

const idOf = (name: string) => (Object.hasOwn(ids, name) ? ids[name] : name)

/** `mcp__do*` is every server that begins like that, `mcp__docs__f*` every tool; more stars are read for servers only. */
const isBeginning = (name: string, full: string) =>
  (/^m[^*]*\*$/.test(name) && full.startsWith(name.slice(0, -1))) ||
  (/^mcp__(?:(?!__)[^*])*\*+$/.test(name) && full.startsWith(name.replace(/\*+$/, '')))

const isName = (name: unknown) =>
  /^[\p{L}\p{N}][\p{L}\p{N}_-]*[\p{L}\p{N}]$/u.test(String(name)) && String(name).length <= 50

const hasText = (value: unknown) => value !== undefined && value !== null && String(value).trim() !== ''

const hasBlank = ({ tools: one, disallowedTools: other }: Record<string, unknown>) =>
  [one, other].some(
    (list) => Array.isArray(list) && list.some((item) => typeof item === 'string' && item.trim() === ''),
  )

/** A text is cut at commas, an item of a list is a name as it stands; a list without a name is no list. */
function listOf(value: unknown): string[] | null {
  // A tag makes bytes of a text; no tool has such a name.
  if (value instanceof Uint8Array) return ['?']
  const items =
    typeof value === 'string' ? value.split(',').map((one) => one.trim()) : Array.isArray(value) ? value : []
  const names = items.filter((item) => typeof item === 'string' && item !== '')
  return names.length === 0 ? null : names
}

function strictData(header: string): Record<string, unknown> | null {
  const data = parseYaml(header)
  // It knows no merge keys.
  if (data === null || !/^\s*["']?<<["']?\s*:/m.test(header)) return data
  const own = header.match(/^tools\s*:/m) === null ? { ...data, tools: undefined } : data
  return header.match(/^disallowedTools\s*:/m) === null ? { ...own, disallowedTools: undefined } : own
}

/** What YAML rejects is read line by line: values are texts or numbers, items stand behind two spaces and a dash. */
function byLines(header: string): Record<string, unknown> {
  const data: Record<string, unknown> = {}
  let open: string | null = null
  for (const line of header.split('\n')) {
    const item = /^ {2}- (.*)$/.exec(line)
    if (item !== null) {
      if (open === null) continue
      const before = data[open]
      data[open] = [...(Array.isArray(before) ? before : []), scalar(item[1] ?? '')]
      continue
    }
    const match = /^\s*([\w-]+):\s*(.*)$/.exec(line)
    if (match === null) continue
    const [, key = '', value = ''] = match
    open = value.trim() === '' ? key : null
    if (open === null) data[key] = scalar(value)
  }
  return data
}

function scalar(text: string): unknown {
  const plain = text.trim()
  if (/^-?\d+(?:\.\d+)?$/.test(plain)) return Number(plain)
  if (plain === 'true' || plain === 'false') return plain === 'true'
  return /^".*"$|^'.*'$/.test(plain) ? plain.slice(1, -1) : plain
}
