/** A part of a file as a parser needs it (without indentation, tabs replaced), mapped back to file offsets. */
import type { Range } from '../../model/range.ts'
import { lastAtOrBefore, nextLine } from '../lines.ts'

export interface TextView {
  readonly text: string
  /** From an offset in the view to the offset in the file. */
  readonly toFile: (offset: number) => number
}

/** No front matter comes near this size. Larger broken text is parsed strictly once and gets only a cheap result. */
export const MAX_RECOVERED_SIZE = 100_000

export function viewRange(text: string, range: Range, indent = ''): TextView {
  if (indent !== '') return withoutIndent(text, range, indent)
  const { start } = range
  return { text: text.slice(start, range.end), toFile: (offset) => offset + start }
}

/** Replaces parts of a view; an offset inside a replacement maps to the start of the replaced text. */
export function replaceInView(
  view: TextView,
  pieces: readonly { start: number; end: number; text: string }[],
): TextView {
  const starts = [0]
  const origins = [0]
  let text = ''
  let done = 0
  for (const piece of pieces) {
    text += view.text.slice(done, piece.start)
    starts.push(text.length)
    origins.push(piece.start)
    text += piece.text
    starts.push(text.length)
    origins.push(piece.end)
    done = piece.end
  }
  text += view.text.slice(done)
  const toOriginal = (offset: number) => {
    const index = lastAtOrBefore(starts, offset)
    // Every second piece is a replacement.
    return index % 2 === 1 ? origins[index]! : origins[index]! + offset - starts[index]!
  }
  return { text, toFile: (offset) => view.toFile(toOriginal(offset)) }
}

/** Lines may be indented less than the opener; the common part is removed. */
function withoutIndent(text: string, range: Range, indent: string): TextView {
  const starts: number[] = []
  const origins: number[] = []
  let result = ''
  for (let line = range.start; line < range.end; ) {
    const next = Math.min(nextLine(text, line), range.end)
    let first = line
    while (first < next && first - line < indent.length && text[first] === indent[first - line]) first++
    starts.push(result.length)
    origins.push(first)
    result += text.slice(first, next)
    line = next
  }
  if (starts.length === 0) return { text: '', toFile: () => range.start }
  const toFile = (offset: number) => {
    const index = lastAtOrBefore(starts, offset)
    return origins[index]! + offset - starts[index]!
  }
  return { text: result, toFile }
}
