/** Opens the journal for writing where it goes on now. */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { emptyState, fold, type State } from '../workplace/state.ts'
import { succeed } from './compact.ts'
import { Journal } from './journal-file.ts'
import { lastJournalFile, nextJournalFile, readJournalFile } from './journal-files.ts'
import { parseJournal, requireFormat } from './journal-text.ts'

export interface OpenJournal {
  readonly journal: Journal
  readonly state: State
  /** Bytes of the snapshot that it begins with. */
  readonly snapshot: number
}

/** Only for whoever holds the lock. A journal without a word in it is a new one. */
export function openJournal(path: string, uuid: string): OpenJournal {
  for (;;) {
    const file = lastJournalFile(path)
    const text = readJournalFile(file.path)
    requireFormat(text)
    const state = fold(text.records, emptyState())
    if (!text.isSealed) return { journal: new Journal(file, text), state, snapshot: text.firstLine }
    succeed(path, file, text.next, state, uuid)
  }
}

/**
 * From a file that this process has sealed to the next one. Only its snapshot is believed: if anything stands behind that,
 * another process has taken over.
 */
export function goOn(path: string, sealed: Journal, uuid: string): OpenJournal {
  const file = nextJournalFile(path, sealed.file)
  if (!existsSync(file.path)) {
    const { records } = readJournalFile(sealed.file.path, sealed.next)
    succeed(path, sealed.file, sealed.next, fold(records), uuid)
  }
  const text = parseJournal(firstLineOf(file.path))
  sealed.close()
  return { journal: new Journal(file, text), state: fold(text.records), snapshot: text.firstLine }
}

function firstLineOf(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.allocUnsafe(fstatSync(file).size)
    const read = readSync(file, bytes, 0, bytes.length, 0)
    return bytes.subarray(0, bytes.subarray(0, read).indexOf(10) + 1)
  } finally {
    closeSync(file)
  }
}
