/** Edits to TOML that set or remove the value at a path and leave every comment alone. */
import type { AST } from 'toml-eslint-parser'
import type { Json } from '../model/agent.ts'
import type { Edit } from '../model/place.ts'
import { get, sameData, toData } from './data.ts'
import { type Draft, moved, startDraft } from './draft.ts'
import { insertItem, removeItem } from './edit-items.ts'
import { hoistComments, type Style } from './edit-surroundings.ts'
import { dominantLineEnd } from './lines.ts'
import { parseToml } from './toml.ts'
import { boxOf, type Doc, rangeOf, readDoc } from './toml-doc.ts'
import { insertBlocks, insertNew } from './toml-insert.ts'
import { isUnder, locate } from './toml-locate.ts'
import { remove } from './toml-remove.ts'
import { holdsTables, renderInline, renderLike, renderSections } from './toml-render.ts'
import { toNode } from './toml-tree.ts'
import { clean, namesIn, type Path, plain, withoutLoneSurrogates } from './toml-values.ts'
import { alignLists, isTable, type Table } from './values.ts'

/**
 * Null when the text is not valid TOML or something on the path is no table. TOML has no null: it is left out, and to set
 * it is to remove. What is there is changed in the form it has; a new object becomes a section at the end of the file.
 */
export function setTomlValue(text: string, path: readonly string[], value: Json): Edit[] | null {
  if (value === null) return removeTomlValue(text, path)
  const where = path.map(withoutLoneSurrogates)
  const wanted = clean(value)
  const draft = open(text, where)
  if (draft === null || (path.length === 0 && !isTable(wanted))) return null
  settle(draft, where, wanted)
  // An edit that does not do what it should is worse than none.
  const { root, findings } = parseToml(draft.doc().text)
  if (findings.length > 0 || !sameData(plain(toData(get(root, where)!)), wanted)) return null
  return moved(draft.edits(), shiftOf(text))
}

/** A table that only its keys made is gone with the last of them; one with a header stays. */
export function removeTomlValue(text: string, path: readonly string[]): Edit[] | null {
  const where = path.map(withoutLoneSurrogates)
  const draft = open(text, where)
  if (draft === null || path.length === 0) return null
  remove(draft, where)
  return moved(draft.edits(), shiftOf(text))
}

function open(text: string, path: Path): Draft<Doc> | null {
  if (parseToml(text).findings.length > 0) return null
  const body = text.slice(shiftOf(text))
  const style: Style = { lineEnd: dominantLineEnd(body), unit: '  ', gap: ' ', opens: false }
  const draft = startDraft(body, (now) => readDoc(now, style))
  return locate(draft.doc(), path).kind === 'blocked' ? null : draft
}

function shiftOf(text: string): number {
  return text.startsWith('\uFEFF') ? 1 : 0
}

function settle(draft: Draft<Doc>, path: Path, wanted: Json): void {
  const doc = draft.doc()
  const found = locate(doc, path)
  if (found.kind === 'missing') {
    draft.change(insertNew(doc, path, wanted))
    return
  }
  const current = plain(toData(get(doc.root, path)!))
  if (sameData(current, wanted)) return
  const holdsKeys = found.kind === 'table' || (found.kind === 'value' && found.node.type === 'TOMLInlineTable')
  if (holdsKeys && isTable(wanted)) settleKeys(draft, path, Object.keys(current as object), wanted)
  else if (found.kind === 'tables' && holdsTables(wanted)) settleTables(draft, path, wanted)
  else if (found.kind !== 'value') {
    remove(draft, path)
    draft.change(insertNew(draft.doc(), path, wanted))
  } else if (found.node.type === 'TOMLArray' && found.node.elements.length > 0 && Array.isArray(wanted)) {
    settleItems(draft, path, wanted)
  } else {
    const { node, statement } = found
    const text = renderLike(node, wanted, found.inline === null ? doc.lineEnd : null)
    draft.change([...hoistComments(doc, rangeOf(node), statement.range.start), { range: rangeOf(node), text }])
  }
}

function settleKeys(draft: Draft<Doc>, path: Path, old: readonly string[], wanted: Table): void {
  // First what stays, so that what is new finds its neighbours.
  for (const [key, value] of Object.entries(wanted)) settle(draft, [...path, key], value)
  for (const key of old) if (!Object.hasOwn(wanted, key)) remove(draft, [...path, key])
  const doc = draft.doc()
  if (locate(doc, path).kind === 'missing') draft.change(insertNew(doc, path, {}))
}

function settleTables(draft: Draft<Doc>, path: Path, wanted: readonly Table[]): void {
  const { root } = draft.doc()
  const old = (toData(get(root, path)!) as unknown[]).length
  for (let i = 0; i < Math.min(old, wanted.length); i++) settle(draft, [...path, i], wanted[i]!)
  for (let i = old - 1; i >= wanted.length; i--) remove(draft, [...path, i])
  for (const table of wanted.slice(old)) {
    const doc = draft.doc()
    const last = doc.statements.findLast((one) => isUnder(one.path, path))!
    draft.change([insertBlocks(doc, last, renderSections(namesIn(path), table, doc.lineEnd, true))])
  }
}

function settleItems(draft: Draft<Doc>, path: Path, wanted: readonly Json[]): void {
  const look = () => {
    const doc = draft.doc()
    return { doc, items: (locate(doc, path) as { readonly node: AST.TOMLArray }).node }
  }
  const { elements } = look().items
  const same = (i: number, j: number) => sameData(plain(toData(toNode(elements[i]!, 0))), wanted[j])
  const { head, old, now } = alignLists(elements.length, wanted.length, same)
  for (let i = head; i < head + Math.min(old, now); i++) {
    const { doc, items } = look()
    const node = items.elements[i]!
    const edit = { range: rangeOf(node), text: renderLike(node, wanted[i]!, null) }
    draft.change([...hoistComments(doc, edit.range, edit.range.start), edit])
  }
  for (let i = head + old - 1; i >= head + now; i--) {
    const { doc, items } = look()
    draft.change(removeItem(doc, boxOf(items, items.elements), i))
  }
  for (let i = head + old; i < head + now; i++) {
    const { doc, items } = look()
    draft.change(insertItem(doc, boxOf(items, items.elements), i, () => renderInline(wanted[i]!)))
  }
}
