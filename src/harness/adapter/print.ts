/** A harness file as text, one empty line between its parts, with the adapter's remarks beside the words. */
import { Document, isMap, isPair, isScalar, isSeq, type Pair, Scalar, visit } from 'yaml'
import type { HarnessDraft } from './draft.ts'

export function printHarness({ data, notes }: HarnessDraft): string {
  const document = new Document(data)
  if (!isMap(document.contents)) return ''
  for (const [index, pair] of (document.contents.items as Pair[]).entries()) {
    if (index > 0 && isScalar(pair.key)) pair.key.spaceBefore = isMap(pair.value) || !isScalar(pair.value)
  }
  visit(document, {
    Collection: (_key, node, parents) => {
      // Outer parts stand line by line; short inner ones in one line.
      const isShort = isSeq(node)
        ? node.items.every(isScalar)
        : node.items.length <= SHORT && hasPlainValues(node.items)
      if (parents.length > 3 || isSeq(node)) node.flow = isShort
    },
  })
  const words = document.get('words', true)
  for (const pair of isMap(words) ? (words.items as Pair[]) : []) addComment(pair, notes)
  return document.toString({ lineWidth: 120, flowCollectionPadding: true })
}

/** Characters that fit into one line. */
const SHORT = 100

function hasPlainValues(items: readonly unknown[]): boolean {
  return items.every((item) => isPair(item) && isScalar(item.value))
}

/** Behind a plain word, and above one that has parts. */
function addComment({ key, value }: Pair, notes: HarnessDraft['notes']): void {
  const name = isScalar(key) ? String(key.value) : ''
  const note = Object.hasOwn(notes, name) ? ` ${notes[name]!.replace(/\s+/g, ' ')}` : null
  if (note === null) return
  if (value instanceof Scalar) value.comment = note
  else if (isScalar(key)) key.commentBefore = note
}
