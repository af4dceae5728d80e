/** Finds the places in a prompt that name a tool of the harness it was written for. */
import type { Harness } from '../../../harness/schema/harness.ts'
import type { Range } from '../../../model/range.ts'
import type { Page } from '../page.ts'
import { candidateAt, isMarked, namesATool, type ToolCandidate } from './candidate.ts'
import { isCall, isToolInCode } from './code-words.ts'
import {
  AFTER_LANGUAGE,
  BEFORE_LANGUAGE,
  BEFORE_RESULT,
  COMMAND_NOUN,
  ENGLISH_HEAD,
  HYPHENATED,
  type Lexicon,
  lexiconOf,
  type Meanings,
  meaningsIn,
  NOUN_CUE,
  NOUN_STANDS_ALONE,
  OUTCOME,
  PLAIN_END,
  POSSESSIVE,
  RESULT_NOUN,
  SCRIPTING,
  STANDS_ALONE,
  STRONG_CUE,
  SUBJECT,
  TASK_CALL,
  TOOL_LABEL,
  type ToolWord,
  WEAK_CUE,
} from './lexicon.ts'
import { findGroups, findToolLeads, isInToolColumn, isToolGroup } from './lists.ts'

export interface ToolReference extends Range {
  readonly entry: ToolWord
  /** What the backticks around it enclose. */
  readonly code: Range | null
  readonly isCall: boolean
  /** The list that contains it, if any. */
  readonly group: readonly ToolCandidate[] | null
  /** The sentence around it, as one line. */
  readonly left: string
  readonly right: string
  /** At the start of a line, a list item or a sentence. */
  readonly starts: boolean
}

export type SpottedTool = readonly [start: number, word: ToolWord]

/** `named`: where words of the harness occur, in any meaning. */
export function findReferences(page: Page, source: Harness, named: readonly SpottedTool[]): ToolReference[] {
  const lexicon = lexiconOf(source)
  const all = named.map(([start, word]) => candidateAt(page, start, word))
  if (all.length === 0) return []
  const meanings = meaningsIn(page.text)
  const groups = new Map<ToolCandidate, readonly ToolCandidate[]>()
  for (const group of findGroups(page, all)) {
    if (isToolGroup(page, group, meanings)) for (const one of group) groups.set(one, group)
  }
  const leads = findToolLeads(page, all, meanings)
  return all.flatMap((candidate): ToolReference[] => {
    const inText = groups.has(candidate) || leads.has(candidate) || isToolAlone(page, candidate, lexicon, meanings)
    const asCall = isCall(page, candidate, true)
    // Classifying the place is costly, so it is done only for possible tools.
    const place = inText || asCall ? page.placeOf(candidate.start) : null
    if (place === null || place === 'comment') return []
    if (place === 'text' && !inText) return []
    if (place === 'heading' && !(inText && isInTitle(page, candidate, meanings))) return []
    if (place === 'fence' && !asCall && !(inText && isInTemplate(page, candidate, groups.get(candidate)))) return []
    const { start, end, entry, code, left, right, starts } = candidate
    const group = place === 'text' || (place === 'fence' && !asCall) ? (groups.get(candidate) ?? null) : null
    const isInCall = (place === 'fence' && asCall) || page.text[end] === '(' || isLabelledCall(page, candidate)
    return [{ start, end, entry, code, group, isCall: isInCall, left, right, starts }]
  })
}

/** `Read: path` as a line of its own. */
function isLabelledCall(page: Page, candidate: ToolCandidate): boolean {
  return page.text[candidate.end] === ':' && isCall(page, candidate, false)
}

/** Titles are in capitals, so only words that are never English count; and links to a title must still find it. */
function isInTitle({ text }: Page, { entry: { kind, small, word, key } }: ToolCandidate, meanings: Meanings): boolean {
  const isName = kind === 'coined' && (!small || /[/_]/.test(word))
  return isName && !meanings.hasOther(key) && !text.includes('](#')
}

/** Languages of code blocks that hold text (prompts for others, forms to fill in), and of data. */
const PROSE = new Set(['', 'text', 'txt', 'plaintext', 'plain', 'markdown', 'md', 'prompt'])
const DATA = new Set(['xml', 'yaml', 'yml', 'json', 'jsonl'])

/** In such a block a tool is named as clearly as in a title, or by a label or an instruction. */
function isInTemplate(
  page: Page,
  { start, entry, left, right }: ToolCandidate,
  [first]: readonly ToolCandidate[] = [],
): boolean {
  const language = page.languageAt(start) ?? ''
  const isProse = PROSE.has(language)
  if ((!isProse && !DATA.has(language)) || (entry.small && entry.kind !== 'coined')) return false
  if (entry.kind === 'coined' || TOOL_LABEL.test(first?.left ?? left)) return true
  return isProse && STRONG_CUE.test(left) && STANDS_ALONE.test(right)
}

function isToolAlone(page: Page, candidate: ToolCandidate, lexicon: Lexicon, meanings: Meanings): boolean {
  const isTool =
    candidate.code === null
      ? isToolInProse(page, candidate, meanings)
      : isToolInCode(page, candidate, lexicon, meanings)
  return isTool || isInToolColumn(page, candidate, lexicon)
}

/** Single tool words in running text: judged by the words before and after them. */
function isToolInProse(page: Page, candidate: ToolCandidate, meanings: Meanings): boolean {
  return meansTool(page, candidate, meanings) && !isInPath(page, candidate)
}

function meansTool(page: Page, candidate: ToolCandidate, meanings: Meanings): boolean {
  const { entry, left, right } = candidate
  if (isMarked(page, candidate)) return entry.small || entry.kind === 'coined'
  if (entry.kind === 'coined') return isCoined(candidate, meanings)
  if (namesATool(candidate) || isCall(page, candidate, false)) return !isLinkText(page, candidate)
  if (entry.small) return false
  if (entry.kind !== 'noun' && isSaidOfResult(page, candidate)) return !meanings.hasOther(entry.key)
  if (TOOL_LABEL.test(left) && !BEFORE_LANGUAGE.test(right)) return STANDS_ALONE.test(right) && entry.kind !== 'noun'
  if (entry.kind === 'noun') return isDelegation(candidate, meanings)
  if (entry.kind === 'program') return isProgram(candidate, meanings)
  return isVerb(candidate)
}

/** "in the Bash output", "Read's `limit`", "Bash-run". */
function isSaidOfResult({ text }: Page, { end, left, right, entry }: ToolCandidate): boolean {
  if (POSSESSIVE.test(text.slice(end, end + 40))) return true
  HYPHENATED.lastIndex = end
  return (RESULT_NOUN.test(right) && BEFORE_RESULT.test(left)) || (entry.kind === 'program' && HYPHENATED.test(text))
}

/** Lower-case letters without an underscore could still be a name of the author's own. */
function isCoined(candidate: ToolCandidate, meanings: Meanings): boolean {
  const { entry } = candidate
  if (namesATool(candidate)) return true
  return (!entry.small || entry.word.includes('_') || STRONG_CUE.test(candidate.left)) && !meanings.hasOther(entry.key)
}

/** Things of these names are given work; other nouns are tools only where the text calls them so. */
const DELEGATES = new Set(['task', 'agent', 'skill'])

function isDelegation({ entry, left, right, starts }: ToolCandidate, meanings: Meanings): boolean {
  if (starts || !DELEGATES.has(entry.key)) return false
  const isTool = NOUN_CUE.test(left)
    ? NOUN_STANDS_ALONE.test(right) && !/^\s+with\s+[A-Z]/.test(right)
    : /^\s+(?:calls?|invocations?|subagents?)\b/.test(right) && TASK_CALL.test(left)
  return isTool && !meanings.hasOther(entry.key)
}

/** Bash, Grep, Glob. */
function isProgram(candidate: ToolCandidate, meanings: Meanings): boolean {
  const { entry, left, right } = candidate
  if (AFTER_LANGUAGE.test(left) || BEFORE_LANGUAGE.test(right)) return false
  return isProgramHere(candidate) && !meanings.hasOther(entry.key)
}

function isProgramHere({ entry, left, right, starts }: ToolCandidate): boolean {
  if (entry.key === 'bash' || entry.key === 'ls') {
    if (SCRIPTING.test(left) || /\b(?:Git|GNU)\s+$/.test(left)) return false
    if (COMMAND_NOUN.test(right) || SUBJECT.test(right)) return true
    if (/^For\s+$/.test(left)) return right.startsWith(':')
    if (STRONG_CUE.test(left)) return STANDS_ALONE.test(right)
    return WEAK_CUE.test(left) && PLAIN_END.test(right)
  }
  if (/^\s+(?:patterns?|syntax|expressions?)\b/.test(right)) return false
  // "Grep for TODO": an order that every agent understands.
  if (starts && entry.key === 'grep' && /^\s+for\b/.test(right)) return false
  return !starts || STANDS_ALONE.test(right) || /^\s+(?:confirms?|returns?|finds?|shows?)\b/.test(right)
}

/** Read, Write, Edit. */
function isVerb(candidate: ToolCandidate): boolean {
  const { left, right, starts } = candidate
  if (starts || ENGLISH_HEAD.test(right)) return false
  if (STRONG_CUE.test(left)) return STANDS_ALONE.test(right)
  if (/\b(?:if|when|after|once)\s+$/i.test(left)) return OUTCOME.test(right)
  if (/^\s+(?:calls?|invocations?)\b/.test(right)) return true
  return WEAK_CUE.test(left) && PLAIN_END.test(right) && !/^[,:]?\s+(?:and\s+|or\s+)?[A-Z]/.test(right)
}

/** Part of a URL, a path or a word with a slash that is not a list of tools. */
function isInPath({ text }: Page, { start, end }: ToolCandidate): boolean {
  const before = text.slice(Math.max(0, start - 80), start)
  if (/(?:https?:\/\/|www\.|\]\()[^\s]*$/.test(before)) return true
  return /[\w.~}>-]\/$/.test(before) || /^\/[\w.~{<]/.test(text.slice(end, end + 2))
}

function isLinkText({ text }: Page, { start, end }: ToolCandidate): boolean {
  return text[start - 1] === '[' && /^[^\]\n]{0,60}\]\(/.test(text.slice(end, end + 64))
}
