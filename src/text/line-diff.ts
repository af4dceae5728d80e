/** The least that must be taken out of one list of lines and put in to get another: Myers' greedy search. */
import type { Range } from '../model/place.ts'

/** Lines from 0: those before are replaced by those after; what stands between two changes is the same. */
export interface Change {
  readonly before: Range
  readonly after: Range
}

/**
 * So many edits are searched for the shortest way; then the best way so far is taken and the search begins anew. Time and
 * memory stay bounded for texts that have little to do with each other.
 */
const PATIENCE = 2000

export function diffLines(before: readonly string[], after: readonly string[], patience = PATIENCE): Change[] {
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

function changesOf({ before, after }: Sides): Change[] {
  const changes: Change[] = []
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
