/** Converts rules between Troupe's pattern maps and the `pattern:action` lists of some carriers. */

import { type DataNode, getEntry, type MapEntry, type MapNode, setOwn, toData } from '../../formats/data.ts'
import { wildcardsOf } from '../../model/access/regex-patterns.ts'
import type { Json } from '../../model/agent.ts'
import type { AccessLayerSpec, Carrier } from '../schema/harness.ts'

type Form = NonNullable<Carrier['rules']>

/** The value of an access key, as if it had been written as pattern maps; positions are unchanged. */
export function toPatternMaps(carrier: Pick<Carrier, 'rules'>, spec: AccessLayerSpec, node: DataNode): DataNode {
  const { rules: form } = carrier
  const { codec, lists, entries } = spec
  if (entries !== undefined) return entriesToPatternMaps(entries, node)
  if (lists !== undefined) return listsToPatternMaps(lists, node)
  if (form === undefined || codec !== 'rule-map' || node.kind !== 'map') return node
  return { ...node, entries: node.entries.map((one) => ({ ...one, value: toPatternMap(form, one.value) })) }
}

type Lists = NonNullable<AccessLayerSpec['lists']>

/** Settings of a tool that are not about its patterns say nothing here. */
function listsToPatternMaps(lists: Lists, node: DataNode): DataNode {
  if (node.kind !== 'map') return node
  const entries = node.entries.flatMap((tool): MapEntry[] => {
    const patterns = (['allow', 'deny'] as const).flatMap((action) =>
      (['command', 'path'] as const).flatMap((subject) => {
        const list = getEntry(tool.value, lists[action][subject] ?? '')?.value
        const isRegex = lists.regex && subject === 'command'
        return list === undefined ? [] : itemsOf(list).flatMap((item) => listedPatterns(item, action, isRegex))
      }),
    )
    return patterns.length === 0 ? [] : [{ ...tool, value: { ...tool.value, kind: 'map', entries: patterns } }]
  })
  return { ...node, entries }
}

/** An item without patterns is about all calls; one without a tool, about all tools. */
function entriesToPatternMaps(keys: NonNullable<AccessLayerSpec['entries']>, node: DataNode): DataNode {
  if (node.kind !== 'list') return node
  const entries = node.items.map((item): MapEntry => {
    const tool = getEntry(item, keys.tool)?.value
    const action = getEntry(item, keys.action)?.value ?? noAnswer(item)
    const patterns = getEntry(item, keys.patterns)?.value
    const listed = patterns === undefined ? [] : itemsOf(patterns)
    const inner = listed.map((one) => patternEntry(one.kind === 'scalar' ? String(one.value) : '*', action, one.range))
    const value: DataNode = inner.length === 0 ? action : { kind: 'map', entries: inner, range: item.range }
    const name = tool?.kind === 'scalar' && tool.value !== null ? String(tool.value) : '*'
    return { key: name, keyRange: tool?.range ?? item.range, value, range: item.range }
  })
  return { kind: 'map', entries, range: node.range }
}

/** What is not understood allows nothing, and denies everything. */
function listedPatterns(item: DataNode, action: 'allow' | 'deny', isRegex: boolean): MapEntry[] {
  const text = item.kind === 'scalar' && typeof item.value === 'string' ? item.value : null
  const known =
    text === null ? null : isRegex ? wildcardsOf(text, true, action === 'deny' ? 'around' : 'exact') : [text]
  const patterns = known ?? (action === 'deny' ? ['*'] : [])
  const value: DataNode = { kind: 'scalar', value: action, range: item.range }
  return patterns.map((one) => patternEntry(one, value, item.range))
}

function toPatternMap(form: Form, node: DataNode): DataNode {
  const general = getEntry(node, form.general)
  const list = getEntry(node, form.list)
  if (node.kind !== 'map' || (general === undefined && list === undefined)) return node
  // Without the general action the meaning is unknown; the strictest reading has no action.
  const first = patternEntry('*', general?.value ?? noAnswer(node), general?.range ?? node.range)
  const rest = list === undefined ? [] : itemsOf(list.value).map((item) => ruleOf(form, item))
  return rest.length === 0 ? first.value : { kind: 'map', entries: [first, ...rest], range: node.range }
}

function itemsOf(node: DataNode): readonly DataNode[] {
  return node.kind === 'list' ? node.items : [node]
}

/** Splits at the last separator: patterns may contain it (`https://...`). */
function ruleOf({ separator }: Form, item: DataNode): MapEntry {
  const text = item.kind === 'scalar' && typeof item.value === 'string' ? item.value : null
  const at = text?.lastIndexOf(separator) ?? -1
  if (text === null || at < 0) return patternEntry(text ?? '*', noAnswer(item), item.range)
  const answer: DataNode = { kind: 'scalar', value: text.slice(at + separator.length).trim(), range: item.range }
  return patternEntry(text.slice(0, at), answer, item.range)
}

function noAnswer({ range }: DataNode): DataNode {
  return { kind: 'scalar', value: null, range }
}

function patternEntry(key: string, value: DataNode, range: MapEntry['range']): MapEntry {
  return { key, keyRange: range, value, range }
}

/** Plain data of pattern maps; for a repeated pattern the later position counts. */
export function orderedData(node: DataNode): Json {
  if (node.kind !== 'map') return toData(node) as Json
  const data: Record<string, Json> = {}
  for (const { key, value } of (node as MapNode).entries) {
    delete data[key]
    setOwn(data, key, orderedData(value))
  }
  return data
}

/** The reverse: pattern maps as this kind of file writes them. */
export function toCarrierForm({ rules: form }: Carrier, { codec }: AccessLayerSpec, value: Json): Json {
  if (form === undefined || codec !== 'rule-map') return value
  if (typeof value === 'string') return { '*': { [form.general]: value } }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([tool, rules]) => [tool, toCarrierRules(form, rules)]))
}

function toCarrierRules(form: Form, rules: Json): Json {
  if (typeof rules !== 'object' || rules === null || Array.isArray(rules)) return { [form.general]: rules }
  const entries = Object.entries(rules as { readonly [pattern: string]: Json })
  const [first] = entries
  // Rules without a general action leave the rest to other rules, which this form cannot express: `ask` is used.
  const [general, rest] = first?.[0] === '*' ? [first[1], entries.slice(1)] : ['ask', entries]
  if (rest.length === 0) return { [form.general]: general }
  return {
    [form.general]: general,
    [form.list]: rest.map(([pattern, answer]) => pattern + form.separator + String(answer)),
  }
}
