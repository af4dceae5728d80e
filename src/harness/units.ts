/** Native tool names and the neutral tools that they grant: a harness's own, MCP tools, and those of other dialects. */
import { withoutTrailing } from '../formats/text.ts'
import { isGlob, neutralTools } from '../model/tools.ts'
import { commonDialects } from './facts.ts'
import type { AccessLayerSpec, Harness, Unit } from './schema/harness.ts'

export interface ResolvedTool {
  /** The name as the file spells it. */
  readonly native: string
  /** The name as the harness file spells it: in its own case, and with an alias resolved. */
  readonly canonical: string
  /** Neutral tools it grants. */
  readonly grants: readonly string[]
  readonly unit: Unit | null
  /** `own`: the harness knows it; `foreign`: only another harness does; `unknown`: none does. */
  readonly known: 'own' | 'foreign' | 'unknown'
}

const meanings = new WeakMap<readonly Harness[], Map<Harness, Map<string, ResolvedTool>>>()

/** What a tool name means in a harness: cached, because a project repeats the same few names thousands of times. */
export function resolveTool(harness: Harness, all: readonly Harness[], native: string): ResolvedTool {
  const known = meaningsIn(harness, all)
  let tool = known.get(native)
  if (tool === undefined) {
    tool = lookUpTool(harness, all, native)
    known.set(native, tool)
  }
  return tool
}

/** The same for a denied name: if several dialects know it, all of their meanings count. */
export function resolveDeniedTool(harness: Harness, all: readonly Harness[], native: string): ResolvedTool {
  const tool = resolveTool(harness, all, native)
  if (tool.known === 'own') return tool
  // A dialect with a tool of exactly this spelling takes precedence.
  const others = commonDialects(all)
  const spelled = others.filter(({ units }) => Object.hasOwn(units, native) && units[native]?.alias === undefined)
  const knowing = spelled.length > 0 ? spelled : others
  const units = knowing.map((one) => findUnit(one, native)).filter((unit) => unit !== null)
  const [unit = null] = units
  if (unit === null) return tool
  const grants = [...new Set(units.flatMap((one) => one.grants))]
  return { ...tool, grants, unit: tool.unit ?? unit, known: 'foreign' }
}

function meaningsIn(harness: Harness, all: readonly Harness[]): Map<string, ResolvedTool> {
  let known = meanings.get(all)?.get(harness)
  if (known === undefined) {
    known = new Map()
    meanings.set(all, new Map(meanings.get(all)).set(harness, known))
  }
  return known
}

/** Names of other dialects are understood as written, in the narrowest way. */
function lookUpTool(harness: Harness, all: readonly Harness[], native: string): ResolvedTool {
  const plain = { native, canonical: native }
  const of = (grants: readonly string[], known: ResolvedTool['known'], unit: Unit | null = null) => ({
    ...plain,
    grants,
    unit,
    known,
  })
  if (native === '*') return of(['*'], 'own')
  const own = indexed(harness, native)
  if (own !== undefined) {
    const { name, unit } = own
    const canonical = typeof unit.alias === 'string' ? unit.alias : name
    return { ...of(unit.grants, 'own', unit), canonical }
  }
  // If only a separator marks an MCP tool, a marked spelling of another harness would match too.
  const isAnothers = harness.mcp?.flat === true && markedMcpTool(all, native) !== null
  const begun = mcpPrefixTools(harness, native)
  if (begun !== null) return of(begun, 'own')
  const mcp = isAnothers ? null : mcpTool(harness, native)
  const isOfSet = harness.mcp?.sets?.includes(native.split('/')[0] ?? '') === true && native.includes('/')
  if (mcp !== null && !isOfSet) return of([mcp], 'own')
  const foreign = foreignUnit(all, native)
  return foreign === null
    ? of([`native:${harness.family}/${native}`], 'unknown')
    : of(foreign.grants, 'foreign', foreign)
}

export function findUnit(harness: Harness, native: string): Unit | null {
  return indexed(harness, native)?.unit ?? null
}

/** The harness's own tool that `server/tool` grants if there is no such server. */
export function fallbackUnit(harness: Harness, native: string): { name: string; grants: readonly string[] } | null {
  const last = harness.mcp?.fallsBack === true ? /^.+\/([^/*]+)$/.exec(native)?.[1] : undefined
  const own = last === undefined ? undefined : indexed(harness, last)
  if (own === undefined || own.unit.only !== undefined || own.unit.gone || own.unit.exact) return null
  return { name: typeof own.unit.alias === 'string' ? own.unit.alias : own.name, grants: own.unit.grants }
}

/** The MCP tools that a name can mean if server and tool are joined as in requests; where they join is unknown. */
export function joinedMcpTools({ mcp }: Harness, native: string): string[] {
  const joint = mcp?.joint
  if (joint === undefined || /[\s*?/]/.test(native)) return []
  const parts = native.split(joint)
  const cuts = parts.map((_, at) => [parts.slice(0, at).join(joint), parts.slice(at).join(joint)] as const)
  return cuts.flatMap(([server, tool]) => (server === '' || tool === '' ? [] : [`mcp:${server}/${tool}`]))
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
  const found = index.get(key(native))
  if (found !== undefined) return found.unit.exact === true && found.name !== native ? undefined : found
  return prefixed(harness, key(native))
}

const families = new WeakMap<Harness, readonly (readonly [string, Unit])[]>()

/** A whole family of names under one unit. */
function prefixed(harness: Harness, native: string): NamedUnit | undefined {
  let units = families.get(harness)
  if (units === undefined) {
    units = Object.entries(harness.units).filter(([, unit]) => unit.prefix === true)
    families.set(harness, units)
  }
  const found = units.find(([name]) => native.startsWith(name))
  return found === undefined ? undefined : { name: native, unit: found[1] }
}

/** A name that several dialects know grants only what all of them grant for it. */
function foreignUnit(all: readonly Harness[], native: string): Unit | null {
  const units = commonDialects(all)
    .map((harness) => findUnit(harness, native))
    .filter((unit) => unit !== null)
  const [first, ...others] = units
  if (first !== undefined) {
    const grants = first.grants.filter((tool) => others.every((unit) => unit.grants.includes(tool)))
    return grants.length > 0 ? { ...first, grants } : null
  }
  const tool = markedMcpTool(all, native)
  return tool === null ? null : { grants: [tool] }
}

/** An MCP tool in an unambiguous spelling, because the harness adds a prefix of its own. */
function markedMcpTool(all: readonly Harness[], native: string): string | null {
  for (const harness of commonDialects(all)) {
    const isMarked = harness.mcp !== null && harness.mcp.flat !== true && !harness.mcp.tool.startsWith('{')
    const tool = isMarked ? mcpTool(harness, native) : null
    if (tool !== null) return tool
  }
  return null
}

/** The neutral name of an MCP tool, server or pattern in this harness's spelling; null if it is none. */
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

/**
 * A prefix that does not end between a server and its tool: `mcp__docs_*` is the server docs and every server named
 * docs_..., `mcp*` is every server. Even if no such name counts, this is what its author meant.
 */
function mcpPrefixTools({ access, mcp }: Harness, native: string): string[] | null {
  if (mcp === null || access.layers.every(({ mcpNames }) => mcpNames === undefined)) return null
  const begun = /^([^*?]+)\*+$/.exec(native)?.[1]
  const [mark = '', between = ''] = mcp.tool.split(/\{server\}|\{tool\}/)
  if (begun === undefined || mark === '') return null
  const isOne = begun.length + 1 === native.length
  if (isOne && begun !== mark && mark.startsWith(begun)) return ['mcp:*']
  const name = begun.slice(mark.length)
  // Several stars are read only where they can only mean servers.
  if (!begun.startsWith(mark) || name === '' || name.includes(between)) return null
  const servers = `mcp:${name}*/*`
  return between.startsWith(name.slice(-1)) ? [servers, `mcp:${name.slice(0, -1)}/*`] : [servers]
}

/** Whether a layer honours a name: a name for several MCP tools may match none. */
export function isNameHonoured(
  { mcpNames }: AccessLayerSpec,
  { native, grants, unit }: Pick<ResolvedTool, 'native' | 'grants' | 'unit'>,
): boolean {
  if (mcpNames === undefined || unit !== null) return true
  return grants.every((tool) => {
    if (!tool.startsWith('mcp:') || !isGlob(tool)) return true
    const begin = tool.endsWith('*/*') ? withoutTrailing(native, '*') : native.replace(/\*$/, '')
    if (mcpNames.includes('beginning') && !isGlob(begin)) return true
    const [server = '', name] = tool.slice(4).split('/')
    if (name !== '*' || (isGlob(server) && server !== '*')) return false
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
    `^${escaped.replace('{server}', '(?<server>[^\\s_,;|&()](?:[^\\s,;|&()]*?[^\\s,;|&()_])??)').replace('{tool}', '(?<tool>[^\\s,;|&()]+)')}$`,
  )
}

/** The neutral tool; null if the name is unknown. */
export function toolByName(harness: Harness, all: readonly Harness[], name: string): string | null {
  if (/^(mcp|native):/.test(name)) return name
  const own = findUnit(harness, name)?.grants
  // A harness can use a neutral name for something else, which then takes precedence.
  if ((neutralTools as readonly string[]).includes(name) && (own === undefined || own.includes(name))) return name
  const offered = harness.oracle?.wire.tools[name]?.grants
  const { known, grants } = resolveTool(harness, all, name)
  return (own ?? offered ?? (known === 'unknown' ? [] : grants))[0] ?? null
}
