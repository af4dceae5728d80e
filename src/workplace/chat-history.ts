/** What a chat that no longer continues what was read still holds of it: which lines are history, which were changed, which are new. */

/** What is known of the lines that were read, by their fingerprints. */
export interface History {
  readonly isKnown: (line: number) => boolean
  /** How many lines were read of the file as it was, and the last of them. */
  readonly lines: number
  readonly tail: readonly number[]
  /** What was read lies in another file now. */
  readonly isRotated: boolean
}

export interface Verdict {
  /** Lines from here on are new. */
  readonly firstNew: number
  /** Lines that are not run, and why. */
  readonly held: readonly number[]
  readonly why: 'changed' | 'unsure' | 'restored' | null
  /** The last line that was read is still there. */
  readonly isFound: boolean
}

/** A file of so few lines can be edited until nothing of it is known any more. */
export const FEW = 2
/** So many lines before the last one must be the same where their number is not. */
const ALIKE = 4

/**
 * Only lines below the last one that was read are new. Lines above it that nobody has read were changed or put there later.
 * In doubt a line is held: a person can send it, but nobody can take it back.
 */
export function judge(lines: ArrayLike<number>, history: History): Verdict {
  const all = Array.from({ length: lines.length }, (_none, index) => index)
  const unknown = all.filter((index) => !history.isKnown(lines[index] ?? 0))
  const end = all.findLast((index) => endsAt(lines, index, history)) ?? -1
  if (end >= 0) {
    const changed = unknown.filter((index) => index < end)
    const below = all.slice(end + 1)
    // What was read before and stands below its own end was put there, or somebody says it again.
    if (unknown.length < changed.length + below.length)
      return { firstNew: all.length, held: [...changed, ...below], why: 'unsure', isFound: true }
    return { firstNew: end + 1, held: changed, why: changed.length === 0 ? null : 'changed', isFound: true }
  }
  const held = (which: readonly number[], why: Verdict['why']) => ({
    firstNew: all.length,
    held: which,
    why,
    isFound: false,
  })
  if (unknown.length === 0 && all.length > 0) return held(all, 'restored')
  const isShort = !history.isRotated && history.lines > 0 && history.lines <= FEW && all.length > 0
  if (isShort || !saysAgain(all, unknown)) return held(unknown.length * 2 > all.length ? all : unknown, 'unsure')
  return { firstNew: 0, held: [], why: null, isFound: false }
}

/** People repeat themselves: a few single lines that were read before do not make a file an old one. */
function saysAgain(all: readonly number[], unknown: readonly number[]): boolean {
  const isUnknown = new Set(unknown)
  const known = all.filter((index) => !isUnknown.has(index))
  const isApart = (index: number) => index > 0 && isUnknown.has(index - 1)
  return known.length * 4 <= all.length && known.every(isApart)
}

/** Whether this is the last line that was read, and not one like it. */
function endsAt(lines: ArrayLike<number>, last: number, { lines: count, tail }: History): boolean {
  if (tail.length === 0 || lines[last] !== tail.at(-1)) return false
  if (last + 1 === count) return true
  const compared = tail.slice(-ALIKE)
  return compared.every((line, index) => lines[last + 1 - compared.length + index] === line)
}
