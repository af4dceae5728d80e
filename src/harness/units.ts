/** Native tool names and what they grant, in both directions of reading: a harness's own, MCP tools, other dialects'. */
import { isLoose } from '../model/tools.ts'
import type { AccessLayerSpec, Harness, Unit } from './schema/harness.ts'

export interface NamedTool {
  /** The name as the file spells it. */
  readonly native: string
  /** The name as the harness file spells it: in its own case, and of the unit that an alias stands for. */
  readonly canonical: string
  /** Neutral tools it grants. */
  readonly grants: readonly string[]
  readonly unit: Unit | null
  /** `own`: the harness knows it; `foreign`: only another harness does; `unknown`: nobody. */
  readonly known: 'own' | 'foreign' | 'unknown'
}

const meanings = new WeakMap<readonly Harness[], Map<Harness, Map<string, NamedTool>>>()

/** What a tool name means in a harness: remembered, because a project says the same few names thousands of times. */
export function namedTool(harness: Harness, all: readonly Harness[], native: string): NamedTool {
  const known = meaningsIn(harness, all)
  let tool = known.get(native)
  if (tool === undefined) {
    tool = findTool(harness, all, native)
    known.set(native, tool)
  }
  return tool
}

function meaningsIn(harness: Harness, all: readonly Harness[]): Map<string, NamedTool> {
  let known = meanings.get(all)?.get(harness)
  if (known === undefined) {
    known = new Map()
    meanings.set(all, new Map(meanings.get(all)).set(harness, known))
  }
  return known
}

/** Names of other dialects are understood as written, in the narrowest way. */
function findTool(harness: Harness, all: readonly Harness[], native: string): NamedTool {
  const plain = { native, canonical: native }
  if (native === '*') return { ...plain, grants: ['*'], unit: null, known: 'own' }
  const own = indexed(harness, native)
  if (own !== undefined) {
    const { name, unit } = own
    const canonical = typeof unit.alias === 'string' ? unit.alias : name
    return { native, canonical, grants: unit.grants, unit, known: 'own' }
  }
  // Where a separator is all that marks an MCP tool, a marked spelling of another harness would fit too.
  const isAnothers = harness.mcp?.flat === true && markedMcpTool(all, native) !== null
  const mcp = isAnothers ? null : mcpTool(harness, native)
  if (mcp !== null) return { ...plain, grants: [mcp], unit: null, known: 'own' }
  const foreign = foreignUnit(all, native)
  if (foreign !== null) return { ...plain, grants: foreign.grants, unit: foreign, known: 'foreign' }
  return { ...plain, grants: [`native:${harness.id}/${native}`], unit: null, known: 'unknown' }
}

export function ownUnit(harness: Harness, native: string): Unit | null {
  return indexed(harness, native)?.unit ?? null
}

interface NamedUnit {
  readonly name: string
  readonly unit: Unit
}

const unitIndexes = new WeakMap<Harness, Map<string, NamedUnit>>()

function indexed(harness: Harness, native: string): NamedUnit | undefined {
  const key = (name: string) => (harness.access.caseSensitive ? name : name.toLowerCase())
  let index = unitIndexes.get(harness)
  if (index === undefined) {
    index = new Map(Object.entries(harness.units).map(([name, unit]) => [key(name), { name, unit }]))
    unitIndexes.set(harness, index)
  }
  return index.get(key(native)) ?? prefixed(harness, key(native))
}

/** A whole family of names under one unit. */
function prefixed(harness: Harness, native: string): NamedUnit | undefined {
  const found = Object.entries(harness.units).find(([name, unit]) => unit.prefix === true && native.startsWith(name))
  return found === undefined ? undefined : { name: native, unit: found[1] }
}

/** A name that several dialects know is worth only what all of them grant for it. */
function foreignUnit(all: readonly Harness[], native: string): Unit | null {
  const units = all.map((harness) => ownUnit(harness, native)).filter((unit) => unit !== null)
  const [first, ...others] = units
  if (first !== undefined) {
    const grants = first.grants.filter((tool) => others.every((unit) => unit.grants.includes(tool)))
    return grants.length > 0 ? { ...first, grants } : null
  }
  const tool = markedMcpTool(all, native)
  return tool === null ? null : { grants: [tool] }
}

/** An MCP tool in a spelling that nothing else can have, because the harness puts a mark of its own in front. */
function markedMcpTool(all: readonly Harness[], native: string): string | null {
  for (const harness of all) {
    const isMarked = harness.mcp !== null && harness.mcp.flat !== true && !harness.mcp.tool.startsWith('{')
    const tool = isMarked ? mcpTool(harness, native) : null
    if (tool !== null) return tool
  }
  return null
}

/** The neutral name of an MCP tool, server or pattern spelled in this harness's way; null if it is none. */
export function mcpTool(harness: Harness, native: string): string | null {
  if (harness.mcp === null) return null
  const { one, server, all } = mcpPatterns(harness)
  if (all?.test(native) === false) return null
  const tool = one.exec(native)?.groups
  if (tool?.server !== undefined) {
    return harness.mcp.flat ? `mcp:${tool.server}_${tool.tool}` : `mcp:${tool.server}/${tool.tool}`
  }
  const whole = server?.exec(native)?.groups?.server
  return whole === undefined ? null : `mcp:${whole}/*`
}

/** Whether a layer takes a name for what it means: a name for several MCP tools can be the name of none. */
export function isNameHeeded(
  { mcpNames }: AccessLayerSpec,
  { native, grants, unit }: Pick<NamedTool, 'native' | 'grants' | 'unit'>,
): boolean {
  if (mcpNames === undefined || unit !== null) return true
  return grants.every((tool) => {
    if (!tool.startsWith('mcp:') || !isLoose(tool)) return true
    if (mcpNames.includes('beginning') && !isLoose(native.replace(/\*$/, ''))) return true
    const [server = '', name] = tool.slice(4).split('/')
    if (name !== '*' || (isLoose(server) && server !== '*')) return false
    return mcpNames.includes(server === '*' ? 'all' : 'server')
  })
}

interface McpPatterns {
  one: RegExp
  server: RegExp | null
  all: RegExp | null
}

const mcpPatternCache = new WeakMap<Harness, McpPatterns>()

function mcpPatterns(harness: Harness): McpPatterns {
  let patterns = mcpPatternCache.get(harness)
  if (patterns === undefined) {
    const { tool = '{server}', server, pattern } = harness.mcp ?? {}
    patterns = {
      one: templatePattern(tool),
      server: server === undefined ? null : templatePattern(server),
      all: pattern === undefined ? null : new RegExp(pattern, 'u'),
    }
    mcpPatternCache.set(harness, patterns)
  }
  return patterns
}

function templatePattern(template: string): RegExp {
  const escaped = template.replace(/[.*+?^$()|[\]\\/]/g, '\\$&')
  return new RegExp(
    `^${escaped.replace('{server}', '(?<server>[^\\s_][^\\s]*?)').replace('{tool}', '(?<tool>[^\\s]+)')}$`,
  )
}
