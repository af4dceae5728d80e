/** Tool words in backticks: alone, in a list of tools, or called. */

import type { Page } from '../page/page.ts'
import { isCall } from './calls.ts'
import type { Candidate } from './candidate.ts'
import { STRONG_CUE } from './cues.ts'
import { ENGLISH_HEAD, ENGLISH_OWNER, STANDS_ALONE } from './english.ts'
import type { Lexicon } from './lexicon.ts'
import type { Meanings } from './meanings.ts'
import { isMarked, namesATool } from './tool-noun.ts'

export function isExact({ code, start, end }: Candidate): boolean {
  return code !== null && code.end - code.start <= end - start + 2 && code.start + 1 >= start && code.end <= end + 1
}

export function isToolInCode(page: Page, candidate: Candidate, lexicon: Lexicon, meanings: Meanings): boolean {
  const { entry, code } = candidate
  if (code === null) return false
  if (isExact(candidate)) return isToolAlone(page, candidate, meanings)
  if (isMarked(page, candidate)) return true
  if (isCall(page, candidate, false))
    return (!entry.small || candidate.start === code.start) && !meanings.hasOther(entry.key)
  const content = page.text.slice(code.start, Math.min(code.end, code.start + 300))
  if (isToolList(content, lexicon)) return true
  // `Grep "x"`: a search, where `Read x` could still be English.
  return (
    entry.kind === 'program' && !entry.small && candidate.start === code.start && /^ ["'*\w\\]/.test(candidate.right)
  )
}

function isToolAlone(page: Page, candidate: Candidate, meanings: Meanings): boolean {
  const { entry } = candidate
  if (entry.kind === 'coined') return !meanings.hasOther(entry.key)
  const outside = { ...candidate, right: afterCode(page, candidate) }
  if (namesATool(outside)) return true
  if (ENGLISH_OWNER.test(candidate.left) || ENGLISH_HEAD.test(outside.right))
    return entry.kind === 'program' && !entry.small
  if (meanings.hasOther(entry.key)) return false
  // Small letters in backticks can be a command, a key or a value just as well.
  return !entry.small || (STRONG_CUE.test(outside.left) && STANDS_ALONE.test(outside.right))
}

function afterCode(page: Page, { code, right }: Candidate): string {
  if (code === null) return right
  return page.text
    .slice(code.end, code.end + 80)
    .replace(/^[`*_"'”’]+/, '')
    .replace(/\s*\r?\n[ \t>]*/g, ' ')
}

/** `Read, Grep, Glob` or `Read/Grep` and nothing else. */
function isToolList(content: string, lexicon: Lexicon): boolean {
  const names = content
    .replace(/^\s*(?:allowed-)?tools:\s*\[?/, '')
    .replace(/\]\s*$/, '')
    .split(/\s*(?:,|\/|\||\+|&)\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+/)
  const words = names.map((name) => lexicon.find(name.trim()))
  const isClear = words.length > 2 || words.some((word) => word?.kind === 'coined' || word?.kind === 'program')
  return words.length > 1 && isClear && words.every((word) => word !== null)
}
