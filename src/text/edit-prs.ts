/** Edits to PromptScript that set or remove the value at a path, block first, and leave everything else alone. */
import type { Json } from '../model/agent.ts'
import type { Edit } from '../model/place.ts'
import { get, isMap, toData } from './data.ts'
import { insertion } from './edit-surroundings.ts'
import { dominantLineEnd } from './lines.ts'
import { isSound, parsePrs } from './prs.ts'
import { insertField, openPrsDraft, removeFields, settle } from './prs-draft.ts'
import { PLAIN, prsBlock, prsFile } from './prs-render.ts'
import { nest } from './values.ts'

/** Null when the text is not valid, or something on the path has no fields. */
export function setPrsValue(text: string, path: readonly string[], value: Json): Edit[] | null {
  const [block, ...inner] = path
  if (block === undefined || !isSound(parsePrs(text))) return null
  // As it will read back: `undefined` and NaN are no values.
  const wanted: Json = JSON.parse(JSON.stringify(value))
  const style = { ...PLAIN, lineEnd: dominantLineEnd(text) }
  if (text.trim() === '') {
    const file = prsFile(block, nest(inner, wanted), style)
    return [{ range: { start: 0, end: text.length }, text: file }]
  }
  const draft = openPrsDraft(text)
  const known = knownSteps(text, path)
  if (known === null) return null
  if (known === 0) {
    const gap = /\n[ \t]*$/.test(text) ? style.lineEnd : style.lineEnd + style.lineEnd
    draft.change([insertion(text.length, gap + prsBlock(block, nest(inner, wanted), style) + style.lineEnd)])
  } else if (known === path.length) settle(draft, path, wanted)
  else insertField(draft, path.slice(0, known), path[known]!, nest(path.slice(known + 1), wanted))
  // An edit that does not do what it should is worse than none.
  const now = toData(get(parsePrs(draft.doc().text).root, path) ?? null)
  return JSON.stringify(now) === JSON.stringify(wanted) ? draft.edits() : null
}

/** Removes nothing but the entry; what holds it stays, even where it becomes empty. */
export function removePrsValue(text: string, path: readonly string[]): Edit[] | null {
  const key = path.at(-1)
  return key === undefined ? null : removePrsValues(text, path.slice(0, -1), [key])
}

/** Several entries of one block or field. */
export function removePrsValues(text: string, holder: readonly string[], keys: readonly string[]): Edit[] | null {
  if (holder.length === 0 || !isSound(parsePrs(text))) return null
  const known = knownSteps(text, [...holder, keys[0] ?? ''])
  if (known === null) return null
  if (known < holder.length) return []
  const draft = openPrsDraft(text)
  removeFields(draft, holder, new Set(keys))
  return draft.edits()
}

/** How many steps of the path exist; null when one leads into something that has no fields. */
function knownSteps(text: string, path: readonly string[]): number | null {
  const { root } = parsePrs(text)
  for (let known = 0; known < path.length; known++) {
    const holder = get(root, path.slice(0, known))
    if (holder === undefined) return known - 1
    if (!isMap(holder)) return null
  }
  return get(root, path) === undefined ? path.length - 1 : path.length
}
