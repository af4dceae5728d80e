/** The harnesses that Troupe knows: the built-in ones, and those that a user adds or overrides. */
import compiled from '../generated/harnesses.json' with { type: 'json' }
import type { Harness } from './schema/harness.ts'

export interface Registry {
  readonly all: readonly Harness[]
  byId(id: string): Harness | undefined
}

/** The dialect for writing agents that no harness runs: it means the same everywhere. */
export const UNIVERSAL = 'agents'

export const builtInHarnesses = compiled as unknown as readonly Harness[]

/** Later harnesses replace earlier ones of the same id. `only`: the built-in ones that count; absent: all. */
export function createRegistry(own: readonly Harness[] = [], only?: readonly string[]): Registry {
  const byId = new Map<string, Harness>()
  const builtIn = only === undefined ? builtInHarnesses : builtInHarnesses.filter(({ id }) => only.includes(id))
  for (const harness of [...builtIn, ...own]) byId.set(harness.id, harness)
  return { all: [...byId.values()], byId: (id) => byId.get(id) }
}
