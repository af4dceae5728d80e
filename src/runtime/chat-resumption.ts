/** Where to go on in a chat that no longer continues what was read: below what was read, with what was changed held back. */
import { closeSync } from 'node:fs'
import { type History, judge, type Verdict } from '../workplace/chat-history.ts'
import { formatRanges } from '../workplace/line-numbers.ts'
import type { Cursor, HeldLines } from '../workplace/records.ts'
import { type AddressedLines, anchorAt, halfHash, lineHash, scanLines } from './chat-file.ts'
import type { ChatMemory } from './chat-memory.ts'
import type { Places } from './places.ts'
import { type Held, openQuietly } from './rotated-chats.ts'

export interface Resumption {
  readonly cursor: Cursor
  readonly held: readonly HeldLines[]
  /** The last line that was read is still there. */
  readonly isFound: boolean
}

/** So many lines tell one end of a file from another. */
const TAIL = 4

const reasons: Record<Exclude<Verdict['why'], null>, string> = {
  changed: 'changed or added above lines that were read before; not run',
  unsure: 'the file was changed where it had been read, and these lines may be old; not run',
  restored: 'the file was put back to lines that were read before; not run again',
}

/** `isRotated`: what was read lies under another name now. */
export function resumeIn(held: Held, cursor: Cursor, memory: ChatMemory, isRotated: boolean): Resumption {
  // Somebody has removed it: then it cannot be known what was read.
  const isForgotten = memory.size < cursor.memory.size
  const { size, lines } = isForgotten ? { size: memory.size, lines: 0 } : cursor.memory
  const isKnown = memory.isKnown(size)
  const tail = memory.tail(size, Math.min(lines, TAIL))
  // The last line that was read may have lost its line end.
  const half = (text: string) => (lineHash(text) === tail.at(-1) ? lineHash(text) : null)
  const found = scanLines(held.file, { half })
  const { hashes, starts, numbers } = found
  const history: History = { isKnown, lines, tail, isRotated }
  const verdict: Verdict = isForgotten
    ? { firstNew: hashes.length, held: [...hashes.keys()], why: 'unsure', isFound: false }
    : judge(hashes, history)
  const { firstNew, why } = verdict
  // Of a new file all is read, notes for people among it.
  const [start, number] = firstNew === 0 ? [0, 1] : [starts[firstNew], numbers[firstNew]]
  const offset = start ?? found.length
  const wary = hashes.length === 0 ? 'empty' : why === 'unsure' || why === 'restored' ? 'cut' : null
  return {
    cursor: {
      generation: cursor.generation + 1,
      inode: held.inode,
      born: held.born,
      offset,
      line: number === undefined ? found.lines : number - 1,
      anchor: anchorAt(held.file, offset),
      memory: { size: remember(memory, size, hashes.subarray(0, firstNew), isKnown), lines: firstNew },
      rotated: cursor.rotated,
      ...(cursor.origin === undefined ? {} : { origin: cursor.origin }),
      ...(cursor.lost === undefined ? {} : { lost: cursor.lost }),
      ...(wary === null || size === 0 ? {} : { wary }),
    },
    held: heldLines(held.name, verdict, found),
    isFound: verdict.isFound,
  }
}

/** The next rotated chat with lines that nobody has read. They are run if it is sure that it is one. */
export function resumeInArchive(
  places: Pick<Places, 'folder' | 'chat'>,
  paths: readonly string[],
  cursor: Cursor,
  memory: ChatMemory,
  isSure: boolean,
): { readonly archive: Held | null; readonly resumption: Resumption } | null {
  const found = isSure ? null : findEnd(places, paths, cursor, memory)
  if (found !== null) return found
  for (const path of paths) {
    const archive = openQuietly(places, path)
    if (archive === null) continue
    // Nobody will end its last line any more.
    const { lines, unread } = unreadIn(archive, cursor, memory, halfHash)
    if (unread.length > 0 && isSure) {
      const start = { ...cursor, memory: { ...cursor.memory, lines: 0 } }
      return { archive, resumption: resumeIn(archive, start, memory, true) }
    }
    closeSync(archive.file)
    if (unread.length === 0) continue
    const held = heldLines(archive.name, { held: unread, why: 'unsure' }, lines)
    const seen = { ...cursor, memory: rememberBeside(memory, cursor, lines.hashes) }
    return { archive: null, resumption: { cursor: seen, held, isFound: false } }
  }
  return null
}

/** What was saved anew and then rotated is another file, but it holds the last lines that were read, and new ones below them. */
function findEnd(
  places: Pick<Places, 'folder' | 'chat'>,
  paths: readonly string[],
  cursor: Cursor,
  memory: ChatMemory,
): { readonly archive: Held; readonly resumption: Resumption } | null {
  for (const path of paths) {
    const archive = openQuietly(places, path)
    if (archive === null) continue
    if (unreadIn(archive, cursor, memory, () => null).unread.length > 0) {
      const resumption = resumeIn(archive, cursor, memory, true)
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
  { numbers }: AddressedLines,
): HeldLines[] {
  if (why === null || held.length === 0) return []
  const { text, left } = formatRanges(held.map((index) => numbers[index] ?? 0))
  return [{ file, lines: text, why: left === 0 ? reasons[why] : `${reasons[why]} (and ${left} more lines)` }]
}
