/** Combines layers into agents: definitions are merged key by key over the built-in agents, and all rules become one list. */

import type { Concept } from '../../model/agent.ts'
import type {
  EffectiveAgent,
  EffectiveAgents,
  EffectiveField,
  EffectiveLayer,
  EffectiveNote,
  EffectiveRule,
} from '../../model/effective.ts'
import { limits } from '../../model/limits.ts'
import type { Registry } from '../registry.ts'
import type { EffectiveSpec, Harness } from '../schema/harness.ts'
import { flagRules, mergeRules, wholeRules } from './definitions.ts'
import { accessOfRules, ownRules, type RuleFolders, rulesFrom } from './rules.ts'
import {
  builtInOrigin,
  defaultOrigin,
  effectiveField,
  isEmptyField,
  mergeMaps,
  mergeTracked,
  type Tracked,
  type TrackedMap,
  trackData,
  trackedAt,
  trackedMap,
} from './tracked.ts'

/** The content of one source: settings, definitions, or both. */
export interface SourceLayer {
  readonly title: string
  readonly settings: TrackedMap | null
  /** Of two with the same name the later one counts, as a whole. */
  readonly definitions: readonly TrackedDefinition[]
  readonly legacyDefinitions: readonly TrackedDefinition[]
}

export interface TrackedDefinition {
  readonly name: string
  readonly definition: TrackedMap
}

interface CombineInput {
  readonly registry: Registry
  readonly harness: Harness
  readonly effective: EffectiveSpec
  /** From lowest to highest precedence. */
  readonly layers: readonly SourceLayer[]
  readonly folders: RuleFolders
}

export function combineLayers(input: CombineInput): Omit<EffectiveAgents, 'harness' | 'refused'> {
  const { effective, layers } = input
  const settings = layers.reduce<TrackedMap>(
    (below, { settings: above }) => (above === null ? below : mergeMaps(below, above)),
    trackedMap({}, defaultOrigin),
  )
  const { merged, spoken } = mergeByName(layers)
  const shared = sharedRules(input, settings)
  const key = input.harness.fields.disabled?.key ?? ''
  const isOff = ({ entries }: TrackedMap) => effectiveField(key, entries[key])?.value === true
  const disabled = Object.entries(merged).filter(([, definition]) => isOff(definition))
  const names = [...new Set([...Object.keys(effective.builtIn), ...Object.keys(merged)])]
  const agents = names
    .filter((name) => !disabled.some(([off]) => off === name))
    .map((name) => buildAgent(input, name, merged[name] ?? null, shared, spoken.get(name) ?? []))
  return {
    agents,
    absent: disabled.map(([name, { entries, origin }]) => ({
      name,
      why: `disabled by \`${key}\``,
      origin: entries[key]?.origin ?? origin,
    })),
    defaultAgent: settingField(effective.settings.defaultAgent, settings),
    notes: unknowableNotes(effective, settings),
  }
}

interface Merged {
  readonly merged: Readonly<Record<string, TrackedMap>>
  readonly spoken: ReadonlyMap<string, readonly EffectiveLayer[]>
}

function mergeByName(layers: readonly SourceLayer[]): Merged {
  const merged: Record<string, TrackedMap> = Object.create(null)
  const spoken = new Map<string, EffectiveLayer[]>()
  const take = (title: string, definitions: readonly TrackedDefinition[]) => {
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
function sharedRules({ harness, effective, folders }: CombineInput, settings: TrackedMap): EffectiveRule[] {
  const { rules, legacyRules } = effective.settings
  const old = legacyRules === undefined ? null : flagRules(harness, legacyRules, settings.entries[legacyRules])
  return rulesFrom(mergeRules(old, wholeRules(settings.entries[rules])), effective.rules, folders)
}

function settingField(key: string | undefined, settings: TrackedMap): EffectiveField | null {
  return key === undefined ? null : effectiveField(key, trackedAt(settings, key.split('.')))
}

function unknowableNotes(effective: EffectiveSpec, settings: TrackedMap): EffectiveNote[] {
  return Object.entries(effective.settings.unknowable).flatMap(([key, what]) => {
    const found = settingField(key, settings)
    return found === null || isEmptyField(found) ? [] : [{ what: `\`${key}\`: ${what}`, origin: found.origin }]
  })
}

/** One agent of a harness that merges its layers: the built-in definition, overridden by the layers. */
function buildAgent(
  input: CombineInput,
  name: string,
  definition: TrackedMap | null,
  shared: readonly EffectiveRule[],
  spoken: readonly EffectiveLayer[],
): EffectiveAgent {
  const { harness, effective, folders, registry } = input
  const native = Object.hasOwn(effective.builtIn, name) ? effective.builtIn[name] : undefined
  const base = trackData(native?.fields ?? {}, builtInOrigin)
  const whole = definition === null ? base : mergeTracked(base, definition)
  const entries = whole.kind === 'map' ? whole.entries : {}
  const rulesKey = harness.access.layers.find(({ codec }) => codec === 'rule-map')?.key ?? ''
  const own = wholeRules(entries[rulesKey])
  const before = [
    ...ownRules(effective.rules.first, defaultOrigin, folders),
    ...ownRules(native?.rules ?? {}, builtInOrigin, folders),
    ...shared,
    ...rulesFrom(own, effective.rules, folders),
  ]
  const rules = [...before, ...closingRules(effective, folders, before)]
  const owned = (key: string) => ownText(native?.own[key], key, entries[key])
  return {
    name,
    harness: harness.id,
    builtIn: native !== undefined,
    fields: fieldsOf(harness, name, entries, owned),
    prompt: owned('prompt') ?? effectiveField('prompt', entries.prompt) ?? noPrompt,
    rules,
    access: accessOfRules(harness, registry.all, rules),
    layers: native === undefined ? spoken : [{ title: 'built-in', origin: builtInOrigin, counts: true }, ...spoken],
    notes: [...tooManyRules(rules), ...duplicateNotes(harness, spoken)],
  }
}

/** Definitions of the same name in one folder are read in the order of the file system. */
function duplicateNotes({ layers }: Harness, spoken: readonly EffectiveLayer[]): EffectiveNote[] {
  if (layers.twins !== 'varies') return []
  return spoken
    .filter(({ counts }) => !counts)
    .map(({ origin }) => ({
      what: 'another file with this name may be used instead: the harness does not always pick the same one',
      origin,
    }))
}

function tooManyRules(rules: readonly EffectiveRule[]): EffectiveNote[] {
  if (rules.length <= limits.rules) return []
  const what = `more than ${limits.rules} rules (${rules.length}): Troupe treats the agent as allowed to do nothing`
  return [{ what, origin: rules.at(-1)?.origin ?? defaultOrigin }]
}

const noPrompt: EffectiveField = { key: null, value: '', origin: defaultOrigin, overruled: [] }

/** A rule behind all others, unless that very thing is denied by name. */
function closingRules(
  effective: EffectiveSpec,
  folders: RuleFolders,
  before: readonly EffectiveRule[],
): EffectiveRule[] {
  return ownRules(effective.rules.last, defaultOrigin, folders).filter(
    ({ permission, pattern }) =>
      !before.some((rule) => rule.permission === permission && rule.pattern === pattern && rule.action === 'deny'),
  )
}

function fieldsOf(
  harness: Harness,
  name: string,
  entries: TrackedMap['entries'],
  owned: (key: string) => EffectiveField | null,
): EffectiveAgent['fields'] {
  const fields: { [C in Concept]?: EffectiveField } = {}
  const called = effectiveField('name', entries.name)
  if (called !== null && called.value !== name) fields.displayName = called
  for (const [concept, spec] of Object.entries(harness.fields) as [Concept, Harness['fields'][Concept]][]) {
    if (spec?.key === undefined) continue
    const { key } = spec
    const field = owned(key) ?? effectiveField(key, entries[key]) ?? defaultField(spec.default, key)
    if (field !== null && !isEmptyField(field)) fields[concept] = field
  }
  return fields
}

function defaultField(value: string | undefined, key: string): EffectiveField | null {
  return value === undefined ? null : { key, value, origin: defaultOrigin, overruled: [] }
}

/** The harness's own text, unless a layer sets another. */
function ownText(fingerprint: string | undefined, key: string, written: Tracked | undefined): EffectiveField | null {
  if (fingerprint === undefined) return null
  const field = effectiveField(key, written)
  if (field === null) return { key, value: null, origin: builtInOrigin, overruled: [], own: fingerprint }
  return { ...field, overruled: [builtInOrigin, ...field.overruled] }
}
