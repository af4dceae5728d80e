/** The journal on the disk: appended and synced by the one process that holds the lock, read by anybody. */
import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs'
import { FORMAT, type JournalRecord } from '../workplace/records.ts'

/** Why nothing can be written at the moment; the state stays as it is until it can. */
export class JournalBlocked extends Error {
  readonly code: string
  constructor(error: NodeJS.ErrnoException) {
    super(
      error.code === 'ENOSPC' ? 'the disk is full' : `the journal cannot be written (${error.code ?? error.message})`,
    )
    this.code = error.code ?? 'EIO'
  }
}

/** It holds what this program must not touch. */
export class JournalUnusable extends Error {}

export interface JournalText {
  readonly records: JournalRecord[]
  /** Bytes up to the end of the last whole line. */
  readonly length: number
  /** Whole lines that hold no record: a damaged disk, or another program's doing. */
  readonly damaged: number
}

/** Text behind the last line end was being written when the writer died. */
export function parseJournal(bytes: Buffer): JournalText {
  const length = bytes.lastIndexOf(10) + 1
  if (length === 0) return { records: [], length: 0, damaged: 0 }
  const text = bytes.toString('utf8', 0, length - 1)
  try {
    // All at once: a line end cannot stand inside of a record.
    const records = JSON.parse(`[${text.replaceAll('\n', ',')}]`) as JournalRecord[]
    if (records.every(isRecord)) return { records, length, damaged: 0 }
  } catch {
    // Line by line, to save the others.
  }
  const lines = text.split('\n').map(parseLine)
  const records = lines.filter((one): one is JournalRecord => one !== null)
  return { records, length, damaged: lines.length - records.length }
}

function parseLine(line: string): JournalRecord | null {
  try {
    const data = JSON.parse(line)
    return isRecord(data) ? data : null
  } catch {
    return null
  }
}

function isRecord(data: unknown): data is JournalRecord {
  return typeof data === 'object' && data !== null && typeof (data as { t?: unknown }).t === 'string'
}

export function readJournal(path: string): JournalText {
  try {
    return parseJournal(readFileSync(path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { records: [], length: 0, damaged: 0 }
    throw error
  }
}

/** The format stands in the first record; a newer one is not guessed at. */
export function requireFormat(records: readonly JournalRecord[]): void {
  const [first] = records
  if (first === undefined || (first.t === 'open' && first.format === FORMAT)) return
  const found = first.t === 'open' ? `format ${first.format}` : 'no format'
  throw new JournalUnusable(`The journal of this workplace has ${found}; this Troupe understands format ${FORMAT}.`)
}

export class Journal {
  readonly path: string
  readonly #file: number
  #length: number

  /** Only for whoever holds the lock: cuts off what a killed writer left unfinished. */
  constructor(path: string, length: number) {
    this.path = path
    this.#file = openSync(path, 'a+', 0o644)
    this.#length = length
    if (fstatSync(this.#file).size > length) ftruncateSync(this.#file, length)
  }

  /** All or nothing, and on the disk when it returns. */
  append(records: readonly JournalRecord[]): void {
    if (records.length === 0) return
    const bytes = Buffer.from(`${records.map((record) => JSON.stringify(record)).join('\n')}\n`)
    try {
      this.#requireOwnFile()
      let written = 0
      while (written < bytes.length) written += writeSync(this.#file, bytes, written)
      fdatasyncSync(this.#file)
      this.#length += bytes.length
    } catch (error) {
      if (error instanceof JournalUnusable) throw error
      this.#takeBack()
      throw new JournalBlocked(error as NodeJS.ErrnoException)
    }
  }

  close(): void {
    closeSync(this.#file)
  }

  /** A part of a line would make one with the next. */
  #takeBack(): void {
    try {
      ftruncateSync(this.#file, this.#length)
    } catch {
      throw new JournalUnusable('A half-written record could not be taken out of the journal again.')
    }
  }

  /** Somebody may have removed or replaced it; writing into the void would lose everything. */
  #requireOwnFile(): void {
    const here = statSync(this.path, { throwIfNoEntry: false })
    const mine = fstatSync(this.#file)
    if (here === undefined || here.ino !== mine.ino)
      throw new JournalUnusable('The journal was removed or replaced while it was in use.')
  }
}

/** Reads on from where it stopped, for those who only watch. */
export class JournalReader {
  readonly #path: string
  #offset = 0
  constructor(path: string) {
    this.#path = path
  }

  more(): JournalRecord[] {
    let file: number
    try {
      file = openSync(this.#path, 'r')
    } catch {
      return []
    }
    try {
      const { size } = fstatSync(file)
      if (size <= this.#offset) return []
      const bytes = Buffer.allocUnsafe(size - this.#offset)
      const read = readSync(file, bytes, 0, bytes.length, this.#offset)
      const { records, length } = parseJournal(bytes.subarray(0, read))
      this.#offset += length
      return records
    } finally {
      closeSync(file)
    }
  }
}
