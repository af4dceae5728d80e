/** Tool filters inside the entry of an MCP server: which of its tools an agent gets. */

import { type DataNode, isMap, type MapEntry, toData } from '../../formats/data.ts'
import type { Enforcement, Layer, Role, Rule } from '../../model/access/rules.ts'
import type { Json } from '../../model/agent.ts'
import { limits } from '../../model/limits.ts'
import type { Range } from '../../model/range.ts'
import { isGlob } from '../../model/tools.ts'
import { switchesOff } from '../keys.ts'
import { serverFilterWords } from '../limiting-words.ts'
import type { FieldSpec, Harness } from '../schema/harness.ts'

type Filters = NonNullable<FieldSpec['filters']>
type Held = Readonly<Record<Role, Enforcement>>

/** How far each key counts: a key of another dialect is declared, and has no effect here. */
interface Keys {
  readonly allow: readonly string[]
  readonly deny: readonly string[]
  readonly held: Held
}

const unenforced: Held = { main: 'no', child: 'no' }

/** One layer for the keys that the harness knows, one for those of other harnesses; none if nothing is set. */
export function filterLayers(harness: Harness, all: readonly Harness[], node: DataNode, origin: string): Layer[] {
  const own = harness.fields.mcpServers?.filters
  const servers = serversIn(node)
  if (servers.length === 0) return []
  const keys = own === undefined ? [] : [{ ...own, held: own.enforced }]
  const written = servers.flatMap(({ value }) => (isMap(value) ? value.entries.map(({ key }) => key) : []))
  return [...keys, { ...othersKeys(all, own, written), held: unenforced }].flatMap(({ held, ...some }) =>
    layerOf(servers, { ...some, held }, origin),
  )
}

function layerOf(servers: readonly MapEntry[], { allow, deny, held }: Keys, origin: string): Layer[] {
  const rules: Rule[] = []
  for (const server of servers) {
    if (!isMap(server.value)) continue
    for (const { key, value } of server.value.entries) {
      if (allow.includes(key)) rules.push(...allowed(server.key, key, value))
    }
    for (const { key, value } of server.value.entries) {
      if (deny.includes(key)) rules.push(...denied(server.key, key, value))
      if (held === unenforced && switchesOff(key, toData(value) as Json))
        rules.push(ruleFor(server.key, key)('*', 'deny', value.range))
    }
  }
  if (rules.length === 0) return []
  return [{ origin, resolution: 'last-match', rules, otherwise: null, enforced: held }]
}

/** The keys of all other harnesses and programs: an author who kept one meant it. */
function othersKeys(
  all: readonly Harness[],
  own: Filters | undefined,
  written: readonly string[],
): Pick<Keys, 'allow' | 'deny'> {
  const known = new Set([...(own?.allow ?? []), ...(own?.deny ?? [])])
  const specs = all.flatMap(({ fields }) => fields.mcpServers?.filters ?? [])
  const others = (which: 'allow' | 'deny') => {
    const words: readonly string[] = serverFilterWords[which]
    const spelled = written.filter((key) => words.includes(key.toLowerCase().replace(/[^a-z]/g, '')))
    return [...new Set([...specs.flatMap((one) => one[which]), ...spelled])].filter((one) => !known.has(one))
  }
  return { allow: others('allow'), deny: others('deny') }
}

function allowed(server: string, key: string, value: DataNode): Rule[] {
  const names = namesIn(value)
  if (names === 'unsaid' || names?.some(({ name }) => name === '*')) return []
  const rule = ruleFor(server, key)
  const nothing = rule('*', 'deny', value.range)
  // An entry with a limit, a wildcard or white space grants less than can be determined.
  const plain = (names ?? []).filter(({ name }) => !isGlob(name) && /^[^\s()]+$/.test(name))
  return [nothing, ...plain.map(({ name, range }) => rule(name, 'offer', range))]
}

function denied(server: string, key: string, value: DataNode): Rule[] {
  const names = namesIn(value)
  if (names === 'unsaid') return []
  const rule = ruleFor(server, key)
  if (names === null) return [rule('*', 'deny', value.range)]
  return names.map(({ name, range }) => rule(name.replace(/\(.*$/s, '').trim() || '*', 'deny', range))
}

function ruleFor(server: string, key: string) {
  return (name: string, action: 'offer' | 'deny', range: Range): Rule => ({
    tools: [`mcp:${server}/${name}`],
    subject: 'none',
    pattern: null,
    syntax: 'names',
    action,
    native: `${server}.${key}: ${name}`,
    range,
  })
}

interface Name {
  readonly name: string
  readonly range: Range
}

/** Null: a value is set, but cannot be understood. */
function namesIn(node: DataNode): readonly Name[] | 'unsaid' | null {
  if (node.kind === 'map') return null
  if (node.kind === 'scalar') {
    if (node.value === null) return 'unsaid'
    return typeof node.value === 'string' ? namesOf(node.value, node.range) : null
  }
  if (node.items.length > limits.rules) return null
  const names = node.items.map((one) =>
    one.kind === 'scalar' && typeof one.value === 'string' ? { name: one.value, range: one.range } : null,
  )
  return names.every((one) => one !== null) ? names.filter(({ name }) => name.trim() !== '') : null
}

function namesOf(text: string, range: Range): Name[] {
  const names = text.split(/[,\n]/).map((name) => name.trim())
  return names.filter((name) => name !== '').map((name) => ({ name, range }))
}

/** A map of servers, or a list of such maps. */
function serversIn(node: DataNode): readonly MapEntry[] {
  if (node.kind === 'list') return node.items.flatMap((one) => (isMap(one) ? one.entries : []))
  return isMap(node) ? node.entries : []
}
