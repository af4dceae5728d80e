/** Writes the lock: last of all, and so that it is on the disk when the run says it has ended. */
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { exactHash } from '../hash.ts'
import { type Lock, serializeLock } from '../lock.ts'
import { readRegular } from '../regular-file.ts'
import type { Atlas } from './destination.ts'
import type { Journal } from './journal.ts'
import { type OwnFolder, putFile } from './own-folder.ts'

/** `seen`: the lock as it was when the run began; null: there was none. */
export function saveLock(atlas: Atlas, own: OwnFolder, journal: Journal, seen: Buffer | null, lock: Lock): void {
  const bytes = Buffer.from(serializeLock(lock))
  if (seen === null ? lock.size === 0 : isSame(seen, bytes)) return
  const destination = atlas.locateLock()
  if (destination === null) throw new Error('a link leads from it to a file outside the folder, or to nowhere')
  const { file, path, stat } = destination
  const old = stat === undefined ? null : readRegular(file)
  const isAsSeen = old === null || seen === null ? old === seen : old.equals(seen)
  if (!isAsSeen) throw new Error('it was changed while Troupe was working')
  const mode = stat === undefined ? null : stat.mode & 0o7777
  const before = old === null ? null : { bytes: old, mode: mode ?? 0 }
  journal.note([{ path, hash: exactHash(bytes), before, as: undefined, entry: undefined }])
  putFile(own, file, bytes, { mode, durable: true })
  syncFolder(dirname(file))
}

/** Git may have turned its line ends into others. */
function isSame(seen: Buffer, now: Buffer): boolean {
  return seen.equals(now) || (seen.includes('\r\n') && seen.toString().replaceAll('\r\n', '\n') === now.toString())
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
