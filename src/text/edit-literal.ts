/** References that are only text: where a program replaces `{file:x}` before it reads the data, an escape hides them. */
import type { Edit } from '../model/place.ts'

/** An escaped brace is seen by whoever reads the JSON, and by nobody before. */
export function hideReferences(edits: readonly Edit[], kinds: readonly string[] | undefined): Edit[] {
  if (kinds === undefined) return [...edits]
  const reference = new RegExp(`\\{(?=(?:${kinds.join('|')}):)`, 'g')
  return edits.map((edit) => ({ ...edit, text: edit.text.replace(reference, '\\u007b') }))
}
