/** After a run that was killed: what it had already done counts as done. */
import { hashesOf } from '../hash.ts'
import type { Lock, LockEntry } from '../lock.ts'
import { readRegular } from '../regular-file.ts'
import type { Atlas } from './destination.ts'
import type { History } from './history.ts'

/** The lock as it would be if the run had come to write it. */
export function recoverLock(lock: Lock, history: History, atlas: Atlas): Map<string, LockEntry> {
  const recovered = new Map(lock)
  const known = new Map<string, Hashes | null>()
  for (const { path, as = path, hash, entry, inside } of history.lines) {
    if (entry === undefined && inside === undefined) continue
    if (!known.has(path)) known.set(path, hashesNow(atlas, path))
    const now = known.get(path)
    if (entry && now?.content === entry.hash) recovered.set(as, entry)
    if (entry === null && now === null) recovered.delete(as)
    if (now?.exact !== hash) continue
    for (const [key, one] of Object.entries(inside ?? {})) {
      if (one === null) recovered.delete(key)
      else recovered.set(key, one)
    }
  }
  return recovered
}

type Hashes = ReturnType<typeof hashesOf>

/** Null: it is not there. */
function hashesNow(atlas: Atlas, path: string): Hashes | null {
  const destination = atlas.locate(path)
  if (destination?.stat?.isFile() !== true) return null
  try {
    return hashesOf(readRegular(destination.file))
  } catch {
    return null
  }
}
