/** Writes messages to the chat that did not come through it, for people to read. */
import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { openRegular } from '../project/regular-file.ts'
import { readAt } from './chat-file.ts'
import type { Engine } from './engine.ts'
import { chatText } from './ingest.ts'

/** Somebody writes a note that is no message; after so long it is believed to be all (ms). */
const HALF = 3000
/** So much of the end is looked at first. */
const LOOK = 256

/** Which file was written to, and where it ended then. */
interface Place {
  readonly inode: number
  readonly end: number
}

interface Written extends Place {
  /** Of the chat, as it had been read by then. */
  readonly generation: number
}

export class Post {
  readonly #engine: Engine
  /** Written by this process, and not read back yet: until where. */
  readonly #written = new Map<string, Written>()
  #halfSince: number | null = null

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
  }

  /** Only after the chat was read to its end: what stands there already must not be written twice. */
  write(): void {
    const { state, setting } = this.#engine
    this.#countRead()
    const waiting = [...state.outbox.values()].filter(({ id }) => !this.#written.has(id))
    if (waiting.length === 0) return
    const texts = waiting.map((record) => chatText(this.#engine, record))
    const start = this.#startOfLine()
    if (start === null) return
    this.isWaiting = false
    this.#engine.requireLease()
    const written = append(setting.places.chat, [start, ...texts].join(''))
    this.hasFailed = written === null
    if (written === null) return
    // Where it ends before what was read, it was cut meanwhile: the reader finds out.
    const { generation = 0, offset = 0 } = state.cursor ?? {}
    const end = written.end > offset ? written.end : Number.POSITIVE_INFINITY
    for (const { id } of waiting) this.#written.set(id, { ...written, end, generation })
  }

  /** What was read and not recognised, for whatever reason, stands there all the same: it is not written again and again. */
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

  /** What must come first so that a line begins; null: somebody is writing a message, however long that takes. */
  #startOfLine(): string | null {
    const { places, clock } = this.#engine.setting
    const half = lastHalf(places.chat)
    if (half === null) {
      this.#halfSince = null
      return ''
    }
    // A line that has lost its end after it was read.
    if (half.end === this.#engine.state.cursor?.offset) return '\n'
    if (/^\ufeff?[[\s]/.test(half.text)) {
      this.isWaiting = true
      return null
    }
    this.#halfSince ??= clock.steady()
    return clock.steady() - this.#halfSince < HALF ? null : '\n'
  }
}

/** The beginning of a last line that has no line end, and where it ends. */
function lastHalf(path: string): { readonly text: string; readonly end: number } | null {
  let file: number
  try {
    file = openRegular(path)
  } catch {
    return null
  }
  try {
    const { size: end } = fstatSync(file)
    if (end === 0) return null
    for (let length = LOOK; ; length *= 16) {
      const start = Math.max(0, end - length)
      const bytes = readAt(file, start, end - start)
      const last = bytes.lastIndexOf(10)
      if (last === bytes.length - 1) return null
      if (last >= 0 || start === 0) return { text: bytes.toString('utf8', last + 1, last + 1 + LOOK), end }
    }
  } finally {
    closeSync(file)
  }
}

/** In one write, which others cannot get between. Null: not all of it is there. */
function append(path: string, text: string): Place | null {
  let file: number
  try {
    file = openSync(path, 'a+', 0o644)
  } catch {
    return null
  }
  try {
    const bytes = Buffer.from(text)
    const written = writeSync(file, bytes)
    const { size, ino } = fstatSync(file)
    if (written === bytes.length) return { inode: ino, end: size }
    // A part of a message is a message too, with another meaning: it must not stay, unless others wrote below it.
    const isLast = readAt(file, size - written, written).equals(bytes.subarray(0, written))
    if (isLast) ftruncateSync(file, size - written)
    return null
  } catch {
    return null
  } finally {
    closeSync(file)
  }
}
