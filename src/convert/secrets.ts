/** Which values must not be written down anywhere else: those under `env` and `headers`, however they are spelled. */
import type { Json } from '../model/agent.ts'
import type { DataNode } from '../text/tree.ts'

const SECRET = /^(?:\w+[-_.])?(?:env|environment|headers)$|^\w*Headers$/i

/** Whether there are such values under this key, or anywhere in it. */
export function holdsSecrets(key: string, node: DataNode): boolean {
  return SECRET.test(key) || hasSecretKeys(node)
}

function hasSecretKeys(node: DataNode): boolean {
  if (node.kind === 'list') return node.items.some(hasSecretKeys)
  return node.kind === 'map' && node.entries.some((entry) => holdsSecrets(entry.key, entry.value))
}

/** The same in a text that could not be parsed as it stands: any mention counts. */
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
