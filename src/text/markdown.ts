/** Finds what matters in a Markdown body (code, headings, list items, links, comments) by offset, in one pass and without a tree. */
import type { Range } from '../model/place.ts'
import { scanBlocks } from './markdown-blocks.ts'
import type { Span } from './markdown-span.ts'

export type { Span } from './markdown-span.ts'

/** In the order of their starts; code in a heading comes after the heading. */
export function scanMarkdown(text: string, range: Range = { start: 0, end: text.length }): Span[] {
  const spans: Span[] = []
  scanBlocks(text, range, spans)
  return spans.sort((a, b) => a.range.start - b.range.start || b.range.end - a.range.end)
}
