/** Lists of tool words in running text: "Glob, Grep and Read", "Write/Edit", "Grep for text, Glob for names". */

import type { Page } from '../page/page.ts'
import type { Candidate } from './candidate.ts'
import { isExact } from './code-words.ts'
import { STRONG_CUE, TOOL_LABEL } from './cues.ts'
import { ENGLISH_HEAD, STANDS_ALONE } from './english.ts'
import type { Meanings } from './meanings.ts'
import { namesATool } from './tool-noun.ts'

/** Between two names of a list, without the markup around the names. */
const CONNECTOR =
  /^\s*(?:,|\/|\+|&|→|->|=>|;)\s*(?:(?:and|or|then|plus|not|nor|no)\s+)?$|^\s+(?:and|or|then|plus|vs\.?|nor|before|over|instead of|rather than|and\/or)\s+$/
const GLOSS = /^\s*\([^()\n]{1,80}\)\s*,?\s*(?:(?:and|or)\s+)?$/
/** "Glob to map files, Grep to ..." */
const SHARE = /^\s+(?:to|for)\s[^.;:()\n]{2,70},\s+(?:(?:and|or|then)\s+)?$/
const TAKES_SHARE = /^\s+(?:to|for|once|when|if)\s/
const LIST_CUE =
  /\b(?:tools?|have|with|only|no|not|without|through|when|that|for|from|between|like|including|e\.g\.,?|both|either|permits?|forbids?|allows?|denies|deny)\s*[:(]*\s*$/i
const TOOLS_AFTER = /^(?:\s+tools?\b|\s*工具)/

/** The longest gap that can still be a connector. */
const FAR = 120

/** Runs of candidates that stand in one list, of two or more. */
export function findGroups(page: Page, candidates: readonly Candidate[]): Candidate[][] {
  const groups: Candidate[][] = []
  let group: Candidate[] = []
  for (const candidate of candidates) {
    const last = group.at(-1)
    if (last !== undefined && isConnected(page, last, candidate)) group.push(candidate)
    else {
      groups.push(trimmed(group))
      group = isAloneOrExact(candidate) ? [candidate] : []
    }
  }
  groups.push(trimmed(group))
  return groups.filter(({ length }) => length > 1)
}

/** "use `Grep`, then Read the file": the last word may be an order of its own. */
function trimmed(group: Candidate[]): Candidate[] {
  const last = group.at(-1)
  if (last === undefined || last.code !== null || last.entry.kind === 'coined' || last.entry.kind === 'program')
    return group
  return STANDS_ALONE.test(last.right) || ENGLISH_HEAD.test(last.right) ? group : trimmed(group.slice(0, -1))
}

function isAloneOrExact(candidate: Candidate): boolean {
  return candidate.code === null || isExact(candidate)
}

function isConnected({ text }: Page, a: Candidate, b: Candidate): boolean {
  if (b.start - a.end > FAR || !isAloneOrExact(b)) return false
  const gap = text.slice(a.end, b.start)
  if (/\n[ \t]*\n|\n[ \t>]*(?:[-*+•|#]|\d+[.)])\s/.test(gap)) return false
  const bare = gap.replace(/^[*_`"'”’]+|[*_`"'“‘]+$/g, '').replace(/\s*\r?\n[ \t>]*/g, ' ')
  if (CONNECTOR.test(bare) || GLOSS.test(bare)) return true
  return SHARE.test(bare) && TAKES_SHARE.test(b.right)
}

export function isToolGroup(page: Page, group: readonly Candidate[], meanings: Meanings): boolean {
  const first = group[0]!
  const last = group.at(-1)!
  if (isPath(page, first, last)) return false
  if (TOOLS_AFTER.test(last.right)) {
    return !isOrder(page, group) || namesATool({ ...last, starts: true })
  }
  if (TOOL_LABEL.test(first.left)) return STANDS_ALONE.test(last.right)
  if (group.every(({ entry }) => entry.small)) return group.every(isClear) && hasSense(group)
  if (group.some((one) => isAnchor(one, meanings))) return !isOrder(page, group)
  if (ENGLISH_HEAD.test(last.right)) return false
  if (group.every(isExact)) return true
  const isUsed = STRONG_CUE.test(first.left) && STANDS_ALONE.test(last.right)
  return isUsed || (isWriters(page, group) && STANDS_ALONE.test(last.right) && !isOrder(page, group))
}

function isClear(candidate: Candidate): boolean {
  return isExact(candidate) || candidate.entry.kind === 'coined'
}

/** "lib/Grep/Read" is no list. */
function isPath({ text }: Page, first: Candidate, last: Candidate): boolean {
  return (
    /[\w.~}>-]\/$/.test(text.slice(Math.max(0, first.start - 2), first.start)) ||
    /^\/[\w.]/.test(text.slice(last.end, last.end + 2))
  )
}

/** Small words in backticks: at least one of them must be more than a program or a thing. */
function hasSense(group: readonly Candidate[]): boolean {
  return group.some(({ entry }) => entry.kind === 'coined' || entry.kind === 'verb')
}

/** A word that makes a list of tools of the words beside it. */
function isAnchor(candidate: Candidate, meanings: Meanings): boolean {
  const { entry } = candidate
  if (entry.kind === 'coined') return !entry.small || isExact(candidate)
  return entry.kind === 'program' && !entry.small && !meanings.hasOther(entry.key)
}

/** "Read and Grep the files": an order that begins with a verb, unless the list stands for itself. */
function isOrder({ text }: Page, group: readonly Candidate[]): boolean {
  const first = group[0]!
  const last = group.at(-1)!
  if (!first.starts || first.entry.kind === 'coined' || first.entry.kind === 'program') return false
  return !/[/→]/.test(text.slice(first.end, group[1]!.start)) && !STANDS_ALONE.test(last.right)
}

/** Write and Edit beside each other are the tools; Read and Write are English. */
function isWriters({ text }: Page, group: readonly Candidate[]): boolean {
  const keys = new Set(group.map(({ entry }) => entry.key))
  const isPair = keys.has('write') && keys.has('edit')
  return isPair && (/\//.test(text.slice(group[0]!.end, group[1]!.start)) || LIST_CUE.test(group[0]!.left))
}
