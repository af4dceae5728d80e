/**
 * Servers of an agent in a harness where all agents of a project see them: a rule of the project denies them to all
 * agents (`guard` in the harness file), and the agent's own rules, which come after it, grant them to the agent again.
 */
import { statedRule } from '../../harness/read/codecs.ts'
import type { FieldSpec, Harness } from '../../harness/schema/harness.ts'
import type { AccessKeys } from '../../harness/write/access.ts'
import { type AccessIntent, decideByOwnRules } from '../../harness/write/intent.ts'
import { mcpName } from '../../harness/write/names.ts'
import type { Access } from '../../model/access/rules.ts'
import type { Json } from '../../model/agent.ts'
import { anyToolOf } from '../../model/tools.ts'
import type { ConfigSetting } from '../agent/output.ts'

/** None where the harness has no such rule, or would not understand it for this server. */
export function guardSetting(
  harness: Harness,
  { file, guard }: NonNullable<FieldSpec['config']>,
  server: string,
): ConfigSetting[] {
  const word = mcpName(harness, allToolsOf(server))
  if (guard === undefined || word === null || !new RegExp(guard.names, 'u').test(server)) return []
  return [{ file, path: [...guard.at.split('.'), word], value: guard.answer, guards: server }]
}

/** The keys, with a rule for each server that the agent may use and none of its rules mentions. */
export function allowOwnServers(
  harness: Harness,
  keys: AccessKeys,
  access: Access,
  intent: AccessIntent,
  { servers, keepAsking }: { readonly servers: readonly string[]; readonly keepAsking: boolean },
): AccessKeys {
  const layer = harness.access.layers.find(({ codec, legacy }) => codec === 'rule-map' && legacy !== true)
  if (layer === undefined) return keys
  const rules: [string, Json][] = []
  for (const server of servers) {
    const action = intent.answer(allToolsOf(server))
    const word = mcpName(harness, allToolsOf(server))
    if (action === 'deny' || word === null || decideByOwnRules(access, anyToolOf(server)) !== null) continue
    rules.push([word, action === 'ask' || (action === 'offer' && keepAsking) ? 'ask' : 'allow'])
  }
  if (rules.length === 0) return keys
  const others = keys.get(layer.key) ?? {}
  // Rules for single tools must come later.
  return new Map([...keys, [layer.key, { ...Object.fromEntries(rules), ...(others as object) }]])
}

/** The access with the project's rules in their place: after the defaults, before the agent's own. */
export function guardedAccess(access: Access, servers: readonly string[]): Access {
  if (servers.length === 0) return access
  const guards = servers.map((server) => statedRule({ tools: [allToolsOf(server)], action: 'deny' }, 'guard', null))
  return access.map((layer) => {
    const own = layer.rules.findIndex(({ range }) => range !== null)
    const at = own < 0 ? layer.rules.length : own
    return { ...layer, rules: [...layer.rules.slice(0, at), ...guards, ...layer.rules.slice(at)] }
  })
}

function allToolsOf(server: string): string {
  return `mcp:${server}/*`
}
