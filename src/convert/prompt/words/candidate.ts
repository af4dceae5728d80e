/** A possible tool word in a prompt with its context: what is before, after and around it. */
import type { Range } from '../../../model/range.ts'
import type { Page } from '../page.ts'
import type { ToolWord } from './lexicon.ts'

export interface ToolCandidate extends Range {
  readonly entry: ToolWord
  readonly code: Range | null
  /** The sentence up to the word, as one line, without the markup that opens at the word. */
  readonly left: string
  /** The sentence from the word on, as one line, without the markup that closes at the word. */
  readonly right: string
  /** The line up to the word. */
  readonly prefix: string
  /** At the start of a line, a list item or a sentence, where an instruction to the reader would be. */
  readonly starts: boolean
}

/** How much of a sentence is examined; enough for every rule, and bounded for overlong lines. */
const REACH = 120

const LEADING = /^[ \t>]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?(?:\[[ xX]\][ \t]+)?[*_~"'“‘(`]*$/
/** A line that begins with a bold label starts a new block, although Markdown would continue the old one. */
const NEW_BLOCK =
  /\r?\n(?=[ \t>]*(?:$|\r?\n|[-*+•|#][ \t]|\d{1,3}[.)][ \t]|`{3}|<|(?:\*\*|__)[^*_\n]{1,60}(?:\*\*:|:\*\*|__:|:__)))/
const SENTENCE_START = /(?:[.!?:;]|[—–|]|\s--?)["'”’)\]*_]*\s+["'“‘(*_`[]*$/

export function candidateAt(page: Page, start: number, entry: ToolWord): ToolCandidate {
  const { text } = page
  const end = start + entry.word.length
  const lineStart = page.lineStart(start)
  const prefix = text.slice(Math.max(lineStart, start - REACH), start)
  const before = leftOf(text, lineStart, start, prefix)
  const starts = (LEADING.test(prefix) && before.trim() === '') || SENTENCE_START.test(before) || isTag(prefix)
  return {
    start,
    end,
    entry,
    prefix,
    starts,
    code: page.codeAt(start),
    left: before.replace(/[*_`"'“‘[({]+$/, ''),
    right: rightOf(text, end).replace(/^[*_`"'”’]+/, ''),
  }
}

/** A paragraph continued from the line before is included; a list item, a table row or a quote is not. */
function leftOf(text: string, lineStart: number, start: number, prefix: string): string {
  const own = prefix.replace(/^[ \t>]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?(?:\[[ xX]\][ \t]+)?/, '')
  if (lineStart === 0 || start - lineStart >= REACH || own.length < prefix.trimStart().length) return own
  if (own.trimStart().startsWith('|')) return own
  const above = text.slice(Math.max(0, start - REACH), lineStart)
  if (
    /\n[ \t>]*\r?\n$/.test(above) ||
    /^[ \t>]*(?:#|`{3}|\||<)/.test(above.slice(above.lastIndexOf('\n', above.length - 2) + 1))
  )
    return own
  return `${above.slice(above.lastIndexOf('\n\n') + 1).replace(/\s*\r?\n[ \t>]*/g, ' ')}${own}`
}

function rightOf(text: string, end: number): string {
  const raw = text.slice(end, end + REACH)
  const block = raw.search(NEW_BLOCK)
  return (block < 0 ? raw : raw.slice(0, block)).replace(/\s*\r?\n[ \t>]*/g, ' ')
}

function isTag(prefix: string): boolean {
  return /<\w[\w-]*>\s*$/.test(prefix)
}

/** Names that the text itself calls tools: "the Read tool", `#tool:fetch`. */
const TOOL_NOUN = /^(?:\s+tools?\b|\s*(?:工具|ツール))/
/** After "Read tool" at the start of a sentence: shows that it is not an instruction to read tool output. */
const TOOL_SENTENCE =
  /^\s+tools?(?:\s*(?:[:(—–]|--?\s)|\s+(?:is|are|can|cannot|will|must|should|may)\b)|^\s+tool(?:\s*(?:[,.]|$)|\s+(?:for|to|with|when|on|only|and|or|calls?|invocations?|returns?|fails?|has)\b)/
/** After "Agent tool": what makes it an English compound. */
const TOOL_COMPOUND =
  /^\s+tools\b|^\s+tool\s+(?:list|lists|access|sets?|restrictions?|usage|selection|permissions?|configurations?|names?|use|boundar|entr(?:y|ies)|mappings?|rows?)\b/

/** "the X tool". */
export function namesATool(candidate: ToolCandidate): boolean {
  const { entry, left, right, starts } = candidate
  if (!TOOL_NOUN.test(right)) return /^\s+Tool\b/.test(right) && /\b(?:the|use|via|using)\s+$/i.test(left) && !starts
  if (entry.small && !isNamedPlainly(candidate)) return false
  if (entry.kind === 'noun' && TOOL_COMPOUND.test(right)) return false
  return entry.kind === 'coined' || entry.kind === 'program' || !starts || TOOL_SENTENCE.test(right)
}

/** "the search tool", but not "a new tool". */
function isNamedPlainly({ entry, left, code }: ToolCandidate): boolean {
  if (code !== null) return true
  return entry.word !== 'new' && /\b(?:the|your|use|using|via|this|no)\s+$/i.test(left)
}

/** The word with its mark, which no other harness would know. */
export function withMark(text: string, { start, end }: Range): Range {
  const mark = text.startsWith('#tool:', start - 6) ? 6 : text[start - 1] === '#' ? 1 : 0
  return { start: start - mark, end }
}

/** `#fetch`, `#tool:web/fetch`: VS Code's way to name a tool. */
export function isMarked({ text }: Page, { start }: Range): boolean {
  return text[start - 1] === '#' || text.startsWith('#tool:', start - 6)
}
