/** A tool word where it stands: what is before it, what is after it, and what is around it. */
import type { Range } from '../../../model/place.ts'
import type { Page } from '../page/page.ts'
import type { ToolWord } from './lexicon.ts'

export interface Candidate extends Range {
  readonly entry: ToolWord
  readonly code: Range | null
  /** The sentence up to the word, as one line, without the markup that opens at the word. */
  readonly left: string
  /** The sentence from the word on, as one line, without the markup that closes at the word. */
  readonly right: string
  /** The line up to the word. */
  readonly prefix: string
  /** At the start of a line, a list item or a sentence, where an order to the reader would stand. */
  readonly starts: boolean
}

/** How far a sentence is looked at; long enough for every rule, short enough for lines without end. */
const REACH = 120

const LEADING = /^[ \t>]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?(?:\[[ xX]\][ \t]+)?[*_~"'“‘(`]*$/
/** A line that begins with a label in bold is a new one, although Markdown would go on. */
const NEW_BLOCK =
  /\r?\n(?=[ \t>]*(?:$|\r?\n|[-*+•|#][ \t]|\d{1,3}[.)][ \t]|`{3}|<|(?:\*\*|__)[^*_\n]{1,60}(?:\*\*:|:\*\*|__:|:__)))/
const SENTENCE_START = /(?:[.!?:;]|[—–|]|\s--?)["'”’)\]*_]*\s+["'“‘(*_`[]*$/

export function candidateAt(page: Page, start: number, entry: ToolWord): Candidate {
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

/** A paragraph that goes on from the line before is read on; a list item, a table row or a quote is not. */
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
