/** The blocks that hold text: what is open while lines come in, and what becomes of it when it ends. */
import type { Range } from '../../model/range.ts'
import { type HtmlBlock, type Span, scanInline } from './inline.ts'

type Container = { readonly kind: 'quote' } | { readonly kind: 'item'; readonly indent: number; empty: boolean }

/** The block that takes lines at the moment. */
type Leaf =
  | { readonly kind: 'paragraph'; readonly lines: Range[] }
  | {
      readonly kind: 'fence'
      readonly mark: string
      readonly size: number
      readonly start: number
      readonly info: Range
      content: number
      end: number
    }
  | { readonly kind: 'html'; readonly block: HtmlBlock; readonly start: number; end: number }
  | { readonly kind: 'indented'; readonly start: number; end: number }

export interface Scan {
  readonly text: string
  readonly spans: Span[]
  readonly containers: Container[]
  leaf: Leaf | null
}

export function addHeading(scan: Scan, rest: string, first: number): void {
  const level = runLength(rest, 0, 6)
  const closed = rest.trimEnd()
  const body = closed
    .slice(level)
    .replace(/[ \t]+#+$/, '')
    .replace(/^#+$/, '')
  const content = trimmed(scan.text, first + level, first + level + body.length)
  scan.spans.push({ kind: 'heading', range: { start: first, end: first + closed.length }, content, level })
  scanInline(scan.text, [content], scan.spans)
}

export function finishSetext(scan: Scan, level: number, end: number): void {
  const leaf = scan.leaf
  if (leaf?.kind !== 'paragraph') return
  scan.leaf = null
  const lines = trimLast(scan.text, leaf.lines)
  const content = { start: lines[0]!.start, end: lines.at(-1)!.end }
  scan.spans.push({ kind: 'heading', range: { start: content.start, end }, content, level })
  scanInline(scan.text, lines, scan.spans)
}

export function finishFence(scan: Scan, leaf: Leaf & { kind: 'fence' }, close: number | null, end: number): void {
  const { text } = scan
  const from = Math.min(leaf.content + (text[leaf.content] === '\r' && text[leaf.content + 1] === '\n' ? 2 : 1), end)
  const until = close === null ? end : Math.max(from, lineStartBefore(text, close, from))
  scan.spans.push({
    kind: 'fence',
    range: { start: leaf.start, end },
    content: { start: from, end: until },
    info: leaf.info,
  })
  scan.leaf = null
}

function lineStartBefore(text: string, place: number, limit: number): number {
  let start = place
  while (start > limit && text[start - 1] !== '\n' && text[start - 1] !== '\r') start--
  return start
}

export function closeLeaf(scan: Scan): void {
  const { leaf, text, spans } = scan
  scan.leaf = null
  if (leaf === null) return
  if (leaf.kind === 'paragraph') scanInline(text, trimLast(text, leaf.lines), spans)
  else if (leaf.kind === 'fence') finishFence(scan, leaf, null, leaf.end)
  else if (leaf.kind === 'indented') {
    const range = { start: leaf.start, end: leaf.end }
    spans.push({ kind: 'indented-code', range, content: range })
  } else if (leaf.block.comment) {
    const range = trimmed(text, leaf.start, leaf.end)
    const inner = text.slice(range.start, range.end).lastIndexOf('-->')
    const end = inner < 0 ? range.end : range.start + inner
    spans.push({ kind: 'html-comment', range, content: { start: Math.min(range.start + 4, end), end } })
  }
}

function trimLast(text: string, lines: readonly Range[]): readonly Range[] {
  const last = lines.at(-1)!
  return [...lines.slice(0, -1), { start: last.start, end: trimmed(text, last.start, last.end).end }]
}

export function trimmed(text: string, start: number, end: number): Range {
  const slice = text.slice(start, end)
  const lead = slice.length - slice.trimStart().length
  const from = Math.min(start + lead, end)
  return { start: from, end: from + slice.trim().length }
}

/** How often the character repeats. */
export function runLength(text: string, first: number, stop: number): number {
  let size = 0
  while (first + size < stop && text[first + size] === text[first]) size++
  return size
}

/** A place in a line of Markdown that knows its column, because tabs reach to the next multiple of four. */
export interface LineCursor {
  /** The first character that is not yet taken. */
  offset: number
  column: number
  /** Whether part of the tab at `offset` is taken already. */
  inTab: boolean
  /** The end of the line, before its line end. */
  readonly stop: number
}

/** How many columns of white space follow, and where they end. */
export function indentOf(text: string, cursor: LineCursor): { columns: number; first: number } {
  let column = cursor.column
  let offset = cursor.offset
  while (offset < cursor.stop) {
    const character = text[offset]
    if (character === ' ') column++
    else if (character === '\t') column += 4 - (column % 4)
    else break
    offset++
  }
  return { columns: column - cursor.column, first: offset }
}

/** Takes columns of white space; a tab may be taken in part. */
export function takeColumns(text: string, cursor: LineCursor, count: number): void {
  let left = count
  while (left > 0 && cursor.offset < cursor.stop) {
    const character = text[cursor.offset]
    if (character === ' ') {
      cursor.offset++
      cursor.column++
      left--
    } else if (character === '\t') {
      const width = 4 - (cursor.column % 4)
      const used = Math.min(width, left)
      cursor.column += used
      left -= used
      cursor.inTab = used < width
      if (!cursor.inTab) cursor.offset++
    } else return
  }
}

/** Takes characters that are not white space. */
export function takeCharacters(cursor: LineCursor, count: number): void {
  cursor.offset += count
  cursor.column += count
}
