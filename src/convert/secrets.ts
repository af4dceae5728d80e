/** Which values must not be kept in the lock, because it is committed: those under `env` and `headers`, however they are spelled. */
import type { DataNode } from '../text/tree.ts'

const SECRET = /^(?:\w+[-_.])?(?:env|environment|headers)$|^\w*Headers$/i

/** Whether there are such values under this key, or anywhere in it. */
export function holdsSecrets(key: string, node: DataNode): boolean {
  if (SECRET.test(key)) return true
  if (node.kind === 'list') return node.items.some((item) => holdsSecrets('', item))
  return node.kind === 'map' && node.entries.some((entry) => holdsSecrets(entry.key, entry.value))
}

/** The same in a text that could not be parsed as it stands: any mention counts. */
export function mentionsSecrets(text: string): boolean {
  return /(?:env|environment|headers)["']?\s*(?:[:={\]]|\.[\w"'-]+\s*=)/i.test(text)
}
