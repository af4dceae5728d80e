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
  given: readonly Line[],
  own: readonly OwnText[],
  before: string | null,
): Separated<Line> {
  const lines = [...given]
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
    const part = half === null ? findPart(lines, at, waiting) : null
    if (part !== null) {
      at += part.lines
      lines[at] = { ...(lines[at] as Line), text: part.behind }
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

/**
 * A text of ours that broke off, because there was no room or its writer was killed, and what somebody else has written behind
 * it then: how many whole lines of it there are, and the line of the other one.
 */
function findPart(
  lines: readonly ChatLine[],
  at: number,
  own: readonly OwnText[],
): { readonly lines: number; readonly behind: string } | null {
  for (const text of own) {
    let whole = 0
    while (whole < text.lines.length && lines[at + whole]?.text === text.lines[whole]) whole++
    const here = lines[at + whole]?.text ?? ''
    const shared = sharedLength(here, text.lines[whole] ?? '')
    for (let start = here.lastIndexOf('[', shared); start > 0; start = here.lastIndexOf('[', start - 1)) {
      if (isAddressed(here.slice(start))) return { lines: whole, behind: here.slice(start) }
    }
  }
  return null
}

function sharedLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}
