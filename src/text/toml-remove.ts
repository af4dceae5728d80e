/** Takes what stands at a path out of a TOML text, and keeps the comments. */
import type { Edit } from '../model/place.ts'
import type { Draft } from './draft.ts'
import { removeItem } from './edit-items.ts'
import { commentsIn, hoistComments, indentAt } from './edit-surroundings.ts'
import { lineStart, lineStop, nextLine } from './lines.ts'
import { boxOf, type Doc, namesOf, rangeOf, type Statement } from './toml-doc.ts'
import { type Inline, isUnder, locate } from './toml-locate.ts'
import type { Path } from './toml-values.ts'

export function remove(draft: Draft<Doc>, path: Path): void {
  for (;;) {
    const doc = draft.doc()
    const found = locate(doc, path)
    if (found.kind === 'missing' || found.kind === 'blocked') return
    const inline = found.kind === 'tables' ? null : found.inline
    if (inline) draft.change(removeMember(doc, inline, path))
    else draft.change(doc.statements.filter((one) => isUnder(one.path, path)).map((one) => dropStatement(doc, one)))
  }
}

/** Comments inside the member go above the statement, because an inline table may not have lines for them. */
function removeMember(doc: Doc, { node, depth, statement }: Inline, path: Path): Edit[] {
  const index = node.body.findIndex(({ key }) => isUnder(namesOf(key), path.slice(depth)))
  const range = rangeOf(node.body[index]!)
  const inside = new Set(commentsIn(doc, range).map(({ start }) => start))
  const comments = new Map([...doc.comments].filter(([start]) => !inside.has(start)))
  const removal = removeItem({ ...doc, comments }, boxOf(node, node.body), index)
  return [...hoistComments(doc, range, statement.range.start), ...removal]
}

/** Takes out whole lines, with the blank ones above a header; comments keep lines of their own. */
function dropStatement(doc: Doc, { range, scope }: Statement): Edit {
  const { text, lineEnd } = doc
  const indent = indentAt(text, range.start)
  const kept = commentsIn(doc, range).map(({ start, end }) => text.slice(start, end) + lineEnd + indent)
  const stop = lineStop(text, range.end)
  const behind = /^[ \t]*/.exec(text.slice(range.end, stop))![0].length
  const end = range.end + behind
  if (kept.length > 0 || end < stop) {
    const lines = kept.join('')
    const last = end < stop ? lines : lines.slice(0, -lineEnd.length - indent.length)
    return { range: { start: range.start, end }, text: last }
  }
  const from = lineStart(text, range.start)
  const blank = scope === null ? /(?:^|(?<=\n))(?:[ \t]*\r?\n)*$/.exec(text.slice(0, from))![0].length : 0
  return { range: { start: from - blank, end: nextLine(text, end) }, text: '' }
}
