/** The agents of a place as a harness that merges layers will have them: what is predicted of it must be of the merger. */
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { Agent, Fields, Sourced } from '../model/agent.ts'
import type { EffectiveAgent } from '../model/effective.ts'
import { effectiveAgents } from '../project/effective.ts'
import { isolatedEnvironment, type Place } from './isolate.ts'

export interface Merged {
  /** The definition with everything that other layers add to it; null where the harness has no such agent in the end. */
  readonly agent: (own: Agent) => Agent | null
  /** Its rules in their order, in the harness's own words. */
  readonly rules: (name: string) => string | null
}

/** Null for a harness in which one definition hides another whole. */
export function mergedIn(registry: Registry, harness: Harness, place: Place): Merged | null {
  if (harness.effective === undefined) return null
  const environment = isolatedEnvironment(place)
  const { agents } = effectiveAgents({ registry, harness, here: place.cwd, home: place.home, environment })
  const byName = new Map(agents.map((agent) => [agent.name, agent]))
  return {
    agent: (own) => {
      const found = byName.get(own.name)
      return found === undefined ? null : withMerged(own, found)
    },
    rules: (name) => {
      const rules = byName.get(name)?.rules
      return rules === null || rules === undefined ? null : rulesText(rules)
    },
  }
}

function withMerged(own: Agent, { fields, prompt, access }: EffectiveAgent): Agent {
  const merged = Object.entries(fields).map(([concept, { key, value }]) => [concept, { value, key, range: null }])
  const known: Record<string, Sourced<unknown>> = Object.fromEntries(merged)
  const text = typeof prompt.value === 'string' ? prompt.value : own.prompt.text
  return {
    ...own,
    fields: known as Fields,
    prompt: { ...own.prompt, text },
    access: access ?? own.access,
  }
}

/** One line for people and for comparison: `bash git * allow; ...`. */
export function rulesText(
  rules: readonly { readonly permission: string; readonly pattern: string; readonly action: string }[],
): string {
  return rules.map(({ permission, pattern, action }) => `${permission} ${pattern} ${action}`).join('; ')
}
