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
  const probes = capabilityProbes(access)
  const general: Record<string, Action> = {}
  for (const [capability, tools] of probes) {
    general[capability] = widest(tools.map((tool) => decide(access, { tool }).action))
  }
  return { general, exceptions: [...exceptionsOf(access, probes, general)] }
}

/** Every capability that can be told apart in this access, with the tools to ask about. */
export function capabilityProbes(access: Access): Map<string, readonly string[]> {
  const probes = new Map<string, readonly string[]>(Object.entries(powers))
  for (const server of namedServers(access)) {
    const named = mcpToolsOf(access, server)
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

function mcpToolsOf(access: Access, server: string): string[] {
  const prefix = `mcp:${server}/`
  return [...allToolPatterns(access)].filter((tool) => tool.startsWith(prefix) && !tool.includes('*'))
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
  for (const rule of access.flatMap((layer) => layer.rules)) {
    if (rule.pattern === null || coversEverything(rule.syntax, rule.pattern)) continue
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
  for (const layer of access) {
    const order = layer.resolution === 'last-match' ? layer.rules : [...layer.rules].reverse()
    if (layer.resolution !== 'last-match' && layer.resolution !== 'first-match') continue
    for (const [index, rule] of order.entries()) {
      const winners = order.slice(index + 1)
      if (rule.range !== null && winners.some((winner) => covers(winner, rule))) dead.push(rule)
    }
  }
  return dead
}

/** Whether everything that `inner` matches is certainly matched by `outer` too. */
function covers(outer: Rule, inner: Rule): boolean {
  const tools = inner.tools.every((tool) => outer.tools.some((pattern) => coversTool(pattern, tool)))
  if (!tools) return false
  if (coversEverything(outer.syntax, outer.pattern)) return true
  return inner.pattern !== null && outer.pattern === inner.pattern && outer.syntax === inner.syntax
}
