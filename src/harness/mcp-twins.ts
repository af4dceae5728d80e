/** Names of MCP tools that two servers share, where a harness joins server and tool with a single underscore. */
import { strictness } from '../model/access.ts'
import { globMatches } from '../model/glob.ts'
import { flatName, isFlat, isLoose } from '../model/tools.ts'
import type { Intent } from './intent.ts'
import type { Harness } from './schema/harness.ts'

/**
 * Joined, `b_get` of the server `a` is also `get` of a server `a_b`. Where the definition speaks of that server and gives
 * it less, the name would give more than it says.
 */
export function isAnothersToo(harness: Harness, intent: Intent, tool: string): boolean {
  if (isFlat(tool) || !joinsNames(harness)) return false
  const own = serverOf(tool)
  const name = flatName(tool).slice('mcp:'.length)
  const places = [...name.matchAll(/_/g)].map(({ index }) => index)
  return places.some((at) => {
    const server = name.slice(0, at)
    if (server === own || !intent.mcp.some((one) => speaksOfServer(one, server))) return false
    const other = intent.answer(`mcp:${server}/${name.slice(at + 1)}`)
    return strictness(other) > strictness('offer') && strictness(other) > strictness(intent.answer(tool))
  })
}

function joinsNames({ mcp }: Harness): boolean {
  const [, between] = mcp?.tool.split(/\{server\}|\{tool\}/) ?? []
  return between === '_'
}

/** A star for all servers speaks of none in particular. */
function speaksOfServer(tool: string, server: string): boolean {
  const named = serverOf(tool)
  if (isFlat(tool) || named === '*') return false
  return named === server || (isLoose(named) && globMatches(named, server))
}

function serverOf(tool: string): string {
  return tool.slice('mcp:'.length, tool.indexOf('/'))
}
