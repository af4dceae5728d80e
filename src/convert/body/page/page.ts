/** A prompt and what kind of place each offset is: each question is worked out once, when it is first asked. */
import type { Range } from '../../../model/place.ts'
import { lastAtOrBefore } from '../../../text/lines.ts'
import { findFences } from './fences.ts'
import { findInlineCode } from './inline-code.ts'

export type Place = 'text' | 'fence' | 'heading' | 'comment'

export interface Page {
  readonly text: string
  readonly placeOf: (offset: number) => Place
  readonly lineStart: (offset: number) => number
  /** Before the line end. */
  readonly lineStop: (offset: number) => number
  /** What the backticks around an offset enclose, when it is inside inline code. */
  readonly codeAt: (offset: number) => Range | null
}

/** Most lines are shorter; only for the others all lines of the text are counted. */
const NEAR = 400

export function openPage(text: string): Page {
  const lines = once(() => lineStarts(text))
  const fences = once(() => finder(findFences(text)))
  const comments = once(() => finder(findComments(text)))
  const codes = once(() => finder(findInlineCode(text)))
  const lineStart = (offset: number) => {
    const near = text.slice(Math.max(0, offset - NEAR), offset).lastIndexOf('\n')
    if (near >= 0) return Math.max(0, offset - NEAR) + near + 1
    return offset <= NEAR ? 0 : lines()[lastAtOrBefore(lines(), offset)]!
  }
  const lineStop = (offset: number) => {
    const near = text.slice(offset, offset + NEAR).indexOf('\n')
    const next = near >= 0 ? offset + near : (lines()[lastAtOrBefore(lines(), offset) + 1] ?? text.length + 1) - 1
    return next > offset && next < text.length && text[next - 1] === '\r' ? next - 1 : next
  }
  return {
    text,
    lineStart,
    lineStop,
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
  // A rule under a list item or a table is no underline.
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
