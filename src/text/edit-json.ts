/** Edits to JSON and JSONC that set or remove the value at a path and leave every comment and every other value alone. */
import { getNodeValue, type Node, parseTree, visit } from 'jsonc-parser'
import type { Json } from '../model/agent.ts'
import type { Edit, Range } from '../model/place.ts'
import { applyEdits } from './edit.ts'
import { parseJson } from './json.ts'
import { dominantLineEnd, type LineEnd, lineStart, lineStop, nextLine } from './lines.ts'

type Step = string | number

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

/** Removes nothing but the entry (each of them, where the key stands twice); a parent that becomes empty stays. */
export function removeJsonValue(text: string, path: readonly string[]): Edit[] | null {
  const shift = text.startsWith('\uFEFF') ? 1 : 0
  const body = text.slice(shift)
  if (isBlank(body)) return []
  const known = knownPath(text, body, path)
  if (known === null || path.length === 0) return null
  if (known < path.length) return []
  const draft = openDraft(body)
  removeKey(draft, path.slice(0, -1), path.at(-1)!)
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

/** The parents that are missing, around the value. */
export function nest(path: readonly string[], value: Json): Json {
  return path.reduceRight<Json>((inner, key) => ({ [key]: inner }), value)
}

function settle(draft: Draft<Doc>, path: readonly Step[], wanted: Json): void {
  const node = findNode(draft.doc().tree, path)!
  if (isSame(node, wanted)) return
  if (node.type === 'object' && isTable(wanted)) settleKeys(draft, path, wanted)
  else if (node.type === 'array' && Array.isArray(wanted)) settleItems(draft, path, wanted)
  // Keys in another order, or one that stood twice, can only be written anew.
  const changed = draft.doc()
  const now = findNode(changed.tree, path)!
  if (!isSame(now, wanted)) draft.change(replaceValue(changed, now, wanted))
}

function settleKeys(draft: Draft<Doc>, path: readonly Step[], wanted: { readonly [key: string]: Json }): void {
  const old = entriesOf(findNode(draft.doc().tree, path)!).map(({ key }) => key)
  for (const key of new Set(old)) if (!Object.hasOwn(wanted, key)) removeKey(draft, path, key)
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

/** What two lists have in common at the start stays, and at the end; `old` items between are to become `now` new ones. */
export function alignLists(
  before: number,
  after: number,
  same: (i: number, j: number) => boolean,
): { readonly head: number; readonly old: number; readonly now: number } {
  const shorter = Math.min(before, after)
  let head = 0
  while (head < shorter && same(head, head)) head++
  let tail = 0
  while (tail < shorter - head && same(before - 1 - tail, after - 1 - tail)) tail++
  return { head, old: before - head - tail, now: after - head - tail }
}

/** Behind the entry `after`; null is the first place, and without it the entry comes last. */
function insertKey(draft: Draft<Doc>, path: readonly Step[], key: string, value: Json, after?: string | null): void {
  const doc = draft.doc()
  const object = findNode(doc.tree, path)!
  const entries = entriesOf(object)
  const index = after === undefined ? entries.length : entries.findLastIndex((one) => one.key === after) + 1
  const render = (indent: string | null) => JSON.stringify(key) + doc.colon + renderJson(value, indent, doc)
  draft.change(insertItem(doc, boxOf(object), index, render))
}

function removeKey(draft: Draft<Doc>, path: readonly Step[], key: string): void {
  for (;;) {
    const doc = draft.doc()
    const object = findNode(doc.tree, path)!
    const index = entriesOf(object).findLastIndex((one) => one.key === key)
    if (index < 0) return
    draft.change(removeItem(doc, boxOf(object), index))
  }
}

function replaceValue(doc: Doc, node: Node, value: Json): Edit[] {
  const item = node.parent?.type === 'property' ? node.parent : node
  const container = item.parent
  const spread = container === undefined || isSpread(doc, boxOf(container))
  const indent = indentAt(doc.text, item.offset)
  const text = renderJson(value, spread ? indent : null, doc)
  return [...hoistComments(doc, rangeOf(node), item.offset), { range: rangeOf(node), text }]
}

interface Doc extends Surroundings, JsonStyle {
  readonly tree: Node
}

function openDraft(body: string): Draft<Doc> {
  const style = readStyle(body)
  return startDraft(body, (text) => {
    const comments = new Map<number, number>()
    visit(text, { onComment: (offset, length) => comments.set(offset, offset + length) })
    return { ...style, text, comments, tree: parseBody(text) }
  })
}

/** The text is known to be valid and not blank. */
function parseBody(text: string): Node {
  return parseTree(text, [], { allowTrailingComma: true })!
}

function findNode(tree: Node, path: readonly Step[]): Node | undefined {
  let node: Node | undefined = tree
  for (const step of path) {
    if (node === undefined) return undefined
    if (typeof step === 'number') node = node.children?.[step]
    else if (node.type === 'object') node = entriesOf(node).findLast(({ key }) => key === step)?.value
    else return undefined
  }
  return node
}

function entriesOf(object: Node): { readonly key: string; readonly value: Node }[] {
  return (object.children ?? []).map(({ children }) => ({ key: String(children![0]!.value), value: children![1]! }))
}

function boxOf(node: Node): Box {
  return { range: rangeOf(node), items: (node.children ?? []).map(rangeOf) }
}

function rangeOf(node: Node): Range {
  return { start: node.offset, end: node.offset + node.length }
}

function isSame(node: Node, value: Json): boolean {
  return JSON.stringify(getNodeValue(node)) === JSON.stringify(value)
}

export function isTable(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

interface JsonStyle extends Style {
  readonly colon: string
  /** What stands inside the braces of an object on one line. */
  readonly pad: string
}

const PLAIN: JsonStyle = { lineEnd: '\n', unit: '  ', gap: ' ', opens: true, colon: ': ', pad: '' }

function readStyle(text: string): JsonStyle {
  const tree = parseBody(text)
  const [key, value] = tree.children?.[0]?.children ?? []
  const between = key && value ? text.slice(key.offset + key.length, value.offset) : ''
  const tight = between === ':'
  return {
    lineEnd: dominantLineEnd(text),
    unit: readUnit(text, tree) ?? PLAIN.unit,
    gap: tight ? '' : PLAIN.gap,
    // A file on one line stays on one line, unless there is nothing in it yet.
    opens: (tree.children ?? []).length === 0 || text.slice(tree.offset, tree.offset + tree.length).includes('\n'),
    colon: tight ? ':' : /^[ \t]+:/.test(between) ? ' : ' : PLAIN.colon,
    pad: /\{ +"/.test(text) ? ' ' : '',
  }
}

/** How much deeper than its parent something stands that begins a line. */
function readUnit(text: string, node: Node): string | null {
  const outer = indentAt(text, node.offset)
  for (const child of node.children ?? []) {
    const inner = indentAt(text, child.offset)
    if (beginsLine(text, child.offset) && inner.startsWith(outer) && inner !== outer) return inner.slice(outer.length)
  }
  for (const child of node.children ?? []) {
    const unit = readUnit(text, child)
    if (unit !== null) return unit
  }
  return null
}

/** On one line where `indent` is null; else over lines, as `JSON.stringify` and with it most harnesses write. */
function renderJson(value: Json, indent: string | null, style: JsonStyle): string {
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

/** A text that changes step by step, each step seeing the one before; together they are edits to the original. */
export interface Draft<D> {
  /** The text as it is now, as the format reads it. */
  readonly doc: () => D
  readonly change: (edits: readonly Edit[]) => void
  readonly edits: () => Edit[]
}

/** What is left of the original, by its place there, and what is new. */
type Piece = Range | string

export function startDraft<D>(original: string, read: (text: string) => D): Draft<D> {
  let text = original
  let doc: D | undefined
  let pieces: Piece[] = [{ start: 0, end: original.length }]
  return {
    doc: () => {
      doc ??= read(text)
      return doc
    },
    change: (edits) => {
      const ordered = [...edits].sort((a, b) => a.range.start - b.range.start || a.range.end - b.range.end)
      for (const edit of ordered.reverse()) pieces = splice(pieces, edit)
      text = applyEdits(text, edits)
      doc = undefined
    },
    edits: () => toEdits(pieces, original.length),
  }
}

function splice(pieces: readonly Piece[], { range, text }: Edit): Piece[] {
  const before: Piece[] = []
  const after: Piece[] = []
  let place = 0
  for (const piece of pieces) {
    const length = typeof piece === 'string' ? piece.length : piece.end - piece.start
    before.push(cut(piece, 0, Math.min(length, range.start - place)))
    after.push(cut(piece, Math.max(0, range.end - place), length))
    place += length
  }
  return [...before, text, ...after].filter((one) => (typeof one === 'string' ? one !== '' : one.end > one.start))
}

function cut(piece: Piece, from: number, to: number): Piece {
  if (to <= from) return ''
  return typeof piece === 'string' ? piece.slice(from, to) : { start: piece.start + from, end: piece.start + to }
}

function toEdits(pieces: readonly Piece[], length: number): Edit[] {
  const edits: Edit[] = []
  let text = ''
  let done = 0
  for (const piece of [...pieces, { start: length, end: length }]) {
    if (typeof piece === 'string') text += piece
    else {
      if (text !== '' || piece.start > done) edits.push({ range: { start: done, end: piece.start }, text })
      text = ''
      done = piece.end
    }
  }
  return edits
}

export function moved(edits: readonly Edit[], shift: number): Edit[] {
  return edits.map(({ range, text }) => ({ range: { start: range.start + shift, end: range.end + shift }, text }))
}

/** Brackets and what they hold, whatever the format; commas stand between the items and perhaps behind the last. */
export interface Box {
  /** The brackets included. */
  readonly range: Range
  readonly items: readonly Range[]
}

/** How items are set. */
export interface Style {
  readonly lineEnd: LineEnd
  readonly unit: string
  /** What follows a comma on the same line. */
  readonly gap: string
  /** Whether empty brackets are opened over several lines. */
  readonly opens: boolean
}

/** What an item must fit into. */
export interface Surroundings extends Style {
  readonly text: string
  /** Where each comment begins and ends. */
  readonly comments: ReadonlyMap<number, number>
}

/** `render` gets the indent of the line the item begins, or null where everything stands on one line. */
export function insertItem(
  around: Surroundings,
  box: Box,
  index: number,
  render: (indent: string | null) => string,
): Edit[] {
  const { text, lineEnd, gap } = around
  const spread = isSpread(around, box)
  const indent = itemIndent(around, box, index)
  const item = spread ? lineEnd + indent + render(indent) : render(null)
  const lead = spread ? '' : gap
  const { start, end } = box.range
  const last = box.items.length - 1
  if (last < 0) return fillBox(around, box, item, spread)
  if (index === 0) {
    if (spread) return [insertion(endOfLineComments(around, start + 1, end - 1), `${item},`)]
    return [insertion(box.items[0]!.start, `${item},${gap}`)]
  }
  const before = box.items[index - 1]!
  const comma = commaBehind(around, before)
  // Only behind the last item the comma may be missing.
  const place = endOfLineComments(around, comma === null ? before.end : comma + 1, end - 1)
  if (comma === null) return [insertion(before.end, ','), insertion(place, lead + item)]
  if (index > last || spread) return [insertion(place, `${lead}${item},`)]
  return [insertion(comma + 1, `${text[comma + 1] === ' ' ? ' ' : lead}${item},`)]
}

function fillBox(around: Surroundings, { range }: Box, item: string, spread: boolean): Edit[] {
  const { text, lineEnd } = around
  const close = range.end - 1
  const stop = spread ? lineEnd + indentAt(text, range.start) : ''
  const comments = commentsIn(around, range)
  const last = comments.at(-1)
  if (!last) return [{ range: { start: range.start + 1, end: close }, text: item + stop }]
  const closed = /[\r\n]/.test(text.slice(last.end, close))
  if (!spread || closed) return [insertion(last.end, spread ? item : ` ${item}`)]
  return [{ range: { start: last.end, end: close }, text: item + stop }]
}

/** Takes out the item and one comma; comments inside it stay where it stood. */
export function removeItem(around: Surroundings, box: Box, index: number): Edit[] {
  const { text, lineEnd } = around
  const item = box.items[index]!
  const inside = { start: box.range.start + 1, end: box.range.end - 1 }
  if (box.items.length === 1 && commentsIn(around, inside).length === 0) return [{ range: inside, text: '' }]
  const comma = commaBehind(around, item)
  const edits: Edit[] = []
  let { start, end } = item
  if (comma !== null) {
    if (isSpace(text.slice(end, comma))) end = comma + 1
    else edits.push(deletion(comma, comma + 1))
  } else if (index > 0) {
    const previous = commaBehind(around, box.items[index - 1]!)!
    if (/^[ \t]*$/.test(text.slice(previous + 1, start))) start = previous
    else edits.push(deletion(previous, previous + 1))
  }
  const kept = commentsIn(around, item).map((one) => text.slice(one.start, one.end))
  const stop = lineStop(text, end)
  const endsLine = isSpace(text.slice(end, stop))
  const next = end + /^[ \t]*/.exec(text.slice(end, stop))![0].length
  if (kept.length > 0) {
    const lead = lineEnd + indentAt(text, start)
    return [...edits, { range: { start, end: next }, text: kept.join(lead) + (endsLine ? '' : lead) }]
  }
  if (endsLine && beginsLine(text, start)) return [...edits, deletion(lineStart(text, start), nextLine(text, end))]
  if (!endsLine && next !== inside.end) return [...edits, deletion(start, next)]
  return [...edits, deletion(start - /[ \t]*$/.exec(text.slice(0, start))![0].length, end)]
}

/** The comments of what is about to be replaced, to stand before it. */
export function hoistComments(around: Surroundings, range: Range, place: number): Edit[] {
  const lead = around.lineEnd + indentAt(around.text, place)
  const kept = commentsIn(around, range).map(({ start, end }) => around.text.slice(start, end) + lead)
  return kept.length === 0 ? [] : [insertion(place, kept.join(''))]
}

export function commentsIn({ comments }: Pick<Surroundings, 'comments'>, range: Range): Range[] {
  return [...comments]
    .map(([start, end]) => ({ start, end }))
    .filter(({ start, end }) => start >= range.start && end <= range.end)
}

export function isSpread({ text, opens }: Surroundings, { range, items }: Box): boolean {
  const [first, last] = [items[0], items.at(-1)]
  if (!first || !last) return opens || /[\r\n]/.test(text.slice(range.start, range.end))
  return /[\r\n]/.test(text.slice(range.start, first.start) + text.slice(last.end, range.end))
}

function itemIndent({ text, unit }: Surroundings, { range, items }: Box, index: number): string {
  const begins = ({ start }: Range) => beginsLine(text, start)
  const model = items.slice(0, index).findLast(begins) ?? items.find(begins)
  return model ? indentAt(text, model.start) : indentAt(text, range.start) + unit
}

function commaBehind({ text, comments }: Surroundings, item: Range): number | null {
  const place = skipTrivia(text, item.end, comments)
  return text[place] === ',' ? place : null
}

/** Comments on the rest of a line belong to what they follow, unless something else comes behind them. */
function endOfLineComments({ text, comments }: Surroundings, from: number, close: number): number {
  let place = from
  for (let i = from; ; ) {
    const end = comments.get(i)
    if (end !== undefined) {
      place = end
      i = end
    } else if (text[i] === ' ' || text[i] === '\t') i++
    else return i === close || text[i] === '\n' || text[i] === '\r' ? place : from
  }
}

function skipTrivia(text: string, from: number, comments: ReadonlyMap<number, number>): number {
  let place = from
  for (;;) {
    const end = comments.get(place)
    if (end !== undefined) place = end
    else if (place < text.length && ' \t\r\n'.includes(text[place]!)) place++
    else return place
  }
}

export function indentAt(text: string, place: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, place), place))![0]
}

function beginsLine(text: string, place: number): boolean {
  return /^[ \t]*$/.test(text.slice(lineStart(text, place), place))
}

function isSpace(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text)
}

export function insertion(place: number, text: string): Edit {
  return { range: { start: place, end: place }, text }
}

function deletion(start: number, end: number): Edit {
  return { range: { start, end }, text: '' }
}
