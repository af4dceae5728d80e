/** Makes changes in blocks: a block is recorded in the journal as a whole, then its files are changed one by one. */

import { unlinkSync } from 'node:fs'
import { makeFolders } from '../../disk/atomic-write.ts'
import { refusedWrite, type WriteFailure, writeFailure } from '../../disk/errors.ts'
import { readRegularFile } from '../../disk/read-file.ts'
import type { LockEntry } from '../../workbench/lock-file.ts'
import { type Destination, type DestinationFolder, statLink } from './destination.ts'
import type { PlannedChange, RunJournal } from './journal.ts'
import { placeFile, type TroupeFolder } from './troupe-folder.ts'

export interface PendingChange {
  /** The caller's name for it. */
  readonly path: string
  readonly destination: Destination
  /** Null: the file is to be removed. */
  readonly bytes: Uint8Array | null
  /** Of the exact bytes. */
  readonly hash: string | null
  /** The current content, if it was already read. */
  readonly before: Buffer | null
  /** The new lock file entry (null: none any more); undefined: the file is not ours. */
  readonly entry: LockEntry | null | undefined
  /** Whether a new file can be run. */
  readonly isProgram?: boolean
  /** The parts of the file that are ours, as the lock file will record them; null: no longer ours. */
  readonly inside?: readonly (readonly [key: string, entry: LockEntry | null])[]
}

export interface ChangeQueue {
  readonly add: (change: PendingChange) => void
  /** Whether a change of this file is pending; also under a name that only some file systems treat as different. */
  readonly isPending: (destination: Destination) => boolean
  /** Makes all pending changes. */
  readonly flush: () => void
  readonly drop: () => void
}

export interface ChangeListener {
  readonly made: (change: PendingChange) => void
  readonly failed: (path: string, failure: WriteFailure) => void
}

/** Few enough that no change is pending for long. */
const FILES = 16
const BYTES = 4 * 1024 * 1024
/** After this (ms) an earlier stat may be out of date. */
export const STALE = 1000

export function openChangeQueue(
  own: TroupeFolder,
  journal: RunJournal,
  below: (file: string) => string,
  listener: ChangeListener,
): ChangeQueue {
  let waiting: PendingChange[] = []
  let bytes = 0
  let since = 0
  const names = new Set<string>()

  const drop = () => {
    waiting = []
    bytes = 0
    names.clear()
  }

  const flush = () => {
    const stale = Date.now() - since > STALE
    const block = waiting.filter((change) => {
      if (isAsSeen(change.destination, stale)) return true
      listener.failed(change.path, refusedWrite(verbOf(change), 'it changed while Troupe was working'))
      return false
    })
    drop()
    if (block.length === 0) return
    try {
      own.requireTurn()
      journal.note(block.map(intentOf), missingFolders(block).map(below))
    } catch (error) {
      for (const change of block) listener.failed(change.path, writeFailure(verbOf(change), error))
      return
    }
    for (const change of block) {
      try {
        applyChange(own, change)
      } catch (error) {
        listener.failed(change.path, writeFailure(verbOf(change), error))
        continue
      }
      listener.made(change)
    }
  }

  return {
    flush,
    drop,
    isPending: ({ path }) => names.size > 0 && names.has(path.toLowerCase()),
    add: (given) => {
      const change = withBefore(given, listener)
      if (change === null) return
      if (waiting.length === 0) since = Date.now()
      waiting.push(change)
      names.add(change.destination.path.toLowerCase())
      bytes += (change.bytes?.length ?? 0) + (change.before?.length ?? 0)
      if (waiting.length >= FILES || bytes >= BYTES) flush()
    },
  }
}

/** The old content of a file to be changed must be available. */
function withBefore(change: PendingChange, listener: ChangeListener): PendingChange | null {
  const { destination, before, path } = change
  if (destination.stat === undefined || before !== null) return change
  if (!destination.stat.isFile()) {
    const what = destination.stat.isDirectory() ? 'a folder is in its place' : 'it is not a regular file'
    listener.failed(path, refusedWrite(verbOf(change), what))
    return null
  }
  try {
    return { ...change, before: readRegularFile(destination.file) }
  } catch (error) {
    listener.failed(path, writeFailure(verbOf(change), error))
    return null
  }
}

function intentOf({ path, destination, hash, before, entry, inside }: PendingChange): PlannedChange {
  const mode = (destination.stat?.mode ?? 0) & 0o7777
  return {
    path: destination.path,
    hash,
    before: before === null ? null : { bytes: before, mode },
    as: path === destination.path ? undefined : path,
    entry,
    ...(inside === undefined ? {} : { inside }),
  }
}

function applyChange(own: TroupeFolder, { destination, bytes, isProgram }: PendingChange): void {
  const { file, folder, stat } = destination
  if (bytes === null) {
    unlinkSync(file)
    return
  }
  if (!folder.exists) {
    makeFolders(folder.file)
    for (let one: DestinationFolder | null = folder; one !== null && !one.exists; one = one.parent) {
      one.exists = true
      one.made = new Set()
    }
  }
  folder.made?.add(file)
  const mode = isProgram === true ? 0o755 : null
  placeFile(own, file, bytes, { mode: stat === undefined ? mode : stat.mode & 0o7777, durable: false })
}

/** Outer ones first. */
function missingFolders(block: readonly PendingChange[]): string[] {
  const missing = new Set<string>()
  const add = (folder: DestinationFolder | null): void => {
    if (folder === null || folder.exists || missing.has(folder.file)) return
    add(folder.parent)
    missing.add(folder.file)
  }
  for (const { destination, bytes } of block) if (bytes !== null) add(destination.folder)
  return [...missing]
}

/** A file that did not exist is checked again only after a while: that is one call per file. */
function isAsSeen({ file, stat }: Destination, stale: boolean): boolean {
  if (stat === undefined && !stale) return true
  const now = statLink(file)
  if (stat === undefined || now === undefined) return stat === now
  return now.ino === stat.ino && now.size === stat.size && now.mtimeMs === stat.mtimeMs
}

function verbOf({ bytes }: PendingChange): string {
  return bytes === null ? 'removed' : 'written'
}
