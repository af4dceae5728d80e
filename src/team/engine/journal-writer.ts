/**
 * The journal on the disk, for its only writer. A batch is appended in one write under the next number; then the writer
 * checks that the number is its own. A process that was suspended while another took over finds the number taken: it is
 * fenced, and its batch has no effect.
 */
import { closeSync, fdatasyncSync, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import type { JournalRecord } from '../state/records.ts'
import { batchLine, type JournalText, JournalUnusable, parseJournal, TORN_LINE_END } from './journal-format.ts'
import type { JournalFile } from './journal-reader.ts'

/** Why nothing can be written at the moment; the state is kept until it can. */
class JournalBlocked extends Error {
  readonly code: string
  constructor(error: NodeJS.ErrnoException) {
    super(
      error.code === 'ENOSPC' ? 'the disk is full' : `the journal cannot be written (${error.code ?? error.message})`,
    )
    this.code = error.code ?? 'EIO'
  }
}

/** How often others may write at the same moment. */
const TRIES = 5

/** Another process writes the journal now: this one has lost the right to. */
export class Fenced extends Error {
  constructor() {
    super('another process has taken over')
  }
}

export class Journal {
  readonly file: JournalFile
  readonly #file: number
  /** Where the next batch should begin, and its number. */
  #length: number
  #next: number
  /** It is preceded by bytes without a line end, which must not become part of the batch. */
  #isTorn: boolean
  #isSealed = false

  /** `text`: what was read of it; anything appended since then fences. */
  constructor(file: JournalFile, { length, next }: Pick<JournalText, 'length' | 'next'>) {
    this.file = file
    this.#file = openSync(file.path, 'a+', 0o644)
    this.#length = length
    this.#next = next
    this.#isTorn = fstatSync(this.#file).size > length
  }

  /** The number of the next batch. */
  get next(): number {
    return this.#next
  }

  /** Nothing can be appended to this file. */
  get isSealed(): boolean {
    return this.#isSealed
  }

  /** The size in bytes. */
  get size(): number {
    return this.#length
  }

  /** All or nothing, and on the disk when it returns; `expected`: the number that it must become. */
  append(records: readonly JournalRecord[], expected: number): void {
    if (records.length === 0) return
    if (expected !== this.#next || this.#isSealed) throw new Fenced()
    const isSeal = records.at(-1)?.t === 'sealed'
    const line = batchLine(expected, records)
    for (let tries = 0; tries < TRIES; tries++) {
      const bytes = Buffer.from(`${this.#isTorn ? TORN_LINE_END : ''}${line}`)
      try {
        for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written)
        fdatasyncSync(this.#file)
      } catch (error) {
        // It may have been written in full, in part, or not at all.
        this.#settle(bytes, isSeal)
        throw new JournalBlocked(error as NodeJS.ErrnoException)
      }
      this.#requireOwnFile()
      if (this.#settle(bytes, isSeal)) return
    }
    throw new Fenced()
  }

  close(): void {
    closeSync(this.#file)
  }

  /** Checks the result of an append; returns whether it counts. It does not if it was joined to a partial line. */
  #settle(bytes: Buffer, isSeal: boolean): boolean {
    const { size } = fstatSync(this.#file)
    const found = readAt(this.#file, this.#length, size - this.#length)
    if (found.equals(bytes)) {
      this.#length += bytes.length
      this.#next++
      this.#isTorn = false
      this.#isSealed = isSeal
      return true
    }
    // Others were faster, or wrote garbage: the first batch with that number counts.
    const { records, length, next } = parseJournal(found, this.#next)
    const own = parseJournal(bytes, this.#next).records
    const isOwn = next === this.#next + 1 && JSON.stringify(records) === JSON.stringify(own)
    if (next > this.#next && !isOwn) throw new Fenced()
    this.#length += length
    this.#isTorn = found.length > length
    this.#next = next
    this.#isSealed = isOwn && isSeal
    return isOwn
  }

  /** It may have been removed or replaced; what was written to it is lost. */
  #requireOwnFile(): void {
    const here = statSync(this.file.path, { throwIfNoEntry: false })
    if (here === undefined || here.ino !== fstatSync(this.#file).ino)
      throw new JournalUnusable('The journal was removed or replaced while it was in use.')
  }
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, length))
  let read = 0
  while (read < bytes.length) {
    const more = readSync(file, bytes, read, bytes.length - read, position + read)
    if (more === 0) break
    read += more
  }
  return bytes.subarray(0, read)
}

/** Waiting helps: nothing can be written at the moment. */
export function isDiskFull(error: unknown): error is Error {
  return error instanceof JournalBlocked || ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')
}

export class DiskFullNotice {
  readonly #onObstacle: (why: string | null) => void
  #why: string | null = null

  /** `onObstacle`: called with an obstacle, or with null once it is gone. */
  constructor(onObstacle: (why: string | null) => void) {
    this.#onObstacle = onObstacle
  }

  /** The current obstacle. */
  get why(): string | null {
    return this.#why
  }

  /** Rethrows every other error. */
  meet(error: unknown): void {
    if (!isDiskFull(error)) throw error
    const isNew = this.#why === null
    this.#why = error instanceof JournalBlocked ? error.message : 'the disk is full'
    if (isNew) this.#onObstacle(this.#why)
  }

  over(): void {
    if (this.#why === null) return
    this.#why = null
    this.#onObstacle(null)
  }
}
