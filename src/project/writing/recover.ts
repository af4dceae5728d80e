/** After a run that was killed: what it had already done counts as done. */
import { readFileSync } from 'node:fs'
import { contentHash } from '../hash.ts'
import type { Lock, LockEntry } from '../lock.ts'
import type { Atlas } from './destination.ts'
import type { History } from './history.ts'

/** The lock as it would be if the run had come to write it. */
export function recoverLock(lock: Lock, history: History, atlas: Atlas): Map<string, LockEntry> {
  const recovered = new Map(lock)
  const hashes = new Map<string, string | null>()
  for (const { path, as = path, entry } of history.lines) {
    if (entry === undefined) continue
    if (!hashes.has(path)) hashes.set(path, hashNow(atlas, path))
    const now = hashes.get(path)
    if (entry !== null && now === entry.hash) recovered.set(as, entry)
    if (entry === null && now === null) recovered.delete(as)
  }
  return recovered
}

function hashNow(atlas: Atlas, path: string): string | null {
  const destination = atlas.locate(path)
  if (destination?.stat?.isFile() !== true) return null
  try {
    return contentHash(readFileSync(destination.file))
  } catch {
    return null
  }
}
