/** One agent of a harness in which a definition hides all others of its name. */
import type { Concept, Json } from '../../model/agent.ts'
import type { EffectiveAgent, EffectiveField, EffectiveLayer, Note, Origin } from '../../model/effective.ts'
import type { ReadAgent } from '../read.ts'
import type { Harness, Scope } from '../schema/harness.ts'
import { builtInOrigin, defaultOrigin } from './field.ts'
import type { Decided, Said } from './settings.ts'

export interface ShadowDefinition extends ReadAgent {
  readonly scope: Scope
  readonly originAt: (offset: number) => Origin
  /** Keys that this kind of file may carry without effect. */
  readonly drops: readonly string[]
}

/** `definitions`: from the one that yields to the one that wins. */
export function shadowAgent(
  harness: Harness,
  name: string,
  definitions: readonly ShadowDefinition[],
  said: Said,
): EffectiveAgent {
  const isBuiltIn = Object.values(harness.builtInAgents).includes(name)
  const winner = isBuiltIn && harness.layers.builtIn === 'built-in-wins' ? undefined : definitions.at(-1)
  const written: EffectiveLayer[] = definitions.map((one) => ({
    title: one.scope,
    origin: one.originAt(0),
    counts: one === winner,
  }))
  const own = { title: 'built-in', origin: builtInOrigin, counts: winner === undefined }
  const settings = [
    ...said.decided.map(({ key, origin }) => ({ title: key, origin, counts: true })),
    ...said.layers.map(({ layer, origin }) => ({ title: layer.origin, origin, counts: true })),
  ]
  const strongest = winner === undefined ? [...written, own] : [own, ...written]
  return {
    name,
    harness: harness.id,
    builtIn: isBuiltIn,
    fields: withSettings(winner === undefined ? {} : fieldsOf(harness, winner), said.decided),
    prompt: winner === undefined ? unknownPrompt : promptOf(winner),
    rules: null,
    access: winner === undefined ? null : [...winner.agent.access, ...said.layers.map(({ layer }) => layer)],
    layers: [...(isBuiltIn ? strongest : written), ...settings],
    notes: [...notesOn(harness, winner), ...said.notes],
  }
}

const unknownPrompt: EffectiveField = { key: null, value: null, origin: builtInOrigin, overruled: [] }

function promptOf({ agent: { prompt }, originAt }: ShadowDefinition): EffectiveField {
  return { key: null, value: prompt.text.trim(), origin: originAt(prompt.range?.start ?? 0), overruled: [] }
}

function fieldsOf(harness: Harness, { agent, originAt, drops }: ShadowDefinition): { [C in Concept]?: EffectiveField } {
  const fields: { [C in Concept]?: EffectiveField } = {}
  for (const [concept, spec] of Object.entries(harness.fields) as [Concept, Harness['fields'][Concept]][]) {
    const field = agent.fields[concept]
    const isHeld = field !== undefined && spec?.inert === undefined && !drops.includes(field.key ?? '')
    if (isHeld) {
      const origin = originAt(field.range?.start ?? 0)
      fields[concept] = { key: field.key, value: field.value as Json, origin, overruled: [] }
    } else {
      const value = spec?.default ?? spec?.omit
      if (value !== undefined) fields[concept] = { key: null, value, origin: defaultOrigin, overruled: [] }
    }
  }
  return fields
}

function withSettings(
  fields: { [C in Concept]?: EffectiveField },
  decided: readonly Decided[],
): EffectiveAgent['fields'] {
  const all = { ...fields }
  for (const { concept, key, value, origin } of decided) {
    const below = all[concept]
    all[concept] = { key, value, origin, overruled: below === undefined ? [] : [...below.overruled, below.origin] }
  }
  return all
}

function notesOn(harness: Harness, winner: ShadowDefinition | undefined): Note[] {
  if (winner === undefined) {
    return [{ what: `what ${harness.title} brings along under this name is not known to Troupe`, origin: null }]
  }
  const { agent, originAt, drops, scope } = winner
  const trust =
    scope === 'project' && harness.trust !== undefined ? [{ what: `only if ${harness.trust.needs}`, origin: null }] : []
  const silent = Object.entries(agent.fields).flatMap(([concept, field]) => {
    const inert = harness.fields[concept as Concept]?.inert
    const isDropped = drops.includes(field.key ?? '')
    if (inert === undefined && !isDropped) return []
    const why = inert ?? 'not honoured in this kind of file'
    return [{ what: `\`${field.key}\` has no effect: ${why}`, origin: originAt(field.range?.start ?? 0) }]
  })
  return [...trust, ...silent]
}
