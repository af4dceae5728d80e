/** Finds patterns that begin with a fixed word: the word is searched for, which is fast, and the pattern only tried there. */

/** `pattern` must be sticky. */
export function* matchesAt(text: string, word: string, pattern: RegExp): Generator<RegExpExecArray> {
  for (let at = text.indexOf(word); at >= 0; ) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match !== null) yield match
    at = text.indexOf(word, Math.max(at + word.length, match === null ? 0 : match.index + match[0].length))
  }
}

export function escapeForPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
