/** Which concept a key of a dialect stands for. */
import type { Harness } from '../harness/schema/harness.ts'
import type { Concept } from '../model/agent.ts'

const known = new WeakMap<Harness, ReadonlyMap<string, Concept>>()

export function conceptOfKey(harness: Harness, key: string): Concept | null {
  let concepts = known.get(harness)
  if (concepts === undefined) {
    const pairs = Object.entries(harness.fields).flatMap(([concept, spec]) =>
      [spec?.key, ...(spec?.aliases ?? [])].flatMap((one) =>
        one === undefined ? [] : [[one, concept as Concept] as const],
      ),
    )
    concepts = new Map(pairs)
    known.set(harness, concepts)
  }
  return concepts.get(key) ?? null
}
