/** What a chat that no longer continues what was read still holds of it: which lines are history, which were changed, which are new. */

/** What is known of the lines that were read, by their fingerprints. */
export interface History {
  readonly isKnown: (line: number) => boolean
  /** How many lines were read of the file as it was, and the last of them. */
  readonly lines: number
  readonly tail: readonly number[]
  /** What became of the file that was read: this is it, it was removed, or it lies under another name now. */
  readonly became: 'this' | 'removed' | 'rotated'
  /** Whether the line at this place is one that Troupe has written: it says nothing about the others. */
  readonly isOwn?: (index: number) => boolean
}

export interface Verdict {
  /** Lines from here on were not read before. */
  readonly firstNew: number
  /** Lines before it that are not run, and why. */
  readonly held: readonly number[]
  readonly why: 'changed' | 'unsure' | 'restored' | null
  /** Also what stands from there on is not run. */
  readonly isRestHeld: boolean
  /** The last line that was read is still there. */
  readonly isFound: boolean
}

/** A file of so few lines can be edited until nothing of it is known any more. */
export const FEW = 2
/** So many lines before the last one must be the same where their number is not. */
const ALIKE = 4
/** One of so many lines may be said again. */
const AGAIN = 4

/**
 * Only lines below the last one that was read are new. Lines above it that nobody has read were changed or put there later.
 * In doubt a line is held: a person can send it, but nobody can take it back.
 */
export function judge(lines: ArrayLike<number>, history: History): Verdict {
  const { isKnown, became, isOwn = () => false } = history
  const all = Array.from({ length: lines.length }, (_none, index) => index).filter((index) => !isOwn(index))
  const isOld = (index: number) => isKnown(lines[index] ?? 0)
  const unknown = all.filter((index) => !isOld(index))
  const end = endOf(lines, history)
  if (end >= 0) {
    const changed = unknown.filter((index) => index < end)
    const below = all.filter((index) => index > end).map(isOld)
    // What was read before and stands right below its own end was put there.
    const isRestHeld = !saysAgain(below) || below[0] === true
    return {
      firstNew: end + 1,
      held: changed,
      why: changed.length === 0 ? null : 'changed',
      isRestHeld,
      isFound: true,
    }
  }
  const held = (which: readonly number[], why: Verdict['why']) => ({
    firstNew: lines.length,
    held: which,
    why,
    isRestHeld: false,
    isFound: false,
  })
  const isRotated = became === 'rotated'
  const isShort = became === 'this' && history.lines > 0 && history.lines <= FEW && all.length > 0
  if (unknown.length === 0 && all.length > (isRotated ? 1 : 0)) return held(all, 'restored')
  const isNew = all.length === 1 || saysAgain(all.map(isOld))
  const mayBegin = isRotated || !isOld(all[0] ?? -1)
  if (isShort || !isNew || !mayBegin) return held(unknown.length * 2 < all.length ? unknown : all, 'unsure')
  return { firstNew: 0, held: [], why: null, isRestHeld: false, isFound: false }
}

/**
 * Which of the lines may be old that came into a file that was emptied, or below the end of one that was cut. `distinct`: how
 * many different ones of them were read before.
 */
export function judgeAppended(isOld: readonly boolean[], distinct: number, wary: 'empty' | 'cut'): number[] {
  const old = [...isOld.keys()].filter((index) => isOld[index])
  // A single line in an emptied file is new whatever it says: people repeat themselves.
  if (distinct === 0 || (wary === 'empty' && distinct === 1)) return []
  if (saysAgain(isOld)) return wary === 'cut' && isOld[0] ? [0] : []
  return old.length === 1 ? old : [...isOld.keys()]
}

/** People repeat themselves: a few single lines that were read before do not make the others old. */
function saysAgain(isOld: readonly boolean[]): boolean {
  const again = [...isOld.keys()].filter((index) => isOld[index])
  return again.length * AGAIN <= isOld.length && again.every((index) => index === 0 || !isOld[index - 1])
}

/**
 * Where the last line that was read stands now; -1: nowhere. It is looked for at its own place first: people repeat
 * themselves below it. Where it has another place, those above it must be the same.
 */
function endOf(lines: ArrayLike<number>, { lines: count, tail }: History): number {
  const compared = tail.slice(-ALIKE)
  if (compared.length === 0) return -1
  const isAlike = (last: number) => compared.every((line, index) => lines[last + 1 - compared.length + index] === line)
  if (isAlike(count - 1)) return count - 1
  for (let last = lines.length - 1; last >= 0; last--) if (isAlike(last)) return last
  return lines[count - 1] === compared.at(-1) ? count - 1 : -1
}
