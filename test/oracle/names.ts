/** What people mean by the name of a tool, whatever harness it comes from: for what a definition says, not for what it gets. */
import { type Call, serverTool } from './call.ts'

const words: Readonly<Record<string, readonly string[]>> = {
  read: [
    'read',
    'readfile',
    'read_file',
    'read_many_files',
    'view',
    'notebookread',
    'cat',
    'read/readfile',
    'search/readfile',
  ],
  glob: ['glob', 'findfiles', 'filesearch', 'search/filesearch', 'search', 'codebase', 'search/codebase'],
  grep: [
    ...['grep', 'rg', 'grep_search', 'search_file_content', 'searchfiles', 'search', 'codebase', 'textsearch'],
    ...['search/textsearch', 'search/codebase'],
  ],
  list: ['ls', 'list', 'list_directory', 'listfiles', 'readfolder', 'listdirectory', 'search/listdirectory'],
  write: [
    ...['write', 'writefile', 'write_file', 'create', 'createfile', 'edit/createfile', 'editfiles', 'edit/editfiles'],
    ...['createdirectory', 'edit/createdirectory', 'rename', 'edit/rename', 'apply_patch', 'patch', 'edit'],
  ],
  edit: [
    'edit',
    'multiedit',
    'replace',
    'editfiles',
    'edit/editfiles',
    'apply_patch',
    'patch',
    'write',
    'create',
    'createfile',
  ],
  notebook: ['notebookedit', 'notebook_edit', 'edit', 'editnotebook', 'edit/editnotebook'],
  shell: [
    ...[
      'bash',
      'shell',
      'execute',
      'run_shell_command',
      'exec',
      'exec_command',
      'monitor',
      'powershell',
      'runcommands',
    ],
    ...['runinterminal', 'runcommands/runinterminal', 'execute/runinterminal', 'terminal', 'runtasks'],
    ...['runtasks/runtask', 'execute/runtask', 'execute/createandruntask', 'runtasks/createandruntask'],
  ],
  fetch: ['webfetch', 'web_fetch', 'fetch', 'web/fetch', 'web'],
  search: ['websearch', 'web_search', 'google_web_search', 'web', 'githubrepo', 'web/githubrepo', 'githubtextsearch'],
  delegate: [
    ...['task', 'agent', 'invoke_agent', 'spawn_agent', 'workflow', 'create_sub_session', 'createsubsession'],
    ...['custom-agent', 'runsubagent', 'agent/runsubagent'],
  ],
  skill: ['skill', 'activate_skill', 'slashcommand'],
  ask: ['askuserquestion', 'ask_user', 'ask_user_question', 'question', 'request_user_input', 'vscode/askquestions'],
  todo: [
    'todowrite',
    'todo',
    'todos',
    'todo_write',
    'todolist',
    'write_todos',
    'update_todo',
    'todoread',
    'update_plan',
  ],
  task: [
    ...['taskcreate', 'taskupdate', 'tasklist', 'taskget', 'task_create', 'task_update', 'task_list', 'todowrite'],
    ...['tracker_create_task', 'tracker_update_task', 'tracker_get_task', 'tracker_list_tasks'],
  ],
  // To leave plan mode is no power.
  plan: ['enterplanmode', 'enter_plan_mode', 'plan_enter'],
  message: ['sendmessage', 'send_message', 'send_input', 'write_agent'],
  team: ['teamcreate', 'teamdelete', 'team_create', 'team_delete'],
}

const meanings = new Map<string, string[]>()
for (const [tool, names] of Object.entries(words)) {
  for (const name of names) meanings.set(name, [...(meanings.get(name) ?? []), tool])
}

/** In these letters the names are those of Claude Code, each for one tool. */
const exact = new Map([
  ['Write', ['write']],
  ['Edit', ['edit']],
  ['TodoWrite', ['todo']],
])

export function meaningsOf(name: string): readonly string[] {
  const own = exact.get(name.trim())
  if (own !== undefined) return own
  return meanings.get(name.trim().toLowerCase()) ?? []
}

/** A name without a pattern speaks of this call: of its tool, of its server, of all servers, of everything. */
export function speaksOf(name: string, { tool }: Call): boolean {
  const plain = name.trim()
  if (plain === '*') return true
  const mcp = serverTool(tool)
  if (mcp === null) return meaningsOf(plain).includes(tool)
  const text = plain.toLowerCase()
  const [server, own] = [mcp.server.toLowerCase(), mcp.tool.toLowerCase()]
  if (text === 'mcp__*' || text === 'mcp_*') return true
  const whole = [`mcp__${server}`, `mcp__${server}__*`, `mcp_${server}_*`, `${server}/*`, `@${server}`]
  if (whole.includes(text)) return true
  if ([`mcp__${server}__${own}`, `mcp_${server}_${own}`, `${server}/${own}`].includes(text)) return true
  // A beginning: `mcp__docs__f*`, `mcp__do*`.
  return /^mcp__.*\*$/.test(text) && `mcp__${server}__${own}`.startsWith(text.slice(0, -1))
}
