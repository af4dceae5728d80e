/** Finds what matters in a Markdown body (code, headings, list items, links, comments) by offset, in one pass and without a tree. */
import type { Range } from '../model/place.ts'
import { scanBlocks } from './markdown-blocks.ts'

export type SpanKind = 'fence' | 'indented-code' | 'code' | 'heading' | 'list-item' | 'link' | 'html-comment'

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

/** In the order of their starts; code in a heading comes after the heading. */
export function scanMarkdown(text: string, range: Range = { start: 0, end: text.length }): Span[] {
  const spans: Span[] = []
  scanBlocks(text, range, spans)
  return spans.sort((a, b) => a.range.start - b.range.start || b.range.end - a.range.end)
}
