/** Tells lines that Troupe has written to the chat from those of others, also where they met in the middle of a line. */
import { type ChatLine, isAddressed } from './chat.ts'

/** A text of ours that is to be found in the chat. */
export interface OwnText {
  readonly id: string
  readonly lines: readonly string[]
}

export interface Separated<Line extends ChatLine> {
  /** Of others; a line that was cut in two is whole again. */
  readonly lines: readonly Line[]
  readonly found: readonly { readonly id: string; readonly line: number }[]
  /** The first half of a line whose other half is not there yet. */
  readonly half: string | null
  /** Halves that were left at that. */
  readonly abandoned: readonly ChatLine[]
}

/**
 * Nobody can keep others from writing the first half of a line at the very moment when we write: then our text stands
 * behind that half, and its other half below our text.
 */
export function separateOwn<Line extends ChatLine>(
  lines: readonly Line[],
  own: readonly OwnText[],
  before: string | null,
): Separated<Line> {
  const waiting = [...own]
  const kept: Line[] = []
  const found: { id: string; line: number }[] = []
  const abandoned: ChatLine[] = []
  let half = before
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as Line
    const match = waiting.length === 0 ? null : findOwn(lines, at, waiting, half === null)
    if (match !== null) {
      const { text, ahead } = match
      waiting.splice(waiting.indexOf(text), 1)
      found.push({ id: text.id, line: line.number })
      if (ahead !== '') half = ahead
      at += text.lines.length
      continue
    }
    if (half === null) kept.push(line)
    else if (isAddressed(line.text)) {
      abandoned.push({ number: line.number, text: half })
      kept.push(line)
    } else kept.push({ ...line, text: half + line.text })
    half = null
    at++
  }
  return { lines: kept, found, half, abandoned }
}

/** The text of ours that begins in this line, and what stands ahead of it there. */
function findOwn(
  lines: readonly ChatLine[],
  at: number,
  own: readonly OwnText[],
  mayBeGlued: boolean,
): { readonly text: OwnText; readonly ahead: string } | null {
  const plain = (index: number) => lines[index]?.text.replace(/\r$/, '')
  const here = plain(at) ?? ''
  const isBelow = ({ lines: own }: OwnText) => own.every((line, index) => index === 0 || plain(at + index) === line)
  const whole = own.find((text) => text.lines[0] === here && isBelow(text))
  if (whole !== undefined) return { text: whole, ahead: '' }
  const glued = mayBeGlued ? own.find((text) => here.endsWith(text.lines[0] ?? '') && isBelow(text)) : undefined
  return glued === undefined ? null : { text: glued, ahead: here.slice(0, here.length - (glued.lines[0] ?? '').length) }
}
