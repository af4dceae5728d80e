/** Where to go on in a chat that no longer continues what was read: below what was read, with what was changed held back. */
import { closeSync } from 'node:fs'
import { FEW, type History, judge, type Verdict } from '../workplace/chat-history.ts'
import { type HeldLine, tellHeld } from '../workplace/held-lines.ts'
import type { OwnText } from '../workplace/own-lines.ts'
import type { Cursor, HeldLines } from '../workplace/records.ts'
import { type AddressedLines, anchorAt, halfHash, lineHash, scanLines } from './chat-file.ts'
import type { ChatMemory } from './chat-memory.ts'
import { notesIn, type Place, placeOfNotes } from './chat-notes.ts'
import type { Places } from './places.ts'
import { finish, type Held, isCopy, openQuietly } from './rotated-chats.ts'

export interface Resumption {
  readonly cursor: Cursor
  readonly held: readonly HeldLines[]
  /** The last line that was read is still there. */
  readonly isFound: boolean
}

/** What became of the file that was read, and texts of ours that may not have been read back. */
export interface Circumstances {
  readonly became: History['became']
  readonly own: readonly OwnText[]
}

/** So many lines tell one end of a file from another. */
const TAIL = 4

export const UNSURE = 'the file was changed where it had been read, and these lines may be old; not run'
const RESTORED = 'the file was put back to lines that were read before; not run again'
const reasons: Record<Exclude<Verdict['why'], null>, string> = {
  changed: 'changed or added above lines that were read before; not run',
  unsure: UNSURE,
  restored: UNSURE,
}

export function resumeIn(held: Held, cursor: Cursor, memory: ChatMemory, { became, own }: Circumstances): Resumption {
  // Somebody has removed it: then it cannot be known what was read.
  const isForgotten = memory.size < cursor.memory.size
  const { size, lines } = isForgotten ? { size: memory.size, lines: 0 } : cursor.memory
  const isKnown = memory.isKnown(size)
  const tail = memory.tail(size, Math.min(lines, TAIL))
  // The last line that was read may have lost its line end.
  const half = (text: string) => (lineHash(text) === tail.at(-1) ? lineHash(text) : null)
  const found = scanLines(held.file, { half })
  const { hashes } = found
  const verdict: Verdict = isForgotten
    ? { firstNew: hashes.length, held: [...hashes.keys()], why: 'unsure', isRestHeld: false, isFound: false }
    : judge(hashes, { isKnown, lines, tail, became, isOwn: ownIn(hashes, own) })
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
      memory: { size: remember(memory, size, hashes.subarray(0, firstNew), isKnown), lines: firstNew },
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

/** Of a new file all is read, of others what stands below what was read. */
function placeIn(found: AddressedLines, firstNew: number, notes: Place | null): Place {
  if (firstNew === 0 && notes === null) return { offset: 0, line: 0 }
  if (notes !== null) return notes
  const [start, number] = [found.starts[firstNew], found.numbers[firstNew]]
  return start === undefined || number === undefined
    ? { offset: found.length, line: found.lines }
    : { offset: start, line: number - 1 }
}

/** The next rotated chat with lines that nobody has read. They are run if it is sure that it is one. */
export function resumeInArchive(
  places: Pick<Places, 'folder' | 'chat'>,
  paths: readonly string[],
  cursor: Cursor,
  memory: ChatMemory,
  { isSure, own }: { readonly isSure: boolean; readonly own: readonly OwnText[] },
): { readonly archive: Held | null; readonly resumption: Resumption } | null {
  const found = isSure ? null : findEnd(places, paths, cursor, memory, own)
  if (found !== null) return found
  for (const path of paths) {
    const archive = openQuietly(places, path)
    if (archive === null) continue
    // Nobody will end its last line any more.
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

/** A file of one or two messages may say the same as another by chance. */
function isCopyOfRead(
  places: Pick<Places, 'folder' | 'chat'>,
  archive: Held,
  cursor: Cursor,
  { hashes }: AddressedLines,
): boolean {
  return hashes.length > FEW && isCopy(places, archive, cursor)
}

/** What was saved anew and then rotated is another file, but it holds the last lines that were read, and new ones below them. */
function findEnd(
  places: Pick<Places, 'folder' | 'chat'>,
  paths: readonly string[],
  cursor: Cursor,
  memory: ChatMemory,
  own: readonly OwnText[],
): { readonly archive: Held; readonly resumption: Resumption } | null {
  for (const path of paths) {
    const archive = openQuietly(places, path)
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
  archive: Held,
  cursor: Cursor,
  memory: ChatMemory,
  half: (text: string) => number | null,
): { readonly lines: AddressedLines; readonly unread: readonly number[] } {
  const isKnown = memory.isKnown(cursor.memory.size)
  const lines = scanLines(archive.file, { half })
  return { lines, unread: [...lines.hashes.keys()].filter((index) => !isKnown(lines.hashes[index] ?? 0)) }
}

/** What we have written was written last: the lowest line that says it is ours. */
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

/** Lines that are no part of the file that is being read: its end stays the end. */
export function rememberBeside(memory: ChatMemory, cursor: Cursor, hashes: ArrayLike<number>): Cursor['memory'] {
  const { size, lines } = cursor.memory
  const tail = memory.tail(size, Math.min(lines, TAIL))
  return { size: memory.append(memory.append(size, hashes), tail), lines }
}

/** What was not known before, and the end of it all, in order. */
function remember(memory: ChatMemory, size: number, hashes: Float64Array, isKnown: (hash: number) => boolean): number {
  const unknown = hashes.filter((hash) => !isKnown(hash))
  return memory.append(memory.append(size, unknown), hashes.subarray(-TAIL))
}

function heldLines(
  file: string,
  { held, why }: Pick<Verdict, 'held' | 'why'>,
  { numbers, hashes }: AddressedLines,
  isKnown: (hash: number) => boolean,
  notes: readonly number[],
): HeldLines[] {
  const reason = reasons[why ?? 'changed']
  const lines = held.map((index) => ({ number: numbers[index] ?? 0, isOld: isKnown(hashes[index] ?? 0), index }))
  const beside = notes.map((number): HeldLine => ({ number, isOld: false, index: -1 }))
  const all = [...lines, ...beside].sort((one, other) => one.number - other.number)
  return why === 'restored' ? tellHeld(file, all, reason, RESTORED) : tellHeld(file, all, reason)
}
