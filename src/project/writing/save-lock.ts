/** Writes the lock: last of all, and so that it is on the disk when the run says it has ended. */
import { closeSync, fsyncSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { exactHash } from '../hash.ts'
import { type Lock, serializeLock } from '../lock.ts'
import type { Atlas } from './destination.ts'
import type { Journal } from './journal.ts'
import { type OwnFolder, putFile } from './own-folder.ts'

/** `seen`: the lock as it was when the run began; null: there was none. */
export function saveLock(atlas: Atlas, own: OwnFolder, journal: Journal, seen: string | null, lock: Lock): void {
  const text = serializeLock(lock)
  if (seen === null ? lock.size === 0 : seen.replaceAll('\r\n', '\n') === text) return
  const destination = atlas.locateLock()
  if (destination === null) throw new Error('a link leads from it to a file outside the folder, or to nowhere')
  const { file, path, stat } = destination
  const old = stat === undefined ? null : readFileSync(file)
  if ((old?.toString() ?? null) !== seen) throw new Error('it was changed while Troupe was working')
  const bytes = Buffer.from(text)
  const mode = stat === undefined ? null : stat.mode & 0o7777
  const before = old === null ? null : { bytes: old, mode: mode ?? 0 }
  journal.note([{ path, hash: exactHash(bytes), before, as: undefined, entry: undefined }])
  putFile(own, file, bytes, { mode, durable: true })
  syncFolder(dirname(file))
}

/** The new name is part of the folder. Some systems know no such thing, and then there is nothing to wait for. */
function syncFolder(folder: string): void {
  try {
    const file = openSync(folder, 'r')
    try {
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  } catch {
    // The lock stands whole in either case.
  }
}
