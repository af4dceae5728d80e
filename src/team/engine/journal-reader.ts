/**
 * The files of the journal: `journal.jsonl`, then `journal.2.jsonl` and so on. Each later one begins with a snapshot of
 * what came before it, so the last one is enough to continue; the earlier ones are the history.
 */
import { closeSync, existsSync, fstatSync, readdirSync, readSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { openRegularFile, readRegularFile } from '../../disk/read-file.ts'
import { limits } from '../../model/limits.ts'
import type { JournalRecord } from '../state/records.ts'
import { emptyState, foldRecords, type State } from '../state/state.ts'
import { type JournalText, parseJournal } from './journal-format.ts'
import type { WorkplacePaths } from './paths.ts'

export interface JournalFile {
  readonly number: number
  readonly path: string
}

/** `path`: that of the first one. In order; only the first one if there is none yet. */
export function journalFiles(path: string): JournalFile[] {
  const first = { number: 1, path }
  const stem = basename(path, '.jsonl')
  let names: string[]
  try {
    names = readdirSync(dirname(path))
  } catch {
    return [first]
  }
  const found = names.flatMap((name): JournalFile[] => {
    if (name === basename(path)) return [first]
    if (!name.startsWith(`${stem}.`)) return []
    const number = Number(/^([1-9]\d*)\.jsonl$/.exec(name.slice(stem.length + 1))?.[1] ?? 0)
    return number > 1 ? [{ number, path: join(dirname(path), name) }] : []
  })
  return found.length === 0 ? [first] : found.sort((a, b) => a.number - b.number)
}

export function lastJournalFile(path: string): JournalFile {
  return journalFiles(path).at(-1) ?? { number: 1, path }
}

export function nextJournalFile(path: string, { number }: JournalFile): JournalFile {
  return { number: number + 1, path: path.replace(/(\.jsonl)?$/, `.${number + 1}.jsonl`) }
}

/** What is needed for the current state; an empty text if there is no journal. */
export function readJournal(path: string): JournalText {
  return readJournalFile(lastJournalFile(path).path)
}

/** `until`: batches from that number on do not count. */
export function readJournalFile(path: string, until?: number): JournalText {
  try {
    return parseJournal(readRegularFile(path, { most: limits.journal }), 0, until)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return parseJournal(Buffer.alloc(0))
    throw error
  }
}

/** All records ever; a snapshot replaces missing files. */
export function* readWholeJournal(path: string): Generator<JournalRecord> {
  let isFirst = true
  for (const file of journalFiles(path)) {
    for (const record of readJournalFile(file.path).records)
      if (isFirst || (record.t !== 'open' && record.t !== 'snapshot')) yield record
    isFirst = false
  }
}

/** Follows the journal from its last position, across files, for observers. */
export class JournalReader {
  readonly #path: string
  readonly #isHistory: boolean
  #file: JournalFile | null = null
  #offset = 0
  #next = 0
  #isSealed = false
  #skipsSnapshot = false

  /** `from`: what is needed for the current state, or all records ever. */
  constructor(path: string, from: 'snapshot' | 'beginning' = 'snapshot') {
    this.#path = path
    this.#isHistory = from === 'beginning'
  }

  more(): JournalRecord[] {
    const found = this.#read()
    while (this.#isSealed && this.#goOn()) found.push(...this.#read())
    return found
  }

  #read(): JournalRecord[] {
    if (this.#isSealed) return []
    this.#file ??= journalFiles(this.#path).at(this.#isHistory ? 0 : -1) ?? null
    const bytes = this.#file === null ? null : readNewBytes(this.#file.path, this.#offset)
    if (bytes === null) {
      // If nothing was read yet, another file may be the right one next time.
      if (this.#offset === 0) this.#file = null
      return []
    }
    const { records, length, next, isSealed } = parseJournal(bytes, this.#next)
    this.#offset += length
    this.#next = next
    this.#isSealed = isSealed
    return this.#skipsSnapshot ? records.filter(({ t }) => t !== 'open' && t !== 'snapshot') : records
  }

  #goOn(): boolean {
    if (this.#file === null) return false
    const next = nextJournalFile(this.#path, this.#file)
    if (!existsSync(next.path)) return false
    this.#file = next
    this.#offset = 0
    this.#isSealed = false
    this.#skipsSnapshot = true
    return true
  }
}

/** Null if there is nothing new. */
function readNewBytes(path: string, offset: number): Buffer | null {
  let file: number
  try {
    file = openRegularFile(path)
  } catch {
    return null
  }
  try {
    const { size } = fstatSync(file)
    if (size <= offset) return null
    const bytes = Buffer.allocUnsafe(size - offset)
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, offset))
  } finally {
    closeSync(file)
  }
}

/** The state of a workplace for observers: read once, then kept up to date with the journal. */
export interface FollowedState {
  readonly state: State
  /** The records since the last call, already applied to the state. */
  readonly refresh: () => readonly JournalRecord[]
}

export function followState({ journal }: Pick<WorkplacePaths, 'journal'>): FollowedState {
  const reader = new JournalReader(journal)
  const state = emptyState()
  const refresh = () => {
    const records = reader.more()
    foldRecords(records, state)
    return records
  }
  refresh()
  return { state, refresh }
}
