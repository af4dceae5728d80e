/** Names that are called tools where they stand: "the Read tool", `#tool:fetch`. */
import type { Range } from '../../../model/place.ts'
import type { Page } from '../page/page.ts'
import type { Candidate } from './candidate.ts'

const TOOL_NOUN = /^(?:\s+tools?\b|\s*(?:工具|ツール))/
/** After "Read tool" at the start of a sentence: what keeps it from being an order to read tool output. */
const TOOL_SENTENCE =
  /^\s+tools?(?:\s*(?:[:(—–]|--?\s)|\s+(?:is|are|can|cannot|will|must|should|may)\b)|^\s+tool(?:\s*(?:[,.]|$)|\s+(?:for|to|with|when|on|only|and|or|calls?|invocations?|returns?|fails?|has)\b)/
/** After "Agent tool": what makes it an English compound. */
const TOOL_COMPOUND =
  /^\s+tools\b|^\s+tool\s+(?:list|lists|access|sets?|restrictions?|usage|selection|permissions?|configurations?|names?|use|boundar)\b/

/** "the X tool". */
export function namesATool(candidate: Candidate): boolean {
  const { entry, left, right, starts } = candidate
  if (!TOOL_NOUN.test(right)) return /^\s+Tool\b/.test(right) && /\b(?:the|use|via|using)\s+$/i.test(left) && !starts
  if (entry.small && !isNamedPlainly(candidate)) return false
  if (entry.kind === 'noun' && TOOL_COMPOUND.test(right)) return false
  return entry.kind === 'coined' || entry.kind === 'program' || !starts || TOOL_SENTENCE.test(right)
}

/** "the search tool", but not "a new tool". */
function isNamedPlainly({ entry, left, code }: Candidate): boolean {
  if (code !== null) return true
  return entry.word !== 'new' && /\b(?:the|your|use|using|via|this|no)\s+$/i.test(left)
}

/** `#fetch`, `#tool:web/fetch`: VS Code's way to name a tool. */
export function isMarked({ text }: Page, { start }: Range): boolean {
  return text[start - 1] === '#' || text.startsWith('#tool:', start - 6)
}
