/** The tools of the team in a definition that stays as it is otherwise: nothing else of it is written anew. */
import { mcpName } from '../harness/encode.ts'
import type { AccessLayerSpec, Harness } from '../harness/schema/harness.ts'
import type { Json } from '../model/agent.ts'
import { type TeamTool, teamToolRule } from '../model/team-tools.ts'
import type { Keys } from './assemble.ts'

export function withTeamKeys(harness: Harness, keys: Keys, tools: readonly TeamTool[]): Keys {
  const names = tools.flatMap((tool) => mcpName(harness, teamToolRule(tool)) ?? [])
  const changed = harness.access.layers.flatMap((layer): [string, Json][] => {
    const value = withNames(layer, keys[layer.key], names)
    return value === undefined ? [] : [[layer.key, value]]
  })
  return { ...keys, ...Object.fromEntries(changed) }
}

/** Undefined: nothing needs to be said. */
function withNames(
  { codec, legacy }: AccessLayerSpec,
  value: Json | undefined,
  names: readonly string[],
): Json | undefined {
  if (names.length === 0 || legacy === true) return undefined
  if (codec === 'rule-map') {
    const rules = typeof value === 'string' ? { '*': value } : (value ?? {})
    return {
      ...(rules as { readonly [key: string]: Json }),
      ...Object.fromEntries(names.map((name) => [name, 'allow'])),
    }
  }
  // Where there is no list, everything is there.
  if (codec !== 'allow-list' || value === undefined) return undefined
  if (typeof value === 'string') return [value, ...names].filter((one) => one.trim() !== '').join(', ')
  return [...(Array.isArray(value) ? value : []), ...names]
}
