/** The neutral vocabulary of tools: what an agent can be allowed to do, whatever a harness calls it. */

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

/** Stands for whatever no rule names: a server, a tool, an argument. No sensible file contains it. */
export const UNNAMED = '\u{10ffff}'

export const anyMcpTool = `mcp:${UNNAMED}/${UNNAMED}`

/** Some tool of the server that no rule names. */
export function anyToolOf(server: string): string {
  return `mcp:${server}/${UNNAMED}`
}

/**
 * Whether a tool pattern covers a tool. `*` covers everything; other patterns may use `*` inside an MCP or native name.
 * An MCP pattern without a slash is compared with `server_tool`, as harnesses that flatten MCP names do.
 */
export function coversTool(pattern: string, tool: string): boolean {
  if (pattern === '*' || pattern === tool) return true
  if (pattern.startsWith('mcp:') && tool.startsWith('mcp:')) {
    const wanted = pattern.slice(4)
    return starMatches(wanted, wanted.includes('/') ? tool.slice(4) : tool.slice(4).replace('/', '_'))
  }
  return pattern.includes('*') && starMatches(pattern, tool)
}

/** The server that an MCP tool or pattern names, or null when it names none in particular. */
export function mcpServerOf(pattern: string): string | null {
  if (!pattern.startsWith('mcp:')) return null
  const name = pattern.slice(4)
  const end = name.search(/[/_]/)
  const server = end < 0 ? name : name.slice(0, name.includes('/') ? name.indexOf('/') : end)
  return server === '' || server.includes('*') || server.includes(UNNAMED) ? null : server
}

/** Matches text against a pattern in which `*` is any run of characters, in linear time per star. */
export function starMatches(pattern: string, text: string): boolean {
  const parts = pattern.split('*')
  const first = parts[0] ?? ''
  if (parts.length === 1) return pattern === text
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  const last = parts[parts.length - 1] ?? ''
  return text.length - last.length >= at && text.endsWith(last)
}
