/** Cuts broken front matter into its top-level entries by looking at lines alone. */
import { nextLine } from './lines.ts'

/** One top-level entry, as offsets in the text that was cut. */
export interface Piece {
  readonly key: string
  /** The start of its first line. */
  readonly start: number
  readonly keyStart: number
  readonly keyEnd: number
  /** Just behind the colon. */
  readonly valueStart: number
  /** The start of the next entry's line. */
  readonly end: number
}

export interface CutRules {
  readonly isKnown: (key: string) => boolean
  readonly isProse: (key: string) => boolean
}

const KEY_LINE = /([ \t]*)([A-Za-z_$][\w$.-]*|"[^"\r\n]*"|'[^'\r\n]*')[ \t]*:/y

/** What stands before the first entry belongs to none. */
export function cutEntries(text: string, rules: CutRules): Piece[] {
  const pieces: Piece[] = []
  let base = 0
  let current: Omit<Piece, 'end'> | null = null
  for (let line = 0; line < text.length; line = nextLine(text, line)) {
    const found = readKeyLine(text, line)
    if (!found || !startsEntry(text, found, current, base, rules)) continue
    if (current) pieces.push({ ...current, end: line })
    else base = found.keyStart - line
    current = found
  }
  if (current) pieces.push({ ...current, end: text.length })
  return pieces
}

function readKeyLine(text: string, line: number): Omit<Piece, 'end'> | null {
  KEY_LINE.lastIndex = line
  const match = KEY_LINE.exec(text)
  if (!match) return null
  const keyStart = line + match[1]!.length
  const quoted = match[2]!.startsWith('"') || match[2]!.startsWith("'")
  const key = quoted ? match[2]!.slice(1, -1) : match[2]!
  return { key, start: line, keyStart, keyEnd: keyStart + match[2]!.length, valueStart: line + match[0].length }
}

type Start = Omit<Piece, 'end'>

function startsEntry(text: string, found: Start, current: Start | null, base: number, rules: CutRules): boolean {
  const known = rules.isKnown(found.key)
  const spaced = found.valueStart >= text.length || /\s/.test(text[found.valueStart]!)
  // `name:reviewer` is no YAML entry, but of a known key it can only be meant as one.
  if (!spaced && !known) return false
  if (!current) return true
  if (found.keyStart - found.start > base) {
    // Under a plain value nothing can be nested, so an indented known key has only slipped.
    return known && !rules.isProse(current.key) && hasPlainValue(text, current)
  }
  return known || !rules.isProse(current.key) || followsOneLine(text, found, current)
}

/** Who speaks in an example. */
const SPEAKERS = /^(?:user|assistant|human|system|agent|claude|context|example|commentary|note)s?$/

/** Prose that is over with its first line is not gone on with by a key: `category: analysis`, not `Context: ...`. */
function followsOneLine(text: string, found: Start, current: Start): boolean {
  const isNext = nextLine(text, current.start) === found.start
  const isBlock = /^[ \t]*[|>]/.test(text.slice(current.valueStart, found.start))
  return isNext && !isBlock && /^[a-z][\w-]*$/.test(found.key) && !SPEAKERS.test(found.key)
}

function hasPlainValue(text: string, piece: Start): boolean {
  return /^[ \t]*[\w./]/.test(text.slice(piece.valueStart, piece.valueStart + 80))
}
