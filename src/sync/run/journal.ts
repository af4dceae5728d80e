/** The journal of a run: each change is recorded before it is made, so that it can be undone at any moment. */

import { closeSync, constants, fstatSync, ftruncateSync, openSync, writeFileSync } from 'node:fs'
import { entryText, type LockEntry } from '../../workbench/lock-file.ts'
import { type Before, END, journalIn, oldBytesIn, type RunHistory, removeRecord } from './history.ts'
import { makeFolder } from './troupe-folder.ts'

/** A change about to be made, with the bytes it replaces. */
export interface PlannedChange {
  readonly path: string
  readonly hash: string | null
  readonly before: { readonly bytes: Uint8Array; readonly mode: number } | null
  readonly as: string | undefined
  readonly entry: LockEntry | null | undefined
  readonly inside?: readonly (readonly [key: string, entry: LockEntry | null])[]
}

export interface RunJournal {
  /** Records the changes, and the folders to be created for them: two writes, however many files. */
  readonly note: (intents: readonly PlannedChange[], folders?: readonly string[]) => void
  /** Whether this run has recorded anything. */
  readonly begun: () => boolean
  /** The run has finished: the next one begins a new journal. */
  readonly finish: () => void
  readonly close: () => void
}

/** `continued`: a killed run whose journal is continued, so that both are undone together. */
export function openRunJournal(undo: string, command: string, continued: RunHistory | null): RunJournal {
  const known = new Set(continued?.changes.keys())
  let files: { readonly lines: AppendFile; readonly old: AppendFile } | null = null

  const begin = () => {
    files ??= continued === null ? newRecord(undo, command) : openRecord(undo, continued.size)
    return files
  }

  return {
    note: (intents, folders = []) => {
      const { lines, old } = begin()
      const text: string[] = folders.map((folder) => `${JSON.stringify({ folder })}\n`)
      const bytes: Uint8Array[] = []
      let at = old.size()
      for (const { path, hash, before: found, as, entry, inside = [] } of intents) {
        let before: Before | null | undefined
        if (!known.has(path)) {
          before = found === null ? null : { at, size: found.bytes.length, mode: found.mode }
          if (found !== null) bytes.push(found.bytes)
          at += before?.size ?? 0
        }
        const own = entry === undefined ? '' : `,"entry":${entry === null ? 'null' : entryText(entry)}`
        text.push(`${changeText(path, hash, before, as)}${own}${insideText(inside)}}\n`)
      }
      if (bytes.length > 0) old.append(Buffer.concat(bytes))
      lines.append(Buffer.from(text.join('')))
      for (const { path } of intents) known.add(path)
    },
    begun: () => files !== null,
    finish: () => {
      if (files !== null || continued !== null) begin().lines.append(Buffer.from(END))
    },
    close: () => {
      files?.lines.close()
      files?.old.close()
    },
  }
}

/** What follows it is already text, so this is built as text too. */
function changeText(path: string, hash: string | null, before: Before | null | undefined, as: string | undefined) {
  const was = before === undefined ? '' : `,"before":${JSON.stringify(before)}`
  const named = as === undefined ? '' : `,"as":${JSON.stringify(as)}`
  return `{"path":${JSON.stringify(path)},"hash":${JSON.stringify(hash)}${was}${named}`
}

function insideText(inside: NonNullable<PlannedChange['inside']>): string {
  if (inside.length === 0) return ''
  const parts = inside.map(([key, entry]) => `${JSON.stringify(key)}:${entry === null ? 'null' : entryText(entry)}`)
  return `,"inside":{${parts.join(',')}}`
}

function newRecord(undo: string, command: string) {
  removeRecord(undo)
  makeFolder(undo)
  const record = openRecord(undo, 0)
  try {
    record.lines.append(Buffer.from(`${JSON.stringify({ schema: 1, command })}\n`))
  } catch (error) {
    record.lines.close()
    record.old.close()
    throw error
  }
  return record
}

function openRecord(undo: string, good: number) {
  const lines = openAppendFile(journalIn(undo), good)
  try {
    return { lines, old: openAppendFile(oldBytesIn(undo), null) }
  } catch (error) {
    lines.close()
    throw error
  }
}

/** A file that only grows, and that a failed write does not leave partly written. */
interface AppendFile {
  readonly size: () => number
  readonly append: (bytes: Uint8Array) => void
  readonly close: () => void
}

/** `good`: how much of it to keep; null: all. */
function openAppendFile(path: string, good: number | null): AppendFile {
  const { O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW } = constants
  // No link is followed: the file may have come with a project.
  const file = openSync(path, O_RDWR | O_CREAT | O_APPEND | (O_NOFOLLOW ?? 0), 0o600)
  let size = fstatSync(file).size
  if (good !== null && good < size) {
    ftruncateSync(file, good)
    size = good
  }
  return {
    size: () => size,
    append: (bytes) => {
      try {
        writeFileSync(file, bytes)
      } catch (error) {
        ftruncateSync(file, size)
        throw error
      }
      size += bytes.length
    },
    close: () => closeSync(file),
  }
}
