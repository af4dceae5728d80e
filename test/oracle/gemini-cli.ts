/** Gemini CLI 0.61.0: what a Markdown agent says, and which tools the program then offers to it as a subagent. */
import { type Answer, type Call, type Reading, type Role, serverTool } from './call.ts'
import { cutFrontMatter, findKey, parseYaml } from './front-matter.ts'
import { itemsOf } from './lists.ts'
import { isFiltered } from './plain-words.ts'
import { denialsByName, patternsIn, saidAccess } from './said.ts'

const tools: Readonly<Record<string, readonly string[]>> = {
  ...{ read: ['read_file'], glob: ['glob'], grep: ['grep_search', 'search_file_content'] },
  ...{
    list: ['list_directory'],
    write: ['write_file'],
    edit: ['replace'],
    shell: ['run_shell_command'],
    fetch: ['web_fetch'],
  },
  ...{ search: ['google_web_search'], skill: ['activate_skill'], todo: ['write_todos'], ask: ['ask_user'] },
  ...{ plan: ['enter_plan_mode', 'exit_plan_mode'], delegate: ['invoke_agent'] },
  task: [
    'tracker_create_task',
    'tracker_update_task',
    'tracker_get_task',
    'tracker_list_tasks',
    'tracker_add_dependency',
    'tracker_visualize',
  ],
}

const others = [
  'read_many_files',
  'complete_task',
  'update_topic',
  'get_internal_docs',
  'list_mcp_resources',
  'read_mcp_resource',
]
const valid = new Set([...Object.values(tools).flat(), ...others, '*', 'mcp_*'])
const keys = [
  'kind',
  'name',
  'description',
  'display_name',
  'tools',
  'mcp_servers',
  'model',
  'temperature',
  'max_turns',
  'timeout_mins',
]

export function readGeminiCli(text: string): Reading {
  const { header, whole } = cutFrontMatter(text)
  // A flow list may go on at the beginning of a line, which stricter parsers reject.
  const data =
    header === null ? null : parseYaml(header.replace(/\[[^[\]:#]*\]/g, (flow) => flow.replaceAll('\n', ' ')))
  const listed = data === null || data.tools === undefined ? null : (itemsOf(data.tools) ?? [])
  const isFree = listed === null || listed.includes('*')
  const written = header === null ? [] : findKey(header, 'mcp_servers')
  const own = written.flatMap((found) => (found.clear && isRecord(found.value) ? Object.keys(found.value) : []))
  const given = ({ tool }: Call, _role: Role, isOwn = false): Answer => {
    const mcp = serverTool(tool)
    if (mcp !== null) {
      const filters = ['include_tools', 'exclude_tools']
      if (written.some((found) => isFiltered(found, mcp.server, mcp.tool, filters))) return 'deny'
      // The tools of its own servers come on top of the list.
      if (own.includes(mcp.server) || isFree || listed.includes('mcp_*')) return 'offer'
      return listed.some((name) => isOfServer(name, mcp.server, mcp.tool)) ? 'offer' : 'deny'
    }
    // A subagent calls nobody, named or not; where it is named in vain, that is a dead grant.
    if (tool === 'delegate') return isOwn && isFree ? 'offer' : 'deny'
    const names = tools[tool]
    if (names === undefined) {
      // Notebooks are edited as files; messages and teams there are none.
      return tool === 'notebook'
        ? given({ tool: 'edit', argument: '' }, _role, isOwn)
        : isOwn && isFree
          ? 'offer'
          : 'deny'
    }
    return isFree || names.some((name) => listed.includes(name)) ? 'offer' : 'deny'
  }
  const said = saidAccess(whole, { grants: 'tools', denials: 'disallowedTools' })
  // A server that stands in the definition itself is there to be used.
  const saidWithServers = (call: Call): Answer => {
    const mcp = serverTool(call.tool)
    if (mcp === null || !own.includes(mcp.server)) return said(call)
    return written.some((found) => isFiltered(found, mcp.server, mcp.tool)) ? 'deny' : 'offer'
  }
  return {
    said: saidWithServers,
    given,
    denies: denialsByName(whole),
    names: (tool) => listed !== null && (tools[tool] ?? []).some((name) => listed.includes(name)),
    roles: ['child'],
    loads: data !== null && isValid(data),
    disabled: false,
    patterns: patternsIn(text),
    keys: JSON.stringify([data?.tools, own]),
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One thing wrong, and the file is not loaded. */
function isValid(data: Record<string, unknown>): boolean {
  const { name, description, kind, tools: list } = data
  if (kind !== undefined && kind !== 'local') return false
  if (Object.keys(data).some((key) => !keys.includes(key))) return false
  if (typeof name !== 'string' || !/^[a-z0-9_-]+$/.test(name) || typeof description !== 'string' || description === '')
    return false
  if (list === undefined) return true
  return Array.isArray(list) && list.every((one) => typeof one === 'string' && isTool(one))
}

function isTool(name: string): boolean {
  return (
    valid.has(name) || name.startsWith('discovered_tool_') || /^mcp_[A-Za-z0-9.:-]+_(?:\*|(?!_*$)[\w.:-]+)$/.test(name)
  )
}

/** Names are put together with single underscores: `mcp_a_b_get` is `b_get` of `a`, and `get` of `a_b`. */
function isOfServer(name: string, server: string, tool: string): boolean {
  if (!isTool(name)) return false
  return name === `mcp_${server}_${tool}` || name === `mcp_${server}_*`
}
