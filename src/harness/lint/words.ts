/**
 * The words by which the parts of a harness file refer to each other and to Troupe: where they are, and which there are.
 * In a place `*` is every item or value, and a final `@` the keys.
 */
import { concepts } from '../../model/agent.ts'
import { neutralTools } from '../../model/tools.ts'
import { type DataMap, isDataMap } from '../schema/merge.ts'
import { tierNames } from '../write/model-names.ts'
import type { Path } from './places.ts'
import { type Complaint, didYouMean } from './shape.ts'

type Kind =
  | 'tool'
  | 'subject'
  | 'unit'
  | 'word'
  | 'harness'
  | 'tier'
  | 'field'
  | 'access key'
  | 'kind of file'
  | 'wire tool'

const uses: readonly (readonly [place: string, kind: Kind])[] = [
  ['units.*', 'tool'],
  ['units.*.grants', 'tool'],
  ['units.*.means', 'tool'],
  ['editions.*.units.*', 'tool'],
  ['editions.*.units.*.grants', 'tool'],
  ['access.base.*.tools', 'tool'],
  ['access.after.*.tools', 'tool'],
  ['access.layers.*.cases.*.*.tools', 'tool'],
  ['fields.*.limits.*.*.tools', 'tool'],
  ['nativeKeys.*.limits.*.*.tools', 'tool'],
  ['oracle.wire.tools.*.grants', 'tool'],
  ['workarounds.@', 'subject'],
  ['units.*.goesWith', 'unit'],
  ['units.*.alias', 'unit'],
  ['spellings.@', 'unit'],
  ['access.always.*.tool', 'unit'],
  ['access.implies.*.grants', 'unit'],
  ['access.after.*.unlessKey', 'unit'],
  ['agentTypes.*.tools', 'unit'],
  ['calls.outside.unit', 'unit'],
  ['oracle.wire.tools.*.units', 'unit'],
  ['oracle.wire.tools.*.unless', 'wire tool'],
  ['words.*', 'word'],
  ['words.*.partial', 'word'],
  ['words.*.composite', 'word'],
  ['words.*.parts.*', 'word'],
  ['readsAlso.*.harness', 'harness'],
  ['models.tiers.@', 'tier'],
  ['access.implies.*.field', 'field'],
  ['units.*.under', 'access key'],
  ['settings.*.says.*.like', 'access key'],
  ['plugins.carrier', 'kind of file'],
  ['effective.sources.*.reads.*.carrier', 'kind of file'],
]

/** `harnesses`: all that are known, with this one. */
export function wordComplaints(data: DataMap, harnesses: readonly string[]): Complaint[] {
  const units = unitNames(data)
  const known: Readonly<Record<Kind, readonly string[]>> = {
    tool: neutralTools,
    subject: [...neutralTools, ...Object.keys(concepts)],
    unit: units,
    word: units,
    harness: harnesses,
    tier: tierNames,
    field: Object.keys(concepts),
    'access key': keysAt(data, ['access', 'layers']),
    'kind of file': keysAt(data, ['carriers']),
    'wire tool': [...textsIn(data, 'oracle.wire.offers'), ...textsIn(data, 'oracle.wire.tools.@')].map(
      ({ text }) => text,
    ),
  }
  return uses.flatMap(([place, kind]) =>
    textsIn(data, place).flatMap(({ text, path }): Complaint[] => {
      const at = place.endsWith('@') ? 'key' : 'value'
      const native = kind === 'tool' ? /^native:([^/]+)\/./.exec(text)?.[1] : undefined
      if (native !== undefined && !harnesses.includes(native))
        return [{ path, at, message: `"${native}" is not a harness. ${didYouMean(native, harnesses)}` }]
      if (native !== undefined || known[kind].includes(text) || isFree(kind, text, path)) return []
      return [{ path, at, message: `"${text}" is not ${whatIs[kind]}. ${didYouMean(text, known[kind])}` }]
    }),
  )
}

const whatIs: Readonly<Record<Kind, string>> = {
  tool: 'a neutral tool',
  subject: 'a neutral tool or a concept',
  unit: 'the name of a tool in this file',
  word: 'the name of a tool in this file',
  harness: 'a harness that Troupe knows',
  tier: 'a tier of models',
  field: 'a concept',
  'access key': 'a key of access.layers',
  'kind of file': 'a kind of file in carriers',
  'wire tool': 'a tool in oracle.wire',
}

/**
 * A phrase, a file and the neutral name itself can stand for a tool in a prompt; rules can be about MCP tools, or about
 * every tool.
 */
function isFree(kind: Kind, text: string, [, tool]: Path): boolean {
  if (kind === 'word') return text === tool || /[\s/]/.test(text)
  return kind === 'tool' && (text === '*' || text.startsWith('mcp:'))
}

/** Every name that the file gives to a tool. */
export function unitNames(data: DataMap): string[] {
  const named = [data, ...Object.values(isDataMap(data.editions) ? data.editions : {})].filter(isDataMap)
  const places = ['tools.*', 'toolsRead.*', 'ownTools.*', 'ownTools.*.*', 'spellings.*', 'units.@']
  return named.flatMap((one) => places.flatMap((place) => textsIn(one, place).map(({ text }) => text)))
}

function keysAt(data: DataMap, path: readonly string[]): string[] {
  return textsIn(data, `${path.join('.')}.@`).map(({ text }) => text)
}

interface FoundText {
  readonly text: string
  readonly path: Path
}

/** All texts at a place; a list of texts is several. */
export function textsIn(data: unknown, place: string): FoundText[] {
  return follow(data, place.split('.'), [])
}

function follow(value: unknown, [step, ...rest]: readonly string[], path: Path): FoundText[] {
  if (step === undefined) {
    const items = Array.isArray(value)
      ? value.map((item, index) => [item, [...path, index]] as const)
      : [[value, path] as const]
    return items.flatMap(([text, at]) => (typeof text === 'string' ? [{ text, path: at }] : []))
  }
  const isList = Array.isArray(value)
  if (!isList && !isDataMap(value)) return []
  const entries: [string | number, unknown][] = isList ? [...value.entries()] : Object.entries(value)
  if (step === '@') return entries.map(([key]) => ({ text: String(key), path: [...path, key] }))
  const chosen = step === '*' ? entries : entries.filter(([key]) => key === step)
  return chosen.flatMap(([key, inner]) => follow(inner, rest, [...path, key]))
}
