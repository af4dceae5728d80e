/** Edits to JSON and JSONC that set or remove values and keep all comments. */

import { type Node, visit } from 'jsonc-parser'
import type { Json, JsonObject } from '../../model/agent.ts'
import type { Edit } from '../../model/range.ts'
import { alignLists, isJsonObject, nestValue } from '../data.ts'
import { type EditContext, hoistComments, indentAt, isSpread } from '../edit/context.ts'
import { createDraft, type Draft, shiftEdits } from '../edit/edits.ts'
import { insertItem, removeItem } from '../edit/items.ts'
import { dominantLineEnd } from '../lines.ts'
import {
  findJsonNode,
  type JsonStep,
  jsonBrackets,
  jsonNodeEquals,
  jsonRange,
  objectEntries,
  parseJsonTree,
} from './nodes.ts'
import { parseJson } from './parse.ts'
import { DEFAULT_JSON_STYLE, detectJsonStyle, type JsonStyle, renderJson } from './render.ts'

/**
 * Null when the text is no JSONC or something on the path is no object. Inside the value the order of keys counts, because
 * harnesses exist where the last rule that matches wins; what the value no longer has goes, its comments stay.
 */
export function setJsonValue(text: string, path: readonly string[], value: Json): Edit[] | null {
  const shift = text.startsWith('\uFEFF') ? 1 : 0
  const body = text.slice(shift)
  // As it will read back: `undefined`, NaN and -0 are not JSON.
  const wanted: Json = JSON.parse(JSON.stringify(value))
  if (isBlank(body)) return shiftEdits([fillBlank(body, nestValue(path, wanted))], shift)
  const known = knownPath(text, body, path)
  if (known === null) return null
  const draft = createJsonDraft(body)
  if (known === path.length) updateValue(draft, path, wanted)
  else insertKey(draft, path.slice(0, known), path[known]!, nestValue(path.slice(known + 1), wanted))
  return shiftEdits(draft.edits(), shift)
}

/** Entries that are not there yet, behind the last one of an object that has some. */
export function appendJsonValues(
  text: string,
  holder: readonly string[],
  entries: readonly (readonly [key: string, value: Json])[],
): Edit[] | null {
  const shift = text.startsWith('\uFEFF') ? 1 : 0
  const body = text.slice(shift)
  const known = knownPath(text, body, [...holder, entries[0]?.[0] ?? ''])
  if (known !== holder.length) return null
  const draft = createJsonDraft(body)
  appendKeys(draft, holder, JSON.parse(JSON.stringify(entries)))
  return shiftEdits(draft.edits(), shift)
}

/** Removes nothing but the entry (each of them, where the key stands twice); a parent that becomes empty stays. */
export function removeJsonValue(text: string, path: readonly string[]): Edit[] | null {
  const key = path.at(-1)
  return key === undefined ? null : removeJsonValues(text, path.slice(0, -1), [key])
}

/** Several entries of one object. */
export function removeJsonValues(text: string, holder: readonly string[], keys: readonly string[]): Edit[] | null {
  const shift = text.startsWith('\uFEFF') ? 1 : 0
  const body = text.slice(shift)
  if (isBlank(body)) return []
  const known = knownPath(text, body, [...holder, keys[0] ?? ''])
  if (known === null) return null
  if (known < holder.length) return []
  const draft = createJsonDraft(body)
  removeKeys(draft, holder, new Set(keys))
  return shiftEdits(draft.edits(), shift)
}

/** How many steps of the path exist; null when the text is broken or a step leads into something that has no keys. */
function knownPath(text: string, body: string, path: readonly string[]): number | null {
  if (parseJson(text, { comments: true }).findings.some(({ code }) => code === 'invalid-json')) return null
  const tree = parseJsonTree(body)
  for (let known = 0; known < path.length; known++) {
    const node = findJsonNode(tree, path.slice(0, known))
    if (node === undefined) return known - 1
    if (node.type !== 'object') return null
  }
  return findJsonNode(tree, path) ? path.length : path.length - 1
}

// One stretch of white space, or one comment.
const TRIVIA = /[ \t\r\n]+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//y

function isBlank(body: string): boolean {
  TRIVIA.lastIndex = 0
  let place = 0
  while (TRIVIA.test(body)) place = TRIVIA.lastIndex
  return place === body.length
}

function fillBlank(body: string, value: Json): Edit {
  const lineEnd = dominantLineEnd(body)
  const rendered = renderJson(value, '', { ...DEFAULT_JSON_STYLE, lineEnd }) + lineEnd
  if (body.trim() === '') return { range: { start: 0, end: body.length }, text: rendered }
  const gap = /\n[ \t]*$/.test(body) ? '' : lineEnd
  return { range: { start: body.length, end: body.length }, text: gap + rendered }
}

/** Changes a JSON text until a value in it is the wanted one, touching as little as it can. */
interface JsonDocument extends EditContext, JsonStyle {
  readonly tree: Node
}

function createJsonDraft(body: string): Draft<JsonDocument> {
  const style = detectJsonStyle(body)
  return createDraft(body, (text) => {
    const comments = new Map<number, number>()
    visit(text, { onComment: (offset, length) => comments.set(offset, offset + length) })
    return { ...style, text, comments, tree: parseJsonTree(text) }
  })
}

function updateValue(draft: Draft<JsonDocument>, path: readonly JsonStep[], wanted: Json): void {
  const node = findJsonNode(draft.doc().tree, path)!
  if (jsonNodeEquals(node, wanted)) return
  if (node.type === 'object' && isJsonObject(wanted)) updateKeys(draft, path, wanted)
  else if (node.type === 'array' && Array.isArray(wanted)) updateItems(draft, path, wanted)
  // Keys in another order, or one that stood twice, can only be written anew.
  const changed = draft.doc()
  const now = findJsonNode(changed.tree, path)!
  if (!jsonNodeEquals(now, wanted)) draft.change(replaceValue(changed, now, wanted))
}

function updateKeys(draft: Draft<JsonDocument>, path: readonly JsonStep[], wanted: JsonObject): void {
  const old = objectEntries(findJsonNode(draft.doc().tree, path)!).map(({ key }) => key)
  removeKeys(draft, path, new Set(old.filter((key) => !Object.hasOwn(wanted, key))))
  let before: string | null = null
  for (const [key, value] of Object.entries(wanted)) {
    if (old.includes(key)) updateValue(draft, [...path, key], value)
    else insertKey(draft, path, key, value, before)
    before = key
  }
}

function updateItems(draft: Draft<JsonDocument>, path: readonly JsonStep[], wanted: readonly Json[]): void {
  const items = findJsonNode(draft.doc().tree, path)!.children ?? []
  const { head, old, now } = alignLists(items.length, wanted.length, (i, j) => jsonNodeEquals(items[i]!, wanted[j]!))
  for (let i = head; i < head + Math.min(old, now); i++) updateValue(draft, [...path, i], wanted[i]!)
  for (let i = head + old - 1; i >= head + now; i--) {
    const doc = draft.doc()
    draft.change(removeItem(doc, jsonBrackets(findJsonNode(doc.tree, path)!), i))
  }
  for (let i = head + old; i < head + now; i++) {
    const doc = draft.doc()
    const render = (indent: string | null) => renderJson(wanted[i]!, indent, doc)
    draft.change(insertItem(doc, jsonBrackets(findJsonNode(doc.tree, path)!), i, render))
  }
}

/** Behind the entry `after`; null is the first place, and without it the entry comes last. */
function insertKey(
  draft: Draft<JsonDocument>,
  path: readonly JsonStep[],
  key: string,
  value: Json,
  after?: string | null,
): void {
  const doc = draft.doc()
  const object = findJsonNode(doc.tree, path)!
  const entries = objectEntries(object)
  const index = after === undefined ? entries.length : entries.findLastIndex((one) => one.key === after) + 1
  const render = (indent: string | null) => JSON.stringify(key) + doc.colon + renderJson(value, indent, doc)
  draft.change(insertItem(doc, jsonBrackets(object), index, render))
}

/** Several behind the last one, as they would stand there if each were put behind the one before. */
function appendKeys(
  draft: Draft<JsonDocument>,
  path: readonly JsonStep[],
  wanted: readonly (readonly [key: string, value: Json])[],
): void {
  const doc = draft.doc()
  const object = findJsonNode(doc.tree, path)!
  const render = (indent: string | null) =>
    wanted
      .map(([key, value]) => JSON.stringify(key) + doc.colon + renderJson(value, indent, doc))
      .join(indent === null ? `,${doc.gap}` : `,${doc.lineEnd}${indent}`)
  draft.change(insertItem(doc, jsonBrackets(object), objectEntries(object).length, render))
}

/** What stands side by side is taken out like one item, so that of the commas around it the right ones stay. */
function removeKeys(draft: Draft<JsonDocument>, path: readonly JsonStep[], keys: ReadonlySet<string>): void {
  const doc = draft.doc()
  const object = findJsonNode(doc.tree, path)!
  const { range, items } = jsonBrackets(object)
  const runs: { start: number; end: number; isGone: boolean }[] = []
  for (const [index, { key }] of objectEntries(object).entries()) {
    const { start, end } = items[index]!
    const last = runs.at(-1)
    const isGone = keys.has(key)
    if (last?.isGone === true && isGone) last.end = end
    else runs.push({ start, end, isGone })
  }
  const edits = runs.flatMap(({ isGone }, index) => (isGone ? removeItem(doc, { range, items: runs }, index) : []))
  draft.change(edits)
}

function replaceValue(doc: JsonDocument, node: Node, value: Json): Edit[] {
  const item = node.parent?.type === 'property' ? node.parent : node
  const container = item.parent
  const spread = container === undefined || isSpread(doc, jsonBrackets(container))
  const indent = indentAt(doc.text, item.offset)
  const text = renderJson(value, spread ? indent : null, doc)
  return [...hoistComments(doc, jsonRange(node), item.offset), { range: jsonRange(node), text }]
}
