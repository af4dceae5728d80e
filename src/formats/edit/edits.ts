/** Edits by offset: apply them, apply fixes, and collect them step by step in a draft. */
import type { Finding } from '../../model/findings.ts'
import type { Edit, Range } from '../../model/range.ts'

/** Edits may come in any order; overlaps are a bug of the caller, and edits at one position apply in order. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return text
  let result = ''
  let done = 0
  for (const { range, text: insertion } of [...edits].sort(byPlace)) {
    if (range.start < done) throw new RangeError(`Edits overlap at offset ${range.start}`)
    if (range.end < range.start || range.end > text.length) throw new RangeError(`No such range: ${range.start}`)
    result += text.slice(done, range.start) + insertion
    done = range.end
  }
  return result + text.slice(done)
}

interface FixedText {
  readonly text: string
  /** The findings whose fix was applied; the others overlap one of these, and may be retried on the new text. */
  readonly applied: readonly Finding[]
}

/** Applies every fix that does not overlap one of an earlier finding; a fix is applied completely or not at all. */
export function applyFixes(text: string, findings: readonly Finding[]): FixedText {
  const edits = findings.flatMap(({ fix }, order) => (fix ?? []).map((edit) => ({ ...edit, order })))
  edits.sort(byPlace)
  const waiting = new Set<number>()
  let last: (typeof edits)[number] | undefined
  for (const edit of edits) {
    if (waiting.has(edit.order)) continue
    if (last && !waiting.has(last.order) && edit.range.start < last.range.end) {
      waiting.add(Math.max(edit.order, last.order))
      if (waiting.has(edit.order)) continue
    }
    last = edit
  }
  const chosen = edits.filter(({ order }) => !waiting.has(order))
  const applied = findings.filter(({ fix }, order) => fix !== undefined && fix.length > 0 && !waiting.has(order))
  return { text: applyEdits(text, chosen), applied }
}

function byPlace(a: Edit, b: Edit): number {
  return a.range.start - b.range.start || a.range.end - b.range.end
}

/** A text that changes step by step, each step based on the previous one; together they are edits to the original. */
export interface Draft<D> {
  /** The current text, as the format reads it. */
  readonly doc: () => D
  readonly change: (edits: readonly Edit[]) => void
  readonly edits: () => Edit[]
}

/** A range of the original that is kept, or new text. */
type Piece = Range | string

export function createDraft<D>(original: string, read: (text: string) => D): Draft<D> {
  let text = original
  let doc: D | undefined
  let pieces: Piece[] = [{ start: 0, end: original.length }]
  return {
    doc: () => {
      doc ??= read(text)
      return doc
    },
    change: (edits) => {
      const ordered = [...edits].sort((a, b) => a.range.start - b.range.start || a.range.end - b.range.end)
      for (const edit of ordered.reverse()) pieces = splice(pieces, edit)
      text = applyEdits(text, edits)
      doc = undefined
    },
    edits: () => toEdits(pieces, original.length),
  }
}

function splice(pieces: readonly Piece[], { range, text }: Edit): Piece[] {
  const before: Piece[] = []
  const after: Piece[] = []
  let place = 0
  for (const piece of pieces) {
    const length = typeof piece === 'string' ? piece.length : piece.end - piece.start
    before.push(cut(piece, 0, Math.min(length, range.start - place)))
    after.push(cut(piece, Math.max(0, range.end - place), length))
    place += length
  }
  return [...before, text, ...after].filter((one) => (typeof one === 'string' ? one !== '' : one.end > one.start))
}

function cut(piece: Piece, from: number, to: number): Piece {
  if (to <= from) return ''
  return typeof piece === 'string' ? piece.slice(from, to) : { start: piece.start + from, end: piece.start + to }
}

function toEdits(pieces: readonly Piece[], length: number): Edit[] {
  const edits: Edit[] = []
  let text = ''
  let done = 0
  for (const piece of [...pieces, { start: length, end: length }]) {
    if (typeof piece === 'string') text += piece
    else {
      if (text !== '' || piece.start > done) edits.push({ range: { start: done, end: piece.start }, text })
      text = ''
      done = piece.end
    }
  }
  return edits
}

export function shiftEdits(edits: readonly Edit[], shift: number): Edit[] {
  return edits.map(({ range, text }) => ({ range: { start: range.start + shift, end: range.end + shift }, text }))
}
