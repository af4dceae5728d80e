/** A prompt with the context of each offset (code, heading, comment, line), computed on first use. */

import { lastAtOrBefore } from '../../formats/lines.ts'
import type { Range } from '../../model/range.ts'

type PlaceKind = 'text' | 'fence' | 'heading' | 'comment'

export interface Page {
  readonly text: string
  readonly placeOf: (offset: number) => PlaceKind
  readonly lineStart: (offset: number) => number
  /** Before the line end. */
  readonly lineStop: (offset: number) => number
  /** The language of the code block around an offset, in lower case; null outside of one. */
  readonly languageAt: (offset: number) => string | null
  /** What the backticks around an offset enclose, when it is inside inline code. */
  readonly codeAt: (offset: number) => Range | null
}

/** Most lines are shorter; only for longer ones are all lines of the text indexed. */
const NEAR_LINE = 400

export function openPage(text: string): Page {
  const lines = once(() => lineStarts(text))
  const fences = once(() => finder(findFences(text)))
  const comments = once(() => finder(findComments(text)))
  const codes = once(() => finder(findInlineCode(text)))
  const lineStart = (offset: number) => {
    const near = text.slice(Math.max(0, offset - NEAR_LINE), offset).lastIndexOf('\n')
    if (near >= 0) return Math.max(0, offset - NEAR_LINE) + near + 1
    return offset <= NEAR_LINE ? 0 : lines()[lastAtOrBefore(lines(), offset)]!
  }
  const lineStop = (offset: number) => {
    const near = text.slice(offset, offset + NEAR_LINE).indexOf('\n')
    const next = near >= 0 ? offset + near : (lines()[lastAtOrBefore(lines(), offset) + 1] ?? text.length + 1) - 1
    return next > offset && next < text.length && text[next - 1] === '\r' ? next - 1 : next
  }
  return {
    text,
    lineStart,
    lineStop,
    languageAt: (offset) => {
      const fence = fences()(offset)
      if (fence === null) return null
      const opening = text.slice(fence.start, Math.min(fence.start + NEAR_LINE, lineStop(fence.start)))
      return /[`~]{3,}[ \t]*\{?\.?([\w+#-]*)/.exec(opening)?.[1]?.toLowerCase() ?? ''
    },
    codeAt: (offset) => codes()(offset),
    placeOf: (offset) => {
      if (fences()(offset) !== null) return 'fence'
      if (comments()(offset) !== null) return 'comment'
      return isHeading(text, lineStart(offset), lineStop(offset)) ? 'heading' : 'text'
    },
  }
}

const ATX = /[ \t>]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?#{1,6}(?:[ \t]|$)/y
const UNDERLINE = /\r?\n[ \t>]{0,6}(?:={2,}|-{2,})[ \t]*(?:\r?\n|$)/y

function isHeading(text: string, start: number, stop: number): boolean {
  ATX.lastIndex = start
  if (ATX.test(text)) return true
  UNDERLINE.lastIndex = stop
  // A rule under a list item or a table is not a heading underline.
  return UNDERLINE.test(text) && !/^[ \t>]*(?:[-*+|]|\d+[.)])[ \t]/.test(text.slice(start, start + 20))
}

function once<T>(make: () => T): () => T {
  let value: T | undefined
  return () => {
    value ??= make()
    return value
  }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let next = text.indexOf('\n'); next >= 0; next = text.indexOf('\n', next + 1)) starts.push(next + 1)
  return starts
}

/** Ranges ascend and do not overlap. */
function finder(ranges: readonly Range[]): (offset: number) => Range | null {
  if (ranges.length === 0) return () => null
  const starts = ranges.map(({ start }) => start)
  return (offset) => {
    const range = ranges[lastAtOrBefore(starts, offset)]!
    return range.start <= offset && offset < range.end ? range : null
  }
}

function findComments(text: string): Range[] {
  const ranges: Range[] = []
  for (let start = text.indexOf('<!--'); start >= 0; ) {
    const close = text.indexOf('-->', start + 4)
    const end = close < 0 ? text.length : close + 3
    ranges.push({ start, end })
    start = text.indexOf('<!--', end)
  }
  return ranges
}

/** Where the code blocks of a prompt are, as its author means them. */
interface FenceLine extends Range {
  readonly mark: string
  readonly size: number
  readonly hasInfo: boolean
}

/**
 * Not as Markdown reads them: prompts indent whole sections inside tags, where Markdown sees no fence, and nest fenced
 * examples in a fence without making the outer one longer. Fences that balance when nested are read as nested;
 * otherwise they are read as Markdown reads them.
 */
function findFences(text: string): Range[] {
  const ticks = fenceLines(text, '`')
  const tildes = fenceLines(text, '~')
  const lines = tildes.length === 0 ? ticks : [...ticks, ...tildes].sort((a, b) => a.start - b.start)
  return lines.length === 0 ? [] : (nested(lines) ?? flat(lines, text.length))
}

const BEFORE_FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?$/

function fenceLines(text: string, mark: string): FenceLine[] {
  const lines: FenceLine[] = []
  const three = mark.repeat(3)
  for (let at = text.indexOf(three); at >= 0; ) {
    const start = text.lastIndexOf('\n', at - 1) + 1
    const next = text.indexOf('\n', at)
    const end = next < 0 ? text.length : next
    if (at - start < 40 && BEFORE_FENCE.test(text.slice(start, at))) {
      let size = 3
      while (text[at + size] === mark) size++
      const info = text.slice(at + size, end)
      if (!info.includes(mark)) lines.push({ start, end, mark, size, hasInfo: info.trim() !== '' })
    }
    at = text.indexOf(three, end)
  }
  return lines
}

function nested(lines: readonly FenceLine[]): Range[] | null {
  const ranges: Range[] = []
  const open: FenceLine[] = []
  for (const line of lines) {
    const last = open.at(-1)
    if (last === undefined || line.hasInfo) open.push(line)
    else if (closes(last, line)) {
      open.pop()
      if (open.length === 0) ranges.push({ start: last.start, end: line.end })
    }
  }
  return open.length === 0 ? ranges : null
}

function flat(lines: readonly FenceLine[], length: number): Range[] {
  const ranges: Range[] = []
  let open: FenceLine | undefined
  for (const line of lines) {
    if (open === undefined) open = line
    else if (!line.hasInfo && closes(open, line)) {
      ranges.push({ start: open.start, end: line.end })
      open = undefined
    }
  }
  return open === undefined ? ranges : [...ranges, { start: open.start, end: length }]
}

function closes(open: FenceLine, line: FenceLine): boolean {
  return line.mark === open.mark && line.size >= open.size
}

/** How many backtick runs are tried as the closing one: junk must not take quadratic time. */
const MAX_RUNS = 12

function findInlineCode(text: string): Range[] {
  const ranges: Range[] = []
  let lineEnd = -1
  for (let at = text.indexOf('`'); at >= 0; ) {
    if (at > lineEnd) {
      const next = text.indexOf('\n', at)
      lineEnd = next < 0 ? text.length : next
    }
    const inner = at + runLength(text, at)
    const close = closingRun(text, inner, inner - at, lineEnd)
    if (close >= 0) ranges.push({ start: inner, end: close })
    at = text.indexOf('`', close < 0 ? inner : close + (inner - at))
  }
  return ranges
}

function closingRun(text: string, from: number, size: number, lineEnd: number): number {
  let at = text.indexOf('`', from)
  for (let tries = 0; tries < MAX_RUNS && at >= 0 && at < lineEnd; tries++) {
    const length = runLength(text, at)
    if (length === size) return at
    at = text.indexOf('`', at + length)
  }
  return -1
}

function runLength(text: string, start: number): number {
  let size = 1
  while (text.charCodeAt(start + size) === 96) size++
  return size
}

/** `pattern` must be sticky. */
export function* matchesAt(text: string, word: string, pattern: RegExp): Generator<RegExpExecArray> {
  for (let at = text.indexOf(word); at >= 0; ) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match !== null) yield match
    at = text.indexOf(word, Math.max(at + word.length, match === null ? 0 : match.index + match[0].length))
  }
}

export function escapeForPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
