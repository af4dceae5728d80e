/** Writes values as JSON in the style of the text around them. */
import type { Json } from '../../model/agent.ts'
import type { Edit } from '../../model/range.ts'
import { type DataNode, isList, isMap } from '../data.ts'
import { beginsLine, type EditStyle, indentAt } from '../edit/context.ts'
import { dominantLineEnd } from '../lines.ts'

export interface JsonStyle extends EditStyle {
  readonly colon: string
  /** The padding inside the braces of an object on one line. */
  readonly pad: string
}

export const DEFAULT_JSON_STYLE: JsonStyle = { lineEnd: '\n', unit: '  ', gap: ' ', opens: true, colon: ': ', pad: '' }

export function detectJsonStyle(text: string, root: DataNode): JsonStyle {
  const first = isMap(root) ? root.entries[0] : undefined
  const between = first ? text.slice(first.keyRange.end, first.value.range.start) : ''
  const tight = between === ':'
  const isEmpty = childrenOf(root).length === 0
  return {
    lineEnd: dominantLineEnd(text),
    unit: readUnit(text, root) ?? DEFAULT_JSON_STYLE.unit,
    gap: tight ? '' : DEFAULT_JSON_STYLE.gap,
    // A file on one line stays on one line, unless it is still empty.
    opens: isEmpty || text.slice(root.range.start, root.range.end).includes('\n'),
    colon: tight ? ':' : /^[ \t]+:/.test(between) ? ' : ' : DEFAULT_JSON_STYLE.colon,
    pad: /\{ +"/.test(text) ? ' ' : '',
  }
}

/** How much deeper than its parent a child that begins a line is indented. */
function readUnit(text: string, node: DataNode): string | null {
  const outer = indentAt(text, node.range.start)
  const children = childrenOf(node)
  for (const { start } of children) {
    const inner = indentAt(text, start)
    if (beginsLine(text, start) && inner.startsWith(outer) && inner !== outer) return inner.slice(outer.length)
  }
  for (const { value } of children) {
    const unit = readUnit(text, value)
    if (unit !== null) return unit
  }
  return null
}

function childrenOf(node: DataNode): { readonly start: number; readonly value: DataNode }[] {
  if (isMap(node)) return node.entries.map(({ range, value }) => ({ start: range.start, value }))
  return isList(node) ? node.items.map((value) => ({ start: value.range.start, value })) : []
}

/** On one line if `indent` is null; else over lines, as `JSON.stringify` and most harnesses write. */
export function renderJson(value: Json, indent: string | null, style: JsonStyle): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = indent === null ? null : indent + style.unit
  const items = Array.isArray(value)
    ? value.map((item) => renderJson(item, inner, style))
    : Object.entries(value).map(([key, one]) => JSON.stringify(key) + style.colon + renderJson(one, inner, style))
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  if (items.length === 0) return `${open}${close}`
  const pad = Array.isArray(value) ? '' : style.pad
  if (inner === null) return `${open}${pad}${items.join(`,${style.gap}`)}${pad}${close}`
  const lead = style.lineEnd + inner
  return `${open}${lead}${items.join(`,${lead}`)}${style.lineEnd}${indent}${close}`
}

/** A JSON parser sees an escaped brace; a reference expander that runs before it does not. */
export function escapeReferences(edits: readonly Edit[], kinds: readonly string[] | undefined): Edit[] {
  if (kinds === undefined) return [...edits]
  const reference = new RegExp(`\\{(?=(?:${kinds.join('|')}):)`, 'g')
  return edits.map((edit) => ({ ...edit, text: edit.text.replace(reference, '\\u007b') }))
}
