/** Which concepts a key of a dialect defines: mostly one, and several where it holds a map. */

import type { DataNode } from '../../formats/data.ts'
import { topLevel } from '../../harness/keys.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import type { Agent, Concept, ExtraKey, Json } from '../../model/agent.ts'

const known = new WeakMap<Harness, ReadonlyMap<string, readonly Concept[]>>()

/** By top-level key; the concept's own keys may reach into it. */
export function conceptsOfKey(harness: Harness, key: string): readonly Concept[] {
  let concepts = known.get(harness)
  if (concepts === undefined) {
    concepts = collect(harness)
    known.set(harness, concepts)
  }
  return concepts.get(key) ?? []
}

function collect({ fields }: Harness): ReadonlyMap<string, readonly Concept[]> {
  const concepts = new Map<string, Concept[]>()
  for (const [concept, spec] of Object.entries(fields)) {
    const keys = [spec?.key, ...(spec?.aliases ?? [])].flatMap((key) => (key === undefined ? [] : [topLevel(key)]))
    for (const key of new Set(keys)) concepts.set(key, [...(concepts.get(key) ?? []), concept as Concept])
  }
  return concepts
}

const accessKeys = new WeakMap<Harness, ReadonlySet<string>>()

/** Whether the key defines what the agent may do. */
export function isAccessKey(harness: Harness, key: string): boolean {
  let keys = accessKeys.get(harness)
  if (keys === undefined) {
    keys = new Set(harness.access.layers.map((layer) => topLevel(layer.key)))
    accessKeys.set(harness, keys)
  }
  return keys.has(key)
}

/** The paths by which a harness file reaches into a key: `features.apps` into `features`. */
export function innerKeys({ fields, access }: Harness, key: string): string[][] {
  const specs = Object.values(fields).flatMap((spec) => [spec?.key, ...(spec?.aliases ?? [])])
  const all = [...specs, ...access.layers.map((layer) => layer.key)]
  return all.flatMap((one) => (one?.startsWith(`${key}.`) === true ? [one.split('.')] : []))
}

/** An agent's own keys by name: there can be thousands, and each is looked up. */
const indexes = new WeakMap<Agent['extras'], ReadonlyMap<string, ExtraKey>>()

/** The first of that name. */
export function extraOf({ extras }: Agent, key: string): ExtraKey | undefined {
  let index = indexes.get(extras)
  if (index === undefined) {
    index = new Map(extras.toReversed().map((one) => [one.key, one]))
    indexes.set(extras, index)
  }
  return index.get(key)
}

/** Values that must not be written anywhere else: those under `env` and `headers`, however they are spelled. */
const SECRET = /^(?:\w+[-_.])?(?:env|environment|headers)$|^\w*Headers$/i

/** Whether there are such values under this key, or anywhere in it. */
export function holdsSecrets(key: string, node: DataNode): boolean {
  return SECRET.test(key) || hasSecretKeys(node)
}

function hasSecretKeys(node: DataNode): boolean {
  if (node.kind === 'list') return node.items.some(hasSecretKeys)
  return node.kind === 'map' && node.entries.some((entry) => holdsSecrets(entry.key, entry.value))
}

/** The same for a text that could not be parsed: any mention counts. */
export function mentionsSecrets(text: string): boolean {
  return /(?:env|environment|headers)["']?\s*(?:[:={\]]|\.[\w"'-]+\s*=)/i.test(text)
}

/** The value with its shape, for people; the name of a variable is no secret. */
export function withoutSecrets(value: Json, isSecret = false): Json {
  if (typeof value === 'string') return isSecret && !/^\$(?:\w+|\{\w+\})$|^\{env:\w+\}$/.test(value) ? '...' : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one: Json) => withoutSecrets(one, isSecret))
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([key, one]) => [key, withoutSecrets(one, isSecret || SECRET.test(key))]))
}

/** A value in a report: short, on one line. */
export function shortValue(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(withoutSecrets(value))
  // Only its beginning is shown.
  const start = text.length > 400 ? text.slice(0, 400) : text
  const line = /[\n\t\r]| {2}|^ | $/.test(start) ? start.replace(/\s+/g, ' ').trim() : start
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}
