/** The definitions in a file: the file itself, or the entries that it holds, older ones among them. */
import {
  type DataNode,
  fromData,
  getEntry,
  getNode,
  isMap,
  itemStep,
  type MapEntry,
  type MapNode,
  setOwn,
  toData,
} from '../../formats/data.ts'
import type { Json } from '../../model/agent.ts'
import type { Finding } from '../../model/findings.ts'
import type { Carrier, Harness } from '../schema/harness.ts'
import { findUnit } from '../units.ts'
import type { Document } from './document.ts'

export interface Definition {
  readonly map: MapNode | null
  readonly mapKey: string | null
}

/** The definitions in a file: the file itself, the entries of a map, or the items of a list. */
export function definitionsIn(harness: Harness, carrier: Carrier, document: Document): Definition[] {
  const { sets } = carrier
  if (carrier.agents === undefined) {
    return [{ map: withSet(isMap(document.root) ? document.root : null, sets), mapKey: null }]
  }
  const { at, as, older } = carrier.agents
  const found = definitionsAt(document, at, as, sets)
  return older === undefined ? found : withOlder(harness, found, definitionsAt(document, older.at, 'map', older.sets))
}

/** An older definition of a name that another has too goes over it. */
function withOlder(harness: Harness, found: readonly Definition[], older: readonly Definition[]): Definition[] {
  const over = new Map(older.map((one) => [one.mapKey, one.map]))
  const merged = found.map(({ map, mapKey }) => {
    const above = over.get(mapKey) ?? null
    over.delete(mapKey)
    return { map: map === null || above === null ? map : mergeMaps(harness, map, above), mapKey }
  })
  return [...merged, ...older.filter(({ mapKey }) => over.has(mapKey))]
}

function definitionsAt({ root }: Document, at: string, as: 'map' | 'list', sets: Carrier['sets']): Definition[] {
  const holder = at === '' ? root : getNode(root, at.split('.'))
  if (as === 'map' && isMap(holder)) {
    return holder.entries.flatMap(({ key, value }) =>
      isMap(value) ? [{ map: withSet(value, sets), mapKey: key }] : [],
    )
  }
  if (as === 'list' && holder?.kind === 'list') {
    return holder.items.flatMap((item, index) =>
      isMap(item) ? [{ map: withSet(item, sets), mapKey: String(index) }] : [],
    )
  }
  return []
}

/** Where an agent is in a file that holds several. */
export function entryPath({ agents, name: { key = '' } }: Carrier, name: string): string[] {
  const at = agents?.at.split('.').filter((step) => step !== '') ?? []
  return [...at, agents?.as === 'list' ? itemStep(key, name) : name]
}

/** With what the harness sets in this kind of definition, in the place of what is written. */
function withSet<T extends MapNode | null>(map: T, sets: Carrier['sets']): T | MapNode {
  if (sets === undefined) return map
  const start = map?.range.start ?? 0
  const range = { start, end: start }
  const written = map?.entries ?? []
  const added = Object.entries(sets).map(([key, value]): MapEntry => {
    const own = written.find((one) => one.key === key)
    return { key, keyRange: range, range, ...own, value: { kind: 'scalar', value, range: own?.value.range ?? range } }
  })
  const entries = [...written.filter(({ key }) => !Object.hasOwn(sets, key)), ...added]
  return { kind: 'map', entries, range: map?.range ?? range }
}

/** Entries in the place of definitions that cannot be one. */
export function notDefinitions(harness: Harness, carrier: Carrier, document: Document): Finding[] {
  if (carrier.agents === undefined || carrier.agents.at === '') return []
  const { older, ...usual } = carrier.agents
  const places = older === undefined ? [usual] : [usual, { at: older.at, as: 'map' }]
  const wrong = places.flatMap(({ at, as }) => {
    const holder = getNode(document.root, at.split('.'))
    if (holder === undefined) return []
    return holder.kind !== as ? [holder] : childrenOf(holder).filter((one) => !isMap(one))
  })
  return wrong.map(({ range }) => ({
    code: 'invalid-value',
    message: 'Expected an agent definition.',
    range,
    harness: harness.id,
    consequence: carrier.invalidValue ?? harness.invalidValue,
  }))
}

/** `@extend agents.planner { ... }`: the harness computes the result. */
export function changedElsewhere({ format, agents }: Carrier, { root }: Document): Finding[] {
  if (format !== 'prs' || !isMap(root)) return []
  const isChange = (key: string) => /^(?:extend|override) ([^.]+)/.exec(key)?.[1] === agents?.at
  return root.entries
    .filter(({ key }) => isChange(key))
    .map(({ key, keyRange }) => ({
      code: 'changed-elsewhere',
      message: `@${key} changes @${agents?.at}, and Troupe does not apply that change.`,
      range: keyRange,
    }))
}

function childrenOf(node: DataNode): readonly DataNode[] {
  if (node.kind === 'list') return node.items
  return node.kind === 'map' ? node.entries.map(({ value }) => value) : []
}

/** Definitions of one agent as data: in one form, and merged key by key. */
export type Data = { readonly [key: string]: Json }

/**
 * All rules in one map: a single word is a rule for everything, and older switches are rules for their tools. Harnesses do so
 * with every definition before they merge it with others, and then a later switch counts more than an earlier rule.
 */
export function normalizedData(harness: Harness, data: unknown): Data {
  if (!isData(data)) return {}
  const { layers } = harness.access
  const layer = layers.find(({ codec }) => codec === 'rule-map')
  if (layer === undefined) return data
  const rules: Record<string, Json> = {}
  const left: Record<string, Json> = { ...data }
  for (const { key } of layers.filter(({ legacy, codec }) => legacy === true && codec === 'flag-map')) {
    const flags = data[key]
    if (!isSwitches(flags)) continue
    for (const [name, isOn] of Object.entries(flags))
      setOwn(rules, ruleKey(harness, key, name), isOn ? 'allow' : 'deny')
    delete left[key]
  }
  const own = data[layer.key]
  if (isData(own)) for (const [name, rule] of Object.entries(own)) setOwn(rules, name, rule)
  else if (typeof own === 'string') setOwn(rules, '*', own)
  // What is neither is left as it is, to be found unreadable.
  else if (own !== undefined) return data
  return Object.keys(rules).length === 0 ? left : { ...left, [layer.key]: rules }
}

/** The rule that a switch of an older map means. */
export function ruleKey(harness: Harness, layer: string, name: string): string {
  const unit = findUnit(harness, name)
  return typeof unit?.alias === 'string' && (unit.under?.includes(layer) ?? true) ? unit.alias : name
}

function isSwitches(value: Json | undefined): value is { readonly [name: string]: boolean } {
  return isData(value) && Object.values(value).every((one) => typeof one === 'boolean')
}

/** Keys keep their first position; maps are merged, everything else is replaced. */
export function mergeData(below: Data, above: Data): Data {
  const result: Record<string, Json> = { ...below }
  for (const [key, value] of Object.entries(above)) {
    const known = Object.hasOwn(result, key) ? result[key] : undefined
    setOwn(result, key, isData(known) && isData(value) ? mergeData(known, value) : value)
  }
  return result
}

/** Two definitions in one file as one; what only one of them has keeps its place in the text. */
function mergeMaps(harness: Harness, below: MapNode, above: MapNode): MapNode {
  const merged = mergeData(normalizedData(harness, toData(below)), normalizedData(harness, toData(above)))
  const range = { start: above.range.start, end: above.range.start }
  const entries = Object.entries(merged).map(([key, value]): MapEntry => {
    const written = [above, below].flatMap((map) => getEntry(map, key) ?? [])
    const same = written.find((one) => JSON.stringify(toData(one.value)) === JSON.stringify(value))
    return same ?? { key, keyRange: range, range, value: fromData(value) }
  })
  return { ...below, entries }
}

function isData(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
