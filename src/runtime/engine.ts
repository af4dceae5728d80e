/** The state and the journal behind it, kept in step: what the parts of the orchestrator work on. */
import type { JournalRecord } from '../workplace/records.ts'
import type { Roster, Rules } from '../workplace/roster.ts'
import { fold, reduce, type State } from '../workplace/state.ts'
import { compact, isWorthCompacting } from './compact.ts'
import { isDiskTrouble } from './disk-trouble.ts'
import { Fenced } from './journal-file.ts'
import { readJournalFile } from './journal-files.ts'
import type { HeldLock } from './lock.ts'
import { goOn, type OpenJournal } from './open-journal.ts'
import type { Places } from './places.ts'
import type { SessionDriver } from './session.ts'

export interface Clock {
  /** What people call the time; it may jump. */
  readonly now: () => number
  /** Milliseconds for which the machine has been up and awake, the same for all processes; they only grow. */
  readonly steady: () => number
}

/** One clock for all processes, which on Linux stands still while the machine sleeps: nobody works then. */
export const systemClock: Clock = { now: () => Date.now(), steady: () => Number(process.hrtime.bigint()) / 1e6 }

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

/** A compaction that found no room is tried again after so long (ms). */
const NO_ROOM = 60_000

export class Engine {
  readonly setting: Setting
  readonly #lock: HeldLock
  readonly #told: (records: readonly JournalRecord[]) => void
  readonly #rolledBack: (() => void)[] = []
  #opened: OpenJournal
  /** The number that the next batch must get. */
  #sequence: number
  #pending: JournalRecord[] = []
  #compactsFrom = 0
  state: State

  constructor(
    setting: Setting,
    lock: HeldLock,
    opened: OpenJournal,
    told: (records: readonly JournalRecord[]) => void,
  ) {
    this.setting = setting
    this.#lock = lock
    this.#opened = opened
    this.#sequence = opened.journal.next
    this.#told = told
    this.state = opened.state
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
      if (this.#opened.journal.isSealed) {
        this.#goOn()
        // They counted in the state that was left behind.
        fold(records, this.state)
      }
      this.#opened.journal.append(records, this.#sequence)
      this.#sequence++
    } catch (error) {
      if (!(error instanceof Fenced)) this.#rollBack()
      throw error
    }
    this.#told(records)
  }

  /** What was read on the way to records that could not be written is to be read again. */
  whenRolledBack(readAgain: () => void): void {
    this.#rolledBack.push(readAgain)
  }

  #rollBack(): void {
    const { journal } = this.#opened
    this.#sequence = journal.next
    this.state = fold(readJournalFile(journal.file.path, journal.next).records)
    for (const readAgain of this.#rolledBack) readAgain()
  }

  /** Begins a new file where the journal has become long; not while anything is staged. */
  compact(): void {
    const { clock, places, config } = this.setting
    const { journal, snapshot } = this.#opened
    if (this.#pending.length > 0 || clock.steady() < this.#compactsFrom || !isWorthCompacting(journal, snapshot)) return
    try {
      compact(places.journal, journal, this.state, config.uuid)
      this.#goOn()
    } catch (error) {
      if (!isDiskTrouble(error)) throw error
      this.#compactsFrom = clock.steady() + NO_ROOM
    }
  }

  #goOn(): void {
    const { places, config } = this.setting
    this.#opened = goOn(places.journal, this.#opened.journal, config.uuid)
    this.#sequence = this.#opened.journal.next
    this.state = this.#opened.state
  }

  /** A file that is there for as long as nobody else runs the workplace. */
  get lease(): string {
    return this.#lock.proof
  }

  /** Before something is done that cannot be undone, and that nobody would notice in the journal. */
  requireLease(): void {
    if (!this.#lock.holds()) throw new Fenced()
  }

  close(): void {
    this.#opened.journal.close()
  }

  get at(): number {
    return Math.round(this.setting.clock.now())
  }
}
