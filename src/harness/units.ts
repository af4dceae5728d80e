/** Native tool names and what they grant, in both directions of reading: a harness's own, MCP tools, other dialects'. */
import type { Harness, Unit } from './schema.ts'

export interface NamedTool {
  /** The name as the file spells it. */
  readonly native: string
  /** Neutral tools it grants. */
  readonly grants: readonly string[]
  readonly unit: Unit | null
  /** `own`: the harness knows it; `foreign`: only another harness does; `unknown`: nobody. */
  readonly known: 'own' | 'foreign' | 'unknown'
}

/** What a tool name means in a harness. Names of other dialects are understood as written, in the narrowest way. */
export function namedTool(harness: Harness, all: readonly Harness[], native: string): NamedTool {
  if (native === '*') return { native, grants: ['*'], unit: null, known: 'own' }
  const unit = ownUnit(harness, native)
  if (unit !== null) return { native, grants: unit.grants, unit, known: 'own' }
  const mcp = mcpTool(harness, native)
  if (mcp !== null) return { native, grants: [mcp], unit: null, known: 'own' }
  const foreign = foreignUnit(all, native)
  if (foreign !== null) return { native, grants: foreign.grants, unit: foreign, known: 'foreign' }
  return { native, grants: [`native:${harness.id}/${native}`], unit: null, known: 'unknown' }
}

export function ownUnit(harness: Harness, native: string): Unit | null {
  return unitIndex(harness).get(harness.access.caseSensitive ? native : native.toLowerCase()) ?? null
}

const unitIndexes = new WeakMap<Harness, Map<string, Unit>>()

function unitIndex(harness: Harness): Map<string, Unit> {
  let index = unitIndexes.get(harness)
  if (index === undefined) {
    index = new Map()
    for (const [name, unit] of Object.entries(harness.units)) {
      index.set(harness.access.caseSensitive ? name : name.toLowerCase(), unit)
    }
    unitIndexes.set(harness, index)
  }
  return index
}

/** A name that several dialects know is worth only what all of them grant for it. */
function foreignUnit(all: readonly Harness[], native: string): Unit | null {
  const units = all.map((harness) => ownUnit(harness, native)).filter((unit) => unit !== null)
  const [first, ...others] = units
  if (first !== undefined) {
    const grants = first.grants.filter((tool) => others.every((unit) => unit.grants.includes(tool)))
    return grants.length > 0 ? { ...first, grants } : null
  }
  for (const harness of all) {
    const tool = harness.mcp?.tool.startsWith('mcp__') ? mcpTool(harness, native) : null
    if (tool !== null) return { grants: [tool] }
  }
  return null
}

/** The neutral name of an MCP tool, server or pattern spelled in this harness's way; null if it is none. */
export function mcpTool(harness: Harness, native: string): string | null {
  if (harness.mcp === null) return null
  const { one, server } = mcpPatterns(harness)
  const tool = one.exec(native)?.groups
  if (tool?.server !== undefined) {
    return harness.mcp.flat ? `mcp:${tool.server}_${tool.tool}` : `mcp:${tool.server}/${tool.tool}`
  }
  const whole = server?.exec(native)?.groups?.server
  return whole === undefined ? null : `mcp:${whole}/*`
}

interface McpPatterns {
  one: RegExp
  server: RegExp | null
}

const mcpPatternCache = new WeakMap<Harness, McpPatterns>()

function mcpPatterns(harness: Harness): McpPatterns {
  let patterns = mcpPatternCache.get(harness)
  if (patterns === undefined) {
    const { tool = '{server}', server } = harness.mcp ?? {}
    patterns = { one: templatePattern(tool), server: server === undefined ? null : templatePattern(server) }
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
