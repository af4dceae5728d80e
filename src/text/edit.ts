/** Changes to a text by offset: everything outside an edit's range stays as it is. */
import type { Finding } from '../model/diagnostics.ts'
import type { Edit } from '../model/place.ts'

/** Edits may come in any order; two that overlap are a bug of the caller, and two at one place apply in the order given. */
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

export interface Fixed {
  readonly text: string
  /** The findings whose fix was applied; the others overlap one of these, and may be tried on the new text. */
  readonly applied: readonly Finding[]
}

/** Applies every fix that does not collide with one of an earlier finding; a fix is applied whole or not at all. */
export function applyFixes(text: string, findings: readonly Finding[]): Fixed {
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
