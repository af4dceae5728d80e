/** Changes a PromptScript text until a value in it is the wanted one, touching as little as it can. */
import type { Json } from '../model/agent.ts'
import type { Edit, Range } from '../model/place.ts'
import { entry, get, isMap, toData } from './data.ts'
import { type Draft, startDraft } from './draft.ts'
import {
  beginsLine,
  commaBehind,
  deletion,
  endOfLineComments,
  hoistComments,
  indentAt,
  insertion,
  type Surroundings,
} from './edit-surroundings.ts'
import { dominantLineEnd, lineStart, lineStop, nextLine } from './lines.ts'
import { type PrsDocument, parsePrs } from './prs.ts'
import { type PrsStyle, prsField, prsValue } from './prs-render.ts'
import type { DataNode, MapEntry, MapNode } from './tree.ts'
import { isTable, type Table } from './values.ts'

type Doc = Surroundings & PrsStyle & PrsDocument

type Path = readonly string[]

export function openPrsDraft(start: string): Draft<Doc> {
  const style = { lineEnd: dominantLineEnd(start), unit: readUnit(start), gap: ' ', opens: true }
  return startDraft(start, (text) => ({ ...style, text, ...parsePrs(text) }))
}

/** How deep fields stand in the first block that has lines of its own. */
function readUnit(text: string): string {
  return /\{[ \t]*\r?\n([ \t]+)[^\s}]/.exec(text)?.[1] ?? '  '
}

export function settle(draft: Draft<Doc>, path: Path, wanted: Json): void {
  const node = get(draft.doc().root, path)!
  if (isSame(node, wanted)) return
  if (isMap(node) && isTable(wanted)) settleKeys(draft, path, node, wanted)
  // Fields in another order, or a list that is another one, can only be written anew.
  const doc = draft.doc()
  const holder = get(doc.root, path.slice(0, -1))
  const now = entry(holder, path.at(-1)!)
  if (now !== undefined && !isSame(now.value, wanted)) draft.change(replaceField(doc, now, wanted))
}

function settleKeys(draft: Draft<Doc>, path: Path, { entries }: MapNode, wanted: Table): void {
  const old = entries.map(({ key }) => key)
  for (const key of old) if (!Object.hasOwn(wanted, key)) removeFields(draft, path, new Set([key]))
  let before: string | null = null
  for (const [key, value] of Object.entries(wanted)) {
    if (old.includes(key)) settle(draft, [...path, key], value)
    else insertField(draft, path, key, value, before)
    before = key
  }
}

/** Behind the field `after`; null is the first place, and without it the field comes last. */
export function insertField(draft: Draft<Doc>, path: Path, key: string, value: Json, after?: string | null): void {
  const doc = draft.doc()
  const map = get(doc.root, path) as MapNode
  const before = after === undefined ? map.entries.at(-1) : after === null ? undefined : entry(map, after)
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
function isSpread({ text }: Doc, { range, entries }: MapNode): boolean {
  const [first] = entries
  if (first === undefined) return true
  return /[\r\n]/.test(text.slice(range.start, first.range.start))
}

/** Takes out the fields and their commas; comments inside them go with them. */
export function removeFields(draft: Draft<Doc>, path: Path, keys: ReadonlySet<string>): void {
  const doc = draft.doc()
  const map = get(doc.root, path)
  const gone = isMap(map) ? map.entries.filter(({ key }) => keys.has(key)) : []
  draft.change(gone.map(({ range }) => removal(doc, range)))
}

function removal(doc: Doc, range: Range): Edit {
  const { text } = doc
  const { start } = range
  const comma = commaBehind(doc, range)
  const end = comma === null ? range.end : comma + 1
  const rest = text.slice(end, lineStop(text, end))
  if (beginsLine(text, start) && /^[ \t]*$/.test(rest)) return deletion(lineStart(text, start), nextLine(text, end))
  return deletion(start, end + /^[ \t]*/.exec(rest)![0].length)
}

function replaceField(doc: Doc, { key, value, range }: MapEntry, wanted: Json): Edit[] {
  const indent = beginsLine(doc.text, range.start) ? indentAt(doc.text, range.start) : null
  const text = prsValue(key, wanted, indent, doc)
  return [...hoistComments(doc, value.range, range.start), { range: value.range, text }]
}

function isSame(node: DataNode, value: Json): boolean {
  return JSON.stringify(toData(node)) === JSON.stringify(value)
}
