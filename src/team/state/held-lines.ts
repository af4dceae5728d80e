/** Tells the person about chat lines that were held back, possibly new ones first. */
import { formatLineRanges, type LineRange, rangesOf } from './chat.ts'
import type { HeldLines } from './records.ts'

export interface HeldLine {
  readonly number: number
  /** It was read before. */
  readonly isOld: boolean
  /** Which of the lines of the file that may start somebody it is. */
  readonly index: number
}

const READ_BEFORE = 'these lines were read before; not run again'

/** `why`: of those that were not read before; `whyOld`: of the others. */
export function tellHeld(
  file: string,
  lines: readonly HeldLine[],
  why: string,
  whyOld: string = READ_BEFORE,
): HeldLines[] {
  const unread = lines.filter(({ isOld }) => !isOld).map(({ number }) => number)
  const told = (ranges: readonly LineRange[], why: string) =>
    formatLineRanges(ranges).map((lines) => ({ file, lines, why }))
  return [...told(rangesOf(unread), why), ...told(oldRanges(lines), whyOld)]
}

/** Nobody sends them line by line: what is between two of them and starts nobody does not part them. */
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
