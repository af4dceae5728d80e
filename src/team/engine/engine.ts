/** The state with the journal behind it, and the ports (driver, clock, workplace) that the orchestrator works with. */

import { mkdirSync } from 'node:fs'
import type { HeldMutex } from '../../disk/mutex.ts'
import { ownIdentity } from '../../disk/processes.ts'
import type { ProcessId } from '../../model/process-id.ts'
import { JOURNAL_FORMAT, type JournalRecord } from '../state/records.ts'
import type { Roster } from '../state/roster.ts'
import { applyRecord, foldRecords, type State } from '../state/state.ts'
import type { TeamRules } from '../state/team-rules.ts'
import { chatEnd } from './chat-cursor.ts'
import { ownChatLines } from './chat-memory.ts'
import { readJournalFile } from './journal-reader.ts'
import { Fenced, isDiskFull } from './journal-writer.ts'
import { compactJournal, isWorthCompacting, type OpenedJournal, openJournal, openSuccessor } from './open-journal.ts'
import type { WorkplacePaths } from './paths.ts'

/**
 * What the workplace requires of the driver of a member: a program now, a harness later. Events are always read back from
 * the disk, so that they are the same after a crash of the workplace.
 */
export interface RunOrder {
  /** Handoff, attempt and turn; also the name of the claim. */
  readonly run: string
  readonly agent: string
  readonly command: readonly string[]
  readonly cwd: string
  readonly prompt: string
  readonly environment: Readonly<Record<string, string>>
  /** A file that exists while its owner runs the workplace: without it the run does not begin. */
  readonly lease: string
}

/** All that is known of a run. */
export interface RunStatus {
  /** Who took the claim, before the work began. */
  readonly claimed: ProcessId | null
  readonly started: ProcessId | null
  /** The exit code, once it is over. */
  readonly ended: number | null
  /** Its output could not be kept in full. */
  readonly lost?: boolean
  /** Bytes printed so far, and the last sign of life (ms since 1970). */
  readonly printed: number
  readonly lastSign: number | null
}

export interface SessionDriver {
  /** Begins a run. Beginning the same run twice is harmless: the claim is taken once. */
  readonly start: (order: RunOrder) => void
  /** A further turn of the same session, as a run with its own name. */
  readonly prompt: (order: RunOrder) => void
  readonly events: (run: string) => RunStatus
  /** Whether the run still continues; also after a restart of the workplace, which adopts it. */
  readonly resume: (run: string, claimed: ProcessId | null) => boolean
  /** Its output from there on; at most a megabyte at a time. */
  readonly printed: (run: string, from: number) => Buffer
  /** The end of its error output. */
  readonly complaint: (run: string) => string
  /** Ends it with all its children; gracefully first. */
  readonly cancel: (run: string) => void
  /** Removes everything; `keep` leaves its output. */
  readonly close: (run: string, keep: boolean) => void
  /** Before the workplace ends: completes deferred cleanup. */
  readonly settle: () => void
}

interface Clock {
  /** Wall clock time; it may jump. */
  readonly now: () => number
  /** Milliseconds the machine has been up and awake, monotonic and the same for all processes. */
  readonly steady: () => number
}

/** One clock for all processes; on Linux it stops while the machine sleeps, and no work is done then. */
export const systemClock: Clock = { now: () => Date.now(), steady: () => Number(process.hrtime.bigint()) / 1e6 }

export interface Workplace {
  readonly places: WorkplacePaths
  readonly config: { readonly uuid: string; readonly name: string; readonly ignorePatterns: readonly string[] }
  readonly roster: Roster
  readonly rules: TeamRules
  readonly clock: Clock
  readonly driver: SessionDriver
  /** A folder with `troupe` in it, for the PATH of programs. */
  readonly bin: string | null
}

/** A compaction that failed for lack of space is retried after this time (ms). */
const COMPACT_RETRY = 60_000

export class Engine {
  readonly workplace: Workplace
  readonly #lock: HeldMutex
  readonly #onRecords: (records: readonly JournalRecord[]) => void
  readonly #rolledBack: (() => void)[] = []
  #opened: OpenedJournal
  /** The number of the next batch. */
  #sequence: number
  #pending: JournalRecord[] = []
  #compactsFrom = 0
  state: State

  constructor(
    workplace: Workplace,
    lock: HeldMutex,
    opened: OpenedJournal,
    onRecords: (records: readonly JournalRecord[]) => void,
  ) {
    this.workplace = workplace
    this.#lock = lock
    this.#opened = opened
    this.#sequence = opened.journal.next
    this.#onRecords = onRecords
    this.state = opened.state
  }

  /** Applies to the state immediately; it must have no effect outside before `flush`. */
  stage(...records: readonly JournalRecord[]): void {
    for (const record of records) {
      applyRecord(this.state, record)
      this.#pending.push(record)
    }
  }

  /** Writes to the disk. If that fails, nothing has happened: the state is rolled back to that of the disk. */
  flush(): void {
    if (this.#pending.length === 0) return
    const records = this.#pending
    this.#pending = []
    try {
      if (this.#opened.journal.isSealed) {
        this.#goOn()
        // They were applied to the previous state.
        foldRecords(records, this.state)
      }
      this.#opened.journal.append(records, this.#sequence)
      this.#sequence++
    } catch (error) {
      if (!(error instanceof Fenced)) this.#rollBack()
      throw error
    }
    this.#onRecords(records)
  }

  /** Input that led to unwritten records must be read again. */
  whenRolledBack(readAgain: () => void): void {
    this.#rolledBack.push(readAgain)
  }

  #rollBack(): void {
    const { journal } = this.#opened
    this.#sequence = journal.next
    this.state = foldRecords(readJournalFile(journal.file.path, journal.next).records)
    for (const readAgain of this.#rolledBack) readAgain()
  }

  /** Begins a new file where the journal has become long; not while anything is staged. */
  compact(): void {
    const { clock, places, config } = this.workplace
    const { journal, snapshot } = this.#opened
    if (this.#pending.length > 0 || clock.steady() < this.#compactsFrom || !isWorthCompacting(journal, snapshot)) return
    try {
      compactJournal(places.journal, journal, this.state, config.uuid)
      this.#goOn()
    } catch (error) {
      if (!isDiskFull(error)) throw error
      this.#compactsFrom = clock.steady() + COMPACT_RETRY
    }
  }

  #goOn(): void {
    const { places, config } = this.workplace
    this.#opened = openSuccessor(places.journal, this.#opened.journal, config.uuid)
    this.#sequence = this.#opened.journal.next
    this.state = this.#opened.state
  }

  /** A file that exists until another process takes over the workplace. */
  get lease(): string {
    return this.#lock.proof
  }

  /** Before an irreversible action that the journal would not reveal. */
  requireLease(): void {
    if (!this.#lock.holds()) throw new Fenced()
  }

  close(): void {
    this.#opened.journal.close()
  }

  get at(): number {
    return Math.round(this.workplace.clock.now())
  }
}

/** Opens the journal for writing, and records the new writer. Only for the lock holder. */
export function openEngine(
  workplace: Workplace,
  lock: HeldMutex,
  onRecords: (records: readonly JournalRecord[]) => void,
): Engine {
  const { places, config } = workplace
  const chatPlaces = { ...places, chatLines: ownChatLines(places, lock.number) }
  for (const folder of [places.run, places.inbox, places.claims, places.runs]) mkdirSync(folder, { recursive: true })
  for (;;) {
    const opened = openJournal(places.journal, config.uuid)
    const engine = new Engine(workplace, lock, opened, onRecords)
    const { at } = engine
    if (opened.journal.next === 0)
      engine.stage(
        { t: 'open', format: JOURNAL_FORMAT, uuid: config.uuid, at },
        { t: 'read', cursor: chatEnd(chatPlaces) },
      )
    engine.stage({ t: 'epoch', at, ...ownIdentity() })
    try {
      engine.flush()
      return engine
    } catch (error) {
      // A process that just lost the lock wrote last: its batch is read, and it can write no more.
      engine.close()
      if (!(error instanceof Fenced) || !lock.holds()) throw error
    }
  }
}
