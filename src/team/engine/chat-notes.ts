/** Lines addressed to people in an edited chat: which of them were read. They start no member, but may be questions. */
import type { HistoryMatch } from '../state/chat-history.ts'
import type { ChatCursor } from '../state/records.ts'
import type { AddressedLines } from './chat-file.ts'

export interface Place {
  readonly offset: number
  readonly line: number
}

/** This many are tracked one by one; of more only the number is known. */
const MOST = 16

/** Adds newly read lines to people; `isAnew`: below another line that may start a member. */
export function addNotes(notes: ChatCursor['notes'], hashes: readonly number[], isAnew: boolean): ChatCursor['notes'] {
  const { count, last } = notes ?? { count: 0, last: [] }
  if (hashes.length === 0 && (!isAnew || count === 0)) return notes
  return { count: (isAnew ? 0 : count) + hashes.length, last: [...last, ...hashes].slice(-MOST) }
}

/** Of all lines above the read position. */
export function notesIn({ starts, notes }: AddressedLines, firstNew: number, offset: number): ChatCursor['notes'] {
  const from = firstNew === 0 ? 0 : (starts[firstNew - 1] ?? 0)
  const indices = [...notes.hashes.keys()]
  const hashesOf = (from: number, to: number) =>
    indices.filter((index) => isWithin(notes.starts[index] ?? 0, from, to)).map((index) => notes.hashes[index] ?? 0)
  return addNotes(addNotes(undefined, hashesOf(0, from), false), hashesOf(from, offset), true)
}

/**
 * The first unread line to a person, if it is above the first new message; null: none. If the end of what was read is gone,
 * it is unknown which were read: they are held.
 */
export function placeOfNotes(
  { hashes, starts, notes }: AddressedLines,
  { firstNew, isFound, why }: HistoryMatch,
  isKnown: (hash: number) => boolean,
  read: ChatCursor['notes'],
): { readonly place: Place | null; readonly held: readonly number[] } {
  if (!isFound && why === null) return { place: null, held: [] }
  const above = isFound ? firstNew - 1 : hashes.findLastIndex(isKnown)
  const from = above < 0 ? -1 : (starts[above] ?? 0)
  const to = isFound ? (starts[firstNew] ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY
  const below = [...notes.hashes.keys()].filter((index) => isWithin(notes.starts[index] ?? 0, from + 1, to))
  const isRead = readOf(notes.hashes, below, read, isFound)
  const numberOf = (index: number) => notes.numbers[index] ?? 0
  const unread = below.filter((index) => !isRead.has(index))
  if (!isFound) return { place: null, held: unread.map(numberOf) }
  // Above one that was read: it was inserted later.
  const lastRead = below.findLast((index) => isRead.has(index)) ?? -1
  const first = unread.find((index) => index > lastRead)
  return {
    place: first === undefined ? null : { offset: notes.starts[first] ?? 0, line: numberOf(first) - 1 },
    held: unread.filter((index) => index < lastRead).map(numberOf),
  }
}

/** Lines may repeat: each one read accounts for one occurrence. */
function readOf(
  hashes: Float64Array,
  below: readonly number[],
  read: ChatCursor['notes'],
  isFound: boolean,
): ReadonlySet<number> {
  const { count, last } = read ?? { count: 0, last: [] }
  const waiting = isFound && count < last.length ? last.slice(last.length - count) : [...last]
  const skipped = isFound ? count - waiting.length : 0
  const found = new Set(below.slice(0, skipped))
  for (const index of below.slice(skipped)) {
    const at = waiting.indexOf(hashes[index] ?? 0)
    if (at < 0) continue
    waiting.splice(at, 1)
    found.add(index)
  }
  return found
}

function isWithin(start: number, from: number, to: number): boolean {
  return start >= from && start < to
}
