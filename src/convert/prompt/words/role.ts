/** The role of a tool word in its sentence, which decides whether a name or a phrase takes its place. */
import type { Page } from '../page.ts'
import type { ToolReference } from './references.ts'

export type WordRole =
  /** `Read(path)`, `Read: path`. */
  | 'call'
  /** In code, emphasis, quotes, a count, a compound, a cell, or at the head of an entry: only a name. */
  | 'name'
  /** "Read, Grep and Glob". */
  | 'list'
  /** "WebFetch the best three results": an instruction whose verb is the name. */
  | 'order'
  /** "use Read to", "Read is": a phrase can stand there as well. */
  | 'phrase'

const COMPOUND =
  /^(?:['’]s?\b|-\w|\s+(?:tools?|calls?|invocations?|outputs?|results?|commands?|requests?|responses?|access|operations?|usage|errors?|messages?|history|channels?|quer(?:y|ies)|search(?:es)?)\b)/
const COUNT =
  /\b(?:an?|one|single|two|three|four|five|multiple|several|many|more|each|every|any|per|another|both|all|no|parallel|extra|additional)\s+$/i
const DETERMINER = /\b(?:the|your|its|this|that)\s+$/i
const ENTRY = /^\s*(?:[:–—|]|->|→|--?\s|$)/
const VERB =
  /^,?\s+(?:is|are|was|were|must|may|might|can|cannot|could|will|would|should|does|has|have|returns?|finds?|fails?|gives?|shows?|lists?|takes?|needs?|works?|and|or|to|before|after|only|never|always)\b/

export function roleOf({ text }: Page, reference: ToolReference): WordRole {
  const { start, end, code, group, isCall, right, starts } = reference
  const left = reference.left.replace(/#(?:tool:)?$/, '')
  if (isCall) return 'call'
  if (code !== null || isMarkup(text[start - 1]) || isMarkup(text[end])) return 'name'
  if (/^['’-]/.test(text.slice(end, end + 1)) || COMPOUND.test(right) || COUNT.test(left) || DETERMINER.test(left))
    return 'name'
  if (group !== null) return 'list'
  if (starts && ENTRY.test(right)) return 'name'
  if (isCell(text, start, end)) return 'name'
  return starts && !VERB.test(right) ? 'order' : 'phrase'
}

/** "one Read", "every Grep": a count of calls, where no other noun follows. */
export function isCounted(page: Page, { start, left, right, end }: ToolReference): boolean {
  if (!COUNT.test(left) || COMPOUND.test(right)) return false
  return !/[*_"“]/.test(page.text[start - 1] ?? '') && !/[*_"”]/.test(page.text[end] ?? '')
}

function isMarkup(char: string | undefined): boolean {
  return char !== undefined && '*_`"“”[]'.includes(char)
}

function isCell(text: string, start: number, end: number): boolean {
  return /\|[ \t]*$/.test(text.slice(Math.max(0, start - 20), start)) && /^[ \t]*\|/.test(text.slice(end, end + 20))
}

/** In running text the article of the new word, where the old one had the other. */
export function withArticle(text: string, start: number, from: string, to: string): { start: number; text: string } {
  const before = /\b([Aa]n?)(\s+[`*_"“]*)$/.exec(text.slice(Math.max(0, start - 12), start))
  if (before === null) return { start, text: to }
  const [whole, article = '', gap = ''] = before
  const isAn = article.toLowerCase() === 'an'
  if (isAn !== takesAn(from) || isAn === takesAn(to)) return { start, text: to }
  return { start: start - whole.length, text: `${article[0]}${isAn ? '' : 'n'}${gap}${to}` }
}

function takesAn(word: string): boolean {
  return /^[aeio]|^u(?!se|ni)/i.test(word)
}

/** At the start of a sentence a phrase begins with a capital. */
export function beginsSentence(text: string, start: number): boolean {
  return /(?:^|\n[ \t>]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?|[.!?]["')*]*\s+)[*_]{0,2}$/.test(
    text.slice(Math.max(0, start - 20), start),
  )
}

export function capitalised(phrase: string): string {
  return `${phrase[0]?.toUpperCase() ?? ''}${phrase.slice(1)}`
}

/** How far a sentence is followed in each direction. */
const REACH = 400
const BOUNDARY = /[.!?]["')*`]*\s+(?=["'(*`\d]*[A-Z])|\n[ \t]*\n|\n(?=[ \t>]*(?:[-*+•|#][ \t]|\d{1,3}[.)][ \t]|`{3}))/g

/** Where the sentence around an offset begins and ends; a list item or a table row ends it. */
export function sentenceAt({ text }: Page, offset: number): { readonly start: number; readonly end: number } {
  const from = Math.max(0, offset - REACH)
  let start = from
  const before = text.slice(from, offset)
  for (const match of before.matchAll(BOUNDARY)) start = from + match.index + match[0].length
  const after = text.slice(offset, offset + REACH)
  const stop = after.search(BOUNDARY)
  return { start, end: stop < 0 ? offset + after.length : offset + stop + 1 }
}
