/** The agents of a harness in which one definition hides all others of its name: which wins, and what settings add. */
import { join } from 'node:path'
import { projectFolders } from '../../disk/roots.ts'
import { parseJson } from '../../formats/json/parse.ts'
import { parseToml } from '../../formats/toml/parse.ts'
import { type SettingsFile, type ShadowDefinition, settingsFor, shadowAgent } from '../../harness/effective/shadow.ts'
import { defaultOrigin } from '../../harness/effective/tracked.ts'
import type { Registry } from '../../harness/registry.ts'
import type { Harness, HarnessScope } from '../../harness/schema/harness.ts'
import type { AbsentAgent, EffectiveAgent, EffectiveAgents } from '../../model/effective.ts'
import { checkFile } from '../../workbench/check.ts'
import type { Candidate } from '../../workbench/file.ts'
import { nameInHarness } from '../../workbench/naming.ts'
import { discoverPlaces, discoverProject } from '../discover.ts'
import { loadFile, readTextOrNull } from '../read-text.ts'
import { expandFolder, findFiles, type HostMachine } from './machine.ts'
import { originIn } from './source-texts.ts'

export function agentsFromWinners(registry: Registry, harness: Harness, machine: HostMachine): EffectiveAgents {
  const found = findDefinitions(registry, harness, machine)
  const settings = readSettings(harness, machine)
  const own = Object.values(harness.builtInAgents).filter((name) => typeof name === 'string')
  const names = new Set([...own, ...found.definitions.map(({ agent }) => agent.name)])
  const all = [...names].map((name) => {
    const definitions: ShadowDefinition[] = found.definitions.filter(({ agent }) => agent.name === name)
    return shadowAgent(harness, name, definitions, settingsFor(harness, registry.all, settings, name))
  })
  const isOff = ({ fields }: EffectiveAgent) => fields.disabled?.value === true
  return {
    harness: harness.id,
    agents: all.filter((agent) => !isOff(agent)),
    absent: [...all.filter(isOff).map(switchedOff), ...found.absent],
    refused: [],
    defaultAgent: null,
    notes: [],
  }
}

function switchedOff({ name, fields: { disabled } }: EffectiveAgent): AbsentAgent {
  const origin = disabled?.origin ?? defaultOrigin
  return { name, why: `disabled by \`${disabled?.key ?? 'a setting'}\``, origin }
}

export function readSettings(harness: Harness, machine: HostMachine): SettingsFile[] {
  const root = projectFolders(machine.here)[0] ?? machine.here
  return harness.settings.flatMap((spec) => {
    const paths = spec.files.flatMap((file) => {
      return typeof file === 'string' ? expandFolder(file, machine) : [join(root, file.root)]
    })
    return [...new Set(paths)].flatMap((path): SettingsFile[] => {
      const text = readTextOrNull(path)
      if (text === null) return []
      const { root: data } =
        spec.format === 'toml' ? parseToml(text) : parseJson(text, { comments: spec.format === 'jsonc' })
      const originAt = originIn({ path, shown: machine.show(path) }, text)
      return data === null ? [] : [{ spec, root: data, text, originAt }]
    })
  })
}

/** Every definition of a harness on this machine, in shadowing order. */
interface Definitions {
  /** From weakest to strongest. */
  readonly definitions: readonly ShadowDefinition[]
  readonly absent: readonly AbsentAgent[]
}

function findDefinitions(registry: Registry, harness: Harness, machine: HostMachine): Definitions {
  const definitions: ShadowDefinition[] = []
  const absent: AbsentAgent[] = []
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
      const name = nameInHarness(candidate, read.agent.name)
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

/** Weaker scopes come first; in a folder, weaker files. */
export function candidatesOf(registry: Registry, harness: Harness, machine: HostMachine): Candidate[] {
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

function inPlace(
  registry: Registry,
  harness: Harness,
  machine: HostMachine,
  scope: HarnessScope,
  root: string,
): Candidate[] {
  const { show, environment } = machine
  const { candidates } = discoverPlaces({ registry, show, harness, environment }, scope, root)
  return harness.layers.twins === 'first-file' ? candidates.toReversed() : [...candidates]
}

/** Those of the project's own plugins, as far as they are installed. */
function ofPlugins(
  registry: Registry,
  harness: Harness,
  { show, environment }: HostMachine,
  root: string,
): Candidate[] {
  const { candidates } = discoverProject({ registry, show, harness, environment }, root)
  return candidates.filter(({ plugin }) => plugin !== undefined).reverse()
}

/** Files in the folders of other harnesses that this one loads too; its own win. */
function borrowed(harness: Harness, { show }: HostMachine, folder: string): Candidate[] {
  const [carrier] = harness.carriers
  if (carrier === undefined) return []
  const files = harness.readsAlso.flatMap(({ read }) => findFiles(folder, read, show))
  return files
    .map(({ path, relativePath }) => ({ path, harness, carrier, relativePath, scope: 'project' as const }))
    .reverse()
}
