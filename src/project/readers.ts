/** The agents that one harness finds in a project: its own, and those of others that it reads as if they were. */
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import { carrierLike } from './check-file.ts'
import type { FoundAgent, Inventory } from './inventory.ts'
import { loadFile } from './load-file.ts'

/** Those of plugins are left out: a harness has them only where the plugin is installed. */
export function agentsReadBy(registry: Registry, harness: Harness, inventory: Inventory): FoundAgent[] {
  const agents = [...inventory.agents, ...inventory.outputs].filter(({ plugin }) => plugin === null)
  const isOwn = ({ file, shadowedBy }: FoundAgent) => file.candidate.harness.id === harness.id && shadowedBy === null
  // Of a source and what was built from it, the harness reads what was built.
  const built = new Set(inventory.outputs.filter(isOwn).map(({ agent }) => agent.name))
  const isRead = (found: FoundAgent) => inventory.outputs.includes(found) || !built.has(found.agent.name)
  const own = agents.filter((found) => isOwn(found) && isRead(found))
  const names = new Set(own.map(({ agent }) => agent.name))
  const others = agents
    .filter((found) => found.alsoReadBy.includes(harness.id))
    .flatMap((found) => readAs(registry, harness, found))
    .filter(({ agent }) => !names.has(agent.name))
  return [...own, ...others]
}

/** Agents of plugins that the harness would have if the plugins were installed. */
export function pluginAgentsOf({ id }: Harness, { agents }: Inventory): FoundAgent[] {
  return agents.filter(
    ({ plugin, file, disabled, shadowedBy }) =>
      plugin !== null && file.candidate.harness.id === id && !disabled && shadowedBy === null,
  )
}

/** The same file in the eyes of another harness. */
function readAs(registry: Registry, harness: Harness, found: FoundAgent): FoundAgent[] {
  const carrier = carrierLike(harness, found.file.candidate.carrier)
  if (carrier === null) return []
  const file = loadFile(registry, { ...found.file.candidate, harness, carrier }, found.path)
  return 'problem' in file ? [] : file.read.agents.map((read) => ({ ...found, ...read, file }))
}
