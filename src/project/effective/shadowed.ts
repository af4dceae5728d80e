/** The agents of a harness in which one definition hides all others of its name: who wins, and what settings add. */
import { join } from 'node:path'
import { defaultOrigin } from '../../harness/effective/field.ts'
import { type SettingsFile, settingsAbout } from '../../harness/effective/settings.ts'
import { type ShadowDefinition, shadowAgent } from '../../harness/effective/shadow.ts'
import type { Registry } from '../../harness/registry.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import type { Absent, EffectiveAgent, EffectiveAgents } from '../../model/effective.ts'
import { parseJson } from '../../text/json.ts'
import { parseToml } from '../../text/toml.ts'
import { readQuietly } from '../files.ts'
import { projectFolders } from '../roots.ts'
import { findDefinitions } from './definitions.ts'
import { expandFolder, type Machine } from './machine.ts'
import { originIn } from './source.ts'

export function shadowedAgents(registry: Registry, harness: Harness, machine: Machine): EffectiveAgents {
  const found = findDefinitions(registry, harness, machine)
  const settings = readSettings(harness, machine)
  const own = Object.values(harness.builtInAgents).filter((name) => typeof name === 'string')
  const names = new Set([...own, ...found.definitions.map(({ agent }) => agent.name)])
  const all = [...names].map((name) => {
    const definitions: ShadowDefinition[] = found.definitions.filter(({ agent }) => agent.name === name)
    return shadowAgent(harness, name, definitions, settingsAbout(harness, registry.all, settings, name))
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

function switchedOff({ name, fields: { disabled } }: EffectiveAgent): Absent {
  const origin = disabled?.origin ?? defaultOrigin
  return { name, why: `\`${disabled?.key ?? 'a setting'}\` switches it off`, origin }
}

function readSettings(harness: Harness, machine: Machine): SettingsFile[] {
  const root = projectFolders(machine.here)[0] ?? machine.here
  return harness.settings.flatMap((spec) => {
    const paths = spec.files.flatMap((file) => {
      return typeof file === 'string' ? expandFolder(file, machine) : [join(root, file.root)]
    })
    return [...new Set(paths)].flatMap((path): SettingsFile[] => {
      const text = readQuietly(path)
      if (text === null) return []
      const { root: data } =
        spec.format === 'toml' ? parseToml(text) : parseJson(text, { comments: spec.format === 'jsonc' })
      const originAt = originIn({ path, shown: machine.show(path) }, text)
      return data === null ? [] : [{ spec, root: data, text, originAt }]
    })
  })
}
