/** What is worked out once for a source and a target, and kept as long as both are. */
import type { Harness } from '../../harness/schema/harness.ts'

export function forEachPair<T>(make: (source: Harness, target: Harness) => T): (source: Harness, target: Harness) => T {
  const known = new WeakMap<Harness, WeakMap<Harness, { readonly value: T }>>()
  return (source, target) => {
    const ofSource = known.get(source) ?? new WeakMap<Harness, { readonly value: T }>()
    known.set(source, ofSource)
    const entry = ofSource.get(target) ?? { value: make(source, target) }
    ofSource.set(target, entry)
    return entry.value
  }
}
