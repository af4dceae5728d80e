/** Which concepts a key of a dialect stands for: mostly one, and several where it holds a map. */
import type { Harness } from '../harness/schema/harness.ts'
import { topLevel } from '../harness/vocabulary.ts'
import type { Concept } from '../model/agent.ts'

const known = new WeakMap<Harness, ReadonlyMap<string, readonly Concept[]>>()

/** By the key at the top of a file; the concept's own keys may reach into it. */
export function conceptsOfKey(harness: Harness, key: string): readonly Concept[] {
  let concepts = known.get(harness)
  if (concepts === undefined) {
    concepts = collect(harness)
    known.set(harness, concepts)
  }
  return concepts.get(key) ?? []
}

function collect({ fields }: Harness): ReadonlyMap<string, readonly Concept[]> {
  const concepts = new Map<string, Concept[]>()
  for (const [concept, spec] of Object.entries(fields)) {
    const keys = [spec?.key, ...(spec?.aliases ?? [])].flatMap((key) => (key === undefined ? [] : [topLevel(key)]))
    for (const key of new Set(keys)) concepts.set(key, [...(concepts.get(key) ?? []), concept as Concept])
  }
  return concepts
}

const accessKeys = new WeakMap<Harness, ReadonlySet<string>>()

/** Whether what stands under the key says what the agent may do. */
export function isAccessKey(harness: Harness, key: string): boolean {
  let keys = accessKeys.get(harness)
  if (keys === undefined) {
    keys = new Set(harness.access.layers.map((layer) => topLevel(layer.key)))
    accessKeys.set(harness, keys)
  }
  return keys.has(key)
}

/** The paths by which a harness file reaches into a key: `features.apps` into `features`. */
export function innerKeys({ fields, access }: Harness, key: string): string[][] {
  const specs = Object.values(fields).flatMap((spec) => [spec?.key, ...(spec?.aliases ?? [])])
  const all = [...specs, ...access.layers.map((layer) => layer.key)]
  return all.flatMap((one) => (one?.startsWith(`${key}.`) === true ? [one.split('.')] : []))
}
