/** The record of a run on the disk: a journal of lines, and beside it the old bytes that the lines refer to. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { LockEntry } from '../lock.ts'

/** One line of the journal: one file, with every link followed, below the root. */
export interface ChangeLine {
  readonly path: string
  /** Of the very bytes that are to stand there; null: it is to be removed. */
  readonly hash: string | null
  /** What stood there before the run, in the first line about a file; null: nothing. */
  readonly before?: Before | null
  /** The path the lock knows it by, where that is another. */
  readonly as?: string
  /** What the lock will say of it (null: nothing any more); absent: the file is not ours. */
  readonly entry?: LockEntry | null
  /** What the lock will say of parts of it (null: nothing any more). */
  readonly inside?: Readonly<Record<string, LockEntry | null>>
}

/** The old bytes of all files stand one behind the other. */
export interface Before {
  readonly at: number
  readonly size: number
  readonly mode: number
}

/** The last line of a run that came to its end. */
export const END = '{"done":true}\n'

export const journalIn = (undo: string) => join(undo, 'journal')
export const oldBytesIn = (undo: string) => join(undo, 'old')

/** The journal goes first: without it, the old bytes are nothing that anybody would look for. */
export function forget(undo: string): void {
  rmSync(journalIn(undo), { force: true })
  rmSync(undo, { recursive: true, force: true })
}
