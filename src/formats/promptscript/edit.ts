/** Edits to PromptScript that set or remove the value at a path, whose first part is the block, and change nothing else. */
import type { Json } from '../../model/agent.ts'
import type { Edit, Range } from '../../model/range.ts'
import { getEntry, getNode, type MapEntry, type MapNode, nestValue, toData } from '../data.ts'
import {
  beginsLine,
  commaBehind,
  deletion,
  endOfLineComments,
  hoistComments,
  indentAt,
  insertion,
} from '../edit/context.ts'
import { createDraft, type Draft } from '../edit/edits.ts'
import {
  type EditPath,
  insertKey,
  knownSteps,
  mapAt,
  removeKeys,
  type TreeDocument,
  type TreeWriter,
  updateValue,
} from '../edit/update.ts'
import { dominantLineEnd, lineStart, lineStop, nextLine } from '../lines.ts'
import { isValidPrs, type PrsDocument, parsePrs } from './parse.ts'
import { DEFAULT_PRS_STYLE, type PrsStyle, prsBlock, prsField, prsFile, prsValue } from './render.ts'

/** Null if the text is not valid, or something on the path has no fields. */
export function setPrsValue(text: string, path: readonly string[], value: Json): Edit[] | null {
  const [block, ...inner] = path
  if (block === undefined || !isValidPrs(parsePrs(text))) return null
  // As it will read back: `undefined` and NaN are not values.
  const wanted: Json = JSON.parse(JSON.stringify(value))
  const style = { ...DEFAULT_PRS_STYLE, lineEnd: dominantLineEnd(text) }
  if (text.trim() === '') {
    const file = prsFile(block, nestValue(inner, wanted), style)
    return [{ range: { start: 0, end: text.length }, text: file }]
  }
  const draft = createPrsDraft(text)
  const known = knownSteps(parsePrs(text).root, path)
  if (known === null) return null
  if (known === 0) {
    const gap = /\n[ \t]*$/.test(text) ? style.lineEnd : style.lineEnd + style.lineEnd
    draft.change([insertion(text.length, gap + prsBlock(block, nestValue(inner, wanted), style) + style.lineEnd)])
  } else if (known === path.length) updateValue(draft, writer, path, wanted)
  else insertKey(draft, writer, path.slice(0, known), path[known]!, nestValue(path.slice(known + 1), wanted))
  // A wrong edit is worse than none.
  const now = toData(getNode(parsePrs(draft.doc().text).root, path) ?? null)
  return JSON.stringify(now) === JSON.stringify(wanted) ? draft.edits() : null
}

/** Removes only the entry; its parent stays, even if it becomes empty. */
export function removePrsValue(text: string, path: readonly string[]): Edit[] | null {
  const key = path.at(-1)
  return key === undefined ? null : removePrsValues(text, path.slice(0, -1), [key])
}

/** Several entries of one block or field. */
export function removePrsValues(text: string, holder: readonly string[], keys: readonly string[]): Edit[] | null {
  if (holder.length === 0 || !isValidPrs(parsePrs(text))) return null
  const known = knownSteps(parsePrs(text).root, [...holder, keys[0] ?? ''])
  if (known === null) return null
  if (known < holder.length) return []
  const draft = createPrsDraft(text)
  removeKeys(draft, writer, holder, new Set(keys))
  return draft.edits()
}

type PrsDraftDocument = TreeDocument & PrsStyle & PrsDocument

function createPrsDraft(start: string): Draft<PrsDraftDocument> {
  const style = { lineEnd: dominantLineEnd(start), unit: readUnit(start), gap: ' ', opens: true }
  return createDraft(start, (text) => ({ ...style, text, ...parsePrs(text) }))
}

/** The indent of fields in the first block that has lines of its own. */
function readUnit(text: string): string {
  return /\{[ \t]*\r?\n([ \t]+)[^\s}]/.exec(text)?.[1] ?? '  '
}

const writer: TreeWriter<PrsDraftDocument> = {
  insertEntry: insertField,
  removeEntries: (doc, { entries }, keys) =>
    entries.filter(({ key }) => keys.has(key)).map(({ range }) => removal(doc, range)),
  replaceValue: (doc, path, wanted) => {
    const field = getEntry(getNode(doc.root, path.slice(0, -1)), String(path.at(-1)))
    return field === undefined ? [] : replaceField(doc, field, wanted)
  },
}

function insertField(doc: PrsDraftDocument, path: EditPath, index: number, key: string, value: Json): Edit[] {
  const map = mapAt(doc, path)
  const before = map.entries[index - 1]
  const { start, end } = map.range
  if (!isSpread(doc, map)) {
    const place = before?.range.end ?? start + 1
    const comma = before !== undefined && path.length > 1 ? ',' : ''
    const next = doc.text[place] === '}' || (before === undefined && map.entries.length > 0) ? ' ' : ''
    return [insertion(place, `${comma} ${prsField(key, value, null, doc)}${next}`)]
  }
  const model = map.entries.find(({ range }) => beginsLine(doc.text, range.start))
  const indent = model ? indentAt(doc.text, model.range.start) : indentAt(doc.text, start) + doc.unit
  const comma = before === undefined ? null : commaBehind(doc, before.range)
  const place = endOfLineComments(doc, comma === null ? (before?.range.end ?? start + 1) : comma + 1, end - 1)
  const field = doc.lineEnd + indent + prsField(key, value, indent, doc)
  const closes = !/[\r\n]/.test(doc.text.slice(place, end)) ? doc.lineEnd + indentAt(doc.text, start) : ''
  return [insertion(place, field + closes)]
}

/** Over several lines, or with room for that. */
function isSpread({ text }: PrsDraftDocument, { range, entries }: MapNode): boolean {
  const [first] = entries
  if (first === undefined) return true
  return /[\r\n]/.test(text.slice(range.start, first.range.start))
}

/** With its comma; comments inside it are removed too. */
function removal(doc: PrsDraftDocument, range: Range): Edit {
  const { text } = doc
  const { start } = range
  const comma = commaBehind(doc, range)
  const end = comma === null ? range.end : comma + 1
  const rest = text.slice(end, lineStop(text, end))
  if (beginsLine(text, start) && /^[ \t]*$/.test(rest)) return deletion(lineStart(text, start), nextLine(text, end))
  return deletion(start, end + /^[ \t]*/.exec(rest)![0].length)
}

function replaceField(doc: PrsDraftDocument, { key, value, range }: MapEntry, wanted: Json): Edit[] {
  const indent = beginsLine(doc.text, range.start) ? indentAt(doc.text, range.start) : null
  const text = prsValue(key, wanted, indent, doc)
  return [...hoistComments(doc, value.range, range.start), { range: value.range, text }]
}
