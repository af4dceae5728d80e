/** Adds items to lists of a settings file and removes them again, with nothing else changed. */

import { getNode, isList, isMap, sameData, toData } from '../../formats/data.ts'
import { applyEdits } from '../../formats/edit/edits.ts'
import { removeJsonValue, setJsonValue } from '../../formats/json/edit.ts'
import { parseJson } from '../../formats/json/parse.ts'
import type { Json } from '../../model/agent.ts'
import type { Edit } from '../../model/range.ts'

/** By the keys that lead to the list, with dots between them. */
export type Items = Readonly<Record<string, Json>>

/** Null: the file cannot be edited safely. Without edits everything is there already. */
export function addItems(text: string, items: Items): Edit[] | null {
  const { root, findings } = parseJson(text, { comments: true })
  const isBroken = findings.some(({ code }) => code === 'invalid-json')
  if (isBroken && text.trim() !== '') return null
  const [top = ''] = Object.keys(items).map((way) => way.split('.')[0] ?? '')
  const before = getNode(root, [top])
  if (before !== undefined && !isMap(before)) return null
  // Spread, not assigned: `__proto__` is a key like any other.
  const wanted: Record<string, Json> = { ...(before === undefined ? {} : (toData(before) as Record<string, Json>)) }
  let added = 0
  for (const [way, item] of Object.entries(items)) {
    const [first, key = '', ...rest] = way.split('.')
    if (first !== top || rest.length > 0) return null
    const found = getNode(root, [top, key])
    if (found !== undefined && !isList(found)) return null
    const list = found === undefined ? [] : (toData(found) as Json[])
    if (list.some((one) => sameData(one, item))) continue
    wanted[key] = [...list, item]
    added++
  }
  // One edit for all, in the place they have in common.
  return added === 0 ? [] : setJsonValue(text, [top], wanted)
}

/** The text without the items; lists and maps that become empty go with them. */
export function removeItems(text: string, items: Items): string | null {
  let result = text
  for (const [way, item] of Object.entries(items)) {
    const path = way.split('.')
    const found = getNode(parseJson(result, { comments: true }).root, path)
    if (!isList(found)) continue
    const left = (toData(found) as Json[]).filter((one) => !sameData(one, item))
    if (left.length === found.items.length) continue
    const edits = left.length === 0 ? removeJsonValue(result, path) : setJsonValue(result, path, left)
    if (edits === null) return null
    result = withoutEmpty(applyEdits(result, edits), path.slice(0, -1))
  }
  return result
}

function withoutEmpty(text: string, path: readonly string[]): string {
  const found = path.length === 0 ? undefined : getNode(parseJson(text, { comments: true }).root, path)
  if (!isMap(found) || found.entries.length > 0) return text
  return applyEdits(text, removeJsonValue(text, path) ?? [])
}

/** Edits that lead from the changed text back to the one before. */
export function reverseEdits(text: string, edits: readonly Edit[]): Edit[] {
  let shift = 0
  return [...edits]
    .sort((a, b) => a.range.start - b.range.start)
    .map(({ range, text: put }) => {
      const start = range.start + shift
      shift += put.length - (range.end - range.start)
      return { range: { start, end: start + put.length }, text: text.slice(range.start, range.end) }
    })
}
