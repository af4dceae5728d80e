/** Edits to JSON and JSONC that set or remove the value at a path and leave every comment and every other value alone. */
import type { Json } from '../model/agent.ts'
import type { Edit } from '../model/place.ts'
import { moved } from './draft.ts'
import { parseJson } from './json.ts'
import { appendKeys, insertKey, openDraft, removeKeys, settle } from './json-draft.ts'
import { findNode, parseBody } from './json-nodes.ts'
import { PLAIN, renderJson } from './json-render.ts'
import { dominantLineEnd } from './lines.ts'
import { nest } from './values.ts'

/**
 * Null when the text is no JSONC or something on the path is no object. Inside the value the order of keys counts, because
 * harnesses exist where the last rule that matches wins; what the value no longer has goes, its comments stay.
 */
export function setJsonValue(text: string, path: readonly string[], value: Json): Edit[] | null {
  const shift = text.startsWith('\uFEFF') ? 1 : 0
  const body = text.slice(shift)
  // As it will read back: `undefined`, NaN and -0 are not JSON.
  const wanted: Json = JSON.parse(JSON.stringify(value))
  if (isBlank(body)) return moved([fillBlank(body, nest(path, wanted))], shift)
  const known = knownPath(text, body, path)
  if (known === null) return null
  const draft = openDraft(body)
  if (known === path.length) settle(draft, path, wanted)
  else insertKey(draft, path.slice(0, known), path[known]!, nest(path.slice(known + 1), wanted))
  return moved(draft.edits(), shift)
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
  const draft = openDraft(body)
  appendKeys(draft, holder, JSON.parse(JSON.stringify(entries)))
  return moved(draft.edits(), shift)
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
  const draft = openDraft(body)
  removeKeys(draft, holder, new Set(keys))
  return moved(draft.edits(), shift)
}

/** How many steps of the path exist; null when the text is broken or a step leads into something that has no keys. */
function knownPath(text: string, body: string, path: readonly string[]): number | null {
  if (parseJson(text, { comments: true }).findings.some(({ code }) => code === 'invalid-json')) return null
  const tree = parseBody(body)
  for (let known = 0; known < path.length; known++) {
    const node = findNode(tree, path.slice(0, known))
    if (node === undefined) return known - 1
    if (node.type !== 'object') return null
  }
  return findNode(tree, path) ? path.length : path.length - 1
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
  const rendered = renderJson(value, '', { ...PLAIN, lineEnd }) + lineEnd
  if (body.trim() === '') return { range: { start: 0, end: body.length }, text: rendered }
  const gap = /\n[ \t]*$/.test(body) ? '' : lineEnd
  return { range: { start: body.length, end: body.length }, text: gap + rendered }
}
