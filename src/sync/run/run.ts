/** One run of writing: many files into one root, each atomically, recorded in the lock file, and reversible. */
import type { Stats } from 'node:fs'
import { refusedWrite, type WriteFailure, writeFailure } from '../../disk/errors.ts'
import { bothHashes, exactHash } from '../../disk/hash.ts'
import { watchInterruption } from '../../disk/signals.ts'
import type { Diagnostic } from '../../model/findings.ts'
import { readLockFile } from '../../project/read-text.ts'
import {
  LOCK_FILE,
  type LockEntry,
  type LockFile,
  lockEntry,
  type NewEntry,
  partKeysOf,
} from '../../workbench/lock-file.ts'
import { openChangeQueue, type PendingChange, STALE } from './changes.ts'
import { type Destination, type FileState, type InspectedFile, inspectFile, whyForbidden } from './destination.ts'
import { readKilledRun, readRunHistory, removeRecord } from './history.ts'
import { openRunJournal } from './journal.ts'
import { recoverLockFile, saveLockFile } from './save-lock-file.ts'
import { awaitTurn, openRunFolder, type RunRefusal } from './troupe-folder.ts'
import { isFullyUndone, undoChanges } from './undo.ts'

/** A run: the files that one command inspects, writes and records together. */
export interface RunOptions {
  /** Also overwrite files that Troupe did not write or that were changed since, and a lock file that cannot be read. */
  readonly force?: boolean
  /** Answer `plan` and write nothing. */
  readonly dryRun?: boolean
  /** Called for every file of ours that was written, or whose stat was `seen` before it was found to be the same. */
  readonly onKnown?: (file: string, path: string, entry: LockEntry, seen?: Stats) => void
}

/**
 * Paths are relative to the root, with forward slashes. What must not be written is in `failed` at once; files are
 * written in small blocks, so disk errors are there after the block, after `flush`, or after `commit`.
 */
export interface Run {
  /** What is ours now, this run included. */
  readonly owned: LockFile
  /** The command of a killed run that this one finishes: its files count as ours, and undo reverts both. */
  readonly continues: string | null
  /** What is wrong with the lock file, where the run was opened anyway; then nothing counts as ours. */
  readonly problem: Diagnostic | null
  /** Of the lock file on the disk, from which `owned` comes; null: there is none, or `owned` does not come from it. */
  readonly lockHash: () => string | null
  /** By path: the failures so far. */
  readonly failed: ReadonlyMap<string, WriteFailure>
  /** The state of the file; without bytes: for a file that is to be removed. */
  readonly plan: (path: string, bytes: Uint8Array | null) => FileState
  /**
   * A file of ours. `force`: over anything that is there, but never outside the root. `inside`: the parts that the lock
   * file records for it, instead of the previous ones. `isProgram`: a new file can be run.
   */
  readonly write: (
    path: string,
    bytes: Uint8Array,
    entry: NewEntry,
    force?: boolean,
    inside?: readonly FilePart[],
    isProgram?: boolean,
  ) => void
  /**
   * A file of the user's, such as a configuration: never ours, but undone with the rest. It is written at once. `gone`:
   * parts in the lock file that are no longer in it.
   */
  readonly edit: (path: string, bytes: Uint8Array, inside?: readonly FilePart[], gone?: readonly string[]) => void
  /** Records why a file is not written that was not changed at all. */
  readonly refuse: (path: string, why: string) => void
  /** A file of ours; one that does not exist is only removed from the lock file. */
  readonly remove: (path: string, force?: boolean) => void
  /** Makes all pending changes, so that `failed` is complete. */
  readonly flush: () => void
  /** To be called before each file: the exit code if Ctrl-C was pressed. Then commit what is done. */
  readonly interrupted: () => Promise<number | null> | number | null
  readonly commit: () => RunOutcome
  /** Undoes what was done so far; after `commit` it does nothing, so it can be used in a `finally`. */
  readonly abort: () => void
}

/** What is ours inside a file. */
export interface FilePart {
  /** Its lock file key: the file, `#`, and the path inside it. */
  readonly key: string
  readonly entry: NewEntry
  readonly hash: string
}

interface RunOutcome {
  /** How many files have changed. */
  readonly changed: number
  /** By path; `troupe.lock` is included where it could not be written: then the next run continues from here. */
  readonly failed: ReadonlyMap<string, WriteFailure>
}

/** `problem`: what is wrong with the lock file. */
type OpenedRun = { readonly run: Run } | { readonly refused: RunRefusal; readonly problem?: Diagnostic }

interface Inspection {
  readonly path: string
  readonly bytes: Uint8Array | null
  readonly at: number
  readonly destination: Destination | null
  readonly found: InspectedFile
}

export function openRun(root: string, command: string, options: RunOptions = {}): OpenedRun {
  const { dryRun = false } = options
  const mutex = dryRun ? null : awaitTurn(root)
  // Before anything is created, so that an interruption cleans up.
  const interruption = dryRun ? null : watchInterruption()
  const place = openRunFolder(root, mutex)
  if ('refused' in place) {
    interruption?.stop()
    return place
  }
  const { destinations, own, release } = place
  const { lock, bytes: seen, problem } = readLockFile(destinations.root)
  if (problem !== undefined && options.force !== true && !dryRun) {
    interruption?.stop()
    release()
    const { message, hint } = problem
    return { refused: { reason: 'broken-lock', message, ...(hint === undefined ? {} : { hint }) }, problem }
  }
  const killed = readKilledRun(own.undo)
  const owned = killed === null ? new Map(lock) : recoverLockFile(lock, killed, destinations)
  const failed = new Map<string, WriteFailure>()
  const journal = openRunJournal(own.undo, command, killed)
  let changed = 0
  /** The lock file as this run knows it; null: what is owned is recovered, or not known. */
  let saved = killed === null && problem === undefined ? seen : null
  /** Whether the lock file may have to change. */
  let isLockOld = killed !== null || problem !== undefined
  let open = true

  /** A file that is written whole has the parts it has now, and no others. */
  const record = (path: string, entry: LockEntry | null | undefined, inside: PendingChange['inside']) => {
    isLockOld = true
    if (entry && inside !== undefined) for (const key of partKeysOf(owned, path)) owned.delete(key)
    if (entry === null) owned.delete(path)
    else if (entry !== undefined) owned.set(path, entry)
    for (const [key, one] of inside ?? []) {
      if (one === null) owned.delete(key)
      else owned.set(key, one)
    }
  }

  const changes = openChangeQueue(own, journal, destinations.below, {
    made: ({ path, entry, inside, destination }) => {
      changed++
      failed.delete(path)
      if (entry) options.onKnown?.(destination.file, path, entry)
      record(path, entry, inside)
    },
    failed: (path, failure) => failed.set(path, failure),
  })

  /** The last inspection: a file is nearly always written right after it was inspected. */
  let last: Inspection | null = null
  const look = (path: string, bytes: Uint8Array | null): Inspection => {
    const now = Date.now()
    if (last?.path === path && last.bytes === bytes && now - last.at < STALE) return last
    let destination = destinations.locate(path)
    if (destination !== null && changes.isPending(destination)) {
      changes.flush()
      destination = destinations.locate(path)
    }
    last = { path, bytes, at: now, destination, found: inspectFile(destination, bytes, owned.get(path)) }
    return last
  }

  /** The change to make; null: it is forbidden, which is recorded in `failed`, or nothing is to be written at all. */
  const ready = (path: string, bytes: Uint8Array | null, force: boolean | undefined) => {
    const { destination, found } = look(path, bytes)
    last = null
    const removesLink = bytes === null && destination?.linked === true
    const why = removesLink ? 'it is a link' : whyForbidden(found.state, force)
    if (destination !== null && why === null) return dryRun ? null : { destination, found }
    failed.set(path, refusedWrite(bytes === null ? 'removed' : 'written', why ?? ''))
    return null
  }

  const partEntry = ({ key, entry, hash }: FilePart) => [key, lockEntry(command, entry, hash)] as const

  const close = () => {
    open = false
    journal.close()
    interruption?.stop()
    release()
  }

  return {
    run: {
      owned,
      continues: killed?.command ?? null,
      problem: problem ?? null,
      lockHash: () => (saved === null ? null : exactHash(saved)),
      failed,
      plan: (path, bytes) => look(path, bytes).found.state,
      write: (path, bytes, given, force = options.force, parts, isProgram = false) => {
        const target = ready(path, bytes, force)
        if (target === null) return
        const { destination, found } = target
        const hash = bothHashes(bytes)
        const entry = lockEntry(command, given, hash.content)
        const inside = parts?.map(partEntry)
        if (found.state === 'same') {
          record(path, entry, inside)
          options.onKnown?.(destination.file, path, entry, destination.stat)
        } else {
          const change = { path, destination, bytes, hash: hash.exact, before: found.before, entry, isProgram }
          changes.add(inside === undefined ? change : { ...change, inside })
        }
      },
      refuse: (path, why) => failed.set(path, refusedWrite('written', why)),
      edit: (path, bytes, given = [], gone = []) => {
        const target = ready(path, bytes, true)
        if (target === null) return
        const { destination, found } = target
        const inside = [...gone.map((key) => [key, null] as const), ...given.map(partEntry)]
        if (found.state === 'same') {
          record(path, undefined, inside)
          return
        }
        const hash = exactHash(bytes)
        changes.add({ path, destination, bytes, hash, before: found.before, entry: undefined, inside })
        changes.flush()
      },
      remove: (path, force = options.force) => {
        const target = ready(path, null, force)
        if (target === null) return
        const { destination, found } = target
        if (found.state === 'new') {
          owned.delete(path)
          isLockOld = true
        } else changes.add({ path, destination, bytes: null, hash: null, before: found.before, entry: null })
      },
      flush: changes.flush,
      interrupted: () => interruption?.code() ?? null,
      commit: () => {
        if (!open) return { changed, failed }
        if (!dryRun) {
          changes.flush()
          try {
            own.requireTurn()
            if (isLockOld) saved = saveLockFile(destinations, own, journal, seen, owned)
            finishJournal(journal)
          } catch (error) {
            saved = null
            failed.set(LOCK_FILE, writeFailure('written', error))
          }
        }
        close()
        return { changed, failed }
      },
      abort: () => {
        if (!open) return
        changes.drop()
        const made = journal.begun() ? readRunHistory(own.undo) : null
        if (made !== null && isFullyUndone(undoChanges(destinations, own, made, { force: false, dryRun: false })))
          removeRecord(own.undo)
        close()
      },
    },
  }
}

/** A journal without its last line only means that the next run continues it. */
function finishJournal(journal: { readonly finish: () => void }): void {
  try {
    journal.finish()
  } catch {
    // The disk is full, and everything else is done.
  }
}
