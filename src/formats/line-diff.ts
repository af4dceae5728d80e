/** Line diffs: changes, unified hunks, and counts of changed lines. */

import { diffArrays } from 'diff'
import type { Range } from '../model/range.ts'
import type { LineCounts } from '../model/score.ts'

/** Line numbers from 0: those before are replaced by those after; lines between two changes are equal. */
export interface LineChange {
  readonly before: Range
  readonly after: Range
}

/** Texts that need more edits than this, not counting lines missing on one side, count as changed throughout. */
const MAX_EDITS = 1000

export function diffLines(before: readonly string[], after: readonly string[]): LineChange[] {
  const { head, tail } = commonEnds(before, after)
  const isKept = { before: keptEnds(before.length, head, tail), after: keptEnds(after.length, head, tail) }
  const one = sharedLines(before.slice(head, before.length - tail), after)
  const other = sharedLines(after.slice(head, after.length - tail), before)
  let [x, y] = [0, 0]
  for (const { added, removed, count } of diffArrays(one.lines, other.lines, { maxEditLength: MAX_EDITS }) ?? []) {
    if (!added && !removed)
      for (let i = 0; i < count; i++) {
        isKept.before[head + one.places[x + i]!] = 1
        isKept.after[head + other.places[y + i]!] = 1
      }
    if (!added) x += count
    if (!removed) y += count
  }
  return changesOf(isKept)
}

/** How many lines are equal at the beginning and at the end. */
function commonEnds(before: readonly string[], after: readonly string[]) {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head++
  let tail = 0
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  return { head, tail }
}

function keptEnds(length: number, head: number, tail: number): Uint8Array {
  return new Uint8Array(length).fill(1, 0, head).fill(1, length - tail)
}

/** Lines that the other side lacks cannot stay, and need not be searched for. */
function sharedLines(side: readonly string[], other: readonly string[]) {
  const known = new Set(other)
  const lines: string[] = []
  const places: number[] = []
  for (const [place, line] of side.entries()) {
    if (!known.has(line)) continue
    lines.push(line)
    places.push(place)
  }
  return { lines, places }
}

/** For each line of a side: 1 if it stays. */
interface Kept {
  readonly before: Uint8Array
  readonly after: Uint8Array
}

function changesOf({ before, after }: Kept): LineChange[] {
  const changes: LineChange[] = []
  for (let i = 0, j = 0; i < before.length || j < after.length; ) {
    const [start, afterStart] = [i, j]
    while (i < before.length && before[i] === 0) i++
    while (j < after.length && after[j] === 0) j++
    if (i > start || j > afterStart) {
      changes.push({ before: { start, end: i }, after: { start: afterStart, end: j } })
    } else {
      i++
      j++
    }
  }
  return changes
}

/** Lines shown around a change. */
const CONTEXT = 3

/** `offsets`: how many lines of its file are above each side. */
export function unifiedHunks(
  before: readonly string[],
  after: readonly string[],
  changes: readonly LineChange[],
  offsets: { readonly before: number; readonly after: number },
): string[] {
  return groupsOf(changes).flatMap((group) => {
    const first = group[0]!
    const last = group.at(-1)!
    const lead = Math.min(CONTEXT, first.before.start)
    const start = first.before.start - lead
    const afterStart = first.after.start - lead
    const end = Math.min(last.before.end + CONTEXT, before.length)
    const afterEnd = last.after.end + (end - last.before.end)
    const lines = [`@@ -${span(start, end, offsets.before)} +${span(afterStart, afterEnd, offsets.after)} @@`]
    let place = start
    const keep = (until: number) => {
      for (; place < until; place++) lines.push(` ${before[place]}`)
    }
    for (const change of group) {
      keep(change.before.start)
      for (const line of before.slice(change.before.start, change.before.end)) lines.push(`-${line}`)
      for (const line of after.slice(change.after.start, change.after.end)) lines.push(`+${line}`)
      place = change.before.end
    }
    keep(end)
    return lines
  })
}

/** Groups changes whose context lines would meet. */
function groupsOf(changes: readonly LineChange[]): LineChange[][] {
  const groups: LineChange[][] = []
  for (const change of changes) {
    const group = groups.at(-1)
    const end = group?.at(-1)?.before.end
    if (group !== undefined && end !== undefined && change.before.start - end <= 2 * CONTEXT) group.push(change)
    else groups.push([change])
  }
  return groups
}

/** From 1; for an empty range, the line it would follow. */
function span(start: number, end: number, offset: number): string {
  const count = end - start
  const first = offset + start + (count === 0 ? 0 : 1)
  return count === 1 ? String(first) : `${first},${count}`
}

/** Line ends are not part of lines, the last one begins no line, and a text of only white space has no lines. */
export function linesOf(text: string): string[] {
  if (text.trim() === '') return []
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** `meant`: the lines that should have resulted, computed only if needed; null if unknown. */
export function compareLines(
  before: readonly string[],
  after: readonly string[],
  meant: () => readonly string[] | null = () => null,
): LineCounts {
  const changes = diffLines(before, after)
  const removed = sum(changes.map((change) => length(change.before)))
  const added = sum(changes.map((change) => length(change.after)))
  // A replaced line is one line that differs, not two.
  const differing = Math.max(removed, added)
  const words = differing === 0 ? unchanged : compareWords(before, after)
  const changedLines = Math.min(Math.max(words.gone.size, words.come.size), differing)
  const rendered = changedLines === 0 ? null : meant()
  const editedLines = rendered === null ? 0 : changedLines - countUnexpected(words, before, after, rendered)
  return {
    changedLines,
    whitespaceLines: differing - changedLines,
    editedLines: Math.max(0, editedLines),
    totalLines: Math.max(before.length, after.length),
  }
}

interface WordChange {
  /** Line numbers from 0, each on its own side. */
  readonly gone: ReadonlySet<number>
  readonly come: ReadonlySet<number>
}

const unchanged: WordChange = { gone: new Set(), come: new Set() }

/** Empty lines, indentation and spacing do not count as changes. */
function compareWords(before: readonly string[], after: readonly string[]): WordChange {
  const one = wordedLines(before)
  const other = wordedLines(after)
  const changes = diffLines(one.words, other.words)
  return {
    gone: new Set(changes.flatMap((change) => one.places.slice(change.before.start, change.before.end))),
    come: new Set(changes.flatMap((change) => other.places.slice(change.after.start, change.after.end))),
  }
}

function wordedLines(lines: readonly string[]) {
  const words: string[] = []
  const places: number[] = []
  lines.forEach((line, place) => {
    const plain = line.trim().replace(/\s+/g, ' ')
    if (plain === '') return
    words.push(plain)
    places.push(place)
  })
  return { words, places }
}

/** How many of the lines that differ should not: lines that should have stayed, or should be different. */
function countUnexpected(
  { gone, come }: WordChange,
  before: readonly string[],
  after: readonly string[],
  rendered: readonly string[],
): number {
  const meantToGo = compareWords(before, rendered).gone
  const notMeantToCome = compareWords(rendered, after).come
  const lost = [...gone].filter((place) => !meantToGo.has(place)).length
  const foreign = [...come].filter((place) => notMeantToCome.has(place)).length
  return Math.max(lost, foreign)
}

function length({ start, end }: Range): number {
  return end - start
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
