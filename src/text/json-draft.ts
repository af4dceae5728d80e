/** Changes a JSON text until a value in it is the wanted one, touching as little as it can. */
import { type Node, visit } from 'jsonc-parser'
import type { Json } from '../model/agent.ts'
import type { Edit } from '../model/place.ts'
import { type Draft, startDraft } from './draft.ts'
import { insertItem, removeItem } from './edit-items.ts'
import { hoistComments, indentAt, isSpread, type Surroundings } from './edit-surroundings.ts'
import { boxOf, entriesOf, findNode, isSame, parseBody, rangeOf, type Step } from './json-nodes.ts'
import { type JsonStyle, readStyle, renderJson } from './json-render.ts'
import { alignLists, isTable, type Table } from './values.ts'

interface Doc extends Surroundings, JsonStyle {
  readonly tree: Node
}

export function openDraft(body: string): Draft<Doc> {
  const style = readStyle(body)
  return startDraft(body, (text) => {
    const comments = new Map<number, number>()
    visit(text, { onComment: (offset, length) => comments.set(offset, offset + length) })
    return { ...style, text, comments, tree: parseBody(text) }
  })
}

export function settle(draft: Draft<Doc>, path: readonly Step[], wanted: Json): void {
  const node = findNode(draft.doc().tree, path)!
  if (isSame(node, wanted)) return
  if (node.type === 'object' && isTable(wanted)) settleKeys(draft, path, wanted)
  else if (node.type === 'array' && Array.isArray(wanted)) settleItems(draft, path, wanted)
  // Keys in another order, or one that stood twice, can only be written anew.
  const changed = draft.doc()
  const now = findNode(changed.tree, path)!
  if (!isSame(now, wanted)) draft.change(replaceValue(changed, now, wanted))
}

function settleKeys(draft: Draft<Doc>, path: readonly Step[], wanted: Table): void {
  const old = entriesOf(findNode(draft.doc().tree, path)!).map(({ key }) => key)
  removeKeys(draft, path, new Set(old.filter((key) => !Object.hasOwn(wanted, key))))
  let before: string | null = null
  for (const [key, value] of Object.entries(wanted)) {
    if (old.includes(key)) settle(draft, [...path, key], value)
    else insertKey(draft, path, key, value, before)
    before = key
  }
}

function settleItems(draft: Draft<Doc>, path: readonly Step[], wanted: readonly Json[]): void {
  const items = findNode(draft.doc().tree, path)!.children ?? []
  const { head, old, now } = alignLists(items.length, wanted.length, (i, j) => isSame(items[i]!, wanted[j]!))
  for (let i = head; i < head + Math.min(old, now); i++) settle(draft, [...path, i], wanted[i]!)
  for (let i = head + old - 1; i >= head + now; i--) {
    const doc = draft.doc()
    draft.change(removeItem(doc, boxOf(findNode(doc.tree, path)!), i))
  }
  for (let i = head + old; i < head + now; i++) {
    const doc = draft.doc()
    const render = (indent: string | null) => renderJson(wanted[i]!, indent, doc)
    draft.change(insertItem(doc, boxOf(findNode(doc.tree, path)!), i, render))
  }
}

/** Behind the entry `after`; null is the first place, and without it the entry comes last. */
export function insertKey(
  draft: Draft<Doc>,
  path: readonly Step[],
  key: string,
  value: Json,
  after?: string | null,
): void {
  const doc = draft.doc()
  const object = findNode(doc.tree, path)!
  const entries = entriesOf(object)
  const index = after === undefined ? entries.length : entries.findLastIndex((one) => one.key === after) + 1
  const render = (indent: string | null) => JSON.stringify(key) + doc.colon + renderJson(value, indent, doc)
  draft.change(insertItem(doc, boxOf(object), index, render))
}

/** Several behind the last one, as they would stand there if each were put behind the one before. */
export function appendKeys(
  draft: Draft<Doc>,
  path: readonly Step[],
  wanted: readonly (readonly [key: string, value: Json])[],
): void {
  const doc = draft.doc()
  const object = findNode(doc.tree, path)!
  const render = (indent: string | null) =>
    wanted
      .map(([key, value]) => JSON.stringify(key) + doc.colon + renderJson(value, indent, doc))
      .join(indent === null ? `,${doc.gap}` : `,${doc.lineEnd}${indent}`)
  draft.change(insertItem(doc, boxOf(object), entriesOf(object).length, render))
}

/** What stands side by side is taken out like one item, so that of the commas around it the right ones stay. */
export function removeKeys(draft: Draft<Doc>, path: readonly Step[], keys: ReadonlySet<string>): void {
  const doc = draft.doc()
  const object = findNode(doc.tree, path)!
  const { range, items } = boxOf(object)
  const runs: { start: number; end: number; isGone: boolean }[] = []
  for (const [index, { key }] of entriesOf(object).entries()) {
    const { start, end } = items[index]!
    const last = runs.at(-1)
    const isGone = keys.has(key)
    if (last?.isGone === true && isGone) last.end = end
    else runs.push({ start, end, isGone })
  }
  const edits = runs.flatMap(({ isGone }, index) => (isGone ? removeItem(doc, { range, items: runs }, index) : []))
  draft.change(edits)
}

function replaceValue(doc: Doc, node: Node, value: Json): Edit[] {
  const item = node.parent?.type === 'property' ? node.parent : node
  const container = item.parent
  const spread = container === undefined || isSpread(doc, boxOf(container))
  const indent = indentAt(doc.text, item.offset)
  const text = renderJson(value, spread ? indent : null, doc)
  return [...hoistComments(doc, rangeOf(node), item.offset), { range: rangeOf(node), text }]
}
