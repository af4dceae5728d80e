/** Line diffs: changes, unified hunks, and counts of changed lines. */

import type { LineCounts } from '../model/line-match.ts'
import type { Range } from '../model/range.ts'

/** Lines from 0: those before are replaced by those after; what stands between two changes is the same. */
export interface LineChange {
  readonly before: Range
  readonly after: Range
}

/**
 * So many edits are searched for the shortest way; then the best way so far is taken and the search begins anew. Time and
 * memory stay bounded for texts that have little to do with each other.
 */
const MAX_EDITS = 2000

export function diffLines(before: readonly string[], after: readonly string[], patience = MAX_EDITS): LineChange[] {
  const sides = { before: sideOf(before), after: sideOf(after) }
  const ends = markEnds(before, after, sides)
  const numbers = new Map<string, number>()
  const one = candidates(before, ends.before, new Set(after), numbers)
  const other = candidates(after, ends.after, new Set(before), numbers)
  for (let x = 0, y = 0; x < one.ids.length && y < other.ids.length; ) {
    const way = search(one.ids, other.ids, x, y, patience)
    for (const [i, j] of way.same) {
      sides.before[one.places[i]!] = 1
      sides.after[other.places[j]!] = 1
    }
    x = way.x
    y = way.y
  }
  return changesOf(sides)
}

/** By line: whether it stays. */
type Side = Uint8Array

interface Sides {
  readonly before: Side
  readonly after: Side
}

function sideOf(lines: readonly string[]): Side {
  return new Uint8Array(lines.length)
}

/** What begins and ends alike stays, and is the most of nearly every pair. */
function markEnds(before: readonly string[], after: readonly string[], sides: Sides): { before: Range; after: Range } {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head++
  let tail = 0
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++
  for (const side of [sides.before, sides.after]) side.fill(1, 0, head).fill(1, side.length - tail)
  return {
    before: { start: head, end: before.length - tail },
    after: { start: head, end: after.length - tail },
  }
}

/** A line that the other side does not have cannot stay, and need not be searched for. */
function candidates(
  lines: readonly string[],
  { start, end }: Range,
  others: ReadonlySet<string>,
  numbers: Map<string, number>,
) {
  const ids: number[] = []
  const places: number[] = []
  for (let place = start; place < end; place++) {
    const line = lines[place]!
    if (!others.has(line)) continue
    let id = numbers.get(line)
    if (id === undefined) {
      id = numbers.size
      numbers.set(line, id)
    }
    ids.push(id)
    places.push(place)
  }
  return { ids, places }
}

interface Way {
  /** Pairs that are the same. */
  readonly same: readonly (readonly [number, number])[]
  /** Where it ends. */
  readonly x: number
  readonly y: number
}

const UNREACHABLE = -1

/** The shortest way from (`fromX`, `fromY`) to both ends, or as far as the patience lasts. */
function search(a: readonly number[], b: readonly number[], fromX: number, fromY: number, patience: number): Way {
  const width = a.length - fromX
  const height = b.length - fromY
  const isSame = (x: number, y: number) => a[fromX + x] === b[fromY + y]
  // For each number of edits, how far each diagonal (x - y) can be followed.
  const reached: Int32Array[] = []
  for (let edits = 0; ; edits++) {
    const row = new Int32Array(2 * edits + 1).fill(UNREACHABLE)
    reached.push(row)
    let best = UNREACHABLE
    let bestDiagonal = 0
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = entered(reached, edits, diagonal, width, height).x
      if (x === UNREACHABLE) continue
      while (x < width && x - diagonal < height && isSame(x, x - diagonal)) x++
      row[diagonal + edits] = x
      if (2 * x - diagonal > best) {
        best = 2 * x - diagonal
        bestDiagonal = diagonal
      }
    }
    if (best === width + height || edits === patience) {
      const same = retrace(reached, bestDiagonal, width, height).map(([x, y]) => [fromX + x, fromY + y] as const)
      const x = row[bestDiagonal + edits]!
      return { same, x: fromX + x, y: fromY + x - bestDiagonal }
    }
  }
}

/** Where a diagonal is entered with one more edit: from above (a line is put in) or from the left (one is taken out). */
function entered(reached: readonly Int32Array[], edits: number, diagonal: number, width: number, height: number) {
  if (edits === 0) return { x: 0, from: 0 }
  const row = reached[edits - 1]!
  const above = row[diagonal + edits] ?? UNREACHABLE
  const left = row[diagonal + edits - 2] ?? UNREACHABLE
  const down = above !== UNREACHABLE && above - diagonal <= height ? above : UNREACHABLE
  const right = left !== UNREACHABLE && left < width ? left + 1 : UNREACHABLE
  return right > down ? { x: right, from: diagonal - 1 } : { x: down, from: diagonal + 1 }
}

/** The pairs along the way that ends on this diagonal, last first. */
function retrace(reached: readonly Int32Array[], end: number, width: number, height: number): [number, number][] {
  const same: [number, number][] = []
  let diagonal = end
  for (let edits = reached.length - 1; edits >= 0; edits--) {
    const { x: start, from } = entered(reached, edits, diagonal, width, height)
    for (let x = reached[edits]![diagonal + edits]! - 1; x >= start; x--) same.push([x, x - diagonal])
    diagonal = from
  }
  return same
}

function changesOf({ before, after }: Sides): LineChange[] {
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

/** Lines that are shown around a change. */
const CONTEXT = 3

/** `offsets`: how many lines of its file stand above each side. */
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

/** Changes that are so near to each other that the lines around them would meet. */
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

/** From 1; of nothing, the line it would follow. */
function span(start: number, end: number, offset: number): string {
  const count = end - start
  const first = offset + start + (count === 0 ? 0 : 1)
  return count === 1 ? String(first) : `${first},${count}`
}

/** Line ends are no part of lines, the last one begins none, and what holds nothing but white space has no lines. */
export function linesOf(text: string): string[] {
  if (text.trim() === '') return []
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** `meant`: the lines that should have come of those before, asked for where it matters; null where nobody knows. */
export function compareLines(
  before: readonly string[],
  after: readonly string[],
  meant: () => readonly string[] | null = () => null,
): LineCounts {
  const changes = diffLines(before, after)
  const removed = sum(changes.map((change) => length(change.before)))
  const added = sum(changes.map((change) => length(change.after)))
  // A line that was replaced is one line that differs, and not two.
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
  /** Lines from 0, on the side they stand on. */
  readonly gone: ReadonlySet<number>
  readonly come: ReadonlySet<number>
}

const unchanged: WordChange = { gone: new Set(), come: new Set() }

/** Empty lines that come and go, and lines with another indent or other spaces, say the same as before. */
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

/** How many of the lines that differ should not: lines that should have stayed, or be others than they are. */
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
