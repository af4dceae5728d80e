/** Finds code spans, links and comments in the text of one paragraph or heading. */
import type { Range } from '../../model/range.ts'
import { lastAtOrBefore } from '../lines.ts'

/** What the Markdown scanner reports: a kind and places in the file. */
type SpanKind = 'fence' | 'indented-code' | 'code' | 'heading' | 'list-item' | 'link' | 'html-comment'

export interface Span {
  readonly kind: SpanKind
  /** All of it, markers included; of a list item only the marker. */
  readonly range: Range
  /**
   * What the markers enclose: code without its fences or backticks, the text of a heading or link, the inside of a comment,
   * the rest of a list item's first line.
   */
  readonly content: Range
  /** Of a fence: its info string. */
  readonly info?: Range
  /** Of a heading: 1 to 6. */
  readonly level?: number
  /** Of a link or image: where it leads. */
  readonly target?: Range
}

const INTERESTING = /[\\`<[\]]/g

/** `pieces` are the lines of the paragraph without what their containers put before them. */
export function scanInline(text: string, pieces: readonly Range[], spans: Span[]): void {
  const joined = pieces.map(({ start, end }) => text.slice(start, end)).join('\n')
  if (!/[`<[]/.test(joined)) return
  const starts: number[] = []
  let length = 0
  for (const { start, end } of pieces) {
    starts.push(length)
    length += end - start + 1
  }
  const toFile = (offset: number) => {
    const index = lastAtOrBefore(starts, offset)
    return pieces[index]!.start + offset - starts[index]!
  }
  // The end of a range may lie behind the last character of a line, so it is found by that character.
  const place = (start: number, end: number): Range => {
    return { start: toFile(start), end: end > start ? toFile(end - 1) + 1 : toFile(start) }
  }
  scanJoined(joined, (kind, start, end, inner, target) => {
    const span: Span = { kind, range: place(start, end), content: place(inner[0], inner[1]) }
    spans.push(target ? { ...span, target: place(target[0], target[1]) } : span)
  })
}

type Pair = readonly [number, number]
type Found = (kind: 'code' | 'link' | 'html-comment', start: number, end: number, inner: Pair, target?: Pair) => void

function scanJoined(text: string, found: Found): void {
  const backticks = backtickFinder(text)
  const closers = wordFinder(text)
  const brackets: number[] = []
  INTERESTING.lastIndex = 0
  for (let match = INTERESTING.exec(text); match !== null; match = INTERESTING.exec(text)) {
    const at = match.index
    const character = match[0]
    if (character === '\\') INTERESTING.lastIndex = at + 2
    else if (character === '`') INTERESTING.lastIndex = readCode(text, at, backticks, found)
    else if (character === '<') INTERESTING.lastIndex = readHtml(text, at, closers, found)
    else if (character === '[') brackets.push(at)
    else INTERESTING.lastIndex = readLink(text, at, brackets.pop(), found)
  }
}

/** Code ends at the next run of as many backticks; without one, the run is ordinary text. */
function readCode(text: string, at: number, backticks: BacktickFinder, found: Found): number {
  let size = 1
  while (text[at + size] === '`') size++
  const close = backticks(size, at + size)
  if (close < 0) return at + size
  found('code', at, close + size, [at + size, close])
  return close + size
}

function readHtml(text: string, at: number, closers: WordFinder, found: Found): number {
  const html = inlineHtmlAt(text, at, closers)
  if (!html) return at + 1
  const end = at + html.length
  if (html.kind === 'autolink') found('link', at, end, [at + 1, end - 1], [at + 1, end - 1])
  if (html.kind === 'comment') found('html-comment', at, end, [at + 4, Math.max(at + 4, end - 3)])
  return end
}

const DESTINATION =
  /\(\s*(?:<((?:[^<>\n\\]|\\.)*)>|((?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))*))(?:\s+(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)))?\s*\)/y
// No real address is longer, and looking further would let junk cost its square.
const MAX_DESTINATION = 2000

function readLink(text: string, at: number, open: number | undefined, found: Found): number {
  if (open === undefined || text[at + 1] !== '(') return at + 1
  const piece = text.slice(at + 1, at + 1 + MAX_DESTINATION)
  DESTINATION.lastIndex = 0
  const match = DESTINATION.exec(piece)
  if (!match) return at + 1
  const address = match[1] ?? match[2] ?? ''
  const start = at + 1 + match[0].indexOf(address, match[1] === undefined ? 1 : 2)
  const from = text[open - 1] === '!' ? open - 1 : open
  found('link', from, at + 1 + match[0].length, [open + 1, at], [start, start + address.length])
  return at + 1 + match[0].length
}

type BacktickFinder = (size: number, from: number) => number

/** Runs of backticks by their length, counted once. */
function backtickFinder(text: string): BacktickFinder {
  let runs: Map<number, number[]> | undefined
  return (size, from) => {
    runs ??= findRuns(text)
    const places = runs.get(size)
    if (!places || places.at(-1)! < from) return -1
    const index = lastAtOrBefore(places, from)
    return places[index]! >= from ? places[index]! : (places[index + 1] ?? -1)
  }
}

function findRuns(text: string): Map<number, number[]> {
  const runs = new Map<number, number[]>()
  for (const match of text.matchAll(/`+/g)) {
    const size = match[0].length
    const places = runs.get(size)
    if (places) places.push(match.index)
    else runs.set(size, [match.index])
  }
  return runs
}

type WordFinder = (word: string, from: number) => number

/** Remembers what is not there, so that a thousand openers do not search the whole text each. */
function wordFinder(text: string): WordFinder {
  const missing = new Set<string>()
  return (word, from) => {
    if (missing.has(word)) return -1
    const found = text.indexOf(word, from)
    if (found < 0) missing.add(word)
    return found
  }
}

/** What CommonMark takes for raw HTML: blocks that begin and end by rules of their own, and tags within a line. */
const BLOCK_NAMES =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul'

const ATTRIBUTE = '[ \\t\\n]+[A-Za-z_:][\\w.:-]*(?:[ \\t\\n]*=[ \\t\\n]*(?:[^ \\t\\n"\'=<>`]+|\'[^\']*\'|"[^"]*"))?'
const TAG = `<[A-Za-z][A-Za-z0-9-]*(?:${ATTRIBUTE})*[ \\t\\n]*/?>|</[A-Za-z][A-Za-z0-9-]*[ \\t\\n]*>`

export interface HtmlBlock {
  /** The line with this is the last; null when a blank line ends the block. */
  readonly end: RegExp | null
  readonly comment: boolean
}

const STARTS: readonly (HtmlBlock & { readonly start: RegExp })[] = [
  { start: /^<(?:script|pre|style|textarea)(?:\s|>|$)/i, end: /<\/(?:script|pre|style|textarea)>/i, comment: false },
  { start: /^<!--/, end: /-->/, comment: true },
  { start: /^<\?/, end: /\?>/, comment: false },
  { start: /^<![A-Za-z]/, end: />/, comment: false },
  { start: /^<!\[CDATA\[/, end: /\]\]>/, comment: false },
  { start: new RegExp(`^</?(?:${BLOCK_NAMES})(?:\\s|/?>|$)`, 'i'), end: null, comment: false },
]
const ANY_TAG = new RegExp(`^(?:${TAG})[ \\t]*$`)

/** `line` begins with `<`. A tag of another name cannot interrupt a paragraph. */
export function htmlBlockAt(line: string, inParagraph: boolean): HtmlBlock | null {
  for (const block of STARTS) if (block.start.test(line)) return block
  return !inParagraph && ANY_TAG.test(line.slice(0, MAX_TAG)) ? { end: null, comment: false } : null
}

const TAG_HERE = new RegExp(`^(?:${TAG}|<![A-Za-z][^>]*>)`)
const AUTOLINK =
  /^<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)>/
// No real tag is longer, and looking further would let junk cost its square.
const MAX_TAG = 2000

interface InlineHtml {
  readonly kind: 'tag' | 'autolink' | 'comment'
  readonly length: number
}

/** At a `<`; `closers` finds the end of comments and the like without looking at the same text twice. */
function inlineHtmlAt(text: string, at: number, closers: (word: string, from: number) => number): InlineHtml | null {
  const next = text[at + 1]
  if (next === '!' || next === '?') {
    for (const [open, close, lead] of [
      ['<!--', '-->', 2],
      ['<?', '?>', 2],
      ['<![CDATA[', ']]>', 9],
    ] as const) {
      if (!text.startsWith(open, at)) continue
      const end = closers(close, at + lead)
      return end < 0 ? null : { kind: open === '<!--' ? 'comment' : 'tag', length: end + close.length - at }
    }
  }
  const piece = text.slice(at, at + MAX_TAG)
  const link = AUTOLINK.exec(piece)
  if (link) return { kind: 'autolink', length: link[0].length }
  const tag = TAG_HERE.exec(piece)
  return tag ? { kind: 'tag', length: tag[0].length } : null
}
