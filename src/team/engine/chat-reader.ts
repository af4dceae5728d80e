/** Reads chat.md line by line, each once, and finds its position again after the file was rotated, truncated or saved again. */
import { closeSync, fstatSync, statSync } from 'node:fs'
import { type ChatLine, isBareAddress, isToPerson, mayStartMember, withoutMessages } from '../state/chat.ts'
import { judgeAppended, type OwnText, reportHeld, SHORT_CHAT, separateOwnLines } from '../state/chat-history.ts'
import type { ChatCursor, HeldLines } from '../state/records.ts'
import { type ChatPaths, type Resumption, rememberBeside, resumeIn, resumeInArchive, UNSURE } from './chat-cursor.ts'
import {
  anchorAt,
  beforeLastMessage,
  CHUNK,
  halfHash,
  isContinued,
  lineHash,
  linesIn,
  QuietFile,
  type ReadLine,
  readAt,
  scanLines,
  startOfPart,
} from './chat-file.ts'
import { ReadLines } from './chat-memory.ts'
import { addNotes } from './chat-notes.ts'
import {
  allFinished,
  currentNameOf,
  findChatCopy,
  findReadChat,
  isBackup,
  LeftFiles,
  leave,
  linesBelow,
  type OpenChat,
  openChat,
  unreadRotations,
} from './rotated-files.ts'

export interface ChatBatch {
  readonly lines: readonly ReadLine[]
  readonly cursor: ChatCursor
  /** Lines that are not run; they are reported. */
  readonly held: readonly HeldLines[]
  /** A line that is too long was skipped. */
  readonly overlong: boolean
  /** The lines are not part of the file being read: they were added to a file that was left in this generation. */
  readonly aside?: number
}

/** A file that does not continue what was read is left alone until it has rested this long (ms): a save may be under way. */
const SAVE_PAUSE = 200
/** An empty file does not show where to continue; after this time it is assumed to stay empty (ms). */
const EMPTY_PAUSE = 1000
/** How long to wait for the text of a message that has only an address (ms). */
const ADDRESS_PAUSE = 2000
/** A partial line that has not grown for this long is shown to the person (ms). */
const HALF_LINE_PAUSE = 3000

const AMONG_OLD = 'these lines are among lines that were already read; not run'

export class ChatReader {
  readonly #places: ChatPaths
  readonly #clock: () => number
  readonly #memory: ReadLines
  /** For a changed file, a rotated one, lines that may be old, an address, and a partial line. */
  readonly #rest: QuietFile
  readonly #leftRest: QuietFile
  readonly #waryRest: QuietFile
  readonly #bareRest: QuietFile
  readonly #halfRest: QuietFile
  readonly #left = new LeftFiles()
  #held: OpenChat | null = null
  #own: () => readonly OwnText[] = () => []
  #isMemoryWhole = false
  /** The rotated files known to hold nothing new. */
  #lookedAt = ''
  /** Since when chat.md is missing, and whether it was missing before the current one. */
  #goneSince: number | null = null
  #wasGone = false

  /** `clock`: monotonic milliseconds. */
  constructor(places: ChatPaths, clock: () => number) {
    this.#places = places
    this.#clock = clock
    this.#memory = new ReadLines(places.chatLines)
    this.#rest = new QuietFile(clock)
    this.#leftRest = new QuietFile(clock)
    this.#waryRest = new QuietFile(clock)
    this.#bareRest = new QuietFile(clock)
    this.#halfRest = new QuietFile(clock)
  }

  /** Whether the whole file has been read, so that it may be written to. */
  isAtEnd = false
  /** A last line without a line end; `isOld`: it seems to stay that way. */
  half: (ChatLine & { readonly isOld: boolean }) | null = null

  /** The next complete lines, or null if there are none at the moment. `own`: our own texts that may be among them. */
  read(cursor: ChatCursor, own: () => readonly OwnText[] = () => []): ChatBatch | null {
    this.isAtEnd = true
    this.half = null
    this.#own = own
    return this.#readChat(cursor) ?? this.#readLeft(cursor)
  }

  #readChat(cursor: ChatCursor): ChatBatch | null {
    const inode = statSync(this.#places.chat, { throwIfNoEntry: false })?.ino
    this.#lookForRemoval(inode === undefined)
    this.#findHeld(cursor)
    if (this.#held !== null && this.#held.inode !== inode)
      return this.#readRotated(this.#held, cursor, inode !== undefined)
    if (inode === undefined) return null
    this.#held ??= openChat(this.#places, this.#places.chat)
    if (!isContinued(this.#held.file, cursor)) return this.#readChanged(this.#held, cursor, true)
    this.#wasGone = false
    return this.#readOn(this.#held, { ...cursor, inode: this.#held.inode, born: this.#held.born })
  }

  /**
   * After a restart, the file being read may have been renamed and may have an unread rest. The same happens if the step to
   * another file could not be journalled.
   */
  #findHeld(cursor: ChatCursor): void {
    if (cursor.inode === 0 || (this.#held !== null && isFile(this.#held, cursor))) return
    const found = findReadChat(this.#places, cursor)
    if (found !== null) this.#hold(found)
  }

  /** Editors replace it at once: a file that appears later is another one. */
  #lookForRemoval(isGone: boolean): void {
    if (isGone) this.#goneSince ??= this.#clock()
    else if (this.#goneSince !== null) {
      this.#wasGone = this.#clock() - this.#goneSince >= SAVE_PAUSE
      this.#goneSince = null
    }
  }

  close(): void {
    this.#hold(null)
    this.#left.close()
    this.#memory.close()
  }

  #readOn(held: OpenChat, cursor: ChatCursor): ChatBatch | null {
    if (!this.#isMemoryWhole) {
      this.#isMemoryWhole = true
      if (this.#memory.size < cursor.memory.size) return batchWithoutLines(this.#remembered(held, cursor))
    }
    // An empty file does not show whether it was filled and emptied again between two reads.
    const missed = cursor.offset === 0 ? this.#readArchive(cursor, false) : null
    if (missed !== null) return missed
    return this.#readLines(held, cursor)
  }

  /** It was truncated, or saved with changes above the read position. */
  #readChanged(held: OpenChat, cursor: ChatCursor, isChat: boolean): ChatBatch | null {
    if (!this.#hasRested(this.#rest, held, fstatSync(held.file).size === 0 ? EMPTY_PAUSE : SAVE_PAUSE)) return null
    const became = this.#wasGone && isChat ? 'removed' : 'this'
    const found = resumeIn(held, cursor, this.#memory, { became, own: this.#own() })
    if (found.isFound) return isChat ? this.#begin(found) : batchWithoutLines(found.cursor, found.held)
    const copy = findChatCopy(this.#places, cursor)
    if (copy !== null) {
      this.#hold(copy)
      return batchWithoutLines({ ...cursor, inode: copy.inode, born: copy.born, origin: held.inode })
    }
    if (!isChat) {
      const isEdit = cursor.memory.lines <= SHORT_CHAT
      return batchWithoutLines(isEdit ? { ...found.cursor, lost: true } : found.cursor, found.held)
    }
    return this.#readArchive(cursor, false) ?? this.#begin(found)
  }

  /** chat.md is another file now, or missing: first the rest of the old one, then those that came in between. */
  #readRotated(held: OpenChat, cursor: ChatCursor, isThere: boolean): ChatBatch | null {
    if (!isContinued(held.file, cursor))
      return this.#readChanged({ ...held, name: currentNameOf(this.#places, held) }, cursor, false)
    const rest = this.#readLines(held, cursor)
    if (rest !== null || !this.isAtEnd) return rest
    this.half = null
    // A program that still has it open may be about to write.
    if (!this.#hasRested(this.#leftRest, held, SAVE_PAUSE)) return null
    // Editors remove the old file or keep it as a backup; a rotation keeps it.
    const isKept = fstatSync(held.file).nlink > 0 && !isBackup(currentNameOf(this.#places, held))
    const missed = this.#readArchive(cursor, isKept && cursor.lost === undefined)
    if (missed !== null || !isThere) return missed
    const chat = openChat(this.#places, this.#places.chat)
    if (cursor.offset > 0 && isContinued(chat.file, cursor)) {
      // A restored file may lack the partial line at its end.
      const { cursor: next, held: half } =
        isKept && !hasRestOf(chat, held, cursor) ? this.#leave(held, cursor) : batchWithoutLines(cursor)
      this.#hold(chat)
      return this.#begin({ cursor: { ...next, inode: chat.inode, born: chat.born }, held: half, isFound: true })
    }
    const left = this.#leave(held, cursor)
    this.#hold(chat)
    const became = isKept ? 'rotated' : this.#wasGone ? 'removed' : 'this'
    const start = resumeIn(chat, left.cursor, this.#memory, { became, own: this.#own() })
    return this.#begin({ ...start, held: [...left.held, ...start.held] })
  }

  /** A line being written when the file was rotated is not waited for. */
  #leave(held: OpenChat, cursor: ChatCursor): ChatBatch {
    const { size } = fstatSync(held.file)
    const half = readAt(held.file, cursor.offset, Math.min(size - cursor.offset, CHUNK))
      .toString('utf8')
      .trim()
    if (!half.startsWith('[')) return batchWithoutLines(leave(held, cursor, cursor.offset))
    const why = 'it had no line end when the file was rotated, and may be incomplete; not run'
    const memory = rememberBeside(this.#memory, cursor, [halfHash(half)])
    const lines = `${cursor.line + 1}`
    return batchWithoutLines(leave(held, { ...cursor, memory }, size), [
      { file: currentNameOf(this.#places, held), lines, why },
    ])
  }

  /** Lines written to a rotated file after it was left. */
  #readLeft(cursor: ChatCursor): ChatBatch | null {
    const { left = [] } = cursor
    if (left.length === 0) return null
    for (const [index, one] of left.entries()) {
      // It may have been restored, or read as an archive.
      if (one.inode === this.#held?.inode) continue
      const held = this.#left.find(this.#places, one)
      const found = held === null ? null : linesBelow(held.file, one)
      if (found === null) continue
      const hashes = found.lines.filter(({ text }) => mayStartMember(text)).map(({ text }) => lineHash(text))
      const memory = hashes.length === 0 ? cursor.memory : rememberBeside(this.#memory, cursor, hashes)
      const next = { ...cursor, memory, left: left.with(index, { ...one, ...found.place }) }
      return { ...batchWithoutLines(next), lines: found.lines, aside: one.generation }
    }
    return null
  }

  /** The next file that was rotated away before it was read. */
  #readArchive(cursor: ChatCursor, isSure: boolean): ChatBatch | null {
    const paths = unreadRotations(this.#places, cursor)
    const key = [cursor.memory.size, ...paths].join('\n')
    if (this.#lookedAt === key) return null
    const left = isSure && this.#held !== null ? this.#leave(this.#held, cursor) : batchWithoutLines(cursor)
    const found = resumeInArchive(this.#places, paths, left.cursor, this.#memory, { isSure, own: this.#own() })
    if (found === null) {
      this.#lookedAt = key
      return null
    }
    const { archive, resumption } = found
    // The file being read is not left yet.
    if (archive === null) return batchWithoutLines({ ...resumption.cursor, left: cursor.left ?? [] }, resumption.held)
    this.#hold(archive)
    return batchWithoutLines(resumption.cursor, [...left.held, ...resumption.held])
  }

  /** Continues with chat.md: all rotated files have been looked at. */
  #begin({ cursor, held }: Resumption): ChatBatch {
    this.#forgetRests()
    const { origin: _origin, lost: _lost, ...rest } = cursor
    const left = (cursor.left ?? []).filter((one) => !isFile(one, cursor))
    return batchWithoutLines({ ...rest, left, ...allFinished(this.#places) }, held)
  }

  /** Old lines may come back into a file that was emptied or cut short, when it is put back or slowly saved. */
  #readLines(held: OpenChat, cursor: ChatCursor): ChatBatch | null {
    const batch = this.#lines(held, cursor)
    const { memory, wary, heldTo } = cursor
    if (batch === null || (wary === undefined && heldTo === undefined)) return batch
    const isKnown = this.#memory.isKnown(memory.size)
    const others = othersIn(batch.lines, this.#own(), cursor.half ?? null).map((line) => {
      const hash = lineHash(line.text)
      return { ...line, hash, isOld: isKnown(hash) }
    })
    const distinct = new Set(others.filter(({ isOld }) => isOld).map(({ hash }) => hash)).size
    if (heldTo === undefined && distinct > 0 && !this.#hasRested(this.#waryRest, held, SAVE_PAUSE)) return null
    const isOld = others.map(({ isOld }) => isOld)
    const which = heldTo === undefined ? judgeAppended(isOld, distinct, wary ?? 'cut') : [...isOld.keys()]
    const kept = which.flatMap((index) => others[index] ?? [])
    const next = heldTo === undefined || batch.cursor.offset < heldTo ? batch.cursor : withoutHeld(batch.cursor)
    if (kept.length === 0) return { ...batch, cursor: next }
    const reported = reportHeld(currentNameOf(this.#places, held), kept, heldTo === undefined ? AMONG_OLD : UNSURE)
    const lines = withoutMessages(batch.lines, new Set(kept.map(({ number }) => number)))
    return { ...batch, lines, cursor: { ...next, wary: 'cut' }, held: reported }
  }

  /** The memory was lost: the file still shows what was read. */
  #remembered(held: OpenChat, cursor: ChatCursor): ChatCursor {
    const { hashes } = scanLines(held.file, { most: cursor.offset })
    const { size } = this.#memory
    return { ...cursor, memory: { size: this.#memory.append(size, hashes), lines: hashes.length } }
  }

  #hasRested(rest: QuietFile, { file }: OpenChat, ms: number): boolean {
    const hasRested = rest.hasCome(file, ms)
    if (!hasRested) this.isAtEnd = false
    return hasRested
  }

  #hold(held: OpenChat | null): void {
    if (this.#held !== null) closeSync(this.#held.file)
    this.#held = held
    this.#forgetRests()
  }

  #forgetRests(): void {
    for (const rest of [this.#rest, this.#leftRest, this.#waryRest, this.#bareRest]) rest.forget()
  }

  /** Partial lines wait for their end. */
  #lines({ file }: OpenChat, cursor: ChatCursor): ChatBatch | null {
    const { heldTo = Number.POSITIVE_INFINITY } = cursor
    const size = Math.min(fstatSync(file).size, heldTo)
    if (size <= cursor.offset) return null
    const all = readAt(file, cursor.offset, Math.min(size - cursor.offset, CHUNK))
    const isCut = cursor.offset + all.length < size
    // A partial text of ours is completed by us alone.
    const bytes = isCut || size === heldTo ? all : all.subarray(0, startOfPart(all, this.#own().map(textOf)))
    let last = bytes.lastIndexOf(10) + 1
    if (last === 0) {
      if (bytes.length < all.length) return null
      if (isCut)
        return { ...batchWithoutLines({ ...advance(file, cursor, bytes.length, []), skipping: true }), overlong: true }
      const isOld = this.#halfRest.hasCome(file, HALF_LINE_PAUSE, Number.POSITIVE_INFINITY)
      this.half = { number: cursor.line + 1, text: bytes.toString('utf8', 0, 200), isOld }
      return null
    }
    if (isCut) last = beforeLastMessage(bytes, last)
    const lines = linesIn(bytes.subarray(0, last), cursor)
    const isBare = last === all.length && size < heldTo && isBareAddress(lines.at(-1)?.text ?? '')
    if (isBare && !this.#bareRest.hasCome(file, ADDRESS_PAUSE)) {
      this.isAtEnd = false
      lines.pop()
      if (lines.length === 0) return null
      last = (lines.at(-1)?.end ?? 0) - cursor.offset
    }
    const { skipping, ...next } = advance(file, cursor, last, lines)
    const read = skipping ? lines.slice(1) : lines
    return { lines: read, cursor: this.#keep(next, read), held: [], overlong: false }
  }

  #keep(cursor: ChatCursor, lines: readonly ReadLine[]): ChatCursor {
    const hashesOf = (lines: readonly ReadLine[]) => lines.map(({ text }) => lineHash(text))
    const hashes = hashesOf(lines.filter(({ text }) => mayStartMember(text)))
    const { size, lines: count } = cursor.memory
    const { notes: before, ...rest } = cursor
    const at = lines.findLastIndex(({ text }) => mayStartMember(text)) + 1
    const [above, below] = [lines.slice(0, at), lines.slice(at)].map((lines) =>
      hashesOf(lines.filter(({ text }) => isToPerson(text))),
    )
    const notes = addNotes(addNotes(before, above ?? [], false), below ?? [], at > 0)
    const memory = { size: this.#memory.append(size, hashes), lines: count + hashes.length }
    return { ...rest, memory, ...(notes === undefined ? {} : { notes }) }
  }
}

function batchWithoutLines(cursor: ChatCursor, held: readonly HeldLines[] = []): ChatBatch {
  return { lines: [], cursor, held, overlong: false }
}

/** Whether a file continues with everything after the position in another. */
function hasRestOf(file: OpenChat, other: OpenChat, { offset }: ChatCursor): boolean {
  const rest = readAt(other.file, offset, Math.min(fstatSync(other.file).size - offset, CHUNK))
  return readAt(file.file, offset, rest.length).equals(rest)
}

function isFile(held: Pick<OpenChat, 'inode' | 'born'>, { inode, born }: ChatCursor): boolean {
  return held.inode === inode && held.born === born
}

function withoutHeld({ heldTo: _heldTo, ...cursor }: ChatCursor): ChatCursor {
  return cursor
}

function textOf({ lines }: OwnText): string {
  return `${lines.join('\n')}\n`
}

/** Lines of others that may start a member, with their index among all lines that may. */
function othersIn(
  lines: readonly ReadLine[],
  own: readonly OwnText[],
  half: string | null,
): (ReadLine & { readonly index: number })[] {
  const starting = lines.filter(({ text }) => mayStartMember(text))
  const indices = new Map(starting.map(({ number, text }, index) => [number, { text, index }]))
  return separateOwnLines(lines, own, half).lines.flatMap((line) => {
    const here = indices.get(line.number)
    // A line that ours split in two is being written right now: it is new.
    return here?.text === line.text ? [{ ...line, index: here.index }] : []
  })
}

function advance(file: number, cursor: ChatCursor, bytes: number, lines: readonly unknown[]): ChatCursor {
  const offset = cursor.offset + bytes
  return { ...cursor, offset, line: cursor.line + lines.length, anchor: anchorAt(file, offset) }
}
