/** A text that changes step by step while the edits to the original are kept. */
import type { Edit, Range } from '../model/place.ts'
import { applyEdits } from './edit.ts'

/** A text that changes step by step, each step seeing the one before; together they are edits to the original. */
export interface Draft<D> {
  /** The text as it is now, as the format reads it. */
  readonly doc: () => D
  readonly change: (edits: readonly Edit[]) => void
  readonly edits: () => Edit[]
}

/** What is left of the original, by its place there, and what is new. */
type Piece = Range | string

export function startDraft<D>(original: string, read: (text: string) => D): Draft<D> {
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

export function moved(edits: readonly Edit[], shift: number): Edit[] {
  return edits.map(({ range, text }) => ({ range: { start: range.start + shift, end: range.end + shift }, text }))
}
