/** Line numbers as people write them: `3,7-9`. */

/** Null where that is no list of them. */
export function parseRanges(text: string): ((number: number) => boolean) | null {
  const parts = text.split(',').map((part) => /^(\d+)(?:-(\d+))?$/.exec(part.trim()))
  if (parts.some((part) => part === null)) return null
  const ranges = parts.map((part) => ({ from: Number(part?.[1]), to: Number(part?.[2] ?? part?.[1]) }))
  return (number) => ranges.some(({ from, to }) => number >= from && number <= to)
}

/** At most so many parts; how many numbers are left then. */
export function formatRanges(numbers: readonly number[], most = 20): { readonly text: string; readonly left: number } {
  const parts: { from: number; to: number }[] = []
  for (const number of numbers) {
    const part = parts.at(-1)
    if (part !== undefined && number === part.to + 1) part.to = number
    else parts.push({ from: number, to: number })
  }
  const shown = parts.slice(0, most)
  const covered = shown.reduce((sum, { from, to }) => sum + to - from + 1, 0)
  const text = shown.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
  return { text, left: numbers.length - covered }
}
