/** Field values as a dialect writes them: words and shapes, colours, MCP servers. */

import { fromData } from '../../formats/data.ts'
import { type Concept, concepts, type Json } from '../../model/agent.ts'
import { switchesOff } from '../keys.ts'
import { otherValue, violation } from '../read/fields.ts'
import type { Registry } from '../registry.ts'
import type { FieldSpec, Harness } from '../schema/harness.ts'

/** The value for the file; undefined if the dialect has no word for it or would not accept it. */
export function nativeValue(spec: FieldSpec, concept: Concept, value: Json): Json | undefined {
  const native = shaped(spec, concept, nativeWord(spec, value))
  if (native === undefined) return undefined
  const node = fromData(native)
  return violation(spec, node) === null && otherValue(spec.values, node) === null ? native : undefined
}

function nativeWord(spec: FieldSpec, value: Json): Json | undefined {
  if (spec.negated && typeof value === 'boolean') return !value
  if (spec.map === undefined) return value
  return Object.hasOwn(spec.map, String(value)) ? spec.map[String(value)] : undefined
}

/** A list if lists are accepted, otherwise its words in one text; a text becomes a list if only a list is accepted. */
function shaped(spec: FieldSpec, concept: Concept, value: Json | undefined): Json | undefined {
  const { shape } = spec
  if (value === undefined || shape === undefined) return value
  const type = concepts[concept].type
  if (Array.isArray(value) && !shape.includes('list')) {
    return type === 'words' && shape.includes('string') ? value.join(', ') : undefined
  }
  if (typeof value === 'string' && !shape.includes('string') && shape.includes('list')) return [value]
  return value
}

/** Colours from one dialect to another: by name, by value, or the nearest that a dialect has. */
interface SpelledColor {
  readonly value: string
  /** If it is not exactly the same colour. */
  readonly note?: string
}

/** Null if the word is not a colour, or the dialect has no colours. */
export function spellColor(registry: Registry, target: Harness, spec: FieldSpec, color: string): SpelledColor | null {
  const takes = (value: string | undefined) =>
    value !== undefined && nativeValue(spec, 'color', value) !== undefined ? value : null
  const palette = knownColors(registry)
  const name = [...palette].find(([, hex]) => hex === color.toLowerCase())?.[0] ?? color.toLowerCase()
  const same = takes(color) ?? takes(name) ?? takes(new Map(Object.entries(target.colors ?? {})).get(name))
  if (same !== null) return { value: same }
  const hex = hexOf(palette, color)
  if (hex === null) return null
  const exact = takes(hex)
  if (exact !== null)
    return color.startsWith('#') ? { value: exact } : { value: exact, note: `the hex value of ${color}` }
  const usable = [...palette].filter(([one]) => takes(one) !== null)
  const [nearest] = usable.sort((a, b) => colorDistance(a[1], hex) - colorDistance(b[1], hex))
  return nearest === undefined ? null : { value: nearest[0], note: `the nearest colour that ${target.title} has` }
}

/** The names with a value in some harness file. */
function knownColors({ all }: Registry): Map<string, string> {
  const named = all.flatMap(({ colors }) => Object.entries(colors ?? {}))
  return new Map(named.flatMap(([name, value]) => (sixDigits(value) === null ? [] : [[name, value.toLowerCase()]])))
}

/** Of several words (`neon-green`), the last one names the colour. */
function hexOf(palette: ReadonlyMap<string, string>, color: string): string | null {
  const value = sixDigits(color)
  if (value !== null) return value
  const word =
    color
      .toLowerCase()
      .trim()
      .split(/[^a-z]+/)
      .at(-1) ?? ''
  return palette.get(word) ?? (Object.hasOwn(colorWords, word) ? (colorWords[word] ?? null) : null)
}

/** `#abc` is short for `#aabbcc`; opacity (`#aabbcc80`) is ignored. */
function sixDigits(color: string): string | null {
  const long = color.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3')
  return /^#[0-9a-f]{6}(?=([0-9a-f]{2})?$)/i.exec(long)?.[0].toLowerCase() ?? null
}

/** Dark teal is still teal: lightness matters less here than hue. */
const LIGHTNESS = 0.25

function colorDistance(one: string, other: string): number {
  const [a, b] = [oklab(one), oklab(other)]
  return (
    LIGHTNESS * (a.lightness - b.lightness) ** 2 + (a.redness - b.redness) ** 2 + (a.yellowness - b.yellowness) ** 2
  )
}

function oklab(hex: string) {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255))
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const middle = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return {
    lightness: 0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
    redness: 1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short,
    yellowness: 0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short,
  }
}

/** sRGB stores nearly the square root of light. */
function linear(part: number): number {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}

/** Colour words that people write into agent files although harnesses may not know them, with their values. */
const colorWords: Readonly<Record<string, string>> = {
  amber: '#ffbf00',
  aqua: '#00ffff',
  azure: '#007fff',
  black: '#000000',
  brown: '#a52a2a',
  coral: '#ff7f50',
  crimson: '#dc143c',
  emerald: '#50c878',
  fuchsia: '#ff00ff',
  gold: '#ffd700',
  gray: '#808080',
  grey: '#808080',
  indigo: '#4b0082',
  lavender: '#b57edc',
  lime: '#32cd32',
  magenta: '#ff00ff',
  maroon: '#800000',
  mint: '#3eb489',
  navy: '#000080',
  olive: '#808000',
  rose: '#ff007f',
  salmon: '#fa8072',
  silver: '#c0c0c0',
  sky: '#87ceeb',
  slate: '#708090',
  tan: '#d2b48c',
  teal: '#008080',
  turquoise: '#40e0d0',
  violet: '#8f00ff',
  white: '#ffffff',
}

/** MCP servers from one dialect to another: the same program or address, spelled differently. */
type ServerSpec = NonNullable<FieldSpec['servers']>
type Filters = NonNullable<FieldSpec['filters']>

/** How a dialect writes servers, and lists of their tools. */
interface Dialect {
  readonly servers: ServerSpec
  readonly filters?: Filters | undefined
}

type JsonMap = { readonly [key: string]: Json }

/** A server in the keys that most dialects share. */
interface Server {
  readonly transport: 'stdio' | 'http' | 'sse'
  readonly settings: JsonMap
}

/** Null: the value names a server that is configured elsewhere. */
type Servers = ReadonlyMap<string, Server | null>

/**
 * Undefined if the value is something else: the settings of a server are not the names of servers. One that is switched off
 * is not there.
 */
export function readServers(dialect: Dialect, value: Json): Servers | undefined {
  const servers = new Map<string, Server | null>()
  for (const item of Array.isArray(value) ? value : [value]) {
    if (typeof item === 'string') servers.set(item, null)
    else if (isJsonMap(item) && Object.values(item).every((one) => one === null || isJsonMap(one)))
      for (const [name, one] of Object.entries(item)) {
        if (!isJsonMap(one)) servers.set(name, null)
        else if (!Object.entries(one).some(([key, value]) => switchesOff(key, value)))
          servers.set(name, readServer(dialect, one))
      }
    else return undefined
  }
  return servers
}

/** Undefined if the dialect cannot express it: a bare name where it needs the server itself. */
export function writeServers(dialect: Dialect, servers: Servers): Json | undefined {
  const { servers: spec } = dialect
  const written = [...servers].map(([name, server]): [string, Json] => [name, server && writeServer(dialect, server)])
  const { named } = spec
  if (named !== undefined)
    return written.every(([, one]) => one !== null)
      ? written.map(([name, one]) => ({ [named]: name, ...(one as JsonMap) }))
      : undefined
  if (spec.as === 'list') return written.map(([name, one]) => (one === null ? name : { [name]: one }))
  return written.some(([, one]) => one === null) ? undefined : Object.fromEntries(written)
}

function readServer({ servers: spec, filters }: Dialect, one: JsonMap): Server {
  const settings: Record<string, Json> = {}
  for (const [key, value] of Object.entries(one)) {
    const neutral = filterOf(filters, key) ?? Object.entries(spec.keys).find(([, native]) => native === key)?.[0] ?? key
    if (neutral !== 'type') settings[neutral] = value
  }
  if (spec.joined && Array.isArray(settings.command)) {
    const [command = '', ...args] = settings.command
    Object.assign(settings, { command, args })
  }
  return { transport: transportOf(spec, one), settings }
}

function transportOf(spec: ServerSpec, one: JsonMap): Server['transport'] {
  if (one[spec.keys.command ?? 'command'] !== undefined) return 'stdio'
  if (spec.keys.httpUrl !== undefined && one[spec.keys.httpUrl] !== undefined) return 'http'
  const named = Object.entries(spec.types).find(([, native]) => native === one.type)?.[0]
  return named === 'sse' || named === 'http' ? named : 'http'
}

/** Words that no dialect uses as keys, so that no key is treated as a list of tools by accident. */
const filterKeys = { allow: 'tools: allow', deny: 'tools: deny' } as const

function filterOf(filters: Filters | undefined, key: string): string | null {
  if (filters?.allow.includes(key)) return filterKeys.allow
  return filters?.deny.includes(key) ? filterKeys.deny : null
}

/** The lists of tools that the dialect has a key for; the others are left to the agent's own rules. */
function writtenFilters(filters: Filters | undefined, settings: JsonMap): JsonMap {
  const written: Record<string, Json> = {}
  for (const which of ['allow', 'deny'] as const) {
    const [key] = filters?.[which] ?? []
    const names = settings[filterKeys[which]]
    if (key === undefined || !Array.isArray(names) || !names.every((one) => typeof one === 'string')) continue
    if (which === 'deny' || !names.includes('*')) written[key] = names
  }
  return written
}

/** Settings that dialects share; one that only a single dialect knows would be rejected elsewhere. */
const common = ['env', 'cwd', 'headers', 'timeout']

function writeServer({ servers: spec, filters }: Dialect, { transport, settings }: Server): JsonMap {
  const type = spec.types[transport]
  const { command, args, httpUrl, url, ...rest } = settings
  const all: Record<string, Json> = {}
  const put = (neutral: string, value: Json | undefined) => {
    if (value !== undefined) all[spec.keys[neutral] ?? neutral] = value
  }
  if (type !== undefined) all.type = type
  if (spec.joined && command !== undefined) put('command', [command, ...(Array.isArray(args) ? args : [])])
  else {
    put('command', command)
    put('args', args)
  }
  const address = url ?? httpUrl
  if (transport === 'http' && spec.keys.httpUrl !== undefined) put('httpUrl', address)
  else put('url', address)
  for (const key of common) put(key, rest[key])
  Object.assign(all, writtenFilters(filters, rest))
  const needed = command === undefined ? spec.needsRemote : spec.needsLocal
  for (const [key, value] of Object.entries(needed)) if (!(key in all)) all[key] = value
  return all
}

function isJsonMap(value: Json): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
