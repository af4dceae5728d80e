/** What an edit among items in brackets must fit into: style, comments, commas and indentation. */
import type { Edit, Range } from '../../model/range.ts'
import { type LineEnd, lineStart } from '../lines.ts'

/** Brackets and their items, in any format; commas are between the items and perhaps behind the last. */
export interface Brackets {
  /** Including the brackets. */
  readonly range: Range
  readonly items: readonly Range[]
}

/** How items are laid out. */
export interface EditStyle {
  readonly lineEnd: LineEnd
  readonly unit: string
  /** What follows a comma on the same line. */
  readonly gap: string
  /** Whether empty brackets are expanded over several lines. */
  readonly opens: boolean
}

/** The surroundings of an item. */
export interface EditContext extends EditStyle {
  readonly text: string
  /** Where each comment begins and ends. */
  readonly comments: ReadonlyMap<number, number>
}

/** The comments of a value to be replaced, moved in front of it. */
export function hoistComments(around: EditContext, range: Range, place: number): Edit[] {
  const lead = around.lineEnd + indentAt(around.text, place)
  const kept = commentsIn(around, range).map(({ start, end }) => around.text.slice(start, end) + lead)
  return kept.length === 0 ? [] : [insertion(place, kept.join(''))]
}

export function commentsIn({ comments }: Pick<EditContext, 'comments'>, range: Range): Range[] {
  return [...comments]
    .map(([start, end]) => ({ start, end }))
    .filter(({ start, end }) => start >= range.start && end <= range.end)
}

export function isSpread({ text, opens }: EditContext, { range, items }: Brackets): boolean {
  const [first, last] = [items[0], items.at(-1)]
  if (!first || !last) return opens || /[\r\n]/.test(text.slice(range.start, range.end))
  return /[\r\n]/.test(text.slice(range.start, first.start) + text.slice(last.end, range.end))
}

export function itemIndent({ text, unit }: EditContext, { range, items }: Brackets, index: number): string {
  const begins = ({ start }: Range) => beginsLine(text, start)
  const model = items.slice(0, index).findLast(begins) ?? items.find(begins)
  return model ? indentAt(text, model.start) : indentAt(text, range.start) + unit
}

export function commaBehind({ text, comments }: EditContext, item: Range): number | null {
  const place = skipTrivia(text, item.end, comments)
  return text[place] === ',' ? place : null
}

/** Comments on the rest of a line belong to the item they follow, unless another item follows them. */
export function endOfLineComments({ text, comments }: EditContext, from: number, close: number): number {
  let place = from
  for (let i = from; ; ) {
    const end = comments.get(i)
    if (end !== undefined) {
      place = end
      i = end
    } else if (text[i] === ' ' || text[i] === '\t') i++
    else return i === close || text[i] === '\n' || text[i] === '\r' ? place : from
  }
}

function skipTrivia(text: string, from: number, comments: ReadonlyMap<number, number>): number {
  let place = from
  for (;;) {
    const end = comments.get(place)
    if (end !== undefined) place = end
    else if (place < text.length && ' \t\r\n'.includes(text[place]!)) place++
    else return place
  }
}

export function indentAt(text: string, place: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, place), place))![0]
}

export function beginsLine(text: string, place: number): boolean {
  return /^[ \t]*$/.test(text.slice(lineStart(text, place), place))
}

export function isSpace(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text)
}

export function insertion(place: number, text: string): Edit {
  return { range: { start: place, end: place }, text }
}

export function deletion(start: number, end: number): Edit {
  return { range: { start, end }, text: '' }
}
