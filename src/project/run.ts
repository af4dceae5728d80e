/** What a run is: the files that one command writes, asked about, written and recorded together. */
import type { Stats } from 'node:fs'
import type { Diagnostic } from '../model/diagnostics.ts'
import type { Lock, LockEntry, NewEntry } from './lock.ts'
import type { Refusal } from './writing/open.ts'
import type { Failure } from './writing/problem.ts'
import type { Standing } from './writing/standing.ts'

export interface RunOptions {
  /** Also over files that Troupe did not write or that were changed since, and over a lock that cannot be read. */
  readonly force?: boolean
  /** Answer `plan` and write nothing. */
  readonly dryRun?: boolean
  /** Called for every file of ours that was written, or that looked like this before it was found to be the same. */
  readonly onKnown?: (file: string, path: string, entry: LockEntry, seen?: Stats) => void
}

/**
 * Paths are relative to the root, with forward slashes. What must not be written is in `failed` at once; files are
 * written in small blocks, so what the disk refuses is there after the block, after `flush`, or after `commit`.
 */
export interface Run {
  /** What is ours now, this run included. */
  readonly owned: Lock
  /** The command of a killed run that this one finishes: its files count as ours, and undo takes back both. */
  readonly continues: string | null
  /** What is wrong with the lock, where the run was opened all the same; then nothing counts as ours. */
  readonly problem: Diagnostic | null
  /** By path: what could not be done so far. */
  readonly failed: ReadonlyMap<string, Failure>
  /** What stands there; without bytes: for a file that is to be removed. */
  readonly plan: (path: string, bytes: Uint8Array | null) => Standing
  /**
   * A file of ours. `force`: over whatever stands there, but never outside the root. `inside`: what the lock shall know
   * of its parts, instead of all that it knew.
   */
  readonly write: (
    path: string,
    bytes: Uint8Array,
    entry: NewEntry,
    force?: boolean,
    inside?: readonly Inside[],
  ) => void
  /**
   * A file of the user's, such as a configuration: never ours, but undone with the rest. It is written at once. `gone`:
   * parts that the lock knew and that are no longer in it.
   */
  readonly edit: (path: string, bytes: Uint8Array, inside?: readonly Inside[], gone?: readonly string[]) => void
  /** Says why a file is not written that nothing was done about. */
  readonly refuse: (path: string, why: string) => void
  /** A file of ours; one that is not there is only forgotten. */
  readonly remove: (path: string, force?: boolean) => void
  /** Makes all changes that wait, so that `failed` knows the fate of each. */
  readonly flush: () => void
  /** To be asked before each file: the code to exit with if Ctrl-C was pressed. Then commit what is done. */
  readonly interrupted: () => Promise<number | null> | number | null
  readonly commit: () => Outcome
  /** Takes back what was done so far; after `commit` it does nothing, so it can stand in a `finally`. */
  readonly abort: () => void
}

/** What is ours inside a file. */
export interface Inside {
  /** What the lock knows it by: the file, `#`, and the way to it. */
  readonly key: string
  readonly entry: NewEntry
  readonly hash: string
}

export interface Outcome {
  /** How many files are other than before. */
  readonly changed: number
  /** By path; `troupe.lock` is among them where it could not be written: then the next run goes on from here. */
  readonly failed: ReadonlyMap<string, Failure>
}

/** `problem`: what is wrong with the lock. */
export type Opened = { readonly run: Run } | { readonly refused: Refusal; readonly problem?: Diagnostic }
