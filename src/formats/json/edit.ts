/** Edits to JSON and JSONC that set or remove values and keep all comments. */

import { visit } from 'jsonc-parser'
import type { Json } from '../../model/agent.ts'
import type { Edit } from '../../model/range.ts'
import { getEntry, getNode, nestValue } from '../data.ts'
import { hoistComments, indentAt, isSpread } from '../edit/context.ts'
import { createDraft, type Draft, shiftEdits } from '../edit/edits.ts'
import { insertItem, removeItem } from '../edit/items.ts'
import {
  bracketsOf,
  type EditPath,
  indexedPath,
  insertKey,
  knownSteps,
  mapAt,
  removeKeys,
  type TreeDocument,
  type TreeWriter,
  updateValue,
} from '../edit/update.ts'
import { dominantLineEnd } from '../lines.ts'
import { parseJson, readJsonTree } from './parse.ts'
import { DEFAULT_JSON_STYLE, detectJsonStyle, type JsonStyle, renderJson } from './render.ts'

/**
 * Null if the text is not JSONC or something on the path is not an object. Inside the value the order of keys counts,
 * because in some harnesses the last matching rule wins; keys that the value no longer has are removed, their comments
 * stay.
 */
export function setJsonValue(text: string, path: readonly string[], value: Json): Edit[] | null {
  const shift = text.startsWith('\uFEFF') ? 1 : 0
  const body = text.slice(shift)
  // As it will read back: `undefined`, NaN and -0 are not JSON.
  const wanted: Json = JSON.parse(JSON.stringify(value))
  if (isBlank(body)) return shiftEdits([fillBlank(body, nestValue(path, wanted))], shift)
  const draft = openJsonDraft(text, body)
  const known = draft && knownSteps(draft.doc().root, path, true)
  if (draft === null || known === null) return null
  const place = indexedPath(draft.doc().root, path)
  if (known === path.length) updateValue(draft, writer, place, wanted)
  else insertKey(draft, writer, place.slice(0, known), path[known]!, nestValue(path.slice(known + 1), wanted))
  return shiftEdits(draft.edits(), shift)
}

/** Adds new entries behind the last one of an object that is not empty. */
export function appendJsonValues(
  text: string,
  holder: readonly string[],
  entries: readonly (readonly [key: string, value: Json])[],
): Edit[] | null {
  const shift = text.startsWith('\uFEFF') ? 1 : 0
  const body = text.slice(shift)
  const draft = openJsonDraft(text, body)
  if (draft === null) return null
  const doc = draft.doc()
  if (knownSteps(doc.root, [...holder, entries[0]?.[0] ?? '']) !== holder.length) return null
  const map = mapAt(doc, holder)
  const render = (indent: string | null) =>
    (JSON.parse(JSON.stringify(entries)) as typeof entries)
      .map(([key, value]) => renderEntry(doc, key, value, indent))
      .join(indent === null ? `,${doc.gap}` : `,${doc.lineEnd}${indent}`)
  draft.change(insertItem(doc, bracketsOf(map), map.entries.length, render))
  return shiftEdits(draft.edits(), shift)
}

/** Removes only the entry (every one, if the key is repeated); a parent that becomes empty stays. */
export function removeJsonValue(text: string, path: readonly string[]): Edit[] | null {
  const key = path.at(-1)
  return key === undefined ? null : removeJsonValues(text, path.slice(0, -1), [key])
}

/** Several entries of one object. */
export function removeJsonValues(text: string, holder: readonly string[], keys: readonly string[]): Edit[] | null {
  const shift = text.startsWith('\uFEFF') ? 1 : 0
  const body = text.slice(shift)
  if (isBlank(body)) return []
  const draft = openJsonDraft(text, body)
  const known = draft && knownSteps(draft.doc().root, [...holder, keys[0] ?? ''], true)
  if (draft === null || known === null) return null
  if (known < holder.length) return []
  removeKeys(draft, writer, indexedPath(draft.doc().root, holder), new Set(keys))
  return shiftEdits(draft.edits(), shift)
}

// A run of white space, or one comment.
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

type JsonDocument = TreeDocument & JsonStyle

/** Null if the text is broken. */
function openJsonDraft(text: string, body: string): Draft<JsonDocument> | null {
  if (parseJson(text, { comments: true }).findings.some(({ code }) => code === 'invalid-json')) return null
  const root = readJsonTree(body)
  const style = detectJsonStyle(body, root)
  return createDraft(body, (now) => {
    const comments = new Map<number, number>()
    visit(now, { onComment: (offset, length) => comments.set(offset, offset + length) })
    return { ...style, text: now, comments, root: now === body ? root : readJsonTree(now) }
  })
}

const writer: TreeWriter<JsonDocument> = {
  insertEntry: (doc, path, index, key, value) =>
    insertItem(doc, bracketsOf(mapAt(doc, path)), index, (indent) => renderEntry(doc, key, value, indent)),
  // Adjacent entries are removed like one item, so that the right commas around them stay.
  removeEntries: (doc, { range, entries }, keys) => {
    const runs: { start: number; end: number; isGone: boolean }[] = []
    for (const { key, range: item } of entries) {
      const last = runs.at(-1)
      const isGone = keys.has(key)
      if (last?.isGone === true && isGone) last.end = item.end
      else runs.push({ ...item, isGone })
    }
    return runs.flatMap(({ isGone }, index) => (isGone ? removeItem(doc, { range, items: runs }, index) : []))
  },
  replaceValue,
  renderItem: (doc, item, indent) => renderJson(item, indent, doc),
}

function renderEntry(doc: JsonDocument, key: string, value: Json, indent: string | null): string {
  return JSON.stringify(key) + doc.colon + renderJson(value, indent, doc)
}

function replaceValue(doc: JsonDocument, path: EditPath, wanted: Json): Edit[] {
  const { range } = getNode(doc.root, path)!
  const step = path.at(-1)
  const holder = step === undefined ? undefined : getNode(doc.root, path.slice(0, -1))
  const start = typeof step === 'string' ? getEntry(holder, step)!.range.start : range.start
  const spread = holder === undefined || isSpread(doc, bracketsOf(holder))
  const text = renderJson(wanted, spread ? indentAt(doc.text, start) : null, doc)
  return [...hoistComments(doc, range, start), { range, text }]
}
