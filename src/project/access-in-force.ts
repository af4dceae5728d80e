/** What an agent may do where it stands: by its own file, or by all layers where its harness merges them. */
import { sourcedAccess } from '../harness/effective/access.ts'
import type { Registry } from '../harness/registry.ts'
import type { Access, Rule } from '../model/access.ts'
import { positionAt } from '../text/lines.ts'
import { effectiveAgents } from './effective.ts'
import type { FoundAgent } from './inventory.ts'

export interface RulePlace {
  readonly path: string
  readonly line: number
  readonly column: number
}

export interface AccessInForce {
  readonly access: Access
  /** Null for a rule of the harness itself. */
  readonly placeOf: (rule: Rule) => RulePlace | null
}

export function accessInForce(registry: Registry, found: FoundAgent, here: string): AccessInForce {
  return mergedAccess(registry, found, here) ?? ownAccess(found)
}

function ownAccess({ agent, file, path }: FoundAgent): AccessInForce {
  const placeOf = ({ range }: Rule) => (range === null ? null : { path, ...positionAt(file.source.text, range.start) })
  return { access: agent.access, placeOf }
}

/** Null where nothing is merged, and for a file that the harness would not come upon from here. */
function mergedAccess(registry: Registry, { agent, file, path }: FoundAgent, here: string): AccessInForce | null {
  const { harness } = file.candidate
  if (harness.effective === undefined) return null
  const merged = effectiveAgents({ registry, harness, here }).agents.find(({ name }) => name === agent.name)
  if (merged === undefined || merged.rules === null) return null
  if (!merged.layers.some(({ origin }) => origin.path === path)) return null
  const { access, origins } = sourcedAccess(harness, registry.all, merged.rules)
  return {
    access,
    placeOf: (rule) => {
      const origin = origins.get(rule)
      return origin?.path == null ? null : { path: origin.path, line: origin.line ?? 1, column: origin.column ?? 1 }
    },
  }
}
