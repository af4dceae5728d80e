/** MCP servers from one dialect to another: the same program or address, spelled another way. */
import type { Json } from '../model/agent.ts'
import type { FieldSpec } from './schema/harness.ts'

type ServerSpec = NonNullable<FieldSpec['servers']>
type Filters = NonNullable<FieldSpec['filters']>

/** How a dialect writes servers, and lists of their tools. */
export interface Dialect {
  readonly servers: ServerSpec
  readonly filters?: Filters | undefined
}

type JsonMap = { readonly [key: string]: Json }

/** A server in the words that most dialects share. */
interface Server {
  readonly transport: 'stdio' | 'http' | 'sse'
  readonly settings: JsonMap
}

/** Null: the value names a server that is configured elsewhere, and says nothing about it. */
export type Servers = ReadonlyMap<string, Server | null>

/** Undefined where something else stands there: the settings of a server are not the names of servers. */
export function readServers(dialect: Dialect, value: Json): Servers | undefined {
  const servers = new Map<string, Server | null>()
  for (const item of Array.isArray(value) ? value : [value]) {
    if (typeof item === 'string') servers.set(item, null)
    else if (isMap(item) && Object.values(item).every((one) => one === null || isMap(one)))
      for (const [name, one] of Object.entries(item)) servers.set(name, isMap(one) ? readServer(dialect, one) : null)
    else return undefined
  }
  return servers
}

/** Undefined where the dialect cannot say it: a mere name where it wants the server itself. */
export function writeServers(dialect: Dialect, servers: Servers): Json | undefined {
  const { servers: spec } = dialect
  const written = [...servers].map(([name, server]): [string, Json] => [name, server && writeServer(dialect, server)])
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
  if (one.command !== undefined) return 'stdio'
  if (spec.keys.httpUrl !== undefined && one[spec.keys.httpUrl] !== undefined) return 'http'
  const named = Object.entries(spec.types).find(([, native]) => native === one.type)?.[0]
  return named === 'sse' || named === 'http' ? named : 'http'
}

/** Words that no dialect has as keys of its own, so that none is taken for a list of tools by accident. */
const filterKeys = { allow: 'tools: allow', deny: 'tools: deny' } as const

function filterOf(filters: Filters | undefined, key: string): string | null {
  if (filters?.allow.includes(key)) return filterKeys.allow
  return filters?.deny.includes(key) ? filterKeys.deny : null
}

/** The lists of tools that the dialect has a key for; what it has none for is a matter of the agent's own rules. */
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

/** Settings that dialects share; what only one of them knows would be rejected elsewhere. */
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

function isMap(value: Json): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
