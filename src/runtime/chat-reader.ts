/** Reads chat.md line by whole line, each once, and finds its place again after the file was rotated, cut, or saved anew. */
import { closeSync, fstatSync, statSync } from 'node:fs'
import { type ChatLine, isBareAddress, mayStart } from '../workplace/chat.ts'
import { FEW } from '../workplace/chat-history.ts'
import { formatRanges } from '../workplace/line-numbers.ts'
import type { Cursor, HeldLines } from '../workplace/records.ts'
import type { ChatPlaces } from './chat-cursor.ts'
import { anchorAt, CHUNK, halfHash, isContinued, lineHash, lineText, readAt, scanLines } from './chat-file.ts'
import { ChatMemory } from './chat-memory.ts'
import { type Resumption, rememberBeside, resumeIn, resumeInArchive } from './chat-resumption.ts'
import { Rest } from './rest.ts'
import { archives, findCopy, findFile, type Held, nameOf, newestRotated, openHeld } from './rotated-chats.ts'

export interface ReadLine extends ChatLine {
  readonly end: number
}

export interface ChatBatch {
  readonly lines: readonly ReadLine[]
  readonly cursor: Cursor
  /** Lines that are not run; the person is told. */
  readonly held: readonly HeldLines[]
  /** A line was passed over that is too long to be one. */
  readonly overlong: boolean
}

/** A file that does not continue what was read is left alone until it has rested so long (ms): it may be being saved. */
const REST = 200
/** An empty one says nothing about where to go on; after so long it is believed to stay empty (ms). */
const EMPTY_REST = 1000
/** So long the text of a message is waited for that has only an address (ms). */
const BARE_REST = 2000
/** Half a line that nobody has gone on with for so long is shown to the person (ms). */
const HALF_REST = 3000

export class ChatReader {
  readonly #places: ChatPlaces
  readonly #clock: () => number
  readonly #memory: ChatMemory
  /** Of a file that was changed, one that was rotated away, lines that may be old, an address, and half a line. */
  readonly #rest: Rest
  readonly #leftRest: Rest
  readonly #waryRest: Rest
  readonly #bareRest: Rest
  readonly #halfRest: Rest
  #held: Held | null = null
  #isMemoryWhole = false
  /** The rotated files that were found to hold nothing new. */
  #lookedAt = ''
  /** Since when there is no chat.md, and whether that was so before the one that is being read. */
  #goneSince: number | null = null
  #wasGone = false

  /** `clock`: milliseconds that never jump. */
  constructor(places: ChatPlaces, clock: () => number) {
    this.#places = places
    this.#clock = clock
    this.#memory = new ChatMemory(places.chatLines)
    this.#rest = new Rest(clock)
    this.#leftRest = new Rest(clock)
    this.#waryRest = new Rest(clock)
    this.#bareRest = new Rest(clock)
    this.#halfRest = new Rest(clock)
  }

  /** Whether all that stands in the file has been read, so that something may be written to it. */
  isAtEnd = false
  /** A last line that has no line end; `isOld`: it seems to stay so. */
  half: (ChatLine & { readonly isOld: boolean }) | null = null

  /** The next whole lines, or null where there are none at the moment. */
  read(cursor: Cursor): ChatBatch | null {
    this.isAtEnd = true
    this.half = null
    const inode = statSync(this.#places.chat, { throwIfNoEntry: false })?.ino
    this.#lookForRemoval(inode === undefined)
    // After a restart, what was being read may have another name by now, and a rest that nobody has read.
    if (this.#held === null && cursor.inode !== 0) this.#held = findFile(this.#places, cursor)
    if (this.#held !== null && this.#held.inode !== inode)
      return this.#readRotated(this.#held, cursor, inode !== undefined)
    if (inode === undefined) return null
    this.#held ??= openHeld(this.#places, this.#places.chat)
    if (!isContinued(this.#held.file, cursor)) return this.#readChanged(this.#held, cursor, true)
    this.#wasGone = false
    return this.#readOn(this.#held, { ...cursor, inode: this.#held.inode, born: this.#held.born })
  }

  /** Editors replace it at once: a file that comes later is another one. */
  #lookForRemoval(isGone: boolean): void {
    if (isGone) this.#goneSince ??= this.#clock()
    else if (this.#goneSince !== null) {
      this.#wasGone = this.#clock() - this.#goneSince >= REST
      this.#goneSince = null
    }
  }

  close(): void {
    this.#hold(null)
    this.#memory.close()
  }

  #readOn(held: Held, cursor: Cursor): ChatBatch | null {
    if (!this.#isMemoryWhole) {
      this.#isMemoryWhole = true
      if (this.#memory.size < cursor.memory.size) return told(this.#remembered(held, cursor))
    }
    // Nothing says of an empty file whether it was filled and emptied again while nobody read.
    const missed = cursor.offset === 0 ? this.#readArchive(cursor, false) : null
    if (missed !== null) return missed
    return this.#readLines(held, cursor)
  }

  /** It was cut, or saved with changes above the place that was read to. */
  #readChanged(held: Held, cursor: Cursor, isChat: boolean): ChatBatch | null {
    if (!this.#hasRested(this.#rest, held, fstatSync(held.file).size === 0 ? EMPTY_REST : REST)) return null
    const found = resumeIn(held, cursor, this.#memory, this.#wasGone && isChat)
    if (found.isFound) return isChat ? this.#begin(found) : told(found.cursor, found.held)
    const copy = findCopy(this.#places, cursor)
    if (copy !== null) {
      this.#hold(copy)
      return told({ ...cursor, inode: copy.inode, born: copy.born, origin: held.inode })
    }
    if (!isChat) {
      const isEdit = cursor.memory.lines <= FEW
      return told(isEdit ? { ...found.cursor, lost: true } : found.cursor, found.held)
    }
    return this.#readArchive(cursor, false) ?? this.#begin(found)
  }

  /** Another file is chat.md by now, or none: first what is left of the old one, then of those that came in between. */
  #readRotated(held: Held, cursor: Cursor, isThere: boolean): ChatBatch | null {
    if (!isContinued(held.file, cursor))
      return this.#readChanged({ ...held, name: nameOf(this.#places, held) }, cursor, false)
    const rest = this.#readLines(held, cursor)
    if (rest !== null || !this.isAtEnd) return rest
    this.half = null
    // A program that has opened it before may be about to write.
    if (!this.#hasRested(this.#leftRest, held, REST)) return null
    // Editors remove the old file; those who rotate it keep it.
    const isKept = fstatSync(held.file).nlink > 0
    const missed = this.#readArchive(cursor, isKept && cursor.lost === undefined)
    if (missed !== null || !isThere) return missed
    const chat = openHeld(this.#places, this.#places.chat)
    if (cursor.offset > 0 && isContinued(chat.file, cursor)) {
      this.#hold(chat)
      return this.#begin({ cursor: { ...cursor, inode: chat.inode, born: chat.born }, held: [], isFound: true })
    }
    const left = this.#leave(held, cursor)
    this.#hold(chat)
    const start = resumeIn(chat, left.cursor, this.#memory, isKept || this.#wasGone)
    return this.#begin({ ...start, held: [...left.held, ...start.held] })
  }

  /** What was being written when the file was rotated: nobody will end it there. */
  #leave(held: Held, cursor: Cursor): ChatBatch {
    const { size } = fstatSync(held.file)
    const half = readAt(held.file, cursor.offset, Math.min(size - cursor.offset, CHUNK))
      .toString('utf8')
      .trim()
    if (!half.startsWith('[')) return told(cursor)
    const why = 'it had no line end when the file was rotated, and may be half a line; not run'
    const memory = rememberBeside(this.#memory, cursor, [halfHash(half)])
    return told({ ...cursor, memory }, [{ file: nameOf(this.#places, held), lines: `${cursor.line + 1}`, why }])
  }

  /** The next of those that were rotated away before anybody read them. */
  #readArchive(cursor: Cursor, isSure: boolean): ChatBatch | null {
    const paths = archives(this.#places, cursor)
    const key = [cursor.memory.size, ...paths].join('\n')
    if (this.#lookedAt === key) return null
    const left = isSure && this.#held !== null ? this.#leave(this.#held, cursor) : told(cursor)
    const found = resumeInArchive(this.#places, paths, left.cursor, this.#memory, isSure)
    if (found === null) {
      this.#lookedAt = key
      return null
    }
    if (found.archive !== null) this.#hold(found.archive)
    return told(found.resumption.cursor, [...left.held, ...found.resumption.held])
  }

  /** From now on chat.md is read; all rotated files have been looked at. */
  #begin({ cursor, held }: Resumption): ChatBatch {
    this.#forgetRests()
    const { origin: _origin, lost: _lost, ...rest } = cursor
    return told({ ...rest, rotated: Math.max(cursor.rotated, newestRotated(this.#places)) }, held)
  }

  /**
   * Old lines may come back into a file that was emptied or cut short, when it is put back or slowly saved. A single line
   * in an emptied file is new whatever it says: people repeat themselves.
   */
  #readLines(held: Held, cursor: Cursor): ChatBatch | null {
    const batch = this.#lines(held, cursor)
    const { memory, wary } = cursor
    if (batch === null || wary === undefined) return batch
    const addressed = batch.lines.filter(({ text }) => mayStart(text))
    if (addressed.length === 0) return batch
    const isKnown = this.#memory.isKnown(memory.size)
    const known = new Set(addressed.map(({ text }) => lineHash(text)).filter(isKnown))
    if (known.size === 0) return batch
    if (!this.#hasRested(this.#waryRest, held, REST)) return null
    if (wary === 'empty' && known.size === 1) return batch
    const { text } = formatRanges(addressed.map(({ number }) => number))
    const why = 'these lines were read before, or stand between lines that were; not run again'
    return told({ ...batch.cursor, wary: 'cut' }, [{ file: nameOf(this.#places, held), lines: text, why }])
  }

  /** The memory was lost: what the file holds still tells what was read. */
  #remembered(held: Held, cursor: Cursor): Cursor {
    const { hashes } = scanLines(held.file, { most: cursor.offset })
    const { size } = this.#memory
    return { ...cursor, memory: { size: this.#memory.append(size, hashes), lines: hashes.length } }
  }

  #hasRested(rest: Rest, { file }: Held, ms: number): boolean {
    const hasRested = rest.hasCome(file, ms)
    if (!hasRested) this.isAtEnd = false
    return hasRested
  }

  #hold(held: Held | null): void {
    if (this.#held !== null) closeSync(this.#held.file)
    this.#held = held
    this.#forgetRests()
  }

  #forgetRests(): void {
    for (const rest of [this.#rest, this.#leftRest, this.#waryRest, this.#bareRest]) rest.forget()
  }

  /** Half-written lines wait for their end. */
  #lines({ file }: Held, cursor: Cursor): ChatBatch | null {
    const { size } = fstatSync(file)
    if (size <= cursor.offset) return null
    const bytes = readAt(file, cursor.offset, Math.min(size - cursor.offset, CHUNK))
    const isCut = cursor.offset + bytes.length < size
    let last = bytes.lastIndexOf(10) + 1
    if (last === 0) {
      if (isCut) return { ...told({ ...advance(file, cursor, bytes.length, []), skipping: true }), overlong: true }
      const isOld = this.#halfRest.hasCome(file, HALF_REST, Number.POSITIVE_INFINITY)
      this.half = { number: cursor.line + 1, text: bytes.toString('utf8', 0, 200), isOld }
      return null
    }
    if (isCut) last = beforeLastMessage(bytes, last)
    const lines: ReadLine[] = []
    for (let start = 0, number = cursor.line; start < last; ) {
      const end = bytes.indexOf(10, start)
      number++
      lines.push({ number, text: lineText(bytes, start, end, number), end: cursor.offset + end + 1 })
      start = end + 1
    }
    if (last === bytes.length && isBareAddress(lines.at(-1)?.text ?? '') && !this.#bareRest.hasCome(file, BARE_REST)) {
      this.isAtEnd = false
      lines.pop()
      if (lines.length === 0) return null
      last = (lines.at(-1)?.end ?? 0) - cursor.offset
    }
    const { skipping, ...next } = advance(file, cursor, last, lines)
    return {
      lines: skipping ? lines.slice(1) : lines,
      cursor: this.#keep(next, skipping ? lines.slice(1) : lines),
      held: [],
      overlong: false,
    }
  }

  #keep(cursor: Cursor, lines: readonly ReadLine[]): Cursor {
    const hashes = lines.filter(({ text }) => mayStart(text)).map(({ text }) => lineHash(text))
    const { size, lines: count } = cursor.memory
    return { ...cursor, memory: { size: this.#memory.append(size, hashes), lines: count + hashes.length } }
  }
}

function told(cursor: Cursor, held: readonly HeldLines[] = []): ChatBatch {
  return { lines: [], cursor, held, overlong: false }
}

/** The last message of a part may go on in the next one; it is left for then, unless it is all there is. */
function beforeLastMessage(bytes: Buffer, last: number): number {
  const at = bytes.lastIndexOf('\n[', last - 2)
  return at > 0 ? at + 1 : last
}

function advance(file: number, cursor: Cursor, bytes: number, lines: readonly unknown[]): Cursor {
  const offset = cursor.offset + bytes
  return { ...cursor, offset, line: cursor.line + lines.length, anchor: anchorAt(file, offset) }
}
