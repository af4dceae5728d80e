/** How much the sections may take; measures how many tokens a text takes, and cuts it to size. */

/** Tokens for all sections together, by default. */
export const BUDGET = 800

/** Marks where something was left out. */
export const MARK = '…'

/**
 * In quarters of a token, so that parts add up: four characters of English are about a token, and any other character
 * counts as a whole one, which overestimates rather than underestimates.
 */
export function quartersOf(text: string): number {
  let quarters = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    // The second half of a pair was counted with the first.
    if (code >= 0xdc00 && code <= 0xdfff) continue
    quarters += code < 0x80 ? 1 : 4
  }
  return quarters
}

export function tokensOf(text: string): number {
  return Math.ceil(quartersOf(text) / 4)
}

/** As many whole lines from the start as fit, followed by the mark; null where not even the first one fits. */
export function cutAtLine(text: string, most: number, sizeOf: (text: string) => number): string | null {
  if (sizeOf(text) <= most) return text
  const tail = `\n${MARK}`
  let room = most - sizeOf(tail)
  let end = -1
  for (let start = 0; start < text.length; ) {
    const stop = text.indexOf('\n', start)
    const lineEnd = stop < 0 ? text.length : stop
    room -= sizeOf(text.slice(start === 0 ? 0 : start - 1, lineEnd))
    if (room < 0) break
    end = lineEnd
    if (stop < 0) break
    start = stop + 1
  }
  const kept = end < 0 ? '' : text.slice(0, end).trimEnd()
  return kept === '' ? null : kept + tail
}

/** Characters as users count them in `max-length`. */
export function lengthOf(text: string): number {
  return text.length
}
