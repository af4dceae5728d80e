/** Reads chat.md line by whole line, and finds its place again after the file was rotated, cut, or saved anew. */
import { hash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import type { ChatLine } from '../workplace/chat.ts'
import type { Cursor } from '../workplace/records.ts'
import type { Places } from './places.ts'
import { findByInode, findMissed, type Held } from './rotated-chats.ts'

export interface ChatBatch {
  readonly lines: readonly (ChatLine & { readonly end: number })[]
  readonly cursor: Cursor
  /** A line that is too long to be one: how much of it was passed over. */
  readonly overlong: boolean
}

export const startOfChat: Cursor = { generation: 0, inode: 0, offset: 0, line: 0, anchor: { length: 0, hash: '' } }

const ANCHOR = 1024
const CHUNK = 1024 * 1024
/** A file that does not continue what was read is left alone until it has rested so long (ms): it may be being saved. */
const REST = 200
/** An empty one says nothing about where to go on; after so long it is believed to stay empty (ms). */
const EMPTY_REST = 1000
/** Where others write to it all the time it never rests; nobody saves a file for so long (ms). */
const MOST_REST = 2000

interface Unsettled {
  readonly size: number
  readonly modified: number
  readonly since: number
  /** When it was first seen so. */
  readonly first: number
}

export class ChatReader {
  readonly #places: Pick<Places, 'chat' | 'folder'>
  readonly #clock: () => number
  #held: Held | null = null
  #unsettled: Unsettled | null = null
  #skipping = false

  /** `clock`: milliseconds that never jump. */
  constructor(places: Pick<Places, 'chat' | 'folder'>, clock: () => number) {
    this.#places = places
    this.#clock = clock
  }

  /** Whether all that stands in the file has been read, so that something may be written to it. */
  isAtEnd = false

  /** The next whole lines, or null where there are none at the moment. */
  read(cursor: Cursor): ChatBatch | null {
    this.isAtEnd = true
    const stat = statSync(this.#places.chat, { throwIfNoEntry: false })
    // After a restart, what was being read may have another name by now, and a rest that nobody has read.
    if (this.#held === null && cursor.inode !== 0) this.#held = findByInode(this.#places, cursor.inode)
    if (this.#held !== null && this.#held.inode !== stat?.ino) {
      // Another file stands there: first what is left of the old one, also where that was begun anew before.
      const { file, inode } = this.#held
      const there = isContinued(file, cursor) ? cursor : { ...relocate(file, cursor), inode }
      const rest = this.#lines(this.#held, there)
      if (rest !== null) return rest
      const missed = findMissed(this.#places, this.#held)
      if (missed !== null) {
        this.close()
        this.#held = missed
        const start = { ...startOfChat, generation: cursor.generation + 1, inode: missed.inode }
        return { lines: [], cursor: start, overlong: false }
      }
      if (stat === undefined) return null
      this.close()
    }
    if (stat === undefined) return null
    this.#held ??= { file: openSync(this.#places.chat, 'r'), inode: stat.ino }
    const { file, inode } = this.#held
    if (isContinued(file, cursor)) {
      this.#unsettled = null
      return this.#lines(this.#held, { ...cursor, inode })
    }
    if (!this.#hasRested(file)) {
      this.isAtEnd = false
      return null
    }
    this.#unsettled = null
    const there = { ...relocate(file, cursor), inode }
    return this.#lines(this.#held, there) ?? { lines: [], cursor: there, overlong: false }
  }

  close(): void {
    if (this.#held !== null) closeSync(this.#held.file)
    this.#held = null
  }

  #hasRested(file: number): boolean {
    const { size, mtimeMs } = fstatSync(file)
    const now = this.#clock()
    const known = this.#unsettled
    const isSame = known?.size === size && known.modified === mtimeMs
    const { since, first } = { since: isSame ? known.since : now, first: known?.first ?? now }
    this.#unsettled = { size, modified: mtimeMs, since, first }
    if (size === 0) return now - since >= EMPTY_REST
    return now - since >= REST || now - first >= MOST_REST
  }

  /** Half-written lines wait for their end. */
  #lines({ file }: Held, cursor: Cursor): ChatBatch | null {
    const { size } = fstatSync(file)
    if (size <= cursor.offset) return null
    const bytes = readAt(file, cursor.offset, Math.min(size - cursor.offset, CHUNK))
    const isCut = cursor.offset + bytes.length < size
    let last = bytes.lastIndexOf(10) + 1
    if (last === 0) {
      if (!isCut) return null
      this.#skipping = true
      return { lines: [], cursor: advance(file, cursor, bytes.length, 0), overlong: true }
    }
    if (isCut) last = beforeLastMessage(bytes, last)
    const lines: (ChatLine & { end: number })[] = []
    let number = cursor.line
    for (let start = 0; start < last; ) {
      const end = bytes.indexOf(10, start)
      number++
      if (this.#skipping) this.#skipping = false
      else lines.push({ number, text: bytes.toString('utf8', start, end), end: cursor.offset + end + 1 })
      start = end + 1
    }
    return { lines, cursor: advance(file, cursor, last, number - cursor.line), overlong: false }
  }
}

/** The last message of a part may go on in the next one; it is left for then, unless it is all there is. */
function beforeLastMessage(bytes: Buffer, last: number): number {
  const at = bytes.lastIndexOf('\n[', last - 2)
  return at > 0 ? at + 1 : last
}

function advance(file: number, cursor: Cursor, bytes: number, lines: number): Cursor {
  const offset = cursor.offset + bytes
  return { ...cursor, offset, line: cursor.line + lines, anchor: anchorAt(file, offset) }
}

function anchorAt(file: number, offset: number): Cursor['anchor'] {
  const length = Math.min(offset, ANCHOR)
  return { length, hash: fingerprint(readAt(file, offset - length, length)) }
}

/** Whether the file still holds what was read, where it was read. */
function isContinued(file: number, { offset, anchor }: Cursor): boolean {
  if (offset === 0) return true
  const bytes = readAt(file, offset - anchor.length, anchor.length)
  return bytes.length === anchor.length && fingerprint(bytes) === anchor.hash
}

/** Where what was read last stands now; nowhere: the file was begun anew. */
function relocate(file: number, cursor: Cursor): Cursor {
  const { anchor } = cursor
  const bytes = readAt(file, 0, Math.min(fstatSync(file).size, 64 * CHUNK))
  for (let end = bytes.lastIndexOf(10) + 1; end >= anchor.length && end > 0; end = bytes.lastIndexOf(10, end - 2) + 1) {
    if (fingerprint(bytes.subarray(end - anchor.length, end)) === anchor.hash) {
      return { ...cursor, offset: end, line: countLines(bytes.subarray(0, end)) }
    }
    if (end < 2) break
  }
  return { ...startOfChat, generation: cursor.generation + 1 }
}

function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++
  return lines
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let read = 0
  while (read < length) {
    const more = readSync(file, bytes, read, length - read, position + read)
    if (more === 0) break
    read += more
  }
  return bytes.subarray(0, read)
}

function fingerprint(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex').slice(0, 16)
}

/** As far as there is anything by now: what stands there already is history. */
export function endOfChat(path: string): Cursor {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return startOfChat
  }
  try {
    const { size, ino } = fstatSync(file)
    const bytes = readAt(file, 0, size)
    const offset = bytes.lastIndexOf(10) + 1
    const lines = countLines(bytes.subarray(0, offset))
    return { generation: 0, inode: ino, offset, line: lines, anchor: anchorAt(file, offset) }
  } finally {
    closeSync(file)
  }
}

/** The same line at the same place has the same id, also when it is read again after a crash. */
export function chatId({ generation }: Cursor, end: number, line: string): string {
  return hash('sha256', `${generation}\n${end}\n${line}`, 'hex').slice(0, 16)
}

/** Whether the file at a path still holds what was read, where it was read. */
export function isContinuedChat(path: string, cursor: Cursor): boolean {
  const file = openSync(path, 'r')
  try {
    return isContinued(file, cursor)
  } finally {
    closeSync(file)
  }
}
