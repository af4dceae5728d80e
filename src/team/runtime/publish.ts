/** Writes the files that people read: messages that did not come through the chat, and process-status.json. */
import { closeSync, fstatSync, lstatSync, openSync, statSync, writeSync } from 'node:fs'
import { writeAtomically } from '../../disk/atomic-write.ts'
import { openRegularFile } from '../../disk/read-file.ts'
import { findPart, readAt } from '../engine/chat-file.ts'
import type { Engine } from '../engine/engine.ts'
import type { SeenRecord } from '../state/records.ts'
import { processStatus } from '../state/status.ts'
import { chatText } from './ingest.ts'

const lineEnd = Buffer.from('\n')

/** After this time, a note being typed that is not a message is assumed to be complete (ms). */
const HALF_NOTE_PAUSE = 3000
/** A partial text of ours from an earlier process is continued if nothing else has done so for this long (ms). */
const PART = 2000
/** How much of the end is read first. */
const TAIL_BYTES = 256
/** The maximum length of a partial text of ours. */
const LONGEST_PART = 1024 * 1024

/** Texts of ours that are only partly in the chat. */
interface Part {
  readonly ids: readonly string[]
  readonly rest: Buffer
  /** It ends where this file does, unless others have written after it. */
  readonly inode: number
  readonly size: number
  /** When it is continued. */
  readonly from: number
}

/** Which file was written to, and where it ended then. */
interface Written {
  readonly inode: number
  readonly end: number
  /** Of the chat, as it was read at that time. */
  readonly generation: number
}

export class ChatWriter {
  readonly #engine: Engine
  /** Written by this process, and not read back yet: up to where. */
  readonly #written = new Map<string, Written>()
  #halfSince: number | null = null
  #part: Part | null = null
  #hasLooked = false

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Whether the chat could not be written to: the work does not wait for it. */
  hasFailed = false
  /** Whether a line without an end is in the way. */
  isWaiting = false

  /** The chat no longer holds what was written to it. */
  forget(): void {
    this.#written.clear()
    this.#part = null
  }

  /** Only after the chat was read to its end: existing text must not be written twice. */
  write(): void {
    const { state, workplace } = this.#engine
    this.#countRead()
    const waiting = [...state.outbox.values()].filter(({ id }) => !this.#written.has(id))
    if (!this.#hasLooked) this.#part = this.#partOfBefore(waiting)
    this.#hasLooked = true
    if (waiting.length === 0) return
    const part = isAtEnd(workplace.places.chat, this.#part) ? this.#part : null
    this.#part = part
    if (part !== null && workplace.clock.steady() < part.from) return
    const others = waiting.filter(({ id }) => !part?.ids.includes(id))
    const start = part === null ? this.#startOfLine() : part.rest
    if (start === null) return
    this.isWaiting = false
    this.#engine.requireLease()
    const texts = others.map((record) => chatText(this.#engine, record))
    this.#append(Buffer.concat([start, Buffer.from(texts.join(''))]), [
      ...(part?.ids ?? []),
      ...others.map(({ id }) => id),
    ])
  }

  /** A partial message must not be treated as a message; but it cannot be removed, because others may write after it. */
  #append(bytes: Buffer, ids: readonly string[]): void {
    const { inode, size, written, isLast } = appendToChat(this.#engine.workplace.places.chat, bytes)
    this.hasFailed = written < bytes.length
    this.#part = written === 0 && this.#part !== null ? this.#part : null
    if (this.hasFailed) {
      if (written > 0) this.#part = { ids, rest: bytes.subarray(written), inode: isLast ? inode : 0, size, from: 0 }
      return
    }
    // If it ends before what was read, the file was truncated meanwhile: the reader detects that.
    const { generation = 0, offset = 0 } = this.#engine.state.cursor ?? {}
    const end = size > offset ? size : Number.POSITIVE_INFINITY
    for (const id of ids) this.#written.set(id, { inode, end, generation })
  }

  /** Text that was read but not recognised is in the chat anyway: it is not written again. */
  #countRead(): void {
    const { cursor, outbox } = this.#engine.state
    const read = [...this.#written].filter(
      ([, { generation, inode, end }]) =>
        cursor?.generation === generation && cursor.inode === inode && cursor.offset >= end,
    )
    for (const [id] of read) if (outbox.has(id)) this.#engine.stage({ t: 'posted', id })
    this.#engine.flush()
    for (const [id] of read) this.#written.delete(id)
  }

  /** A text cut off by a killed process. */
  #partOfBefore(waiting: readonly SeenRecord[]): Part | null {
    const { workplace, state } = this.#engine
    const texts = waiting.map((record) => chatText(this.#engine, record))
    const end = texts.length === 0 ? null : endOf(workplace.places.chat, state.cursor?.offset ?? 0)
    const found = end === null ? null : findPart(end.bytes, texts, end.size)
    if (end === null || found === null) return null
    const rest = Buffer.from(texts[found.index] ?? '').subarray(found.length)
    const ids = waiting.slice(found.index, found.index + 1).map(({ id }) => id)
    return { ids, rest, inode: end.inode, size: end.size, from: workplace.clock.steady() + PART }
  }

  /** What must come first so that a line begins; null: a message is being typed, which is always waited for. */
  #startOfLine(): Buffer | null {
    const { places, clock } = this.#engine.workplace
    const half = unfinishedLine(places.chat)
    if (half === null) {
      this.#halfSince = null
      return Buffer.of()
    }
    // A line that lost its end after it was read.
    if (half.end === this.#engine.state.cursor?.offset) return lineEnd
    if (/^\ufeff?[[\s]/.test(half.text)) {
      this.isWaiting = true
      return null
    }
    this.#halfSince ??= clock.steady()
    return clock.steady() - this.#halfSince < HALF_NOTE_PAUSE ? null : lineEnd
  }
}

/** The beginning of a last line without a line end, and where it ends. */
function unfinishedLine(path: string): { readonly text: string; readonly end: number } | null {
  let file: number
  try {
    file = openRegularFile(path)
  } catch {
    return null
  }
  try {
    const { size: end } = fstatSync(file)
    if (end === 0) return null
    for (let length = TAIL_BYTES; ; length *= 16) {
      const start = Math.max(0, end - length)
      const bytes = readAt(file, start, end - start)
      const last = bytes.lastIndexOf(10)
      if (last === bytes.length - 1) return null
      if (last >= 0 || start === 0) return { text: bytes.toString('utf8', last + 1, last + 1 + TAIL_BYTES), end }
    }
  } finally {
    closeSync(file)
  }
}

interface Appended {
  readonly inode: number
  /** Of the file, after the write. */
  readonly size: number
  readonly written: number
  /** Nothing has been written after it yet. */
  readonly isLast: boolean
}

const nothingWritten: Appended = { inode: 0, size: 0, written: 0, isLast: false }

/** In one write, which others cannot interrupt. Returns how much was written, and where that ends. */
function appendToChat(path: string, bytes: Buffer): Appended {
  let file: number
  try {
    file = openSync(path, 'a+', 0o644)
  } catch {
    return nothingWritten
  }
  try {
    const written = writeSync(file, bytes)
    const { ino: inode, size } = fstatSync(file)
    // Others may have written after it by now.
    const isLast = readAt(file, size - written, written).equals(bytes.subarray(0, written))
    return { inode, size, written, isLast }
  } catch {
    return nothingWritten
  } finally {
    closeSync(file)
  }
}

/** The content after a position, up to a limit. */
function endOf(
  path: string,
  offset: number,
): { readonly bytes: Buffer; readonly inode: number; readonly size: number } | null {
  try {
    const file = openRegularFile(path)
    try {
      const { ino: inode, size } = fstatSync(file)
      const from = Math.max(offset, size - LONGEST_PART)
      return size <= from ? null : { bytes: readAt(file, from, size - from), inode, size }
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
}

function isAtEnd(path: string, part: Part | null): boolean {
  const stat = part === null ? undefined : statSync(path, { throwIfNoEntry: false })
  return stat !== undefined && stat.ino === part?.inode && stat.size === part.size
}

/** process-status.json: a view of the state, for any reader. */
export class StatusFile {
  readonly #engine: Engine
  #text = ''
  /** The file's metadata when it was written: any change by others shows there. */
  #trace = ''

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Writes it if it has changed. `error`: the current obstacle. */
  save(status: 'running' | 'stopped', error: string | null): void {
    const { state, workplace } = this.#engine
    const server = { status: error === null ? status : 'error', error } as const
    const text = `${JSON.stringify(processStatus(state, workplace.roster, server), null, 2)}\n`
    if (text === this.#text && status === 'running' && !this.isTouched()) return
    try {
      writeAtomically(workplace.places.status, text)
      this.#text = text
      this.#trace = this.#look()
    } catch {
      // Next time: it is only a view of the journal.
    }
  }

  /** Whether it is gone, or was changed by others since it was written. */
  isTouched(): boolean {
    return this.#look() !== this.#trace
  }

  #look(): string {
    const stat = lstatSync(this.#engine.workplace.places.status, { throwIfNoEntry: false })
    return stat === undefined ? '' : `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`
  }
}
