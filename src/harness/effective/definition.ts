/** One definition as its harness understands it, before it is merged with those of other layers. */
import type { Origin } from '../../model/effective.ts'
import type { Harness } from '../schema/harness.ts'
import { ownUnit } from '../units.ts'
import { harnessKeys } from '../vocabulary.ts'
import { mergeMaps, type Tracked, type TrackedMap, trackedMap, trackedValue } from './tracked.ts'

/** Older spellings under the proper key, unknown keys among the options, and all rules in one map. */
export function normalizeDefinition(harness: Harness, definition: TrackedMap): TrackedMap {
  const { entries, origin } = definition
  const rules = rulesOf(harness, entries, origin)
  return trackedMap(
    { ...entries, ...properlySpelled(harness, entries), ...optionsOf(harness, definition), ...rules },
    origin,
  )
}

type Entries = TrackedMap['entries']

function properlySpelled(harness: Harness, entries: Entries): Entries {
  const proper: Record<string, Tracked> = {}
  for (const spec of Object.values(harness.fields)) {
    const found = [spec?.key, ...(spec?.aliases ?? [])].find((key) => key !== undefined && entries[key] !== undefined)
    if (spec?.key !== undefined && found !== undefined && entries[found] !== undefined)
      proper[spec.key] = entries[found]
  }
  return proper
}

function optionsOf(harness: Harness, { entries, origin }: TrackedMap): Entries {
  const key = harness.fields.options?.key
  if (harness.unknownKeys !== 'sent-to-provider' || key === undefined) return {}
  const known = harnessKeys(harness)
  const strange = Object.fromEntries(Object.entries(entries).filter(([name]) => !known.has(name)))
  const written = entries[key]
  return { [key]: trackedMap({ ...(written?.kind === 'map' ? written.entries : {}), ...strange }, origin) }
}

/** Where an older map and the proper one name the same switch, the proper one counts, in the older one's place. */
function rulesOf(harness: Harness, entries: Entries, origin: Origin): Entries {
  const layer = harness.access.layers.find(({ codec }) => codec === 'rule-map')
  if (layer === undefined) return {}
  const old = harness.access.layers.filter(({ legacy }) => legacy === true)
  const maps = [...old.map(({ key }) => flagRules(harness, key, entries[key])), wholeRules(entries[layer.key])]
  const together = maps.reduce<Record<string, Tracked>>((all, map) => Object.assign(all, map?.entries), {})
  return { [layer.key]: trackedMap(together, origin) }
}

/** A map of tools that are switched on and off, as rules. */
export function flagRules(harness: Harness, layer: string, flags: Tracked | undefined): TrackedMap | null {
  if (flags?.kind !== 'map') return null
  const rules: Record<string, Tracked> = {}
  for (const [name, flag] of Object.entries(flags.entries)) {
    const unit = ownUnit(harness, name)
    const isAlias = typeof unit?.alias === 'string' && (unit.under?.includes(layer) ?? true)
    const key = isAlias ? String(unit.alias) : name
    const isOn = flag.kind === 'value' && flag.value === true
    rules[key] = trackedValue(isOn ? 'allow' : 'deny', flag.origin)
  }
  return trackedMap(rules, flags.origin)
}

/** One word instead of a map speaks of everything. */
export function wholeRules(rules: Tracked | undefined): TrackedMap | null {
  if (rules === undefined) return null
  return rules.kind === 'map' ? rules : trackedMap({ '*': rules }, rules.origin)
}

export function mergeRules(below: TrackedMap | null, above: TrackedMap | null): TrackedMap | null {
  return below === null || above === null ? (above ?? below) : mergeMaps(below, above)
}
