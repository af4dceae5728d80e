/** Where inline code is: what pairs of backticks enclose, line by line, because prompts have unmatched ones. */
import type { Range } from '../../../model/place.ts'

/** How many runs of backticks are looked at for one that closes: junk must not cost its square. */
const NEAR = 12

export function findInlineCode(text: string): Range[] {
  const ranges: Range[] = []
  let lineEnd = -1
  for (let at = text.indexOf('`'); at >= 0; ) {
    if (at > lineEnd) {
      const next = text.indexOf('\n', at)
      lineEnd = next < 0 ? text.length : next
    }
    const inner = at + runLength(text, at)
    const close = closingRun(text, inner, inner - at, lineEnd)
    if (close >= 0) ranges.push({ start: inner, end: close })
    at = text.indexOf('`', close < 0 ? inner : close + (inner - at))
  }
  return ranges
}

function closingRun(text: string, from: number, size: number, lineEnd: number): number {
  let at = text.indexOf('`', from)
  for (let tries = 0; tries < NEAR && at >= 0 && at < lineEnd; tries++) {
    const length = runLength(text, at)
    if (length === size) return at
    at = text.indexOf('`', at + length)
  }
  return -1
}

function runLength(text: string, start: number): number {
  let size = 1
  while (text.charCodeAt(start + size) === 96) size++
  return size
}
