/** A file that is or was chat.md, as bytes: its lines, the position that was read to, and the hashes of both. */
import { hash } from 'node:crypto'
import { fstatSync, readSync } from 'node:fs'
import { type ChatLine, isToPerson, mayStartMember } from '../state/chat.ts'
import type { ChatCursor } from '../state/records.ts'

const ANCHOR = 1024
export const CHUNK = 1024 * 1024

/** A line, and the position after it. */
export interface ReadLine extends ChatLine {
  readonly end: number
}

/** The first lines of the messages in a file, in order: they show what of it was read before. */
export interface AddressedLines {
  /** Their hashes, their numbers, and where they begin. */
  readonly hashes: Float64Array
  readonly numbers: Float64Array
  readonly starts: Float64Array
  /** The same for lines to people, which do not identify the file. */
  readonly notes: Pick<AddressedLines, 'hashes' | 'numbers' | 'starts'>
  /** The number of complete lines of any kind, and their size in bytes. */
  readonly lines: number
  readonly length: number
}

interface ScanOptions {
  /** Only this many bytes of the file. */
  readonly most?: number
  /** The hash under which a partial last line counts as a line; null: it does not count. */
  readonly half?: (text: string) => number | null
}

export function scanLines(file: number, { most, half }: ScanOptions = {}): AddressedLines {
  const size = Math.min(fstatSync(file).size, most ?? Number.POSITIVE_INFINITY)
  const [found, notes] = [new Found(), new Found()]
  let lines = 0
  let length = 0
  while (length < size) {
    const bytes = readAt(file, length, Math.min(CHUNK, size - length))
    const last = bytes.lastIndexOf(10) + 1
    if (last === 0) {
      const text = lineText(bytes, 0, bytes.length, lines + 1)
      const hash = mayStartMember(text) ? (half?.(text) ?? null) : null
      if (hash !== null) {
        found.push(hash, lines + 1, length)
        length += bytes.length
        break
      }
      const end = endOfLine(file, length + bytes.length, size)
      if (end === null) break
      lines++
      length = end
      continue
    }
    for (let start = 0; start < last; ) {
      const end = bytes.indexOf(10, start)
      lines++
      const text = lineText(bytes, start, end, lines)
      if (mayStartMember(text)) found.push(lineHash(text), lines, length + start)
      else if (isToPerson(text)) notes.push(lineHash(text), lines, length + start)
      start = end + 1
    }
    length += last
  }
  return { ...found.all(), notes: notes.all(), lines, length }
}

/** The lines in bytes that start at `place` and end with a line end. */
export function linesIn(bytes: Buffer, { offset, line }: Pick<ChatCursor, 'offset' | 'line'>): ReadLine[] {
  const lines: ReadLine[] = []
  for (let start = 0, number = line; start < bytes.length; ) {
    const end = bytes.indexOf(10, start)
    number++
    lines.push({ number, text: lineText(bytes, start, end, number), end: offset + end + 1 })
    start = end + 1
  }
  return lines
}

/** The last message of a chunk may continue in the next one; it is left for then, unless it is the only one. */
export function beforeLastMessage(bytes: Buffer, last: number): number {
  const at = bytes.lastIndexOf('\n[', last - 2)
  return at > 0 ? at + 1 : last
}

/** A line as text, without the byte order mark of the file. */
function lineText(bytes: Buffer, start: number, end: number, number: number): string {
  const text = bytes.toString('utf8', start, end)
  return number === 1 ? text.replace(/^\ufeff/, '') : text
}

/** The end of the line that continues at `from`. */
function endOfLine(file: number, from: number, size: number): number | null {
  for (let at = from; at < size; at += CHUNK) {
    const found = readAt(file, at, Math.min(CHUNK, size - at)).indexOf(10)
    if (found >= 0) return at + found + 1
  }
  return null
}

/** Trailing white space, including other line ends, is ignored. */
export function lineHash(text: string): number {
  return Number.parseInt(hash('sha256', text.trimEnd(), 'hex').slice(0, 12), 16)
}

/** A partial line never equals a complete one. */
export function halfHash(text: string): number {
  return lineHash(`\n${text.trim()}`)
}

export function anchorAt(file: number, offset: number): ChatCursor['anchor'] {
  const length = Math.min(offset, ANCHOR)
  return { length, hash: fingerprint(readAt(file, offset - length, length)) }
}

/** Whether the file still holds what was read, where it was read. */
export function isContinued(file: number, { offset, anchor }: Pick<ChatCursor, 'offset' | 'anchor'>): boolean {
  if (offset === 0) return true
  const bytes = readAt(file, offset - anchor.length, anchor.length)
  return bytes.length === anchor.length && fingerprint(bytes) === anchor.hash
}

export function readAt(file: number, position: number, length: number): Buffer {
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

class Found {
  readonly #hashes = new NumberList()
  readonly #numbers = new NumberList()
  readonly #starts = new NumberList()

  push(hash: number, number: number, start: number): void {
    this.#hashes.push(hash)
    this.#numbers.push(number)
    this.#starts.push(start)
  }

  all(): AddressedLines['notes'] {
    return { hashes: this.#hashes.all(), numbers: this.#numbers.all(), starts: this.#starts.all() }
  }
}

/** Numbers in as little memory as possible: there may be a million. */
class NumberList {
  #room = new Float64Array(64)
  #count = 0

  push(number: number): void {
    if (this.#count === this.#room.length) {
      const larger = new Float64Array(this.#count * 2)
      larger.set(this.#room)
      this.#room = larger
    }
    this.#room[this.#count++] = number
  }

  all(): Float64Array {
    return this.#room.subarray(0, this.#count)
  }
}

/** A file with constant writes never rests; no save takes longer than this (ms). */
const LONGEST_SAVE = 2000
/** A waiting caller looks more often; after a longer gap the wait starts again (ms). */
const FORGOTTEN = 1000

interface FileLook {
  readonly inode: number
  readonly size: number
  readonly modified: number
  /** When it last changed, when it was first looked at, and when last. */
  readonly since: number
  readonly first: number
  readonly last: number
}

export class QuietFile {
  readonly #clock: () => number
  #last: FileLook | null = null

  /** `clock`: monotonic milliseconds. */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Whether it has rested for `ms`; never at the first look. */
  hasCome(file: number, ms: number, most = LONGEST_SAVE): boolean {
    const { ino: inode, size, mtimeMs: modified } = fstatSync(file)
    const now = this.#clock()
    const last = this.#last?.inode === inode ? this.#last : null
    const isSame = last?.size === size && last.modified === modified
    const isWaiting = last !== null && now - last.last <= FORGOTTEN
    const { since, first } = { since: isSame ? last.since : now, first: isWaiting ? last.first : now }
    this.#last = { inode, size, modified, since, first, last: now }
    return now - since >= ms || now - first >= Math.max(ms, most)
  }

  forget(): void {
    this.#last = null
  }
}

/**
 * Where one of the texts begins that is cut off at the end, with at least one complete line: part of a message is a message
 * too, with another meaning. The length of the bytes if none is.
 */
export function startOfPart(bytes: Buffer, texts: readonly string[]): number {
  for (const text of texts) {
    const line = Buffer.byteLength(text.slice(0, text.indexOf('\n') + 1))
    const part = partOf(bytes, Buffer.from(text), line)
    if (part !== null) return part
  }
  return bytes.length
}

/** Where a write may break off, because the disk is full or the process is killed. */
const PAGE = 4096

/**
 * The text that is partly there, and how many bytes of it: at least its address, so that it is certainly ours, unless the
 * file ends at a page boundary. `size`: of the file.
 */
export function findPart(
  bytes: Buffer,
  texts: readonly string[],
  size: number,
): { readonly index: number; readonly length: number } | null {
  for (const [index, text] of texts.entries()) {
    const address = Buffer.byteLength(text.slice(0, text.indexOf(']') + 1))
    const start = partOf(bytes, Buffer.from(text), size % PAGE === 0 ? 1 : address)
    if (start !== null) return { index, length: bytes.length - start }
  }
  return null
}

/** Where the bytes end with the beginning of a text, but not with all of it; `least`: the minimum length. */
function partOf(bytes: Buffer, text: Buffer, least: number): number | null {
  for (let start = Math.max(0, bytes.length - text.length + 1); start <= bytes.length - least; start++) {
    const isLineStart = start === 0 || bytes[start - 1] === 10
    if (isLineStart && text.subarray(0, bytes.length - start).equals(bytes.subarray(start))) return start
  }
  return null
}
