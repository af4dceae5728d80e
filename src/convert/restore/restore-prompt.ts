/** Restores the prompt: every change is reverted wherever its text can still be found. */

import { applyEdits } from '../../formats/edit/edits.ts'
import type { Edit, Range } from '../../model/range.ts'
import { digestOf, type KeptEdit, type KeptSource } from './kept.ts'

export interface RestoredPrompt {
  readonly text: string
  /** The edits that led to it. */
  readonly edits: readonly Edit[]
}

/**
 * Before the part edited since, every offset is unchanged; after it, the distance from the end is. What cannot be found
 * is in between, and is converted like any text: `ordinary`. So is what is known to be new (`added`). Null where that
 * does not work out.
 */
export function restorePrompt(
  [length, ...kept]: KeptSource['prompt'],
  text: string,
  ordinary: readonly Edit[],
  added: Range | null,
): RestoredPrompt | null {
  const shift = text.length - length
  const standsAt = ([start, end, now]: KeptEdit, offset: number) =>
    start + offset >= 0 && digestOf(text.slice(start + offset, end + offset)) === now
  // At the very end only the distance from the end counts: an empty text is found everywhere.
  const isLast = ([start, end]: KeptEdit) => end === length && start > 0
  let before = 0
  while (before < kept.length && standsAt(kept[before]!, 0) && (shift === 0 || !isLast(kept[before]!))) before++
  let after = kept.length
  while (after > before && standsAt(kept[after - 1]!, shift)) after--
  const found = [
    ...kept.slice(0, before).map((edit) => movedEdit(edit, 0)),
    ...kept.slice(after).map((edit) => movedEdit(edit, shift)),
  ]
  const from = found[before - 1]?.range.end ?? 0
  const to = found[before]?.range.start ?? text.length
  const telling = findAgain(kept.slice(before, after), text, from, to)
  const isFree = ({ range: { start, end } }: Edit) =>
    start >= from && end <= to && !telling.some(({ range }) => start < range.end && range.start < end)
  const between = before === after ? [] : [...telling, ...ordinary.filter(isFree)]
  const known = [...found.slice(0, before), ...between, ...found.slice(before)]
  const isNew = ({ range: { start, end } }: Edit) =>
    added !== null &&
    start >= added.start &&
    end <= added.end &&
    !known.some(({ range }) => start < range.end && range.start < end)
  const edits = [...known, ...ordinary.filter(isNew)]
  try {
    return { text: applyEdits(text, edits), edits }
  } catch {
    return null
  }
}

/** Shorter texts are found everywhere. */
const DISTINCTIVE = 8

/** One after another, those that can be recognised wherever they are now. */
function findAgain(lost: readonly KeptEdit[], text: string, from: number, to: number): Edit[] {
  const edits: Edit[] = []
  let place = from
  for (const [, , now, old] of lost) {
    const at = now.length < DISTINCTIVE ? -1 : text.indexOf(now, place)
    if (at < 0 || at + now.length > to) continue
    place = at + now.length
    edits.push({ range: { start: at, end: place }, text: old })
  }
  return edits
}

function movedEdit([start, end, , old]: KeptEdit, offset: number): Edit {
  return { range: { start: start + offset, end: end + offset }, text: old }
}

/** The single edit that turns one text into another: everything but their common prefix and suffix. */
export function editBetween(text: string, wanted: string): Edit[] {
  if (text === wanted) return []
  const shorter = Math.min(text.length, wanted.length)
  let head = 0
  while (head < shorter && text[head] === wanted[head]) head++
  let tail = 0
  while (tail < shorter - head && text.at(-1 - tail) === wanted.at(-1 - tail)) tail++
  return [{ range: { start: head, end: text.length - tail }, text: wanted.slice(head, wanted.length - tail) }]
}
