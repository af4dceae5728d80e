/** How Troupe writes: many files into one root, each whole or not at all, recorded in the lock, and reversible. */
import { exactHash, hashesOf } from './hash.ts'
import { watchInterruption } from './interrupt.ts'
import { LOCK, type LockEntry, lockEntry, partsOf, readLock } from './lock.ts'
import type { Inside, Opened, RunOptions } from './run.ts'
import { type Change, openChanges, STALE } from './writing/changes.ts'
import type { Destination } from './writing/destination.ts'
import { readHistory, readKilledRun } from './writing/history.ts'
import { openJournal } from './writing/journal.ts'
import { openWorkplace } from './writing/open.ts'
import { type Failure, failureOf, refusal } from './writing/problem.ts'
import { forget } from './writing/record.ts'
import { recoverLock } from './writing/recover.ts'
import { saveLock } from './writing/save-lock.ts'
import { type Found, forbids, inspect } from './writing/standing.ts'
import { isComplete, takeBack } from './writing/take-back.ts'

interface Look {
  readonly path: string
  readonly bytes: Uint8Array | null
  readonly at: number
  readonly destination: Destination | null
  readonly found: Found
}

export function openRun(root: string, command: string, options: RunOptions = {}): Opened {
  const { dryRun = false } = options
  // Before anything is made: whoever is interrupted from now on tidies up.
  const interruption = dryRun ? null : watchInterruption()
  const place = openWorkplace(root, dryRun)
  if ('refused' in place) {
    interruption?.stop()
    return place
  }
  const { atlas, own, release } = place
  const { lock, bytes: seen, problem } = readLock(atlas.root)
  if (problem !== undefined && options.force !== true && !dryRun) {
    interruption?.stop()
    release()
    const { message, hint } = problem
    return { refused: { reason: 'broken-lock', message, ...(hint === undefined ? {} : { hint }) }, problem }
  }
  const killed = readKilledRun(own.undo)
  const owned = killed === null ? new Map(lock) : recoverLock(lock, killed, atlas)
  const failed = new Map<string, Failure>()
  const journal = openJournal(own.undo, command, killed)
  let changed = 0
  /** Whether the lock may have something else to say than before. */
  let isLockOld = killed !== null || problem !== undefined
  let open = true

  /** A file that is written whole has the parts that it has now, and no others. */
  const record = (path: string, entry: LockEntry | null | undefined, inside: Change['inside']) => {
    isLockOld = true
    if (entry && inside !== undefined) for (const key of partsOf(owned, path)) owned.delete(key)
    if (entry === null) owned.delete(path)
    else if (entry !== undefined) owned.set(path, entry)
    for (const [key, one] of inside ?? []) {
      if (one === null) owned.delete(key)
      else owned.set(key, one)
    }
  }

  const changes = openChanges(own, journal, atlas.below, {
    made: ({ path, entry, inside, destination }) => {
      changed++
      failed.delete(path)
      if (entry) options.onKnown?.(destination.file, path, entry)
      record(path, entry, inside)
    },
    failed: (path, failure) => failed.set(path, failure),
  })

  /** What was found out last: a file is nearly always written right after it was asked about. */
  let last: Look | null = null
  const look = (path: string, bytes: Uint8Array | null): Look => {
    const now = Date.now()
    if (last?.path === path && last.bytes === bytes && now - last.at < STALE) return last
    let destination = atlas.locate(path)
    if (destination !== null && changes.awaits(destination)) {
      changes.flush()
      destination = atlas.locate(path)
    }
    last = { path, bytes, at: now, destination, found: inspect(destination, bytes, owned.get(path)) }
    return last
  }

  /** What is to be changed; null: it must not be, and why is told, or nothing is to be changed at all. */
  const ready = (path: string, bytes: Uint8Array | null, force: boolean | undefined) => {
    const { destination, found } = look(path, bytes)
    last = null
    const removesLink = bytes === null && destination?.linked === true
    const why = removesLink ? 'it is a link' : forbids(found.standing, force)
    if (destination !== null && why === null) return dryRun ? null : { destination, found }
    failed.set(path, refusal(bytes === null ? 'removed' : 'written', why ?? ''))
    return null
  }

  const partEntry = ({ key, entry, hash }: Inside) => [key, lockEntry(command, entry, hash)] as const

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
      failed,
      plan: (path, bytes) => look(path, bytes).found.standing,
      write: (path, bytes, given, force = options.force, parts) => {
        const target = ready(path, bytes, force)
        if (target === null) return
        const { destination, found } = target
        const hash = hashesOf(bytes)
        const entry = lockEntry(command, given, hash.content)
        const inside = parts?.map(partEntry)
        if (found.standing === 'same') {
          record(path, entry, inside)
          options.onKnown?.(destination.file, path, entry, destination.stat)
        } else {
          const change = { path, destination, bytes, hash: hash.exact, before: found.before, entry }
          changes.add(inside === undefined ? change : { ...change, inside })
        }
      },
      refuse: (path, why) => failed.set(path, refusal('written', why)),
      edit: (path, bytes, given = [], gone = []) => {
        const target = ready(path, bytes, true)
        if (target === null) return
        const { destination, found } = target
        const inside = [...gone.map((key) => [key, null] as const), ...given.map(partEntry)]
        if (found.standing === 'same') {
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
        if (found.standing === 'new') {
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
            if (isLockOld) saveLock(atlas, own, journal, seen, owned)
            finish(journal)
          } catch (error) {
            failed.set(LOCK, failureOf('written', error))
          }
        }
        close()
        return { changed, failed }
      },
      abort: () => {
        if (!open) return
        changes.drop()
        const made = journal.begun() ? readHistory(own.undo) : null
        if (made !== null && isComplete(takeBack(atlas, own, made, { force: false, dryRun: false }))) forget(own.undo)
        close()
      },
    },
  }
}

/** A journal without its last line only means that the next run goes on with it. */
function finish(journal: { readonly finish: () => void }): void {
  try {
    journal.finish()
  } catch {
    // The disk is full, and everything else is done.
  }
}
