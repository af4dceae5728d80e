/** Access as people read it: one answer per capability, and the exceptions to it. */
import { type Access, type Action, decide, type Rule, widest } from './access.ts'
import { coversEverything, witnessOf } from './pattern.ts'
import { anyMcpTool, anyToolOf, coversTool, mcpServerOf, powers } from './tools.ts'

export interface AccessException {
  readonly capability: string
  readonly pattern: string
  readonly action: Action
}

export interface AccessSummary {
  /** Capability to the answer for a call that no rule singles out. */
  readonly general: Readonly<Record<string, Action>>
  /** Arguments that get another answer than the general one. */
  readonly exceptions: readonly AccessException[]
}

export function summarizeAccess(access: Access): AccessSummary {
  const probes = capabilityProbes(access, MOST)
  const general: Record<string, Action> = {}
  for (const [capability, tools] of probes) {
    general[capability] = widest(tools.map((tool) => decide(access, { tool }).action))
  }
  return { general, exceptions: [...exceptionsOf(access, probes, general)] }
}

/** Every capability that can be told apart in this access, with the tools to ask about; `most` is for reports alone. */
export function capabilityProbes(access: Access, most = Number.POSITIVE_INFINITY): Map<string, readonly string[]> {
  const probes = new Map<string, readonly string[]>(Object.entries(powers))
  for (const server of namedServers(access).slice(0, most)) {
    const named = mcpToolsOf(access, server).slice(0, most)
    probes.set(`mcp:${server}`, [anyToolOf(server), ...named])
  }
  probes.set('mcp:*', [anyMcpTool])
  return probes
}

function namedServers(access: Access): string[] {
  const servers = new Set<string>()
  for (const tool of allToolPatterns(access)) {
    const server = mcpServerOf(tool)
    if (server !== null) servers.add(server)
  }
  return [...servers].sort()
}

/** How much a report shows: no definition that means well has more, and one that means ill must not cost more. */
const MOST = 300

/** A tool for every rule that speaks of the server: by name, or one that its pattern covers. */
function mcpToolsOf(access: Access, server: string): string[] {
  const patterns = [...new Set(allToolPatterns(access))].filter((tool) => mcpServerOf(tool) === server)
  return patterns.map((tool) => {
    const name = tool.slice(4 + server.length + 1).replaceAll('*', 'x')
    return `mcp:${server}/${name === '' ? 'x' : name}`
  })
}

function* allToolPatterns(access: Access): Generator<string> {
  for (const layer of access) for (const rule of layer.rules) yield* rule.tools
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
  for (const rule of patterned.slice(0, MOST)) {
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
export function deadRules(access: Access): Rule[] {
  const dead: Rule[] = []
  for (const { resolution, rules } of access) {
    if (resolution !== 'last-match' && resolution !== 'first-match') continue
    // From the strongest rule to the weakest, with what the stronger ones cover whole.
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
