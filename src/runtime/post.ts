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

export class Post {
  readonly #engine: Engine
  /** Written by this process, and not read back yet. */
  readonly #written = new Set<string>()
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
    const waiting = [...state.outbox.values()].filter(({ id }) => !this.#written.has(id))
    if (waiting.length === 0) return
    const texts = waiting.map((record) => chatText(this.#engine, record))
    const start = this.#startOfLine()
    if (start === null) return
    this.isWaiting = false
    this.#engine.requireLease()
    this.hasFailed = !append(setting.places.chat, [start, ...texts].join(''))
    if (this.hasFailed) return
    for (const { id } of waiting) this.#written.add(id)
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

/** In one write, which others cannot get between. Says whether all of it is there. */
export function append(path: string, text: string): boolean {
  let file: number
  try {
    file = openSync(path, 'a+', 0o644)
  } catch {
    return false
  }
  try {
    const bytes = Buffer.from(text)
    const written = writeSync(file, bytes)
    if (written === bytes.length) return true
    // A part of a message is a message too, with another meaning: it must not stay, unless others wrote below it.
    const { size } = fstatSync(file)
    const isLast = readAt(file, size - written, written).equals(bytes.subarray(0, written))
    if (isLast) ftruncateSync(file, size - written)
    return false
  } catch {
    return false
  } finally {
    closeSync(file)
  }
}
