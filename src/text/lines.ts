/** Where lines begin and end: positions for people, and the line end a file uses. */
import type { Position, Range } from '../model/place.ts'

export type LineEnd = '\n' | '\r\n'

export interface LineIndex {
  readonly positionAt: (offset: number) => Position
  /** The offset at which a line (from 1) begins; beyond the last line, the end of the text. */
  readonly startOf: (line: number) => number
  readonly count: () => number
}

/** Counts nothing until the first question, because most files are never asked. */
export function indexLines(text: string): LineIndex {
  let starts: number[] | undefined
  const known = () => {
    starts ??= findStarts(text)
    return starts
  }
  return {
    positionAt: (offset) => {
      const place = Math.max(0, Math.min(offset, text.length))
      const line = lastAtOrBefore(known(), place)
      return { line: line + 1, column: place - known()[line]! + 1 }
    },
    startOf: (line) => known()[line - 1] ?? text.length,
    count: () => known().length,
  }
}

/** For a single question; use `indexLines` for several. */
export function positionAt(text: string, offset: number): Position {
  const place = Math.max(0, Math.min(offset, text.length))
  let line = 1
  let start = 0
  for (let next = text.indexOf('\n'); next >= 0 && next < place; next = text.indexOf('\n', start)) {
    line++
    start = next + 1
  }
  return { line, column: place - start + 1 }
}

/** The start of the line that holds the offset. */
export function lineStart(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
}

/** The end of that line, before its line end. A lone CR is content. */
export function lineStop(text: string, offset: number): number {
  const next = text.indexOf('\n', offset)
  if (next < 0) return text.length
  return next > offset && text[next - 1] === '\r' ? next - 1 : next
}

/** The start of the next line, or the end of the text. */
export function nextLine(text: string, offset: number): number {
  const next = text.indexOf('\n', offset)
  return next < 0 ? text.length : next + 1
}

/** The line end most of the text uses, so that what is added looks like its surroundings. */
export function dominantLineEnd(text: string, range: Range = { start: 0, end: text.length }): LineEnd {
  // Most files have no other.
  if (!text.includes('\r')) return '\n'
  let pairs = 0
  let total = 0
  for (let next = text.indexOf('\n', range.start); next >= 0 && next < range.end; next = text.indexOf('\n', next + 1)) {
    total++
    if (next > range.start && text[next - 1] === '\r') pairs++
  }
  return pairs * 2 > total ? '\r\n' : '\n'
}

function findStarts(text: string): number[] {
  const starts = [0]
  for (let next = text.indexOf('\n'); next >= 0; next = text.indexOf('\n', next + 1)) starts.push(next + 1)
  return starts
}

/** The index of the last number that is not greater; the numbers ascend and the first is never greater. */
export function lastAtOrBefore(numbers: readonly number[], limit: number): number {
  let low = 0
  let high = numbers.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (numbers[middle]! <= limit) low = middle
    else high = middle - 1
  }
  return low
}
