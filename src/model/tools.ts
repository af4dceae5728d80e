/** The neutral vocabulary of tools: what an agent can be allowed to do, whatever a harness calls it. */
import { globMatches, UNNAMED } from './glob.ts'

/** Tools every dialect can be described with. MCP tools are `mcp:server/tool`, a harness's own keys `native:harness/key`. */
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

export type NeutralTool = (typeof neutralTools)[number]

/**
 * Capabilities are what access is reported and compared by. Tools of one capability have the same power: grep shows
 * file contents as read does. Asking, to-do lists, skills and plan mode give no power over anything and are not here.
 */
export const powers = {
  read: ['read', 'glob', 'grep', 'list', 'lsp'],
  write: ['write'],
  edit: ['edit', 'notebook'],
  shell: ['shell'],
  fetch: ['fetch'],
  search: ['search'],
  delegate: ['delegate'],
} as const satisfies Record<string, readonly NeutralTool[]>

export type Capability = keyof typeof powers
export const capabilities = Object.keys(powers) as readonly Capability[]

/** Tools without power over anything: they count only where a definition denies them by name. */
export const softTools = [
  'ask',
  'skill',
  'todo',
  'task',
  'message',
  'team',
  'plan',
] as const satisfies readonly NeutralTool[]

/** Tools of the same power count as one: whoever may write a file may also edit it. */
export const equalPowers: readonly (readonly string[])[] = [
  ['write', 'edit', 'notebook'],
  ['read', 'glob', 'grep', 'list'],
]

export const anyMcpTool = `mcp:${UNNAMED}/${UNNAMED}`

/** Some tool of the server that no rule names. */
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
    return isFlat(pattern) ? globMatches(pattern, flatName(tool)) : isLoose(pattern) && globMatches(pattern, tool)
  }
  return isLoose(pattern) && globMatches(pattern, tool)
}

/** An MCP name in which server and tool cannot be told apart. */
export function isFlat(tool: string): boolean {
  return !tool.includes('/')
}

/** The name as harnesses spell it that put server and tool together. */
export function flatName(tool: string): string {
  return tool.replace('/', '_')
}

/** A pattern of names, and no name. */
export function isLoose(pattern: string): boolean {
  return pattern.includes('*') || pattern.includes('?')
}

/** The server that an MCP tool or pattern names, or null when it names none in particular. */
export function mcpServerOf(pattern: string): string | null {
  if (!pattern.startsWith('mcp:')) return null
  const name = pattern.slice(4)
  const end = name.search(/[/_]/)
  const server = end < 0 ? name : name.slice(0, name.includes('/') ? name.indexOf('/') : end)
  return server === '' || isLoose(server) || server.includes(UNNAMED) ? null : server
}
