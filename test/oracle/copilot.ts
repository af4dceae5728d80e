/** GitHub Copilot CLI 1.0.102: what a custom agent says, and which tools the program then offers. */
import { type Answer, type Call, type Reading, type Role, roles, serverTool } from './call.ts'
import { cutFrontMatter, parseYaml } from './front-matter.ts'
import { denialsByName, patternsIn, saidAccess } from './said.ts'

/** Whatever their case. */
const tools: Readonly<Record<string, readonly string[]>> = {
  read: ['read', 'view', 'notebookread', 'readfile', 'read/readfile', 'search/readfile'],
  grep: ['search', 'grep', 'rg', 'codebase', 'search/codebase', 'textsearch', 'search/textsearch'],
  glob: ['search', 'glob', 'codebase', 'search/codebase', 'filesearch', 'search/filesearch'],
  write: [
    ...['edit', 'write', 'multiedit', 'notebookedit', 'create', 'apply_patch', 'editfiles', 'edit/editfiles'],
    ...['createfile', 'edit/createfile', 'createdirectory', 'edit/createdirectory'],
  ],
  shell: [
    'execute',
    'bash',
    'shell',
    'runcommands',
    'runinterminal',
    'runcommands/runinterminal',
    'execute/runinterminal',
  ],
  delegate: ['agent', 'task', 'custom-agent', 'runsubagent', 'agent/runsubagent'],
  fetch: ['web', 'webfetch'],
  search: ['web', 'websearch'],
  todo: ['todo', 'todowrite', 'update_todo', 'todos'],
  skill: ['skill'],
  ask: ['ask_user'],
  message: ['write_agent'],
}

/** There only for those who name them, in these letters. */
const hidden: Readonly<Record<string, readonly string[]>> = {
  read: ['read_file'],
  grep: ['grep_search', 'semantic_search'],
  glob: ['file_search'],
  message: ['send_inbox'],
}

/** Words that mean nothing to the CLI. VS Code takes them, so a grant by them is not dead. */
const inVsCode: Readonly<Record<string, readonly string[]>> = {
  list: ['listdirectory', 'search/listdirectory'],
  glob: ['findtestfiles'],
  write: ['rename', 'edit/rename', 'editnotebook', 'edit/editnotebook', 'edit/createjupyternotebook'],
  shell: [
    'runtasks',
    'runtasks/runtask',
    'execute/runtask',
    'runtasks/createandruntask',
    'execute/createandruntask',
    'powershell',
  ],
  fetch: ['fetch', 'web/fetch'],
  search: ['githubrepo', 'web/githubrepo', 'githubtextsearch'],
  ask: ['vscode/askquestions'],
}

export function readCopilot(text: string): Reading {
  const { header, whole } = cutFrontMatter(text)
  // A flow list may go on at the beginning of a line; merge keys are keys like others.
  const flat = header?.replace(/\[[^[\]:#]*\]/g, (flow) => flow.replaceAll('\n', ' '))
  const data = flat === undefined ? null : parseYaml(flat.replace(/^<<(?=\s*:)/gm, 'merge').replaceAll('[-]', '["-"]'))
  const listed = data === null || data.tools === undefined ? null : namesIn(data.tools)
  const exact = data === null || data.tools === undefined ? [] : namesIn(data.tools, (name) => name)
  const isFree = listed === null || listed.includes('*')
  const given = ({ tool }: Call, role: Role, isOwn = false): Answer => {
    if (isFree) return 'offer'
    const mcp = serverTool(tool)
    if (mcp !== null) {
      const [server, own] = [mcp.server.toLowerCase(), mcp.tool.toLowerCase()]
      if (listed.includes(`${server}-${own}`)) return 'offer'
      // `github/...` is the server that Copilot brings along, not one of that name in a configuration.
      if (server === 'github' && !isOwn) return 'deny'
      return listed.includes(`${server}/*`) || listed.includes(`${server}/${own}`) ? 'offer' : 'deny'
    }
    // A main session has skills whatever its list says.
    if (tool === 'skill' && role === 'main' && !isOwn) return 'offer'
    const unit = tool === 'edit' || tool === 'notebook' ? 'write' : tool
    if (isOwn && inVsCode[unit]?.some((name) => listed.includes(name)) === true) return 'offer'
    if (hidden[unit]?.some((name) => exact.includes(name)) === true) return 'offer'
    const names = tools[unit] ?? []
    return names.some((name) => listed.some((one) => one === name || lastPart(one) === name)) ? 'offer' : 'deny'
  }
  const wanted = data?.['disable-model-invocation'] === true ? ['main' as const] : roles
  return {
    said: saidAccess(whole, { grants: 'tools', denials: 'disallowedTools' }),
    given,
    denies: denialsByName(whole),
    names: (tool) => listed !== null && (tools[tool] ?? []).some((name) => listed.includes(name)),
    roles: data?.['user-invocable'] === false ? wanted.filter((role) => role === 'child') : wanted,
    loads:
      data !== null &&
      typeof data.description === 'string' &&
      data.description.trim() !== '' &&
      isList(data.tools) &&
      isServers(data['mcp-servers']) &&
      isSwitch(data['user-invocable']) &&
      isSwitch(data['disable-model-invocation']),
    disabled: false,
    patterns: patternsIn(text),
    keys: JSON.stringify(data?.tools),
  }
}

function isList(value: unknown): boolean {
  if (value === undefined || typeof value === 'string' || value instanceof Uint8Array) return true
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

/** A text or a list of servers makes the program leave the file out (test/lab/copilot.yaml: servers-text, servers-list). */
function isServers(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value))
}

/** The same file: invocable-text, invocable-null, invocation-text, invocation-number, invocation-null. */
function isSwitch(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean'
}

/** Whatever stands before a slash: `nobody/bash` gives the shell. */
const lastPart = (name: string) => /^.+\/([^/]+)$/.exec(name)?.[1]

/** A text is cut at commas and trimmed; an item of a list is a name as it stands. */
function namesIn(value: unknown, spelled = (name: string) => name.toLowerCase()): string[] {
  if (typeof value === 'string')
    return value.split(',').map((one) => spelled(one.replace(/^(?:[^\S\uFEFF]|\u0085)+|(?:[^\S\uFEFF]|\u0085)+$/g, '')))
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string').map(spelled) : []
}
