/** Line numbers as people write them: `3,7-9`. */

/** Null where that is no list of them. */
export function parseRanges(text: string): ((number: number) => boolean) | null {
  const parts = text.split(',').map((part) => /^(\d+)(?:-(\d+))?$/.exec(part.trim()))
  if (parts.some((part) => part === null)) return null
  const ranges = parts.map((part) => ({ from: Number(part?.[1]), to: Number(part?.[2] ?? part?.[1]) }))
  return (number) => ranges.some(({ from, to }) => number >= from && number <= to)
}

export interface Range {
  readonly from: number
  readonly to: number
}

/** Numbers that follow each other are one range. */
export function rangesOf(numbers: readonly number[]): Range[] {
  const ranges: Range[] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last !== undefined && number === last.to + 1) ranges.splice(-1, 1, { from: last.from, to: number })
    else ranges.push({ from: number, to: number })
  }
  return ranges
}

/** All of them, in as many texts as it takes: each has at most so many. */
export function formatRanges(ranges: readonly Range[], most = 20): string[] {
  const words = ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`))
  const texts: string[] = []
  for (let at = 0; at < words.length; at += most) texts.push(words.slice(at, at + most).join(','))
  return texts
}
