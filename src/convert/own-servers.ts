/**
 * Servers of an agent in a harness where all agents of a project see them: a rule of the project keeps them from everybody
 * (`guard` in the harness file), and the agent's own rules, which come after it, give them back to the agent.
 */
import { neutralRule } from '../harness/codecs.ts'
import { mcpName } from '../harness/encode.ts'
import type { Intent } from '../harness/intent.ts'
import { ownAnswer } from '../harness/own-rules.ts'
import type { FieldSpec, Harness } from '../harness/schema/harness.ts'
import type { AccessKeys } from '../harness/write-access.ts'
import type { Access } from '../model/access.ts'
import type { Json } from '../model/agent.ts'
import { anyToolOf } from '../model/tools.ts'
import type { Setting } from './setting.ts'

/** None where the harness has no such rule, or would not understand it for this server. */
export function guardSetting(
  harness: Harness,
  { file, guard }: NonNullable<FieldSpec['config']>,
  server: string,
): Setting[] {
  const word = mcpName(harness, allOf(server))
  if (guard === undefined || word === null || !new RegExp(guard.names, 'u').test(server)) return []
  return [{ file, path: [...guard.at.split('.'), word], value: guard.answer, guards: server }]
}

/** The keys, with a rule for each server that the agent may use and none of its rules speaks of. */
export function withOwnServers(
  harness: Harness,
  keys: AccessKeys,
  access: Access,
  intent: Intent,
  { servers, keepAsking }: { readonly servers: readonly string[]; readonly keepAsking: boolean },
): AccessKeys {
  const layer = harness.access.layers.find(({ codec, legacy }) => codec === 'rule-map' && legacy !== true)
  if (layer === undefined) return keys
  const rules: [string, Json][] = []
  for (const server of servers) {
    const action = intent.answer(allOf(server))
    const word = mcpName(harness, allOf(server))
    if (action === 'deny' || word === null || ownAnswer(access, anyToolOf(server)) !== null) continue
    rules.push([word, action === 'ask' || (action === 'offer' && keepAsking) ? 'ask' : 'allow'])
  }
  if (rules.length === 0) return keys
  const others = keys.get(layer.key) ?? {}
  // What is said of single tools must come later.
  return new Map([...keys, [layer.key, { ...Object.fromEntries(rules), ...(others as object) }]])
}

/** The access with the project's rules in their place: after the defaults, before the agent's own. */
export function guardedAccess(access: Access, servers: readonly string[]): Access {
  if (servers.length === 0) return access
  const guards = servers.map((server) => neutralRule({ tools: [allOf(server)], action: 'deny' }, 'guard', null))
  return access.map((layer) => {
    const own = layer.rules.findIndex(({ range }) => range !== null)
    const at = own < 0 ? layer.rules.length : own
    return { ...layer, rules: [...layer.rules.slice(0, at), ...guards, ...layer.rules.slice(at)] }
  })
}

function allOf(server: string): string {
  return `mcp:${server}/*`
}
