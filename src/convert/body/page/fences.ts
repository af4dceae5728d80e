/** Where the code blocks of a prompt are, as its author means them. */
import type { Range } from '../../../model/place.ts'

interface FenceLine extends Range {
  readonly mark: string
  readonly size: number
  readonly hasInfo: boolean
}

/**
 * Not the Markdown scanner: prompts indent whole sections inside tags, where Markdown would see no fence any more, and put
 * examples with fences into a fence without making the outer one longer. Fences that come out even when nested are taken as
 * nested; otherwise they are read as Markdown reads them.
 */
export function findFences(text: string): Range[] {
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
