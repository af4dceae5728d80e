/** Layers become agents: definitions merged key by key over the harness's own agents, all their rules in one list. */
import type { EffectiveAgents, EffectiveField, EffectiveLayer, EffectiveRule, Note } from '../../model/effective.ts'
import type { Effective } from '../schema/harness.ts'
import { buildAgent } from './build-agent.ts'
import { flagRules, mergeRules, wholeRules } from './definition.ts'
import { defaultOrigin, fieldOf, isEmpty } from './field.ts'
import type { Combination, Definition, SourceLayer } from './layers.ts'
import { rulesFrom } from './rules.ts'
import { mergeMaps, reach, type TrackedMap, trackedMap } from './tracked.ts'

export function combineLayers(input: Combination): Omit<EffectiveAgents, 'harness' | 'refused'> {
  const { effective, layers } = input
  const settings = layers.reduce<TrackedMap>(
    (below, { settings: above }) => (above === null ? below : mergeMaps(below, above)),
    trackedMap({}, defaultOrigin),
  )
  const { merged, spoken } = mergeDefinitions(layers)
  const shared = sharedRules(input, settings)
  const key = input.harness.fields.disabled?.key ?? ''
  const isOff = ({ entries }: TrackedMap) => fieldOf(key, entries[key])?.value === true
  const disabled = Object.entries(merged).filter(([, definition]) => isOff(definition))
  const names = [...new Set([...Object.keys(effective.builtIn), ...Object.keys(merged)])]
  const agents = names
    .filter((name) => !disabled.some(([off]) => off === name))
    .map((name) => buildAgent(input, name, merged[name] ?? null, shared, spoken.get(name) ?? []))
  return {
    agents,
    absent: disabled.map(([name, { entries, origin }]) => ({
      name,
      why: `\`${key}\` switches it off`,
      origin: entries[key]?.origin ?? origin,
    })),
    defaultAgent: settingField(effective.settings.defaultAgent, settings),
    notes: unknowable(effective, settings),
  }
}

interface Merged {
  readonly merged: Readonly<Record<string, TrackedMap>>
  readonly spoken: ReadonlyMap<string, readonly EffectiveLayer[]>
}

function mergeDefinitions(layers: readonly SourceLayer[]): Merged {
  const merged: Record<string, TrackedMap> = Object.create(null)
  const spoken = new Map<string, EffectiveLayer[]>()
  const take = (title: string, definitions: readonly Definition[]) => {
    const whole = new Map(definitions.map(({ name, definition }) => [name, definition]))
    for (const { name, definition } of definitions) {
      const layer = { title, origin: definition.origin, counts: whole.get(name) === definition }
      spoken.set(name, [...(spoken.get(name) ?? []), layer])
    }
    for (const [name, definition] of whole) {
      const below = merged[name]
      merged[name] = below === undefined ? definition : mergeMaps(below, definition)
    }
  }
  for (const { title, definitions } of layers) take(title, definitions)
  for (const { title, legacyDefinitions } of layers) take(title, legacyDefinitions)
  return { merged, spoken }
}

/** The rules for every agent. */
function sharedRules({ harness, effective, folders }: Combination, settings: TrackedMap): EffectiveRule[] {
  const { rules, legacyRules } = effective.settings
  const old = legacyRules === undefined ? null : flagRules(harness, legacyRules, settings.entries[legacyRules])
  return rulesFrom(mergeRules(old, wholeRules(settings.entries[rules])), effective.rules, folders)
}

function settingField(key: string | undefined, settings: TrackedMap): EffectiveField | null {
  return key === undefined ? null : fieldOf(key, reach(settings, key.split('.')))
}

function unknowable(effective: Effective, settings: TrackedMap): Note[] {
  return Object.entries(effective.settings.unknowable).flatMap(([key, what]) => {
    const found = settingField(key, settings)
    return found === null || isEmpty(found) ? [] : [{ what: `\`${key}\`: ${what}`, origin: found.origin }]
  })
}
