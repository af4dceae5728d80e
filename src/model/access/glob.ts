/** Wildcard matching in linear time per star, and a bounded memo for it. */

/** Represents anything that no rule names: a server, a tool, an argument. No sensible file contains it. */
export const UNNAMED = '\u{10ffff}'

/** Represent a match of `*` and of `?`, where a pattern is replaced by one of its matches. */
export const ANY_RUN = '\uffff'
export const ANY_ONE = '\ufffe'

/** These represent texts of any length, so no pattern that counts characters matches them. */
const uncounted = new Set([...UNNAMED.split(''), ANY_RUN])

/** `*` is any run of characters; everything else is literal. */
export function starMatches(pattern: string, text: string): boolean {
  if (!pattern.includes('*')) return pattern === text
  const { head, tail, parts } = piecesOf(pattern)
  if (text.length < head.length + tail.length || !text.startsWith(head) || !text.endsWith(tail)) return false
  let at = head.length
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= text.length - tail.length
}

/** The text before the first star, behind the last one, and between two of them. */
const piecesOf = memoize((pattern) => {
  const [head = '', ...parts] = pattern.split('*')
  const tail = parts.pop() ?? ''
  return { head, tail, parts: parts.filter((part) => part !== '') }
})

/** Like `starMatches`, and `?` is one character. */
export function globMatches(pattern: string, text: string): boolean {
  return pattern.includes('?') ? walkMatches(pattern, text) : starMatches(pattern, text)
}

/** The classic two-pointer walk: linear for practical patterns, never exponential. */
function walkMatches(pattern: string, text: string): boolean {
  // Most differ at their ends.
  const last = pattern.lastIndexOf('*')
  for (let i = 1; last >= 0 && pattern.length - i > last; i++) {
    if (pattern.at(-i) !== text.at(-i) && pattern.at(-i) !== '?') return false
  }
  let p = 0
  let t = 0
  let star = -1
  let resume = 0
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = p++
      resume = t
    } else if (pattern[p] === text[t] || (pattern[p] === '?' && !uncounted.has(text[t] ?? ''))) {
      p++
      t++
    } else if (star >= 0) {
      p = star + 1
      t = ++resume
    } else return false
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
}

/** `find` must be deterministic; `most` results are cached, then the cache is cleared. */
export function memoize<T>(find: (question: string) => T, most = 5000): (question: string) => T {
  const known = new Map<string, T>()
  let last: { readonly question: string; readonly answer: T } | null = null
  return (question) => {
    if (last?.question === question) return last.answer
    let answer = known.get(question)
    if (answer === undefined) {
      answer = find(question)
      // A long key is not worth caching.
      if (question.length < MAX_KEY_LENGTH) {
        if (known.size >= most) known.clear()
        known.set(question, answer)
      }
    }
    last = { question, answer }
    return answer
  }
}

const MAX_KEY_LENGTH = 2000
