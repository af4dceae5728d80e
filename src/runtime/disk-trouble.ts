/** Where nothing can be journalled nothing happens, and nothing is lost: it is told, and tried again. */
import { JournalBlocked } from './journal-file.ts'

/** Waiting helps: nothing can be written at the moment. */
export function isDiskTrouble(error: unknown): error is Error {
  return error instanceof JournalBlocked || ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')
}

export class DiskTrouble {
  readonly #told: (why: string | null) => void
  #why: string | null = null

  /** `told`: something is in the way, or (null) no longer. */
  constructor(told: (why: string | null) => void) {
    this.#told = told
  }

  /** What is in the way. */
  get why(): string | null {
    return this.#why
  }

  /** Lets every error through that has another reason. */
  meet(error: unknown): void {
    if (!isDiskTrouble(error)) throw error
    const isNew = this.#why === null
    this.#why = error instanceof JournalBlocked ? error.message : 'the disk is full'
    if (isNew) this.#told(this.#why)
  }

  over(): void {
    if (this.#why === null) return
    this.#why = null
    this.#told(null)
  }
}
