/** Access for people: one action per capability, exceptions, and rules that never apply. */

import { anyMcpTool, anyToolOf, coversTool, isFlatMcpName, isGlob, mcpServerOf, toolsByCapability } from '../tools.ts'
import { decide } from './decide.ts'
import { ANY_ONE, globMatches, UNNAMED } from './glob.ts'
import { coversEverything, witnessOf } from './patterns.ts'
import { type Access, type Action, type Rule, widest } from './rules.ts'

export interface AccessException {
  readonly capability: string
  readonly pattern: string
  readonly action: Action
}

export interface AccessSummary {
  /** Capability to the action for a call that no rule matches specifically. */
  readonly general: Readonly<Record<string, Action>>
  /** Arguments with another action than the general one. */
  readonly exceptions: readonly AccessException[]
}

export function summarizeAccess(access: Access): AccessSummary {
  const probes = capabilityProbes(access, MAX_REPORTED)
  const general = actionsOf(access, probes)
  return { general, exceptions: [...exceptionsOf(access, probes, general)] }
}

/** The summary without its exceptions. */
export function generalActions(access: Access): AccessSummary['general'] {
  return actionsOf(access, capabilityProbes(access, MAX_REPORTED))
}

function actionsOf(access: Access, probes: ReadonlyMap<string, readonly string[]>): Record<string, Action> {
  const general: Record<string, Action> = {}
  for (const [capability, tools] of probes) {
    const asked = capability === 'mcp:*' ? [anyMcpTool] : tools
    general[capability] = widest(asked.map((tool) => decide(access, { tool }).action))
  }
  return general
}

/** Every capability that this access distinguishes, with the tools to query; `most` is for reports only. */
export function capabilityProbes(access: Access, most = Number.POSITIVE_INFINITY): Map<string, readonly string[]> {
  const probes = new Map<string, readonly string[]>(Object.entries(toolsByCapability))
  const patterns = mcpPatterns(access)
  for (const server of [...patterns.servers].sort().slice(0, most)) {
    const spoken = [...(patterns.named.get(server) ?? []), ...patterns.loose.flatMap((one) => toolsOf(server, one))]
    probes.set(`mcp:${server}`, [anyToolOf(server), ...[...new Set(spoken)].slice(0, most)])
  }
  const anywhere = patterns.loose.flatMap((one) => toolsOf(UNNAMED, one))
  probes.set('mcp:*', [...new Set([anyMcpTool, ...anywhere])].slice(0, most))
  return probes
}

/** How much a report shows: no honest definition has more, and a hostile one must not cost more. */
const MAX_REPORTED = 300

interface McpPatterns {
  readonly servers: ReadonlySet<string>
  /** Server to tools that rules name. */
  readonly named: ReadonlyMap<string, readonly string[]>
  /** Patterns that may match several servers, without `mcp:`. */
  readonly loose: readonly string[]
}

function mcpPatterns(access: Access): McpPatterns {
  const patterns = mcpNames(access)
  const servers = new Set<string>()
  const named = new Map<string, string[]>()
  const loose: string[] = []
  const add = (server: string, tool: string) =>
    (named.get(server) ?? named.set(server, []).get(server))?.push(concreteName(`mcp:${server}/${tool}`))
  for (const pattern of patterns) {
    const server = isFlatMcpName(pattern) ? null : mcpServerOf(pattern)
    if (server === null) continue
    servers.add(server)
    add(server, pattern.slice(pattern.indexOf('/') + 1))
  }
  for (const pattern of patterns) {
    const text = pattern.slice(4)
    const ends = [...text.matchAll(/_/g)].map(({ index }) => index)
    const first = mcpServerOf(pattern)
    // A joined name belongs to a server that is named elsewhere, otherwise to the shortest possible one.
    if (isFlatMcpName(pattern) && first !== null && !ends.some((end) => servers.has(text.slice(0, end))))
      servers.add(first)
    if (isGlob(text) && (isFlatMcpName(pattern) || first === null)) loose.push(text)
    else if (isFlatMcpName(pattern)) for (const end of ends) add(text.slice(0, end), text.slice(end + 1))
  }
  return { servers, named, loose: loose.slice(0, MAX_REPORTED) }
}

/** Tools of the server that the pattern matches: the rest of it after the server's name. */
function toolsOf(server: string, pattern: string): string[] {
  const start = isFlatMcpName(pattern) ? `${server}_` : `${server}/`
  // Most patterns begin with the name of another server.
  const fixed = pattern.search(/[*?]/)
  const head = fixed < 0 ? pattern : pattern.slice(0, fixed)
  if (!start.startsWith(head) && !head.startsWith(start)) return []
  const rests = new Set<string>()
  if (pattern.startsWith(start)) rests.add(pattern.slice(start.length))
  for (let at = pattern.indexOf('*'); at >= 0; at = pattern.indexOf('*', at + 1)) {
    // The star can end at the server's end, or continue into the tool's name.
    if (globMatches(pattern.slice(0, at + 1), start)) rests.add(pattern.slice(at))
    const end = pattern.indexOf(start.at(-1) ?? '', at) + 1
    if (end > 0 && globMatches(pattern.slice(0, end), start)) rests.add(pattern.slice(end))
  }
  return [...rests].filter((rest) => rest !== '').map((rest) => concreteName(`mcp:${server}/${rest}`))
}

function concreteName(tool: string): string {
  return tool.replaceAll('*', UNNAMED).replaceAll('?', ANY_ONE)
}

/** The names and patterns of MCP tools that rules mention, each once. */
function mcpNames(access: Access): string[] {
  const names = new Set<string>()
  for (const { rules } of access)
    for (const { tools } of rules)
      for (const one of tools) if (one.startsWith('mcp:') && one !== 'mcp:*') names.add(one)
  return [...names]
}

function* exceptionsOf(
  access: Access,
  probes: Map<string, readonly string[]>,
  general: Readonly<Record<string, Action>>,
): Generator<AccessException> {
  const seen = new Set<string>()
  const patterned = access
    .flatMap((layer) => layer.rules)
    .filter(({ pattern, syntax }) => !coversEverything(syntax, pattern))
  for (const rule of patterned.slice(0, MAX_REPORTED)) {
    if (rule.pattern === null) continue
    for (const [capability, tools] of probes) {
      const tool = tools.find((one) => rule.tools.some((pattern) => coversTool(pattern, one)))
      if (tool === undefined) continue
      const action = decide(access, { tool, argument: witnessOf(rule.syntax, rule.pattern) }).action
      const key = `${capability} ${rule.pattern}`
      if (action === general[capability] || seen.has(key)) continue
      seen.add(key)
      yield { capability, pattern: rule.pattern, action }
    }
  }
}

/** Rules that can never decide anything, because a later (or earlier) rule of the same layer always wins. */
export function findUnreachableRules(access: Access): Rule[] {
  const dead: Rule[] = []
  for (const { resolution, rules } of access) {
    if (resolution !== 'last-match' && resolution !== 'first-match') continue
    // From the strongest rule to the weakest, with what the stronger ones cover completely.
    const order = resolution === 'last-match' ? [...rules].reverse() : rules
    const whole: Rule[] = []
    const same = new Map<string, Rule[]>()
    for (const rule of order) {
      const key = `${rule.syntax} ${rule.pattern}`
      const stronger = [...whole, ...(same.get(key) ?? [])].filter(
        (one) => one.role === undefined || one.role === rule.role,
      )
      if (rule.range !== null && stronger.some((one) => coversTools(one, rule))) dead.push(rule)
      if (coversEverything(rule.syntax, rule.pattern)) {
        if (!whole.some((one) => coversTools(one, rule))) whole.push(rule)
      } else same.set(key, [...(same.get(key) ?? []), rule])
    }
  }
  return dead.reverse()
}

function coversTools(outer: Rule, inner: Rule): boolean {
  return inner.tools.every((tool) => outer.tools.some((pattern) => coversTool(pattern, tool)))
}
