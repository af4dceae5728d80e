/** How the target names MCP tools, from the row for all of them. */
import { mcpTool } from '../units.ts'
import { type Adapter, placeOf } from './adapter.ts'
import { parseCell } from './cell.ts'
import type { Row } from './document.ts'

export interface McpNames {
  readonly tool: string
  readonly flat?: true
}

export function mcpNames(adapter: Adapter, generic: readonly Row[], named: readonly Row[]): McpNames | null {
  const { log } = adapter
  const [row] = generic
  const names = row === undefined ? sameAsSource(adapter) : template(adapter, row)
  if (names !== null) log.understand('MCP tools', names.tool)
  for (const one of named) {
    if (parseCell(one.value).kind !== 'none' && one.value !== expected(adapter, names, one))
      log.leave(one.range, `A name of its own for \`${one.key}\` is not possible.`)
  }
  return names
}

/** Not to know of them would be to overlook that an agent can use them. */
function sameAsSource(adapter: Adapter): McpNames | null {
  const { source, log } = adapter
  const message = `Nothing is said about MCP tools in general: they are there, named as in ${source.title}.`
  log.assume(placeOf(adapter, 'Tool Name Mappings'), message)
  return source.mcp === null ? null : { tool: source.mcp.tool, ...(source.mcp.flat === true ? { flat: true } : {}) }
}

const SERVER = /\{(?:mcp_?name|server_?name|server|mcp)\}/i
const TOOL = /\{(?:tool_?name|tool)\}/i

function template(adapter: Adapter, { value, range }: Row): McpNames | null {
  const { kind } = parseCell(value)
  if (kind === 'none') return null
  if (kind === 'unsaid') return sameAsSource(adapter)
  const tool = value.replace(SERVER, '{server}').replace(TOOL, '{tool}')
  const [, mark, between = '', after] = /^([^{}]*)\{server\}([^{}]*)\{tool\}([^{}]*)$/.exec(tool) ?? []
  if (mark === undefined || after !== '' || /\s/.test(tool)) {
    adapter.log.leave(range, `\`${value}\` does not say where the server and the tool stand in a name.`)
    return sameAsSource(adapter)
  }
  // Servers and tools have such characters in their own names too.
  return /^[_-]?$/.test(between) ? { tool, flat: true } : { tool }
}

/** What the row for all of them makes of this one. */
function expected({ source }: Adapter, names: McpNames | null, { key }: Row): string | null {
  const [, server = '', tool = ''] = /^mcp:([^/]+)\/(.+)$/.exec(mcpTool(source, key) ?? '') ?? []
  return names === null ? null : names.tool.replace('{server}', server).replace('{tool}', tool)
}
