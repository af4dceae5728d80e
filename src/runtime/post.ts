/** Writes messages to the chat that did not come through it, for people to read. */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { parseChat } from '../workplace/chat.ts'
import { isPerson, SERVER } from '../workplace/names.ts'
import type { Engine } from './engine.ts'
import { chatText } from './ingest.ts'

/** Somebody writes a line; so long we do not write into the middle of it (ms). Then it is believed to be all. */
const HALF = 3000

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

  /** The chat no longer holds what was written to it. */
  forget(): void {
    this.#written.clear()
  }

  /** Only after the chat was read to its end: what stands there already must not be written twice. */
  write(): void {
    const { state, setting } = this.#engine
    const waiting = [...state.outbox.values()].filter(({ id }) => !this.#written.has(id))
    if (waiting.length === 0) return
    const start = this.#startOfLine()
    if (start === null) return
    const texts = waiting.map((record) => ({ id: record.id, text: chatText(record) }))
    const readable = texts.filter(({ text }) => this.#canBeRead(text))
    // An address that could be read in two ways would be taken for somebody else's message: people still see it.
    const others = texts.filter(({ text }) => !this.#canBeRead(text))
    const quoted = others.map(({ text }) => text.replace(/^/gm, '> ').replace(/> $/, ''))
    const text = [start, ...readable.map(({ text }) => text), ...quoted].join('')
    this.hasFailed = !append(setting.places.chat, text)
    if (this.hasFailed) return
    for (const { id } of readable) this.#written.add(id)
    for (const { id } of others) this.#engine.stage({ t: 'posted', id })
    this.#engine.flush()
  }

  /** What must come first so that a line begins; null: wait. */
  #startOfLine(): string | null {
    const { places, clock } = this.#engine.setting
    if (endsWithLine(places.chat)) {
      this.#halfSince = null
      return ''
    }
    this.#halfSince ??= clock.steady()
    return clock.steady() - this.#halfSince < HALF ? null : '\n'
  }

  #canBeRead(text: string): boolean {
    const { roster } = this.#engine.setting
    const isKnown = (name: string) => roster.has(name) || isPerson(name) || name === SERVER
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line, index) => ({ number: index + 1, text: line }))
    return parseChat(lines, isKnown).messages.length === 1
  }
}

function endsWithLine(path: string): boolean {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return true
  }
  try {
    const { size } = fstatSync(file)
    const last = Buffer.alloc(1)
    return size === 0 || readSync(file, last, 0, 1, size - 1) === 0 || last[0] === 10
  } finally {
    closeSync(file)
  }
}

/** In one write, which others cannot get between. Says whether all of it is there. */
export function append(path: string, text: string): boolean {
  let file: number
  try {
    file = openSync(path, 'a', 0o644)
  } catch {
    return false
  }
  try {
    const bytes = Buffer.from(text)
    const written = writeSync(file, bytes)
    if (written === bytes.length) return true
    // A part of a message is a message too, with another meaning: it must not stay.
    const { size } = fstatSync(file)
    ftruncateSync(file, size - written)
    return false
  } catch {
    return false
  } finally {
    closeSync(file)
  }
}
