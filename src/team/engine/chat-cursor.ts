/** Positions in the chat: its beginning, its end, and whether a file still continues from one. */
import { hash } from 'node:crypto'
import { closeSync } from 'node:fs'
import { openRegularFile } from '../../disk/read-file.ts'
import { type ChatLine, mayStartMember } from '../state/chat.ts'
import {
  type ChatHistory,
  type HeldLine,
  type HistoryMatch,
  matchHistory,
  type OwnText,
  reportHeld,
  SHORT_CHAT,
} from '../state/chat-history.ts'
import type { ChatCursor, HeldLines } from '../state/records.ts'
import { type AddressedLines, anchorAt, halfHash, isContinued, lineHash, scanLines } from './chat-file.ts'
import { ReadLines } from './chat-memory.ts'
import { notesIn, type Place, placeOfNotes } from './chat-notes.ts'
import type { WorkplacePaths } from './paths.ts'
import { allFinished, finish, isCopy, type OpenChat, openChat, tryOpenChat } from './rotated-files.ts'

export type ChatPaths = Pick<WorkplacePaths, 'chat' | 'folder' | 'chatLines'>

export const chatStart: ChatCursor = {
  generation: 0,
  inode: 0,
  born: 0,
  offset: 0,
  line: 0,
  anchor: { length: 0, hash: '' },
  memory: { size: 0, lines: 0 },
  rotated: 0,
}

/** A new line by someone else: what follows is no longer the earlier content. */
export function clearWariness(cursor: ChatCursor, lines: readonly ChatLine[]): ChatCursor {
  const { wary, ...trusted } = cursor
  return wary !== undefined && lines.some(({ text }) => mayStartMember(text)) ? trusted : cursor
}

/** The current end: existing content is history. */
export function chatEnd(places: ChatPaths): ChatCursor {
  const looked = allFinished(places)
  let held: OpenChat
  try {
    held = openChat(places, places.chat)
  } catch {
    return { ...chatStart, ...looked }
  }
  const memory = new ReadLines(places.chatLines)
  try {
    const { inode, born, file } = held
    const found = scanLines(file)
    const { hashes, lines, length: offset } = found
    const kept = { size: memory.append(memory.size, hashes), lines: hashes.length }
    const anchor = anchorAt(file, offset)
    const notes = notesIn(found, hashes.length, offset)
    const place = { generation: 0, inode, born, offset, line: lines, anchor, memory: kept, ...looked }
    return notes === undefined ? place : { ...place, notes }
  } finally {
    closeSync(held.file)
    memory.close()
  }
}

/** The same line at the same place has the same id, also when it is read again after a crash. */
export function chatMessageId(generation: number, end: number, line: string): string {
  return hash('sha256', `${generation}\n${end}\n${line}`, 'hex').slice(0, 16)
}

/** Whether the file at a path still holds what was read, where it was read. */
export function isContinuedChat(path: string, cursor: ChatCursor): boolean {
  const file = openRegularFile(path)
  try {
    return isContinued(file, cursor)
  } finally {
    closeSync(file)
  }
}

/** Where to continue in a chat that no longer continues what was read: below what was read, with changed lines held back. */
export interface Resumption {
  readonly cursor: ChatCursor
  readonly held: readonly HeldLines[]
  /** The last line that was read is still there. */
  readonly isFound: boolean
}

/** What became of the file that was read, and our own texts that may not have been read back. */
interface Circumstances {
  readonly became: ChatHistory['became']
  readonly own: readonly OwnText[]
}

/** This many lines identify the end of a file. */
const TAIL = 4

export const UNSURE = 'the part of the file that was already read has changed, so these lines may be old; not run'
const RESTORED = 'the file was restored to lines that were already read; not run again'
const heldReasons: Record<Exclude<HistoryMatch['why'], null>, string> = {
  changed: 'changed or added above lines that were already read; not run',
  unsure: UNSURE,
  restored: UNSURE,
}

export function resumeIn(
  held: OpenChat,
  cursor: ChatCursor,
  memory: ReadLines,
  { became, own }: Circumstances,
): Resumption {
  // The memory was removed: what was read is unknown.
  const isForgotten = memory.size < cursor.memory.size
  const { size, lines } = isForgotten ? { size: memory.size, lines: 0 } : cursor.memory
  const isKnown = memory.isKnown(size)
  const tail = memory.tail(size, Math.min(lines, TAIL))
  // The last line read may have lost its line end.
  const half = (text: string) => (lineHash(text) === tail.at(-1) ? lineHash(text) : null)
  const found = scanLines(held.file, { half })
  const { hashes } = found
  const verdict: HistoryMatch = isForgotten
    ? { firstNew: hashes.length, held: [...hashes.keys()], why: 'unsure', isRestHeld: false, isFound: false }
    : matchHistory(hashes, { isKnown, lines, tail, became, isOwn: ownIn(hashes, own) })
  const { firstNew, isFound, isRestHeld } = verdict
  const below = placeOfNotes(found, verdict, isKnown, cursor.notes)
  const { offset, line } = placeIn(found, firstNew, below.place)
  const isUnsure = isRestHeld || verdict.why === 'unsure' || verdict.why === 'restored'
  const wary = hashes.length === 0 ? 'empty' : isUnsure ? 'cut' : null
  const notes = notesIn(found, firstNew, offset)
  return {
    cursor: {
      generation: cursor.generation + 1,
      inode: held.inode,
      born: held.born,
      offset,
      line,
      anchor: anchorAt(held.file, offset),
      memory: { size: rememberNew(memory, size, hashes.subarray(0, firstNew), isKnown), lines: firstNew },
      rotated: cursor.rotated,
      ...(cursor.finished === undefined ? {} : { finished: cursor.finished }),
      ...(cursor.left === undefined ? {} : { left: cursor.left }),
      ...(cursor.origin === undefined ? {} : { origin: cursor.origin }),
      ...(cursor.lost === undefined ? {} : { lost: cursor.lost }),
      ...(notes === undefined ? {} : { notes }),
      ...(isRestHeld ? { heldTo: found.length } : {}),
      ...(wary === null || size === 0 ? {} : { wary }),
    },
    held: heldLines(held.name, verdict, found, isKnown, below.held),
    isFound,
  }
}

/** A new file is read in full, others below what was read. */
function placeIn(found: AddressedLines, firstNew: number, notes: Place | null): Place {
  if (firstNew === 0 && notes === null) return { offset: 0, line: 0 }
  if (notes !== null) return notes
  const [start, number] = [found.starts[firstNew], found.numbers[firstNew]]
  return start === undefined || number === undefined
    ? { offset: found.length, line: found.lines }
    : { offset: start, line: number - 1 }
}

/** The next rotated chat with unread lines. They are run only if it certainly is one. */
export function resumeInArchive(
  places: Pick<WorkplacePaths, 'folder' | 'chat'>,
  paths: readonly string[],
  cursor: ChatCursor,
  memory: ReadLines,
  { isSure, own }: { readonly isSure: boolean; readonly own: readonly OwnText[] },
): { readonly archive: OpenChat | null; readonly resumption: Resumption } | null {
  const found = isSure ? null : findLastRead(places, paths, cursor, memory, own)
  if (found !== null) return found
  for (const path of paths) {
    const archive = tryOpenChat(places, path)
    if (archive === null) continue
    // Its last line will never be completed.
    const { lines, unread } = unreadIn(archive, cursor, memory, halfHash)
    const isOfNotes = lines.hashes.length === 0 && lines.notes.hashes.length > 0
    if (isSure && (unread.length > 0 || isOfNotes)) {
      const start = { ...cursor, memory: { ...cursor.memory, lines: 0 } }
      return { archive, resumption: resumeIn(archive, start, memory, { became: 'rotated', own }) }
    }
    const isOld = unread.length === 0
    const isNothing = lines.hashes.length === 0 || (isOld && isCopyOfRead(places, archive, cursor, lines))
    closeSync(archive.file)
    if (isNothing) continue
    const verdict = { held: isOld ? [...lines.hashes.keys()] : unread, why: isOld ? 'restored' : 'unsure' } as const
    const held = heldLines(archive.name, verdict, lines, memory.isKnown(cursor.memory.size), [])
    const seen = finish({ ...cursor, memory: rememberBeside(memory, cursor, lines.hashes) }, archive)
    return { archive: null, resumption: { cursor: seen, held, isFound: false } }
  }
  return null
}

/** A file of one or two messages may equal another by chance. */
function isCopyOfRead(
  places: Pick<WorkplacePaths, 'folder' | 'chat'>,
  archive: OpenChat,
  cursor: ChatCursor,
  { hashes }: AddressedLines,
): boolean {
  return hashes.length > SHORT_CHAT && isCopy(places, archive, cursor)
}

/** A chat that was saved again and then rotated is another file, but holds the last lines read, with new ones below. */
function findLastRead(
  places: Pick<WorkplacePaths, 'folder' | 'chat'>,
  paths: readonly string[],
  cursor: ChatCursor,
  memory: ReadLines,
  own: readonly OwnText[],
): { readonly archive: OpenChat; readonly resumption: Resumption } | null {
  for (const path of paths) {
    const archive = tryOpenChat(places, path)
    if (archive === null) continue
    if (unreadIn(archive, cursor, memory, () => null).unread.length > 0) {
      const resumption = resumeIn(archive, cursor, memory, { became: 'rotated', own })
      if (resumption.isFound) return { archive, resumption }
    }
    closeSync(archive.file)
  }
  return null
}

function unreadIn(
  archive: OpenChat,
  cursor: ChatCursor,
  memory: ReadLines,
  half: (text: string) => number | null,
): { readonly lines: AddressedLines; readonly unread: readonly number[] } {
  const isKnown = memory.isKnown(cursor.memory.size)
  const lines = scanLines(archive.file, { half })
  return { lines, unread: [...lines.hashes.keys()].filter((index) => !isKnown(lines.hashes[index] ?? 0)) }
}

/** Our text was written last: the lowest line equal to it is ours. */
function ownIn(hashes: Float64Array, own: readonly OwnText[]): (index: number) => boolean {
  const found = new Set<number>()
  for (const { lines } of own) {
    const hash = lineHash(lines[0] ?? '')
    let last = hashes.lastIndexOf(hash)
    while (found.has(last)) last = last === 0 ? -1 : hashes.lastIndexOf(hash, last - 1)
    if (last >= 0) found.add(last)
  }
  return (index) => found.has(index)
}

/** Lines that are not part of the file being read: its end stays the end. */
export function rememberBeside(memory: ReadLines, cursor: ChatCursor, hashes: ArrayLike<number>): ChatCursor['memory'] {
  const { size, lines } = cursor.memory
  const tail = memory.tail(size, Math.min(lines, TAIL))
  return { size: memory.append(memory.append(size, hashes), tail), lines }
}

/** The lines not known before, and the end of all lines, in order. */
function rememberNew(
  memory: ReadLines,
  size: number,
  hashes: Float64Array,
  isKnown: (hash: number) => boolean,
): number {
  const unknown = hashes.filter((hash) => !isKnown(hash))
  return memory.append(memory.append(size, unknown), hashes.subarray(-TAIL))
}

function heldLines(
  file: string,
  { held, why }: Pick<HistoryMatch, 'held' | 'why'>,
  { numbers, hashes }: AddressedLines,
  isKnown: (hash: number) => boolean,
  notes: readonly number[],
): HeldLines[] {
  const reason = heldReasons[why ?? 'changed']
  const lines = held.map((index) => ({ number: numbers[index] ?? 0, isOld: isKnown(hashes[index] ?? 0), index }))
  const beside = notes.map((number): HeldLine => ({ number, isOld: false, index: -1 }))
  const all = [...lines, ...beside].sort((one, other) => one.number - other.number)
  return why === 'restored' ? reportHeld(file, all, reason, RESTORED) : reportHeld(file, all, reason)
}
