/** Inserts and removes items between brackets in any format, with their commas and comments. */
import type { Edit } from '../../model/range.ts'
import { lineStart, lineStop, nextLine } from '../lines.ts'
import { withoutTrailing } from '../text.ts'
import {
  type Brackets,
  beginsLine,
  commaBehind,
  commentsIn,
  deletion,
  type EditContext,
  endOfLineComments,
  indentAt,
  insertion,
  isSpace,
  isSpread,
  itemIndent,
} from './context.ts'

/** `render` gets the indent of the item's line, or null if everything is on one line. */
export function insertItem(
  around: EditContext,
  box: Brackets,
  index: number,
  render: (indent: string | null) => string,
): Edit[] {
  const { text, lineEnd, gap } = around
  const spread = isSpread(around, box)
  const indent = itemIndent(around, box, index)
  const item = spread ? lineEnd + indent + render(indent) : render(null)
  const lead = spread ? '' : gap
  const { start, end } = box.range
  const last = box.items.length - 1
  if (last < 0) return fillBrackets(around, box, item, spread)
  if (index === 0) {
    if (spread) return [insertion(endOfLineComments(around, start + 1, end - 1), `${item},`)]
    return [insertion(box.items[0]!.start, `${item},${gap}`)]
  }
  const before = box.items[index - 1]!
  const comma = commaBehind(around, before)
  // Only the last item may lack a comma.
  const place = endOfLineComments(around, comma === null ? before.end : comma + 1, end - 1)
  if (comma === null) return [insertion(before.end, ','), insertion(place, lead + item)]
  if (index > last || spread) return [insertion(place, `${lead}${item},`)]
  return [insertion(comma + 1, `${text[comma + 1] === ' ' ? ' ' : lead}${item},`)]
}

function fillBrackets(around: EditContext, { range }: Brackets, item: string, spread: boolean): Edit[] {
  const { text, lineEnd } = around
  const close = range.end - 1
  const stop = spread ? lineEnd + indentAt(text, range.start) : ''
  const comments = commentsIn(around, range)
  const last = comments.at(-1)
  if (!last) return [{ range: { start: range.start + 1, end: close }, text: item + stop }]
  const closed = /[\r\n]/.test(text.slice(last.end, close))
  if (!spread || closed) return [insertion(last.end, spread ? item : ` ${item}`)]
  return [{ range: { start: last.end, end: close }, text: item + stop }]
}

/** Removes the item and one comma; comments inside it stay in its place. */
export function removeItem(around: EditContext, box: Brackets, index: number): Edit[] {
  const { text, lineEnd } = around
  const item = box.items[index]!
  const inside = { start: box.range.start + 1, end: box.range.end - 1 }
  if (box.items.length === 1 && commentsIn(around, inside).length === 0) return [{ range: inside, text: '' }]
  const comma = commaBehind(around, item)
  const edits: Edit[] = []
  let { start, end } = item
  if (comma !== null) {
    if (isSpace(text.slice(end, comma))) end = comma + 1
    else edits.push(deletion(comma, comma + 1))
  } else if (index > 0) {
    const previous = commaBehind(around, box.items[index - 1]!)!
    if (/^[ \t]*$/.test(text.slice(previous + 1, start))) start = previous
    else edits.push(deletion(previous, previous + 1))
  }
  const kept = commentsIn(around, item).map((one) => text.slice(one.start, one.end))
  const stop = lineStop(text, end)
  const endsLine = isSpace(text.slice(end, stop))
  const next = end + /^[ \t]*/.exec(text.slice(end, stop))![0].length
  if (kept.length > 0) {
    const lead = lineEnd + indentAt(text, start)
    return [...edits, { range: { start, end: next }, text: kept.join(lead) + (endsLine ? '' : lead) }]
  }
  if (endsLine && beginsLine(text, start)) return [...edits, deletion(lineStart(text, start), nextLine(text, end))]
  if (!endsLine && next !== inside.end) return [...edits, deletion(start, next)]
  return [...edits, deletion(withoutTrailing(text.slice(0, start), ' \t').length, end)]
}
