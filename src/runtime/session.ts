/**
 * What the workplace needs of whatever plays a member: a program now, a harness later. What happened is always read back
 * from the disk, so that it is the same story after a crash of the workplace.
 */
import type { ProcessId } from '../workplace/records.ts'

export interface RunOrder {
  /** Handoff, attempt and turn; also the name of the claim. */
  readonly run: string
  readonly agent: string
  readonly command: readonly string[]
  readonly cwd: string
  readonly prompt: string
  readonly environment: Readonly<Record<string, string>>
  /** A file that is there for as long as whoever starts it runs the workplace: without it the run does not begin. */
  readonly lease: string
}

/** All that is known of a run. */
export interface RunEvents {
  /** Who took the claim, before the work began. */
  readonly claimed: ProcessId | null
  readonly started: ProcessId | null
  /** The exit code, when it is over. */
  readonly ended: number | null
  /** What it printed could not be kept in full. */
  readonly lost?: boolean
  /** Bytes that were printed by now, and the last sign of life (ms since 1970). */
  readonly printed: number
  readonly lastSign: number | null
}

export interface SessionDriver {
  /** Begins a run. Beginning the same run twice is harmless: the claim is taken once. */
  readonly start: (order: RunOrder) => void
  /** A further turn of the same session, as a run of its own name. */
  readonly prompt: (order: RunOrder) => void
  readonly events: (run: string) => RunEvents
  /** Whether the run still goes on; also after a restart of the workplace, when it is in our hands again. */
  readonly resume: (run: string, claimed: ProcessId | null) => boolean
  /** What it has printed from there on; at most a megabyte at a time. */
  readonly printed: (run: string, from: number) => Buffer
  /** The last of what it complained about. */
  readonly complaint: (run: string) => string
  /** Ends it, with everything it started; politely first. */
  readonly cancel: (run: string) => void
  /** Leaves nothing behind; `keep` leaves what it printed. */
  readonly close: (run: string, keep: boolean) => void
  /** Before the workplace ends: what closing left for later is done now. */
  readonly settle: () => void
}
