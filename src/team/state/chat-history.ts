/** Compares an edited chat with what was read of it: which lines are history, which were changed, which are new. */
import { type ChatLine, formatLineRanges, isAddressed, type LineRange, rangesOf } from './chat.ts'
import type { HeldLines } from './records.ts'

/** What is known of the lines that were read, by their hashes. */
export interface ChatHistory {
  readonly isKnown: (line: number) => boolean
  /** How many lines of the previous file were read, and the last of them. */
  readonly lines: number
  readonly tail: readonly number[]
  /** What became of the file that was read: this is it, it was removed, or it was renamed. */
  readonly became: 'this' | 'removed' | 'rotated'
  /** Whether Troupe wrote the line at this index: then it is no evidence about the others. */
  readonly isOwn?: (index: number) => boolean
}

export interface HistoryMatch {
  /** Lines from here on were not read before. */
  readonly firstNew: number
  /** Lines before it that are not run, and why. */
  readonly held: readonly number[]
  readonly why: 'changed' | 'unsure' | 'restored' | null
  /** Lines from there on are not run either. */
  readonly isRestHeld: boolean
  /** The last line read is still there. */
  readonly isFound: boolean
}

/** A file with so few lines can be edited beyond recognition. */
export const SHORT_CHAT = 2
/** This many lines before the last one must match if their number does not. */
const TAIL_LINES = 4
/** One in this many lines may be a repetition. */
const AGAIN = 4

/**
 * Only lines below the last one read are new. Unread lines above it were changed or inserted later. In doubt a line is
 * held: a person can still send it, but a run cannot be undone.
 */
export function matchHistory(lines: ArrayLike<number>, history: ChatHistory): HistoryMatch {
  const { isKnown, became, isOwn = () => false } = history
  const all = Array.from({ length: lines.length }, (_none, index) => index).filter((index) => !isOwn(index))
  const isOld = (index: number) => isKnown(lines[index] ?? 0)
  const unknown = all.filter((index) => !isOld(index))
  const end = endOf(lines, history)
  if (end >= 0) {
    const changed = unknown.filter((index) => index < end)
    const below = all.filter((index) => index > end).map(isOld)
    // A line read before directly below the end was pasted there.
    const isRestHeld = !isRepetition(below) || below[0] === true
    return {
      firstNew: end + 1,
      held: changed,
      why: changed.length === 0 ? null : 'changed',
      isRestHeld,
      isFound: true,
    }
  }
  const held = (which: readonly number[], why: HistoryMatch['why']) => ({
    firstNew: lines.length,
    held: which,
    why,
    isRestHeld: false,
    isFound: false,
  })
  const isRotated = became === 'rotated'
  const isShort = became === 'this' && history.lines > 0 && history.lines <= SHORT_CHAT && all.length > 0
  if (unknown.length === 0 && all.length > (isRotated ? 1 : 0)) return held(all, 'restored')
  const isNew = all.length === 1 || isRepetition(all.map(isOld))
  const mayBegin = isRotated || !isOld(all[0] ?? -1)
  if (isShort || !isNew || !mayBegin) return held(unknown.length * 2 < all.length ? unknown : all, 'unsure')
  return { firstNew: 0, held: [], why: null, isRestHeld: false, isFound: false }
}

/**
 * Which lines may be old in a file that was emptied, or below the end of one that was truncated. `distinct`: how many
 * different ones of them were read before.
 */
export function judgeAppended(isOld: readonly boolean[], distinct: number, wary: 'empty' | 'cut'): number[] {
  const old = [...isOld.keys()].filter((index) => isOld[index])
  // A single line in an emptied file is new even if it was read before: people repeat themselves.
  if (distinct === 0 || (wary === 'empty' && distinct === 1)) return []
  if (isRepetition(isOld)) return wary === 'cut' && isOld[0] ? [0] : []
  return old.length === 1 ? old : [...isOld.keys()]
}

/** People repeat themselves: a few single lines that were read before do not make the others old. */
function isRepetition(isOld: readonly boolean[]): boolean {
  const again = [...isOld.keys()].filter((index) => isOld[index])
  return again.length * AGAIN <= isOld.length && again.every((index) => index === 0 || !isOld[index - 1])
}

/**
 * Where the last line read is now; -1: nowhere. Its old place is checked first, because people repeat themselves below it.
 * At another place, the lines above it must match.
 */
function endOf(lines: ArrayLike<number>, { lines: count, tail }: ChatHistory): number {
  const compared = tail.slice(-TAIL_LINES)
  if (compared.length === 0) return -1
  const isAlike = (last: number) => compared.every((line, index) => lines[last + 1 - compared.length + index] === line)
  if (isAlike(count - 1)) return count - 1
  for (let last = lines.length - 1; last >= 0; last--) if (isAlike(last)) return last
  return lines[count - 1] === compared.at(-1) ? count - 1 : -1
}

/** A text of ours that may be in the chat. */
export interface OwnText {
  readonly id: string
  readonly lines: readonly string[]
}

export interface SeparatedLines<Line extends ChatLine> {
  /** Of others; a line that was split is joined again. */
  readonly lines: readonly Line[]
  readonly found: readonly { readonly id: string; readonly line: number }[]
  /** The first half of a line whose second half is not there yet. */
  readonly half: string | null
  /** Halves that were never completed. */
  readonly abandoned: readonly ChatLine[]
}

/**
 * Others may write the first half of a line at the very moment we write: then our text follows that half, and the second
 * half is below our text.
 */
export function separateOwnLines<Line extends ChatLine>(
  given: readonly Line[],
  own: readonly OwnText[],
  before: string | null,
): SeparatedLines<Line> {
  const lines = [...given]
  const waiting = [...own]
  const kept: Line[] = []
  const found: { id: string; line: number }[] = []
  const abandoned: ChatLine[] = []
  let half = before
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as Line
    const match = waiting.length === 0 ? null : findOwnText(lines, at, waiting, half === null)
    if (match !== null) {
      const { text, ahead } = match
      waiting.splice(waiting.indexOf(text), 1)
      found.push({ id: text.id, line: line.number })
      if (ahead !== '') half = ahead
      at += text.lines.length
      continue
    }
    const part = half === null ? findPart(lines, at, waiting) : null
    if (part !== null) {
      at += part.lines
      lines[at] = { ...(lines[at] as Line), text: part.behind }
      continue
    }
    if (half === null) kept.push(line)
    else if (isAddressed(line.text)) {
      abandoned.push({ number: line.number, text: half })
      kept.push(line)
    } else kept.push({ ...line, text: half + line.text })
    half = null
    at++
  }
  return { lines: kept, found, half, abandoned }
}

/** The text of ours that begins in this line, and what precedes it there. */
function findOwnText(
  lines: readonly ChatLine[],
  at: number,
  own: readonly OwnText[],
  mayBeGlued: boolean,
): { readonly text: OwnText; readonly ahead: string } | null {
  const plain = (index: number) => lines[index]?.text.replace(/\r$/, '')
  const here = plain(at) ?? ''
  const isBelow = ({ lines: own }: OwnText) => own.every((line, index) => index === 0 || plain(at + index) === line)
  const whole = own.find((text) => text.lines[0] === here && isBelow(text))
  if (whole !== undefined) return { text: whole, ahead: '' }
  const glued = mayBeGlued ? own.find((text) => here.endsWith(text.lines[0] ?? '') && isBelow(text)) : undefined
  return glued === undefined ? null : { text: glued, ahead: here.slice(0, here.length - (glued.lines[0] ?? '').length) }
}

/**
 * A text of ours that was cut off, by a full disk or a kill, with another writer's text after it: how many complete lines
 * of it there are, and the other writer's line.
 */
function findPart(
  lines: readonly ChatLine[],
  at: number,
  own: readonly OwnText[],
): { readonly lines: number; readonly behind: string } | null {
  for (const text of own) {
    let whole = 0
    while (whole < text.lines.length && lines[at + whole]?.text === text.lines[whole]) whole++
    const here = lines[at + whole]?.text ?? ''
    const shared = sharedLength(here, text.lines[whole] ?? '')
    for (let start = here.lastIndexOf('[', shared); start > 0; start = here.lastIndexOf('[', start - 1)) {
      if (isAddressed(here.slice(start))) return { lines: whole, behind: here.slice(start) }
    }
  }
  return null
}

function sharedLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

/** Reports chat lines that were held back, possibly new ones first. */
export interface HeldLine {
  readonly number: number
  /** It was read before. */
  readonly isOld: boolean
  /** Its index among the lines of the file that may start a member. */
  readonly index: number
}

const READ_BEFORE = 'these lines were already read; not run again'

/** `why`: for lines not read before; `whyOld`: for the others. */
export function reportHeld(
  file: string,
  lines: readonly HeldLine[],
  why: string,
  whyOld: string = READ_BEFORE,
): HeldLines[] {
  const unread = lines.filter(({ isOld }) => !isOld).map(({ number }) => number)
  const entries = (ranges: readonly LineRange[], why: string) =>
    formatLineRanges(ranges).map((lines) => ({ file, lines, why }))
  return [...entries(rangesOf(unread), why), ...entries(oldRanges(lines), whyOld)]
}

/** They are not sent one by one: lines in between that start no member do not split a range. */
function oldRanges(lines: readonly HeldLine[]): LineRange[] {
  const ranges: LineRange[] = []
  let before = -1
  for (const { number, isOld, index } of lines) {
    if (!isOld) continue
    const last = ranges.at(-1)
    if (last !== undefined && index === before + 1) ranges.splice(-1, 1, { from: last.from, to: number })
    else ranges.push({ from: number, to: number })
    before = index
  }
  return ranges
}
