/** Where nothing can be journalled nothing happens, and nothing is lost: it is told, and tried again. */
import { JournalBlocked } from './journal-file.ts'

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
    const isDisk =
      error instanceof JournalBlocked || ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')
    if (!isDisk) throw error
    const isNew = this.#why === null
    this.#why = (error as Error).message
    if (isNew) this.#told(this.#why)
  }

  over(): void {
    if (this.#why === null) return
    this.#why = null
    this.#told(null)
  }
}
