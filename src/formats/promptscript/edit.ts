/** Edits to PromptScript that set or remove the value at a path, whose first part is the block, and change nothing else. */
import type { Json, JsonObject } from '../../model/agent.ts'
import type { Edit, Range } from '../../model/range.ts'
import {
  type DataNode,
  getEntry,
  getNode,
  isJsonObject,
  isMap,
  type MapEntry,
  type MapNode,
  nestValue,
  toData,
} from '../data.ts'
import {
  beginsLine,
  commaBehind,
  deletion,
  type EditContext,
  endOfLineComments,
  hoistComments,
  indentAt,
  insertion,
} from '../edit/context.ts'
import { createDraft, type Draft } from '../edit/edits.ts'
import { dominantLineEnd, lineStart, lineStop, nextLine } from '../lines.ts'
import { isValidPrs, type PrsDocument, parsePrs } from './parse.ts'
import { DEFAULT_PRS_STYLE, type PrsStyle, prsBlock, prsField, prsFile, prsValue } from './render.ts'

/** Null when the text is not valid, or something on the path has no fields. */
export function setPrsValue(text: string, path: readonly string[], value: Json): Edit[] | null {
  const [block, ...inner] = path
  if (block === undefined || !isValidPrs(parsePrs(text))) return null
  // As it will read back: `undefined` and NaN are no values.
  const wanted: Json = JSON.parse(JSON.stringify(value))
  const style = { ...DEFAULT_PRS_STYLE, lineEnd: dominantLineEnd(text) }
  if (text.trim() === '') {
    const file = prsFile(block, nestValue(inner, wanted), style)
    return [{ range: { start: 0, end: text.length }, text: file }]
  }
  const draft = createPrsDraft(text)
  const known = knownSteps(text, path)
  if (known === null) return null
  if (known === 0) {
    const gap = /\n[ \t]*$/.test(text) ? style.lineEnd : style.lineEnd + style.lineEnd
    draft.change([insertion(text.length, gap + prsBlock(block, nestValue(inner, wanted), style) + style.lineEnd)])
  } else if (known === path.length) updateValue(draft, path, wanted)
  else insertField(draft, path.slice(0, known), path[known]!, nestValue(path.slice(known + 1), wanted))
  // An edit that does not do what it should is worse than none.
  const now = toData(getNode(parsePrs(draft.doc().text).root, path) ?? null)
  return JSON.stringify(now) === JSON.stringify(wanted) ? draft.edits() : null
}

/** Removes nothing but the entry; what holds it stays, even where it becomes empty. */
export function removePrsValue(text: string, path: readonly string[]): Edit[] | null {
  const key = path.at(-1)
  return key === undefined ? null : removePrsValues(text, path.slice(0, -1), [key])
}

/** Several entries of one block or field. */
export function removePrsValues(text: string, holder: readonly string[], keys: readonly string[]): Edit[] | null {
  if (holder.length === 0 || !isValidPrs(parsePrs(text))) return null
  const known = knownSteps(text, [...holder, keys[0] ?? ''])
  if (known === null) return null
  if (known < holder.length) return []
  const draft = createPrsDraft(text)
  removeFields(draft, holder, new Set(keys))
  return draft.edits()
}

/** How many steps of the path exist; null when one leads into something that has no fields. */
function knownSteps(text: string, path: readonly string[]): number | null {
  const { root } = parsePrs(text)
  for (let known = 0; known < path.length; known++) {
    const holder = getNode(root, path.slice(0, known))
    if (holder === undefined) return known - 1
    if (!isMap(holder)) return null
  }
  return getNode(root, path) === undefined ? path.length - 1 : path.length
}

/** Changes a PromptScript text until a value in it is the wanted one, touching as little as it can. */
type PrsDraftDocument = EditContext & PrsStyle & PrsDocument

type Path = readonly string[]

function createPrsDraft(start: string): Draft<PrsDraftDocument> {
  const style = { lineEnd: dominantLineEnd(start), unit: readUnit(start), gap: ' ', opens: true }
  return createDraft(start, (text) => ({ ...style, text, ...parsePrs(text) }))
}

/** How deep fields stand in the first block that has lines of its own. */
function readUnit(text: string): string {
  return /\{[ \t]*\r?\n([ \t]+)[^\s}]/.exec(text)?.[1] ?? '  '
}

function updateValue(draft: Draft<PrsDraftDocument>, path: Path, wanted: Json): void {
  const node = getNode(draft.doc().root, path)!
  if (nodeEquals(node, wanted)) return
  if (isMap(node) && isJsonObject(wanted)) updateKeys(draft, path, node, wanted)
  // Fields in another order, or a list that is another one, can only be written anew.
  const doc = draft.doc()
  const holder = getNode(doc.root, path.slice(0, -1))
  const now = getEntry(holder, path.at(-1)!)
  if (now !== undefined && !nodeEquals(now.value, wanted)) draft.change(replaceField(doc, now, wanted))
}

function updateKeys(draft: Draft<PrsDraftDocument>, path: Path, { entries }: MapNode, wanted: JsonObject): void {
  const old = entries.map(({ key }) => key)
  for (const key of old) if (!Object.hasOwn(wanted, key)) removeFields(draft, path, new Set([key]))
  let before: string | null = null
  for (const [key, value] of Object.entries(wanted)) {
    if (old.includes(key)) updateValue(draft, [...path, key], value)
    else insertField(draft, path, key, value, before)
    before = key
  }
}

/** Behind the field `after`; null is the first place, and without it the field comes last. */
function insertField(
  draft: Draft<PrsDraftDocument>,
  path: Path,
  key: string,
  value: Json,
  after?: string | null,
): void {
  const doc = draft.doc()
  const map = getNode(doc.root, path) as MapNode
  const before = after === undefined ? map.entries.at(-1) : after === null ? undefined : getEntry(map, after)
  const { start, end } = map.range
  if (!isSpread(doc, map)) {
    const place = before?.range.end ?? start + 1
    const comma = before !== undefined && path.length > 1 ? ',' : ''
    const next = doc.text[place] === '}' || (before === undefined && map.entries.length > 0) ? ' ' : ''
    draft.change([insertion(place, `${comma} ${prsField(key, value, null, doc)}${next}`)])
    return
  }
  const model = map.entries.find(({ range }) => beginsLine(doc.text, range.start))
  const indent = model ? indentAt(doc.text, model.range.start) : indentAt(doc.text, start) + doc.unit
  const comma = before === undefined ? null : commaBehind(doc, before.range)
  const place = endOfLineComments(doc, comma === null ? (before?.range.end ?? start + 1) : comma + 1, end - 1)
  const field = doc.lineEnd + indent + prsField(key, value, indent, doc)
  const closes = !/[\r\n]/.test(doc.text.slice(place, end)) ? doc.lineEnd + indentAt(doc.text, start) : ''
  draft.change([insertion(place, field + closes)])
}

/** Over several lines, or with room for it. */
function isSpread({ text }: PrsDraftDocument, { range, entries }: MapNode): boolean {
  const [first] = entries
  if (first === undefined) return true
  return /[\r\n]/.test(text.slice(range.start, first.range.start))
}

/** Takes out the fields and their commas; comments inside them go with them. */
function removeFields(draft: Draft<PrsDraftDocument>, path: Path, keys: ReadonlySet<string>): void {
  const doc = draft.doc()
  const map = getNode(doc.root, path)
  const gone = isMap(map) ? map.entries.filter(({ key }) => keys.has(key)) : []
  draft.change(gone.map(({ range }) => removal(doc, range)))
}

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

function nodeEquals(node: DataNode, value: Json): boolean {
  return JSON.stringify(toData(node)) === JSON.stringify(value)
}
