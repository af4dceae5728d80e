/** Writes the lock file last and flushes it to the disk before the run ends; recovers it after a crash. */
import { bothHashes, exactHash } from '../../disk/hash.ts'
import { readRegularFile } from '../../disk/read-file.ts'
import { type LockEntry, type LockFile, serializeLockFile } from '../../workbench/lock-file.ts'
import type { Destinations } from './destination.ts'
import type { RunHistory } from './history.ts'
import type { RunJournal } from './journal.ts'
import { placeFile, type TroupeFolder } from './troupe-folder.ts'

/** Returns what it is now. `seen`: the lock file as it was when the run began; null: there was none. */
export function saveLockFile(
  destinations: Destinations,
  own: TroupeFolder,
  journal: RunJournal,
  seen: Buffer | null,
  lock: LockFile,
): Buffer | null {
  const bytes = Buffer.from(serializeLockFile(lock))
  if (seen === null ? lock.size === 0 : isSameText(seen, bytes)) return seen
  const destination = destinations.locateLock()
  if (destination === null) throw new Error('it links to a file that is missing or outside the folder')
  const { file, path, stat } = destination
  const old = stat === undefined ? null : readRegularFile(file)
  const isAsSeen = old === null || seen === null ? old === seen : old.equals(seen)
  if (!isAsSeen) throw new Error('it changed while Troupe was working')
  const mode = stat === undefined ? null : stat.mode & 0o7777
  const before = old === null ? null : { bytes: old, mode: mode ?? 0 }
  journal.note([{ path, hash: exactHash(bytes), before, as: undefined, entry: undefined }])
  placeFile(own, file, bytes, { mode, durable: true })
  return bytes
}

/** Git may have converted its line ends. */
function isSameText(seen: Buffer, now: Buffer): boolean {
  return seen.equals(now) || (seen.includes('\r\n') && seen.toString().replaceAll('\r\n', '\n') === now.toString())
}

/** The lock file as the killed run would have written it. */
export function recoverLockFile(
  lock: LockFile,
  history: RunHistory,
  destinations: Destinations,
): Map<string, LockEntry> {
  const recovered = new Map(lock)
  const known = new Map<string, Hashes | null>()
  for (const { path, as = path, hash, entry, inside } of history.lines) {
    if (entry === undefined && inside === undefined) continue
    if (!known.has(path)) known.set(path, hashesNow(destinations, path))
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

type Hashes = ReturnType<typeof bothHashes>

/** Null: it does not exist. */
function hashesNow(destinations: Destinations, path: string): Hashes | null {
  const destination = destinations.locate(path)
  if (destination?.stat?.isFile() !== true) return null
  try {
    return bothHashes(readRegularFile(destination.file))
  } catch {
    return null
  }
}
