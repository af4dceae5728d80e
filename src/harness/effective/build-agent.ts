/** One agent of a harness that merges its layers: what it brings along, and over it whatever the layers say. */
import type { Concept } from '../../model/agent.ts'
import type { EffectiveAgent, EffectiveField, EffectiveLayer, EffectiveRule, Note } from '../../model/effective.ts'
import { limits } from '../../model/limits.ts'
import type { Effective, Harness } from '../schema/harness.ts'
import { accessOfRules } from './access.ts'
import { wholeRules } from './definition.ts'
import { builtInOrigin, defaultOrigin, fieldOf, isEmpty } from './field.ts'
import type { Combination } from './layers.ts'
import { type Folders, ownRules, rulesFrom } from './rules.ts'
import { mergeTracked, type Tracked, type TrackedMap, trackData } from './tracked.ts'

export function buildAgent(
  input: Combination,
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
    prompt: owned('prompt') ?? fieldOf('prompt', entries.prompt) ?? noPrompt,
    rules,
    access: accessOfRules(harness, registry.all, rules),
    layers: native === undefined ? spoken : [{ title: 'built-in', origin: builtInOrigin, counts: true }, ...spoken],
    notes: [...tooManyRules(rules), ...uncertain(harness, spoken)],
  }
}

/** What lies in one folder under one name is read in the order that the disk gives. */
function uncertain({ layers }: Harness, spoken: readonly EffectiveLayer[]): Note[] {
  if (layers.twins !== 'varies') return []
  return spoken
    .filter(({ counts }) => !counts)
    .map(({ origin }) => ({ what: 'another file of this name may count instead: which one does varies', origin }))
}

function tooManyRules(rules: readonly EffectiveRule[]): Note[] {
  if (rules.length <= limits.rules) return []
  const what = `${rules.length} rules are more than ${limits.rules}: Troupe reads them as "nothing is allowed"`
  return [{ what, origin: rules.at(-1)?.origin ?? defaultOrigin }]
}

const noPrompt: EffectiveField = { key: null, value: '', origin: defaultOrigin, overruled: [] }

/** A rule that stands behind all others, unless somebody denied that very thing by name. */
function closingRules(effective: Effective, folders: Folders, before: readonly EffectiveRule[]): EffectiveRule[] {
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
  const called = fieldOf('name', entries.name)
  if (called !== null && called.value !== name) fields.displayName = called
  for (const [concept, spec] of Object.entries(harness.fields) as [Concept, Harness['fields'][Concept]][]) {
    if (spec?.key === undefined) continue
    const { key } = spec
    const field = owned(key) ?? fieldOf(key, entries[key]) ?? defaultField(spec.default, key)
    if (field !== null && !isEmpty(field)) fields[concept] = field
  }
  return fields
}

function defaultField(value: string | undefined, key: string): EffectiveField | null {
  return value === undefined ? null : { key, value, origin: defaultOrigin, overruled: [] }
}

/** A text of the harness itself, as long as nobody says another. */
function ownText(fingerprint: string | undefined, key: string, written: Tracked | undefined): EffectiveField | null {
  if (fingerprint === undefined) return null
  const field = fieldOf(key, written)
  if (field === null) return { key, value: null, origin: builtInOrigin, overruled: [], own: fingerprint }
  return { ...field, overruled: [builtInOrigin, ...field.overruled] }
}
