/** Writes messages to the chat that did not come through it, for people to read. */
import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { parseChat } from '../workplace/chat.ts'
import { isPerson, SERVER } from '../workplace/names.ts'
import type { Engine } from './engine.ts'
import { chatText } from './ingest.ts'

export class Post {
  readonly #engine: Engine
  /** Written by this process, and not read back yet. */
  readonly #written = new Set<string>()

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
    const texts = waiting.map((record) => ({ id: record.id, text: chatText(record) }))
    const readable = texts.filter(({ text }) => this.#canBeRead(text))
    // An address that could be read in two ways would be taken for somebody else's message: people still see it.
    const others = texts.filter(({ text }) => !this.#canBeRead(text))
    const quoted = others.map(({ text }) => text.replace(/^/gm, '> ').replace(/> $/, ''))
    this.hasFailed = !append(setting.places.chat, [...readable.map(({ text }) => text), ...quoted].join(''))
    if (this.hasFailed) return
    for (const { id } of readable) this.#written.add(id)
    for (const { id } of others) this.#engine.stage({ t: 'posted', id })
    this.#engine.flush()
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
