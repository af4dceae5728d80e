/** One agent where a definition hides others of its name, with what settings files add. */

import { type DataNode, getNode, jsonOf } from '../../formats/data.ts'
import type { Layer } from '../../model/access/rules.ts'
import type { Concept, Json } from '../../model/agent.ts'
import type { EffectiveAgent, EffectiveField, EffectiveLayer, EffectiveNote, Origin } from '../../model/effective.ts'
import type { ReadAgent } from '../read/agents.ts'
import { codecs } from '../read/codecs.ts'
import type { Harness, HarnessScope, SettingSpec } from '../schema/harness.ts'
import { builtInOrigin, defaultOrigin } from './tracked.ts'

export interface ShadowDefinition extends ReadAgent {
  readonly scope: HarnessScope
  readonly originAt: (offset: number) => Origin
  /** Keys that this kind of file may contain without effect. */
  readonly drops: readonly string[]
}

/** `definitions`: from lowest to highest precedence. */
export function shadowAgent(
  harness: Harness,
  name: string,
  definitions: readonly ShadowDefinition[],
  said: SettingsEffect,
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
  decided: readonly DecidedField[],
): EffectiveAgent['fields'] {
  const all = { ...fields }
  for (const { concept, key, value, origin } of decided) {
    const below = all[concept]
    all[concept] = { key, value, origin, overruled: below === undefined ? [] : [...below.overruled, below.origin] }
  }
  return all
}

function notesOn(harness: Harness, winner: ShadowDefinition | undefined): EffectiveNote[] {
  if (winner === undefined) {
    return [{ what: `Troupe does not know the built-in agent that ${harness.title} has under this name`, origin: null }]
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

/** What settings files define for an agent: values, tools denied to all agents, and settings that are neither. */
export interface SettingsFile {
  readonly spec: SettingSpec
  readonly root: DataNode
  readonly text: string
  readonly originAt: (offset: number) => Origin
}

/** A value that a setting decides. */
interface DecidedField {
  readonly concept: Concept
  readonly key: string
  readonly value: Json
  readonly origin: Origin
}

interface SettingsLayer {
  readonly layer: Layer
  readonly origin: Origin
  /** For the places of its rules. */
  readonly originAt: (offset: number) => Origin
}

interface SettingsEffect {
  readonly decided: readonly DecidedField[]
  readonly layers: readonly SettingsLayer[]
  readonly notes: readonly EffectiveNote[]
}

/** `files`: from lowest to highest precedence. */
export function settingsFor(
  harness: Harness,
  all: readonly Harness[],
  files: readonly SettingsFile[],
  name: string,
): SettingsEffect {
  const decided: DecidedField[] = []
  const layers: SettingsLayer[] = []
  const notes: EffectiveNote[] = []
  for (const file of files) {
    for (const statement of file.spec.says) {
      const node = getNode(file.root, pathTo(statement.at, name))
      if (node === undefined) continue
      const key = pathTo(statement.at, name).join('.')
      const item = statement.items === undefined ? node : itemOf(node, statement.items, name)
      if (item === undefined) continue
      const origin = file.originAt(item.range.start)
      if (statement.sets !== undefined) {
        const value = statement.items === undefined ? jsonOf(item) : true
        const meant = statement.negated === true && typeof value === 'boolean' ? !value : value
        decided.push({ concept: statement.sets, key, value: meant, origin })
      }
      if (statement.like !== undefined) {
        const list = denyLayer(harness, all, file, key, statement, node)
        if (list.layer !== null) layers.push({ layer: list.layer, origin, originAt: file.originAt })
        notes.push(...list.patterns.map((what) => ({ what, origin })))
      }
      if (statement.note !== undefined) notes.push({ what: `\`${key}\`: ${statement.note}`, origin })
    }
  }
  return { decided, layers, notes }
}

/** A name may itself contain the separator of keys. */
function pathTo(at: string, name: string): string[] {
  return at.split('.').map((key) => (key === '{name}' ? name : key))
}

function itemOf(node: DataNode, items: readonly string[], name: string): DataNode | undefined {
  const wanted = items.map((one) => one.replace('{name}', name))
  return node.kind === 'list' ? node.items.find((one) => wanted.includes(String(jsonOf(one)))) : undefined
}

interface DenyList {
  readonly layer: Layer | null
  /** Rules with a pattern, which mean something else there than in a definition. */
  readonly patterns: readonly string[]
}

function denyLayer(
  harness: Harness,
  all: readonly Harness[],
  { text, spec: { says } }: SettingsFile,
  key: string,
  { at, like }: SettingSpec['says'][number],
  node: DataNode,
): DenyList {
  const spec = harness.access.layers.find((one) => one.key === like)
  if (spec === undefined || node.kind !== 'list') return { layer: null, patterns: [] }
  const isPlain = (item: DataNode) => item.kind === 'scalar' && !String(item.value).includes('(')
  const plain = node.items.filter(isPlain)
  // Items that name one agent are reported there.
  const named = says
    .filter((one) => one.at === at)
    .flatMap(({ items = [] }) => items.map((item) => item.split('{name}')))
  const isNamed = (rule: string) => named.some(([start = '', end = '']) => rule.startsWith(start) && rule.endsWith(end))
  const patterns = node.items
    .filter((item) => !isPlain(item))
    .map((item) => String(jsonOf(item)))
    .filter((rule) => !isNamed(rule))
    .map((rule) => `\`${key}\` has \`${rule}\`, which applies to the whole session`)
  const decoded = codecs[spec.codec]({ harness, all, spec, text, node: { ...node, items: plain }, servers: () => [] })
  if (decoded === null || plain.length === 0) return { layer: null, patterns }
  const rules = decoded.keyed.flatMap((one) => one.rules)
  const enforced = { main: 'observed', child: 'observed' } as const
  return { layer: { origin: key, resolution: 'deny-ask-allow', rules, otherwise: null, enforced }, patterns }
}
