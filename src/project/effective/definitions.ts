/** Every definition of a harness on this machine, in the order in which they hide each other. */
import type { ShadowDefinition } from '../../harness/effective/shadow.ts'
import type { Registry } from '../../harness/registry.ts'
import type { Harness, Scope } from '../../harness/schema/harness.ts'
import type { Absent } from '../../model/effective.ts'
import { calledName } from '../called.ts'
import { checkFile } from '../check-file.ts'
import { type Candidate, discoverPlaces, discoverProject } from '../discover.ts'
import { loadFile } from '../load-file.ts'
import { projectFolders } from '../roots.ts'
import { findFiles } from './find-files.ts'
import type { Machine } from './machine.ts'
import { originIn } from './source.ts'

export interface Definitions {
  /** From the one that yields to the one that wins. */
  readonly definitions: readonly ShadowDefinition[]
  readonly absent: readonly Absent[]
}

export function findDefinitions(registry: Registry, harness: Harness, machine: Machine): Definitions {
  const definitions: ShadowDefinition[] = []
  const absent: Absent[] = []
  const seen = new Set<string>()
  for (const candidate of candidatesOf(registry, harness, machine)) {
    const key = `${candidate.path}\n${candidate.plugin?.name ?? ''}`
    if (seen.has(key)) continue
    seen.add(key)
    const loaded = loadFile(registry, candidate, machine.show(candidate.path))
    if ('problem' in loaded) continue
    const originAt = originIn({ path: candidate.path, shown: loaded.path }, loaded.source.text)
    const leftOut = checkFile(registry, loaded, []).find(({ consequence }) => consequence?.startsWith('not-loaded'))
    for (const read of loaded.read.agents) {
      const name = calledName(candidate, read.agent.name)
      if (leftOut !== undefined) absent.push({ name, why: leftOut.message, origin: originAt(leftOut.range.start) })
      else
        definitions.push({
          ...read,
          agent: { ...read.agent, name },
          scope: candidate.scope,
          originAt,
          drops: candidate.carrier.drops ?? [],
        })
    }
  }
  const known = new Set(definitions.map(({ agent }) => agent.name))
  return { definitions, absent: absent.filter(({ name }) => !known.has(name)) }
}

/** The scopes that yield come first; in a folder the files that yield. */
function candidatesOf(registry: Registry, harness: Harness, machine: Machine): Candidate[] {
  return harness.layers.order.toReversed().flatMap((scope): Candidate[] => {
    if (scope !== 'project') return inPlace(registry, harness, machine, scope, machine.here)
    const folders = harness.layers.above === 'not-read' ? [machine.here] : projectFolders(machine.here)
    return folders.flatMap((folder) => [
      ...borrowed(harness, machine, folder),
      ...ofPlugins(registry, harness, machine, folder),
      ...inPlace(registry, harness, machine, scope, folder),
    ])
  })
}

function inPlace(registry: Registry, harness: Harness, machine: Machine, scope: Scope, root: string): Candidate[] {
  const { show, environment } = machine
  const { candidates } = discoverPlaces({ registry, show, harness, environment }, scope, root)
  return harness.layers.twins === 'first-file' ? candidates.toReversed() : [...candidates]
}

/** Those of the project's own plugins, as far as they are installed. */
function ofPlugins(registry: Registry, harness: Harness, { show, environment }: Machine, root: string): Candidate[] {
  const { candidates } = discoverProject({ registry, show, harness, environment }, root)
  return candidates.filter(({ plugin }) => plugin !== undefined).reverse()
}

/** Files in the folders of other harnesses that this one loads too; its own win. */
function borrowed(harness: Harness, { show }: Machine, folder: string): Candidate[] {
  const [carrier] = harness.carriers
  if (carrier === undefined) return []
  const files = harness.readsAlso.flatMap(({ read }) => findFiles(folder, read, show))
  return files
    .map(({ path, relativePath }) => ({ path, harness, carrier, relativePath, scope: 'project' as const }))
    .reverse()
}
