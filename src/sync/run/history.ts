/** Reads the journal of the last run: which files it changed, from what, and whether it finished. */
import { closeSync, fstatSync, readSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openRegularFile, readRegularFile } from '../../disk/read-file.ts'
import type { LockEntry } from '../../workbench/lock-file.ts'

/** One line of the journal: one file, with every link followed, below the root. */
interface ChangeLine {
  readonly path: string
  /** Of the exact bytes to be written; null: the file is to be removed. */
  readonly hash: string | null
  /** The content before the run, in the first line about a file; null: it did not exist. */
  readonly before?: Before | null
  /** Its path in the lock file, if different. */
  readonly as?: string
  /** Its new lock file entry (null: none any more); absent: the file is not ours. */
  readonly entry?: LockEntry | null
  /** The new lock file entries of its parts (null: none any more). */
  readonly inside?: Readonly<Record<string, LockEntry | null>>
}

/** The old bytes of all files are concatenated. */
export interface Before {
  readonly at: number
  readonly size: number
  readonly mode: number
}

/** The last line of a run that finished. */
export const END = '{"done":true}\n'

export const journalIn = (undo: string) => join(undo, 'journal')
export const oldBytesIn = (undo: string) => join(undo, 'old')

/** The journal is removed first: without it, the old bytes are never looked for. */
export function removeRecord(undo: string): void {
  rmSync(journalIn(undo), { force: true })
  rmSync(undo, { recursive: true, force: true })
}

export interface RunHistory {
  readonly command: string
  /** In the order they were written. */
  readonly lines: readonly ChangeLine[]
  /** By path: the content before the run, and everything the run meant to write there. */
  readonly changes: ReadonlyMap<string, RecordedChange>
  /** Folders that the run created, outer ones first. */
  readonly folders: readonly string[]
  /** False: the run was killed. */
  readonly done: boolean
  /** How much of the journal can be read; a line that a killed run left unfinished is not part of it. */
  readonly size: number
}

export interface RecordedChange {
  readonly before: Before | null
  readonly hashes: ReadonlySet<string | null>
}

/** A run that did not finish, or null: judged by the last line, because reading everything takes time. */
export function readKilledRun(undo: string): RunHistory | null {
  let file: number
  try {
    file = openRegularFile(journalIn(undo))
  } catch {
    return null
  }
  try {
    const last = Buffer.alloc(END.length)
    readSync(file, last, 0, last.length, Math.max(0, fstatSync(file).size - last.length))
    return last.toString() === END ? null : readRunHistory(undo)
  } finally {
    closeSync(file)
  }
}

/** Null: there is nothing to undo. */
export function readRunHistory(undo: string): RunHistory | null {
  let bytes: Buffer
  try {
    bytes = readRegularFile(journalIn(undo))
  } catch {
    return null
  }
  const size = bytes.lastIndexOf(10) + 1
  const [first = '', ...rest] = bytes.toString('utf8', 0, size).split('\n')
  const command = parse(first)?.command
  if (typeof command !== 'string') return null
  const lines: ChangeLine[] = []
  const changes = new Map<string, { before: Before | null; hashes: Set<string | null> }>()
  const folders = new Set<string>()
  let done = false
  for (const text of rest) {
    const line = parse(text)
    if (line === null) continue
    if (line.done === true) done = true
    else if (typeof line.folder === 'string') folders.add(line.folder)
    else if (isChange(line)) {
      lines.push(line)
      const known = changes.get(line.path)
      if (known === undefined) changes.set(line.path, { before: line.before ?? null, hashes: new Set([line.hash]) })
      else known.hashes.add(line.hash)
    }
  }
  return { command, lines, changes, folders: [...folders], done, size }
}

function parse(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isChange(line: Record<string, unknown>): line is Record<string, unknown> & ChangeLine {
  return typeof line.path === 'string' && (line.hash === null || typeof line.hash === 'string')
}

export interface OldBytes {
  /** Throws if they are incomplete. */
  readonly read: (before: Before) => Uint8Array
  readonly close: () => void
}

export function openOldBytes(undo: string): OldBytes {
  let file: number | null = null
  return {
    read: ({ at, size }) => {
      file ??= openRegularFile(oldBytesIn(undo))
      const bytes = Buffer.alloc(size)
      if (readSync(file, bytes, 0, size, at) < size) throw new Error('its previous content is lost')
      return bytes
    },
    close: () => {
      if (file !== null) closeSync(file)
    },
  }
}
