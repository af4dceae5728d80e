/** A part of a text that never begins or ends with half a surrogate pair. */

/** As `slice` does it; a character that a bound goes through is left out. */
export function wholeSlice(text: string, start: number, end = text.length): string {
  const from = start < 0 ? Math.max(0, text.length + start) : Math.min(start, text.length)
  const to = end < 0 ? Math.max(0, text.length + end) : Math.min(end, text.length)
  return text.slice(isWithin(text, from) ? from + 1 : from, isWithin(text, to) ? to - 1 : to)
}

/** Whether a place is in the middle of a character. */
function isWithin(text: string, at: number): boolean {
  return at > 0 && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1))
}
