/** Capabilities without the patterns that limit them. */
import type { Access } from '../model/access.ts'
import { type Capability, capabilities, powers } from '../model/tools.ts'

/** The same access, with all calls of these capabilities where there were some. */
export function withoutLimits(access: Access, kept: readonly Capability[]): Access {
  const whole = new Set<string>(kept.flatMap(toolsWith))
  return access.map((layer) => ({
    ...layer,
    rules: layer.rules.flatMap((rule) => {
      const tools = rule.tools.filter((tool) => whole.has(tool))
      if (rule.pattern === null || tools.length === 0) return [rule]
      const others = rule.tools.filter((tool) => !whole.has(tool))
      const rest = others.length === 0 ? [] : [{ ...rule, tools: others }]
      return rule.action === 'deny' ? rest : [...rest, { ...rule, tools, pattern: null }]
    }),
  }))
}

export function capabilityOf(tool: string): Capability | null {
  return capabilities.find((capability) => toolsWith(capability).includes(tool)) ?? null
}

export function toolsWith(capability: Capability): readonly string[] {
  return powers[capability]
}
