/**
 * Goes on in a new file of the journal that begins with a snapshot. Its draft is on the disk before the old file is sealed,
 * which is the moment that decides: a seal is a batch like any other, so a process that was fenced cannot set one. Then
 * the draft is linked to the next number, which can be done once; where that was not reached, the next owner does it.
 */
import { closeSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { FORMAT } from '../workplace/records.ts'
import { snapshotOf } from '../workplace/snapshot.ts'
import type { State } from '../workplace/state.ts'
import type { Journal } from './journal-file.ts'
import { type JournalFile, nextJournalFile } from './journal-files.ts'
import { batchLine } from './journal-text.ts'
import { draftIn } from './put-whole.ts'

/** A file smaller than that is not worth a new one (bytes). */
const WORTH = 2 * 1024 * 1024
/** How often a snapshot must have been outgrown, so that long ones are not written all the time. */
const OUTGROWN = 4

/** `snapshot`: bytes of the one that the journal begins with. */
export function isWorthCompacting({ size }: Journal, snapshot: number): boolean {
  return size > Math.max(WORTH, OUTGROWN * snapshot)
}

/** The old file stays as history. */
export function compact(path: string, journal: Journal, state: State, uuid: string): void {
  const draft = writeDraft(path, journal.next + 1, state, uuid)
  try {
    journal.append([{ t: 'sealed' }], journal.next)
    putNext(path, journal.file, draft)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** For a journal that was sealed by somebody who did not get further. `next`: the number of its next batch. */
export function succeed(path: string, file: JournalFile, next: number, state: State, uuid: string): void {
  const draft = writeDraft(path, next, state, uuid)
  try {
    putNext(path, file, draft)
  } finally {
    rmSync(draft, { force: true })
  }
}

function writeDraft(path: string, n: number, state: State, uuid: string): string {
  const draft = draftIn(dirname(path))
  const at = state.lastEvent ?? 0
  const bytes = Buffer.from(
    batchLine(n, [
      { t: 'open', format: FORMAT, uuid, at },
      { t: 'snapshot', state: snapshotOf(state) },
    ]),
  )
  rmSync(draft, { force: true })
  const file = openSync(draft, 'wx', 0o644)
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
    fsyncSync(file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  return draft
}

function putNext(path: string, file: JournalFile, draft: string): void {
  try {
    linkSync(draft, nextJournalFile(path, file).path)
  } catch (error) {
    // Somebody else has made the same of the same.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const folder = openSync(dirname(path), 'r')
  try {
    fsyncSync(folder)
  } catch {
    // Some systems cannot.
  } finally {
    closeSync(folder)
  }
}
