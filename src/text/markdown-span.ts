/** What the Markdown scanner reports: a kind and places in the file. */
import type { Range } from '../model/place.ts'

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
