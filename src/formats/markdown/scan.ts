/** Reads the lines of a Markdown body into blocks, following CommonMark where it matters for what Troupe looks for. */
import type { Range } from '../../model/range.ts'
import { htmlBlockAt, type Span } from './inline.ts'
import {
  addHeading,
  closeLeaf,
  finishFence,
  finishSetext,
  indentOf,
  type LineCursor,
  runLength,
  type Scan,
  takeCharacters,
  takeColumns,
  trimmed,
} from './leaf.ts'

function scanBlocks(text: string, range: Range, spans: Span[]): void {
  const scan: Scan = { text, spans, containers: [], leaf: null }
  for (let line = range.start; line < range.end; ) {
    const stop = endOfLine(text, line, range.end)
    readLine(scan, { offset: line, column: 0, inTab: false, stop })
    line = stop + (text[stop] === '\r' && text[stop + 1] === '\n' ? 2 : 1)
  }
  // A fence that nobody closed encloses everything, the last line end too.
  if (scan.leaf?.kind === 'fence') scan.leaf.end = range.end
  closeLeaf(scan)
}

/** To CommonMark a lone CR ends a line too. */
function endOfLine(text: string, from: number, limit: number): number {
  LINE_END.lastIndex = from
  const match = LINE_END.exec(text)
  return match === null || match.index > limit ? limit : match.index
}

const LINE_END = /[\r\n]/g

function readLine(scan: Scan, cursor: LineCursor): void {
  const matched = matchContainers(scan, cursor)
  const all = matched === scan.containers.length
  if (all && continueLeaf(scan, cursor)) return
  if (!all && scan.leaf !== null && scan.leaf.kind !== 'paragraph') closeLeaf(scan)
  openBlocks(scan, cursor, matched)
}

/** How many of the open containers this line still belongs to. */
function matchContainers(scan: Scan, cursor: LineCursor): number {
  let matched = 0
  for (const container of scan.containers) {
    const { columns, first } = indentOf(scan.text, cursor)
    const blank = first === cursor.stop
    if (container.kind === 'quote') {
      if (columns > 3 || scan.text[first] !== '>' || blank) break
      takeQuoteMark(scan.text, cursor, columns)
    } else if (blank) {
      if (container.empty) break
      takeColumns(scan.text, cursor, Math.min(columns, container.indent))
    } else if (columns >= container.indent) takeColumns(scan.text, cursor, container.indent)
    else break
    matched++
  }
  return matched
}

function takeQuoteMark(text: string, cursor: LineCursor, columns: number): void {
  takeColumns(text, cursor, columns)
  takeCharacters(cursor, 1)
  if (indentOf(text, cursor).columns > 0) takeColumns(text, cursor, 1)
}

/** Code and HTML take whatever comes until they end; true when they took this line. */
function continueLeaf(scan: Scan, cursor: LineCursor): boolean {
  const { text, leaf } = scan
  if (leaf === null || leaf.kind === 'paragraph') return false
  const { columns, first } = indentOf(text, cursor)
  const blank = first === cursor.stop
  if (leaf.kind === 'fence') {
    const close = columns < 4 && text[first] === leaf.mark ? runLength(text, first, cursor.stop) : 0
    const rest = close >= leaf.size ? text.slice(first + close, cursor.stop).trim() : 'open'
    if (rest === '') finishFence(scan, leaf, first, first + close)
    else leaf.end = cursor.stop
    return true
  }
  if (leaf.kind === 'html') {
    if (leaf.block.end === null && blank) closeLeaf(scan)
    else {
      leaf.end = cursor.stop
      if (leaf.block.end?.test(text.slice(cursor.offset, cursor.stop))) closeLeaf(scan)
    }
    return true
  }
  if (blank) return true
  if (columns >= 4) {
    leaf.end = cursor.stop
    return true
  }
  closeLeaf(scan)
  return false
}

const ATX = /^#{1,6}(?=[ \t]|$)/
const FENCE = /^(?:`{3,}(?=[^`]*$)|~{3,})/
const SETEXT = /^(?:=+|-+)[ \t]*$/
const RULE = /^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/
const MARKER = /^(?:[-+*]|(\d{1,9})[.)])(?=[ \t]|$)/

/** Opens what starts on this line, from the outside in; what is left over is text. */
function openBlocks(scan: Scan, cursor: LineCursor, matched: number): void {
  const { text } = scan
  let depth = matched
  const enter = () => {
    // Only now is it certain that the line does not continue a paragraph of a container that it seemed to leave.
    if (depth < scan.containers.length || scan.leaf !== null) closeLeaf(scan)
    scan.containers.length = depth
  }
  for (;;) {
    const { columns, first } = indentOf(text, cursor)
    if (first === cursor.stop) {
      closeAtBlank(scan, depth)
      return
    }
    const inParagraph = scan.leaf?.kind === 'paragraph'
    const own = inParagraph && depth === scan.containers.length
    if (columns >= 4) {
      if (inParagraph) break
      enter()
      markFilled(scan)
      scan.leaf = { kind: 'indented', start: cursor.offset + (cursor.inTab ? 1 : 0), end: cursor.stop }
      return
    }
    const rest = text.slice(first, cursor.stop)
    if (rest.startsWith('>')) {
      enter()
      markFilled(scan)
      takeQuoteMark(text, cursor, columns)
      scan.containers.push({ kind: 'quote' })
      depth++
      continue
    }
    if (own && SETEXT.test(rest)) {
      finishSetext(scan, rest.startsWith('=') ? 1 : 2, first + rest.trimEnd().length)
      return
    }
    if (openLeaf(scan, rest, first, cursor, enter)) return
    const item = RULE.test(rest) ? null : readMarker(rest, own)
    if (!item) break
    enter()
    markFilled(scan)
    takeColumns(text, cursor, columns)
    openItem(scan, cursor, item, columns)
    depth++
  }
  addText(scan, cursor, depth)
}

function closeAtBlank(scan: Scan, depth: number): void {
  if (depth < scan.containers.length || scan.leaf?.kind === 'paragraph') closeLeaf(scan)
  scan.containers.length = depth
}

/** The item or items around it are no longer empty. */
function markFilled(scan: Scan): void {
  const last = scan.containers.at(-1)
  if (last?.kind === 'item') last.empty = false
}

/** Headings, fences, HTML and rules; true when the line is used up. */
function openLeaf(scan: Scan, rest: string, first: number, cursor: LineCursor, enter: () => void): boolean {
  const initial = rest[0]!
  const start = () => {
    enter()
    markFilled(scan)
  }
  if (initial === '#' && ATX.test(rest)) {
    start()
    addHeading(scan, rest, first)
    return true
  }
  if ((initial === '`' || initial === '~') && FENCE.test(rest)) {
    start()
    const size = runLength(scan.text, first, cursor.stop)
    const info = trimmed(scan.text, first + size, cursor.stop)
    scan.leaf = { kind: 'fence', mark: initial, size, start: first, info, content: cursor.stop, end: cursor.stop }
    return true
  }
  if (initial === '<') {
    const block = htmlBlockAt(rest, scan.leaf?.kind === 'paragraph')
    if (block) {
      start()
      scan.leaf = { kind: 'html', block, start: first, end: cursor.stop }
      if (block.end?.test(rest)) closeLeaf(scan)
      return true
    }
  }
  if (RULE.test(rest)) {
    start()
    return true
  }
  return false
}

interface Marker {
  readonly length: number
  readonly blank: boolean
}

/** An item may interrupt a paragraph only when it has text, and counts from 1. */
function readMarker(rest: string, inParagraph: boolean): Marker | null {
  const match = MARKER.exec(rest)
  if (!match) return null
  const blank = rest.slice(match[0].length).trim() === ''
  if (inParagraph && (blank || (match[1] !== undefined && Number(match[1]) !== 1))) return null
  return { length: match[0].length, blank }
}

function openItem(scan: Scan, cursor: LineCursor, marker: Marker, columns: number): void {
  const start = cursor.offset
  takeCharacters(cursor, marker.length)
  const gap = indentOf(scan.text, cursor)
  // Five columns or more are one, and the rest is indented code.
  const padding = marker.blank || gap.columns > 4 ? 1 : gap.columns
  takeColumns(scan.text, cursor, Math.min(padding, gap.columns))
  scan.containers.push({ kind: 'item', indent: columns + marker.length + padding, empty: marker.blank })
  scan.spans.push({
    kind: 'list-item',
    range: { start, end: start + marker.length },
    content: { start: gap.first, end: cursor.stop },
  })
}

/** A line of a paragraph: one that is open, even from outside its container, or a new one. */
function addText(scan: Scan, cursor: LineCursor, depth: number): void {
  const { first } = indentOf(scan.text, cursor)
  const line = { start: first, end: cursor.stop }
  if (scan.leaf?.kind === 'paragraph') {
    scan.leaf.lines.push(line)
    return
  }
  scan.containers.length = depth
  markFilled(scan)
  scan.leaf = { kind: 'paragraph', lines: [line] }
}

/** Finds what matters in a Markdown body (code, headings, list items, links, comments) by offset, in one pass and without a tree. */
export type { Span } from './inline.ts'

/** In the order of their starts; code in a heading comes after the heading. */
export function scanMarkdown(text: string, range: Range = { start: 0, end: text.length }): Span[] {
  const spans: Span[] = []
  scanBlocks(text, range, spans)
  return spans.sort((a, b) => a.range.start - b.range.start || b.range.end - a.range.end)
}
