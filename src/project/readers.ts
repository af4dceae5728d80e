/** The agents that one harness finds in a project: its own, and those of others that it reads as if they were. */
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import { carrierLike } from './check-file.ts'
import { type FoundAgent, type Inventory, loadFile } from './inventory.ts'

export function agentsReadBy(registry: Registry, harness: Harness, { agents }: Inventory): FoundAgent[] {
  const own = agents.filter(({ file, shadowedBy }) => file.candidate.harness.id === harness.id && shadowedBy === null)
  const names = new Set(own.map(({ agent }) => agent.name))
  const others = agents
    .filter((found) => found.alsoReadBy.includes(harness.id))
    .flatMap((found) => readAs(registry, harness, found))
    .filter(({ agent }) => !names.has(agent.name))
  return [...own, ...others]
}

/** The same file in the eyes of another harness. */
function readAs(registry: Registry, harness: Harness, found: FoundAgent): FoundAgent[] {
  const carrier = carrierLike(harness, found.file.candidate.carrier)
  if (carrier === null) return []
  const file = loadFile(registry, { ...found.file.candidate, harness, carrier }, found.path)
  return 'problem' in file ? [] : file.read.agents.map((read) => ({ ...found, ...read, file }))
}
