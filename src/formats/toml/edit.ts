/** Edits to TOML that set or remove the value at a path and keep every comment. */
import type { AST } from 'toml-eslint-parser'
import type { Json, JsonObject } from '../../model/agent.ts'
import type { Edit } from '../../model/range.ts'
import { getNode, isJsonObject, sameData, toData } from '../data.ts'
import { commentsIn, type EditStyle, hoistComments, indentAt } from '../edit/context.ts'
import { createDraft, type Draft, shiftEdits } from '../edit/edits.ts'
import { removeItem } from '../edit/items.ts'
import { updateItems } from '../edit/update.ts'
import { dominantLineEnd, lineStart, lineStop, nextLine } from '../lines.ts'
import {
  type InlineTable,
  isUnder,
  keyNames,
  locateToml,
  readTomlDocument,
  type TomlDocument,
  type TomlStatement,
  tomlBrackets,
  tomlRange,
} from './document.ts'
import { insertBlocks, insertValue } from './insert.ts'
import { parseToml } from './parse.ts'
import {
  holdsTables,
  namesIn,
  renderInline,
  renderLike,
  renderSections,
  type TomlPath,
  toTomlValue,
  withoutBigints,
} from './render.ts'
import { tomlNode } from './tree.ts'

/**
 * Null if the text is not valid TOML or something on the path is not a table. TOML has no null: it is left out, and
 * setting it removes the value. Existing values keep their form; a new object becomes a section at the end of the file.
 */
export function setTomlValue(text: string, path: readonly string[], value: Json): Edit[] | null {
  if (value === null) return removeTomlValue(text, path)
  const where = path.map((key) => key.toWellFormed())
  const wanted = toTomlValue(value)
  const draft = openTomlDraft(text, where)
  if (draft === null || (path.length === 0 && !isJsonObject(wanted))) return null
  updateValue(draft, where, wanted)
  // A wrong edit is worse than none.
  const { root, findings } = parseToml(draft.doc().text)
  if (findings.length > 0 || !sameData(withoutBigints(toData(getNode(root, where)!)), wanted)) return null
  return shiftEdits(draft.edits(), shiftOf(text))
}

/** A table created only by its keys disappears with the last of them; one with a header stays. */
export function removeTomlValue(text: string, path: readonly string[]): Edit[] | null {
  const where = path.map((key) => key.toWellFormed())
  const draft = openTomlDraft(text, where)
  if (draft === null || path.length === 0) return null
  removeValue(draft, where)
  return shiftEdits(draft.edits(), shiftOf(text))
}

function openTomlDraft(text: string, path: TomlPath): Draft<TomlDocument> | null {
  if (parseToml(text).findings.length > 0) return null
  const body = text.slice(shiftOf(text))
  const style: EditStyle = { lineEnd: dominantLineEnd(body), unit: '  ', gap: ' ', opens: false }
  const draft = createDraft(body, (now) => readTomlDocument(now, style))
  return locateToml(draft.doc(), path).kind === 'blocked' ? null : draft
}

function shiftOf(text: string): number {
  return text.startsWith('\uFEFF') ? 1 : 0
}

function updateValue(draft: Draft<TomlDocument>, path: TomlPath, wanted: Json): void {
  const doc = draft.doc()
  const found = locateToml(doc, path)
  if (found.kind === 'missing') {
    draft.change(insertValue(doc, path, wanted))
    return
  }
  const current = withoutBigints(toData(getNode(doc.root, path)!))
  if (sameData(current, wanted)) return
  const holdsKeys = found.kind === 'table' || (found.kind === 'value' && found.node.type === 'TOMLInlineTable')
  if (holdsKeys && isJsonObject(wanted)) updateKeys(draft, path, Object.keys(current as object), wanted)
  else if (found.kind === 'tables' && holdsTables(wanted)) updateTables(draft, path, wanted)
  else if (found.kind !== 'value') {
    removeValue(draft, path)
    draft.change(insertValue(draft.doc(), path, wanted))
  } else if (found.node.type === 'TOMLArray' && found.node.elements.length > 0 && Array.isArray(wanted)) {
    updateArray(draft, path, wanted)
  } else {
    const { node, statement } = found
    const text = renderLike(node, wanted, found.inline === null ? doc.lineEnd : null)
    draft.change([...hoistComments(doc, tomlRange(node), statement.range.start), { range: tomlRange(node), text }])
  }
}

function updateKeys(draft: Draft<TomlDocument>, path: TomlPath, old: readonly string[], wanted: JsonObject): void {
  // Existing keys first, so that new ones find their neighbours.
  for (const [key, value] of Object.entries(wanted)) updateValue(draft, [...path, key], value)
  for (const key of old) if (!Object.hasOwn(wanted, key)) removeValue(draft, [...path, key])
  const doc = draft.doc()
  if (locateToml(doc, path).kind === 'missing') draft.change(insertValue(doc, path, {}))
}

function updateTables(draft: Draft<TomlDocument>, path: TomlPath, wanted: readonly JsonObject[]): void {
  const { root } = draft.doc()
  const old = (toData(getNode(root, path)!) as unknown[]).length
  for (let i = 0; i < Math.min(old, wanted.length); i++) updateValue(draft, [...path, i], wanted[i]!)
  for (let i = old - 1; i >= wanted.length; i--) removeValue(draft, [...path, i])
  for (const table of wanted.slice(old)) {
    const doc = draft.doc()
    const last = doc.statements.findLast((one) => isUnder(one.path, path))!
    draft.change([insertBlocks(doc, last, renderSections(namesIn(path), table, doc.lineEnd, true))])
  }
}

function updateArray(draft: Draft<TomlDocument>, path: TomlPath, wanted: readonly Json[]): void {
  const arrayIn = (doc: TomlDocument) => (locateToml(doc, path) as { readonly node: AST.TOMLArray }).node
  const { elements } = arrayIn(draft.doc())
  updateItems(draft, wanted, {
    isSame: (i, j) => sameData(withoutBigints(toData(tomlNode(elements[i]!, 0))), wanted[j]),
    bracketsIn: (doc) => tomlBrackets(arrayIn(doc), arrayIn(doc).elements),
    update: (i) => {
      const doc = draft.doc()
      const node = arrayIn(doc).elements[i]!
      const edit = { range: tomlRange(node), text: renderLike(node, wanted[i]!, null) }
      draft.change([...hoistComments(doc, edit.range, edit.range.start), edit])
    },
    render: (_doc, item) => renderInline(item),
  })
}

/** Removes the value at a path from a TOML text, and keeps the comments. */
function removeValue(draft: Draft<TomlDocument>, path: TomlPath): void {
  for (;;) {
    const doc = draft.doc()
    const found = locateToml(doc, path)
    if (found.kind === 'missing' || found.kind === 'blocked') return
    const inline = found.kind === 'tables' ? null : found.inline
    if (inline) draft.change(removeMember(doc, inline, path))
    else draft.change(doc.statements.filter((one) => isUnder(one.path, path)).map((one) => dropStatement(doc, one)))
  }
}

/** Comments inside the member move above the statement, because an inline table may not have lines for them. */
function removeMember(doc: TomlDocument, { node, depth, statement }: InlineTable, path: TomlPath): Edit[] {
  const index = node.body.findIndex(({ key }) => isUnder(keyNames(key), path.slice(depth)))
  const range = tomlRange(node.body[index]!)
  const inside = new Set(commentsIn(doc, range).map(({ start }) => start))
  const comments = new Map([...doc.comments].filter(([start]) => !inside.has(start)))
  const removal = removeItem({ ...doc, comments }, tomlBrackets(node, node.body), index)
  return [...hoistComments(doc, range, statement.range.start), ...removal]
}

/** Removes whole lines, with the blank ones above a header; comments keep lines of their own. */
function dropStatement(doc: TomlDocument, { range, scope }: TomlStatement): Edit {
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
  return { range: { start: scope === null ? blankAbove(text, from) : from, end: nextLine(text, end) }, text: '' }
}

/** The start of the blank lines directly above. */
function blankAbove(text: string, from: number): number {
  let start = from
  while (start > 0) {
    const above = lineStart(text, start - 1)
    if (text.slice(above, start).trim() !== '') break
    start = above
  }
  return start
}
