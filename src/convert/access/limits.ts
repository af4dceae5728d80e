/** Capabilities without the patterns that limit them. */

import type { Harness } from '../../harness/schema/harness.ts'
import { allCalls, strictestAnswer } from '../../model/access/call-sets.ts'
import { type AccessChange, isWider } from '../../model/access/compare.ts'
import { decide } from '../../model/access/decide.ts'
import { type Access, strictest, widest } from '../../model/access/rules.ts'
import { type Capability, capabilities, toolsByCapability } from '../../model/tools.ts'

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
  return toolsByCapability[capability]
}

/** What can be reached in the target because it does not have a guard that the definition sets. */
export function lostGuards(source: Harness, target: Harness, before: Access, after: Access): AccessChange[] {
  return Object.entries(source.units).flatMap(([name, { guards = [], grants }]) => {
    const isKept = Object.values(target.units).some((unit) => unit.grants.some((one) => grants.includes(one)))
    // A word for everything says nothing about guards in particular.
    const isSet = before.some(({ rules }) =>
      rules.some(({ range, tools }) => range !== null && tools.some((one) => grants.includes(one))),
    )
    if (isKept || !isSet) return []
    const answer = strictest(grants.map((tool) => strictestAnswer(before, allCalls(tool))))
    return guards.flatMap((capability) => {
      const general = (access: Access) =>
        widest(toolsByCapability[capability].map((tool) => decide(access, { tool }).action))
      const change = { before: strictest([answer, general(before)]), after: general(after) }
      const isLost = isWider({ before: answer, after: change.after }) && general(before) !== 'deny'
      return isLost ? [{ capability, pattern: name, ...change }] : []
    })
  })
}
