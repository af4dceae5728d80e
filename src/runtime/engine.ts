/** The state and the journal behind it, kept in step: what the parts of the orchestrator work on. */
import type { JournalRecord } from '../workplace/records.ts'
import type { Roster, Rules } from '../workplace/roster.ts'
import { fold, reduce, type State } from '../workplace/state.ts'
import { type Journal, readJournal } from './journal-file.ts'
import type { Places } from './places.ts'
import type { SessionDriver } from './session.ts'

export interface Clock {
  /** What people call the time; it may jump. */
  readonly now: () => number
  /** Milliseconds that only grow. */
  readonly steady: () => number
}

export const systemClock: Clock = { now: () => Date.now(), steady: () => performance.now() }

export interface Setting {
  readonly places: Places
  readonly config: { readonly uuid: string; readonly name: string; readonly ignorePatterns: readonly string[] }
  readonly roster: Roster
  readonly rules: Rules
  readonly clock: Clock
  readonly driver: SessionDriver
  /** A folder with `troupe` in it, for the programs to find. */
  readonly bin: string | null
}

export class Engine {
  readonly setting: Setting
  readonly #journal: Journal
  readonly #told: (records: readonly JournalRecord[]) => void
  #pending: JournalRecord[] = []
  state: State

  constructor(setting: Setting, journal: Journal, state: State, told: (records: readonly JournalRecord[]) => void) {
    this.setting = setting
    this.#journal = journal
    this.#told = told
    this.state = state
  }

  /** Counts from now on for everything that is decided next; nothing may come of it before `flush`. */
  stage(...records: readonly JournalRecord[]): void {
    for (const record of records) {
      reduce(this.state, record)
      this.#pending.push(record)
    }
  }

  /** Puts it on the disk. If that fails, nothing has happened: the state is that of the disk again. */
  flush(): void {
    if (this.#pending.length === 0) return
    const records = this.#pending
    this.#pending = []
    try {
      this.#journal.append(records)
    } catch (error) {
      this.state = fold(readJournal(this.#journal.path).records)
      throw error
    }
    this.#told(records)
  }

  close(): void {
    this.#journal.close()
  }

  get at(): number {
    return Math.round(this.setting.clock.now())
  }
}
