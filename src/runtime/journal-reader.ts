/** Reads on in the journal from where it stopped, also over its files, for those who only watch. */
import { closeSync, existsSync, fstatSync, readSync } from 'node:fs'
import { openRegular } from '../project/regular-file.ts'
import type { JournalRecord } from '../workplace/records.ts'
import { type JournalFile, journalFiles, nextJournalFile } from './journal-files.ts'
import { parseJournal } from './journal-text.ts'

export class JournalReader {
  readonly #path: string
  readonly #isHistory: boolean
  #file: JournalFile | null = null
  #offset = 0
  #next = 0
  #isSealed = false
  #skipsSnapshot = false

  /** `from`: what is needed to know how things are, or everything that ever happened. */
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
    const bytes = this.#file === null ? null : readFrom(this.#file.path, this.#offset)
    if (bytes === null) {
      // Where nothing was read yet, another file may be the right one by then.
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

/** Null where there is nothing new. */
function readFrom(path: string, offset: number): Buffer | null {
  let file: number
  try {
    file = openRegular(path)
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
