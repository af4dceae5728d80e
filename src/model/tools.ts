/** The neutral vocabulary of tools, and the team tools that Troupe's MCP server adds. */
import { globMatches, UNNAMED } from './access/glob.ts'

/** Tools that describe every dialect. MCP tools are `mcp:server/tool`, a harness's own keys `native:harness/key`. */
export const neutralTools = [
  'read',
  'write',
  'edit',
  'notebook',
  'shell',
  'glob',
  'grep',
  'list',
  'fetch',
  'search',
  'delegate',
  'ask',
  'skill',
  'todo',
  'task',
  'message',
  'team',
  'plan',
  'lsp',
] as const

type NeutralTool = (typeof neutralTools)[number]

/**
 * Capabilities are the units in which access is reported and compared. Tools of one capability have the same power:
 * grep shows file contents as read does. Asking, to-do lists, skills and plan mode grant no power and are not here.
 */
export const toolsByCapability = {
  read: ['read', 'glob', 'grep', 'list', 'lsp'],
  write: ['write'],
  edit: ['edit', 'notebook'],
  shell: ['shell'],
  fetch: ['fetch'],
  search: ['search'],
  delegate: ['delegate'],
} as const satisfies Record<string, readonly NeutralTool[]>

export type Capability = keyof typeof toolsByCapability
export const capabilities = Object.keys(toolsByCapability) as readonly Capability[]

/** Tools without any power: they count only if a definition denies them by name. */
export const powerlessTools = [
  'ask',
  'skill',
  'todo',
  'task',
  'message',
  'team',
  'plan',
] as const satisfies readonly NeutralTool[]

/** Tools of the same power count as one: an agent that may write a file may also edit it. */
export const equivalentTools: readonly (readonly string[])[] = [
  ['write', 'edit', 'notebook'],
  ['read', 'glob', 'grep', 'list'],
]

export const anyMcpTool = `mcp:${UNNAMED}/${UNNAMED}`

/** A tool of the server that no rule names. */
export function anyToolOf(server: string): string {
  return `mcp:${server}/${UNNAMED}`
}

/**
 * Whether a tool pattern covers a tool. `*` covers everything; other patterns may use `*` and `?` inside an MCP or native
 * name. An MCP pattern without a slash is compared with `server_tool`, as harnesses that flatten MCP names do.
 */
export function coversTool(pattern: string, tool: string): boolean {
  if (pattern === '*' || pattern === tool) return true
  if (pattern.startsWith('mcp:')) {
    if (!tool.startsWith('mcp:')) return false
    return isFlatMcpName(pattern)
      ? globMatches(pattern, flatMcpName(tool))
      : isGlob(pattern) && globMatches(pattern, tool)
  }
  return isGlob(pattern) && globMatches(pattern, tool)
}

/** An MCP name in which server and tool cannot be separated. */
export function isFlatMcpName(tool: string): boolean {
  return !tool.includes('/')
}

/** The name as spelled by harnesses that join server and tool. */
export function flatMcpName(tool: string): string {
  return tool.replace('/', '_')
}

/** Every server and tool that a joined name can mean: `github_get_issue` is also `issue` of a server `github_get`. */
export function splitMcpName(flat: string): string[] {
  const name = flat.slice('mcp:'.length)
  return [...name.matchAll(/_/g)].map(({ index }) => `mcp:${name.slice(0, index)}/${name.slice(index + 1)}`)
}

/** A pattern of names, not a name. */
export function isGlob(pattern: string): boolean {
  return pattern.includes('*') || pattern.includes('?')
}

/** The server that an MCP tool or pattern names, or null if it names none in particular. */
export function mcpServerOf(pattern: string): string | null {
  if (!pattern.startsWith('mcp:')) return null
  const name = pattern.slice(4)
  const end = name.search(/[/_]/)
  const server = end < 0 ? name : name.slice(0, name.includes('/') ? name.indexOf('/') : end)
  return server === '' || isGlob(server) || server.includes(UNNAMED) ? null : server
}

/** The name of the server in configurations. */
export const TEAM_SERVER = 'troupe'

/** Tool to the neutral tools of which an agent needs one to get it; empty: every agent has it. */
export const teamTools = {
  handoff: ['message', 'delegate', 'team'],
  send_message: ['message', 'team'],
  read_messages: ['message', 'team'],
  roster: ['message', 'delegate', 'team'],
  task_create: ['task'],
  task_update: ['task'],
  task_list: ['task'],
  task_get: ['task'],
  report_status: ['message', 'task', 'team'],
} as const satisfies Record<string, readonly string[]>

export type TeamTool = keyof typeof teamTools

export const teamToolNames = Object.keys(teamTools) as readonly TeamTool[]

/** As an access rule names it. */
export function teamToolRule(tool: TeamTool): string {
  return `mcp:${TEAM_SERVER}/${tool}`
}

/** Tools that grant power over something; asking, lists, skills and plans do not. */
export function hasPower(tool: string): boolean {
  return capabilityTools.has(tool) || tool.startsWith('mcp:') || !(neutralTools as readonly string[]).includes(tool)
}

/** Tools of the same power may share one switch. */
export function powerGroup(tool: string): readonly string[] {
  return equivalentTools.find((tools) => tools.includes(tool)) ?? [tool]
}

const capabilityTools = new Set<string>(Object.values(toolsByCapability).flat())
