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

export interface InlineHtml {
  readonly kind: 'tag' | 'autolink' | 'comment'
  readonly length: number
}

/** At a `<`; `closers` finds the end of comments and the like without looking at the same text twice. */
export function inlineHtmlAt(
  text: string,
  at: number,
  closers: (word: string, from: number) => number,
): InlineHtml | null {
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
