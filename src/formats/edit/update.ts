/** Changes a text until the value at a path is the wanted one, with minimal edits, in any format. */
import type { Json, JsonObject } from '../../model/agent.ts'
import type { Edit } from '../../model/range.ts'
import {
  alignLists,
  type DataNode,
  getNode,
  isItemStep,
  isJsonObject,
  isList,
  isMap,
  type MapNode,
  toData,
} from '../data.ts'
import type { Brackets, EditContext } from './context.ts'
import type { Draft } from './edits.ts'
import { insertItem, removeItem } from './items.ts'

export type EditPath = readonly (string | number)[]

/** A text with its tree; repeated keys are kept. */
export interface TreeDocument extends EditContext {
  readonly root: DataNode | null
}

/** How a format writes; `updateValue` decides what is written. */
export interface TreeWriter<D extends TreeDocument> {
  readonly insertEntry: (doc: D, path: EditPath, index: number, key: string, value: Json) => Edit[]
  readonly removeEntries: (doc: D, map: MapNode, keys: ReadonlySet<string>) => Edit[]
  readonly replaceValue: (doc: D, path: EditPath, wanted: Json) => Edit[]
  /** Null if everything is on one line. Absent: a changed list is rewritten. */
  readonly renderItem?: (doc: D, item: Json, indent: string | null) => string
}

/** How many steps of the path exist; null if one leads into a value without keys, or into a list that cannot be edited. */
export function knownSteps(root: DataNode | null, path: readonly string[], editsLists = false): number | null {
  for (let known = 0; known < path.length; known++) {
    const holder = getNode(root, path.slice(0, known))
    if (holder === undefined) return known - 1
    const isOpen = isMap(holder) || (editsLists && isList(holder) && isItemStep(path[known] ?? ''))
    if (!isOpen) return null
  }
  return getNode(root, path) === undefined ? path.length - 1 : path.length
}

/** With the place of each item in its list. */
export function indexedPath(root: DataNode | null, path: readonly string[]): EditPath {
  return path.map((step, depth) => {
    const holder = getNode(root, path.slice(0, depth))
    const item = isList(holder) ? getNode(holder, [step]) : undefined
    return isList(holder) && item !== undefined ? holder.items.indexOf(item) : step
  })
}

/** The value at the path exists. */
export function updateValue<D extends TreeDocument>(
  draft: Draft<D>,
  writer: TreeWriter<D>,
  path: EditPath,
  wanted: Json,
): void {
  const node = getNode(draft.doc().root, path)
  if (isSame(node, wanted)) return
  if (isMap(node) && isJsonObject(wanted)) updateKeys(draft, writer, path, wanted)
  else if (writer.renderItem !== undefined && isList(node) && Array.isArray(wanted))
    updateList(draft, writer, path, wanted)
  // A different order of keys, or a repeated key, requires a rewrite.
  const doc = draft.doc()
  if (!isSame(getNode(doc.root, path), wanted)) draft.change(writer.replaceValue(doc, path, wanted))
}

function isSame(node: DataNode | undefined, wanted: Json): boolean {
  return node !== undefined && JSON.stringify(toData(node)) === JSON.stringify(wanted)
}

function updateKeys<D extends TreeDocument>(
  draft: Draft<D>,
  writer: TreeWriter<D>,
  path: EditPath,
  wanted: JsonObject,
): void {
  const old = new Set(mapAt(draft.doc(), path).entries.map(({ key }) => key))
  removeKeys(draft, writer, path, new Set([...old].filter((key) => !Object.hasOwn(wanted, key))))
  let before: string | null = null
  for (const [key, value] of Object.entries(wanted)) {
    if (old.has(key)) updateValue(draft, writer, [...path, key], value)
    else insertKey(draft, writer, path, key, value, before)
    before = key
  }
}

/** Behind the entry `after`; null means first, and absent means last. In a list, as its last item. */
export function insertKey<D extends TreeDocument>(
  draft: Draft<D>,
  writer: TreeWriter<D>,
  path: EditPath,
  key: string,
  value: Json,
  after?: string | null,
): void {
  const doc = draft.doc()
  const list = getNode(doc.root, path)
  if (isList(list)) {
    const { renderItem } = writer
    if (renderItem === undefined) throw new Error(`no items can be added at ${path.join('.')}`)
    const render = (indent: string | null) => renderItem(doc, value, indent)
    draft.change(insertItem(doc, bracketsOf(list), list.items.length, render))
    return
  }
  const { entries } = mapAt(doc, path)
  const index = after === undefined ? entries.length : entries.findLastIndex((one) => one.key === after) + 1
  draft.change(writer.insertEntry(doc, path, index, key, value))
}

/** Every entry of a repeated key; of a list, the items that the keys lead to. */
export function removeKeys<D extends TreeDocument>(
  draft: Draft<D>,
  writer: TreeWriter<D>,
  path: EditPath,
  keys: ReadonlySet<string>,
): void {
  const doc = draft.doc()
  if (isList(getNode(doc.root, path))) {
    for (const key of keys) removeItemAt(draft, path, key)
    return
  }
  if (keys.size > 0) draft.change(writer.removeEntries(doc, mapAt(doc, path), keys))
}

function removeItemAt<D extends TreeDocument>(draft: Draft<D>, path: EditPath, step: string): void {
  const doc = draft.doc()
  const list = getNode(doc.root, path)
  const item = getNode(list, [step])
  if (!isList(list) || item === undefined) return
  draft.change(removeItem(doc, bracketsOf(list), list.items.indexOf(item)))
}

export function mapAt({ root }: TreeDocument, path: EditPath): MapNode {
  const node = getNode(root, path)
  if (!isMap(node)) throw new Error(`no map at ${path.join('.')}`)
  return node
}

export function bracketsOf(node: DataNode): Brackets {
  const items = isMap(node) ? node.entries : isList(node) ? node.items : []
  return { range: node.range, items: items.map(({ range }) => range) }
}

function updateList<D extends TreeDocument>(
  draft: Draft<D>,
  writer: TreeWriter<D>,
  path: EditPath,
  wanted: readonly Json[],
): void {
  const listIn = ({ root }: D) => getNode(root, path)!
  const node = listIn(draft.doc())
  const items = isList(node) ? node.items : []
  updateItems(draft, wanted, {
    isSame: (i, j) => isSame(items[i], wanted[j]!),
    bracketsIn: (doc) => bracketsOf(listIn(doc)),
    update: (i) => updateValue(draft, writer, [...path, i], wanted[i]!),
    render: (doc, item, indent) => writer.renderItem?.(doc, item, indent) ?? '',
  })
}

interface ItemSteps<D> {
  /** The old item and the wanted one. */
  readonly isSame: (old: number, wanted: number) => boolean
  readonly bracketsIn: (doc: D) => Brackets
  readonly update: (index: number) => void
  readonly render: (doc: D, item: Json, indent: string | null) => string
}

/** The common prefix and suffix stay; the items between are changed, removed or added. */
export function updateItems<D extends EditContext>(
  draft: Draft<D>,
  wanted: readonly Json[],
  { isSame: same, bracketsIn, update, render }: ItemSteps<D>,
): void {
  const { head, old, now } = alignLists(bracketsIn(draft.doc()).items.length, wanted.length, same)
  for (let i = head; i < head + Math.min(old, now); i++) update(i)
  for (let i = head + old - 1; i >= head + now; i--) {
    const doc = draft.doc()
    draft.change(removeItem(doc, bracketsIn(doc), i))
  }
  for (let i = head + old; i < head + now; i++) {
    const doc = draft.doc()
    draft.change(insertItem(doc, bracketsIn(doc), i, (indent) => render(doc, wanted[i]!, indent)))
  }
}
