/** Matching with wildcards, in linear time per star. */

/** Stands for whatever no rule names: a server, a tool, an argument. No sensible file contains it. */
export const UNNAMED = '\u{10ffff}'

/** Stands for what a `*` can be, and for what a `?` can be, where a pattern is to be taken for one of its matches. */
export const ANY_RUN = '\uffff'
export const ANY_ONE = '\ufffe'

/** These stand for texts of any length, so no pattern that counts characters matches them. */
const uncounted = new Set([...UNNAMED.split(''), ANY_RUN])

/** `*` is any run of characters; everything else is itself. */
export function starMatches(pattern: string, text: string): boolean {
  const first = pattern.indexOf('*')
  if (first < 0) return pattern === text
  const last = pattern.lastIndexOf('*')
  const tail = pattern.length - last - 1
  if (text.length < first + tail || !text.startsWith(pattern.slice(0, first))) return false
  if (!text.endsWith(pattern.slice(last + 1))) return false
  let at = first
  for (const part of pattern.slice(first, last).split('*')) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= text.length - tail
}

/** As `starMatches`, and `?` is one character. */
export function globMatches(pattern: string, text: string): boolean {
  return pattern.includes('?') ? walkMatches(pattern, text) : starMatches(pattern, text)
}

/** The classic two-pointer walk: linear for practical patterns, never exponential. */
function walkMatches(pattern: string, text: string): boolean {
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
