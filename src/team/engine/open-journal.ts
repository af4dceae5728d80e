/** Opens the journal for writing at its last file, and compacts it into a new one when it has grown. */
import { closeSync, existsSync, fstatSync, linkSync, openSync, readSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncFolder, writeDraft } from '../../disk/atomic-write.ts'
import { JOURNAL_FORMAT } from '../state/records.ts'
import { snapshotOf } from '../state/snapshot.ts'
import { emptyState, foldRecords, type State } from '../state/state.ts'
import { batchLine, parseJournal, requireFormat } from './journal-format.ts'
import { type JournalFile, lastJournalFile, nextJournalFile, readJournalFile } from './journal-reader.ts'
import { Journal } from './journal-writer.ts'

/** A smaller file is not worth compacting (bytes). */
const COMPACT_SIZE = 2 * 1024 * 1024
/** How many times a snapshot must be outgrown, so that long ones are not written all the time. */
const COMPACT_FACTOR = 4

/** `snapshot`: the size in bytes of the one that the journal begins with. */
export function isWorthCompacting({ size }: Journal, snapshot: number): boolean {
  return size > Math.max(COMPACT_SIZE, COMPACT_FACTOR * snapshot)
}

/** The old file stays as history. */
export function compactJournal(path: string, journal: Journal, state: State, uuid: string): void {
  const draft = writeSnapshot(path, journal.next + 1, state, uuid)
  try {
    journal.append([{ t: 'sealed' }], journal.next)
    linkSuccessor(path, journal.file, draft)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** For a journal that was sealed by a process that got no further. `next`: the number of its next batch. */
function writeSuccessor(path: string, file: JournalFile, next: number, state: State, uuid: string): void {
  const draft = writeSnapshot(path, next, state, uuid)
  try {
    linkSuccessor(path, file, draft)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** The beginning of the next file, as a draft: a number may be taken only once, so it is linked, not renamed. */
function writeSnapshot(path: string, n: number, state: State, uuid: string): string {
  const at = state.lastEvent ?? 0
  const text = batchLine(n, [
    { t: 'open', format: JOURNAL_FORMAT, uuid, at },
    { t: 'snapshot', state: snapshotOf(state) },
  ])
  return writeDraft(path, text, { mode: null, durable: true })
}

function linkSuccessor(path: string, file: JournalFile, draft: string): void {
  try {
    linkSync(draft, nextJournalFile(path, file).path)
  } catch (error) {
    // Another process was faster, with the same content.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  syncFolder(dirname(path))
}

export interface OpenedJournal {
  readonly journal: Journal
  readonly state: State
  /** The size in bytes of its initial snapshot. */
  readonly snapshot: number
}

/** Only for the lock holder. An empty journal is a new one. */
export function openJournal(path: string, uuid: string): OpenedJournal {
  for (;;) {
    const file = lastJournalFile(path)
    const text = readJournalFile(file.path)
    requireFormat(text)
    const state = foldRecords(text.records, emptyState())
    if (!text.isSealed) return { journal: new Journal(file, text), state, snapshot: text.firstLine }
    writeSuccessor(path, file, text.next, state, uuid)
  }
}

/**
 * From a file that this process has sealed to the next one. Only its snapshot is trusted: if anything follows it, another
 * process has taken over.
 */
export function openSuccessor(path: string, sealed: Journal, uuid: string): OpenedJournal {
  const file = nextJournalFile(path, sealed.file)
  if (!existsSync(file.path)) {
    const { records } = readJournalFile(sealed.file.path, sealed.next)
    writeSuccessor(path, sealed.file, sealed.next, foldRecords(records), uuid)
  }
  const text = parseJournal(readFirstLine(file.path))
  sealed.close()
  return { journal: new Journal(file, text), state: foldRecords(text.records), snapshot: text.firstLine }
}

function readFirstLine(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.allocUnsafe(fstatSync(file).size)
    const read = readSync(file, bytes, 0, bytes.length, 0)
    return bytes.subarray(0, bytes.subarray(0, read).indexOf(10) + 1)
  } finally {
    closeSync(file)
  }
}
