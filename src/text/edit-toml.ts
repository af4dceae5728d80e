/** Edits to TOML that set or remove the value at a path and leave every comment alone; and whole documents. */
import { type AST, parseTOML } from 'toml-eslint-parser'
import type { Json } from '../model/agent.ts'
import type { Edit, Range } from '../model/place.ts'
import { get, sameData, toData } from './data.ts'
import {
  alignLists,
  type Box,
  commentsIn,
  type Draft,
  hoistComments,
  indentAt,
  insertItem,
  insertion,
  isTable,
  moved,
  nest,
  removeItem,
  type Style,
  type Surroundings,
  startDraft,
} from './edit-json.ts'
import { dominantLineEnd, type LineEnd, lineStart, lineStop, nextLine } from './lines.ts'
import { tomlString } from './render.ts'
import { doubleQuoted, singleQuoted } from './scalar-text.ts'
import { parseToml } from './toml.ts'
import { addStatements, growToml, toNode } from './toml-tree.ts'
import type { DataNode } from './tree.ts'

/** Numbers lead into arrays of tables. */
type Path = readonly (string | number)[]
type Table = { readonly [key: string]: Json }

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

/** A whole document that reads back as the same data; null values are left out. */
export function tomlDocument(entries: Table): string {
  const blocks = renderSections([], clean(entries) as Table, '\n')
  return blocks.length === 0 ? '' : `${blocks.join('\n\n')}\n`
}

function open(text: string, path: Path): Draft<Doc> | null {
  if (parseToml(text).findings.length > 0) return null
  const body = text.slice(shiftOf(text))
  const style: Style = { lineEnd: dominantLineEnd(body), unit: '  ', gap: ' ', opens: false }
  const draft = startDraft(body, (now) => read(now, style))
  return locate(draft.doc(), path).kind === 'blocked' ? null : draft
}

function shiftOf(text: string): number {
  return text.startsWith('\uFEFF') ? 1 : 0
}

/** A header, or a key with its value. */
interface Statement {
  /** Where it leads, from the top. */
  readonly path: Path
  /** The table it stands in; null of a header. */
  readonly scope: Path | null
  readonly value: AST.TOMLContentNode | null
  readonly range: Range
}

interface Doc extends Surroundings {
  readonly statements: readonly Statement[]
  readonly root: DataNode
}

/** The text is known to be valid. */
function read(text: string, style: Style): Doc {
  // Of a 0 that ends the text the library gives a range without it.
  const program = parseTOML(`${text}\n`)
  const builder = growToml({ start: 0, end: 0 })
  addStatements(builder, program, 0)
  const comments = new Map(program.comments.map(({ range }) => range))
  const statements = program.body[0].body.flatMap((node) => {
    if (node.type === 'TOMLKeyValue') return [pairOf(node, [])]
    const [start] = node.range
    const end = text.indexOf(']', node.key.range[1]) + (node.kind === 'array' ? 2 : 1)
    const header: Statement = { path: node.resolvedKey, scope: null, value: null, range: { start, end } }
    return [header, ...node.body.map((pair) => pairOf(pair, node.resolvedKey))]
  })
  return { ...style, text, comments, statements, root: builder.root() }
}

function pairOf(node: AST.TOMLKeyValue, scope: Path): Statement {
  return { path: [...scope, ...namesOf(node.key)], scope, value: node.value, range: rangeOf(node) }
}

function namesOf({ keys }: AST.TOMLKey): string[] {
  return keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value))
}

function rangeOf({ range }: { readonly range: readonly [number, number] }): Range {
  return { start: range[0], end: range[1] }
}

/** An inline table, how many steps lead to it, and the statement it is part of. */
interface Inline {
  readonly node: AST.TOMLInlineTable
  readonly depth: number
  readonly statement: Statement
}

type Found =
  | { readonly kind: 'missing' }
  | { readonly kind: 'blocked' }
  | { readonly kind: 'tables' }
  /** Made by headers, or by dotted keys, which may stand in an inline table. */
  | { readonly kind: 'table'; readonly inline: Inline | null }
  | {
      readonly kind: 'value'
      readonly node: AST.TOMLContentNode
      readonly statement: Statement
      readonly inline: Inline | null
    }

function locate(doc: Doc, path: Path): Found {
  let found: Found = path.length === 0 ? { kind: 'table', inline: null } : { kind: 'missing' }
  for (const statement of doc.statements) {
    const common = shared(statement.path, path)
    const next = statement.path[common]
    if (common === path.length) {
      if (typeof next === 'number') return { kind: 'tables' }
      if (next === undefined && statement.value) {
        return { kind: 'value', node: statement.value, statement, inline: null }
      }
      found = { kind: 'table', inline: null }
    } else if (next === undefined && statement.value) return locateInside(statement, statement.value, path, common)
    else if (typeof next === 'number' && typeof path[common] === 'string') return { kind: 'blocked' }
  }
  return found
}

function locateInside(statement: Statement, node: AST.TOMLContentNode, path: Path, depth: number): Found {
  if (node.type !== 'TOMLInlineTable') return { kind: 'blocked' }
  const inline = { node, depth, statement }
  const rest = path.slice(depth)
  let found: Found = { kind: 'missing' }
  for (const member of node.body) {
    const names = namesOf(member.key)
    const common = shared(names, rest)
    if (common === rest.length) {
      if (common === names.length) return { kind: 'value', node: member.value, statement, inline }
      found = { kind: 'table', inline }
    } else if (common === names.length) return locateInside(statement, member.value, path, depth + common)
  }
  return found
}

function shared(a: Path, b: Path): number {
  let common = 0
  while (common < a.length && common < b.length && a[common] === b[common]) common++
  return common
}

function isUnder(path: Path, parent: Path): boolean {
  return shared(path, parent) === parent.length
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

function boxOf(node: AST.TOMLContentNode, items: readonly AST.TOMLNode[]): Box {
  return { range: rangeOf(node), items: items.map(rangeOf) }
}

function remove(draft: Draft<Doc>, path: Path): void {
  for (;;) {
    const doc = draft.doc()
    const found = locate(doc, path)
    if (found.kind === 'missing' || found.kind === 'blocked') return
    const inline = found.kind === 'tables' ? null : found.inline
    if (inline) draft.change(removeMember(doc, inline, path))
    else draft.change(doc.statements.filter((one) => isUnder(one.path, path)).map((one) => dropStatement(doc, one)))
  }
}

/** Comments inside the member go above the statement, because an inline table may not have lines for them. */
function removeMember(doc: Doc, { node, depth, statement }: Inline, path: Path): Edit[] {
  const index = node.body.findIndex(({ key }) => isUnder(namesOf(key), path.slice(depth)))
  const range = rangeOf(node.body[index]!)
  const inside = new Set(commentsIn(doc, range).map(({ start }) => start))
  const comments = new Map([...doc.comments].filter(([start]) => !inside.has(start)))
  const removal = removeItem({ ...doc, comments }, boxOf(node, node.body), index)
  return [...hoistComments(doc, range, statement.range.start), ...removal]
}

/** Takes out whole lines, with the blank ones above a header; comments keep lines of their own. */
function dropStatement(doc: Doc, { range, scope }: Statement): Edit {
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
  const blank = scope === null ? /(?:^|(?<=\n))(?:[ \t]*\r?\n)*$/.exec(text.slice(0, from))![0].length : 0
  return { range: { start: from - blank, end: nextLine(text, end) }, text: '' }
}

function insertNew(doc: Doc, path: Path, wanted: Json): Edit[] {
  let depth = path.length - 1
  while (depth > 0 && locate(doc, path.slice(0, depth)).kind === 'missing') depth--
  const parent = path.slice(0, depth)
  const inline = inlineAt(locate(doc, parent), depth)
  if (inline) return insertMember(doc, inline, path, wanted)
  const target = path.slice(0, depth + 1)
  // Only names can be missing.
  const value = nest(path.slice(depth + 1) as string[], wanted)
  if (!isSection(value)) return [insertPair(doc, parent, target, value)]
  // A section of an array of tables belongs to the element above it; every other one may come last.
  const element = target.slice(0, target.findLastIndex((step) => typeof step === 'number') + 1)
  const above = element.length === 0 ? null : doc.statements.findLast((one) => isUnder(one.path, element))!
  const key = String(target.at(-1))
  return [insertBlocks(doc, above, renderSections(namesIn(parent), { [key]: value }, doc.lineEnd))]
}

function inlineAt(found: Found, depth: number): Inline | null {
  if (found.kind === 'table') return found.inline
  if (found.kind !== 'value' || found.node.type !== 'TOMLInlineTable') return null
  return { node: found.node, depth, statement: found.statement }
}

function insertMember(doc: Doc, { node, depth }: Inline, path: Path, value: Json): Edit[] {
  const member = `${renderKey(path.slice(depth))} = ${renderInline(value)}`
  const range = rangeOf(node)
  if (node.body.length === 0 && commentsIn(doc, range).length === 0) return [{ range, text: `{ ${member} }` }]
  return insertItem(doc, boxOf(node, node.body), node.body.length, () => member)
}

/** Where the table's other keys are; before the first header, if the table is the document itself. */
function insertPair(doc: Doc, parent: Path, target: Path, value: Json): Edit {
  const { statements, text, lineEnd } = doc
  const rendered = renderValue(value, lineEnd)
  const name = renderKey(target.slice(parent.length))
  const isParent = (path: Path | null) => path !== null && path.length === parent.length && isUnder(path, parent)
  const neighbour =
    statements.findLast(({ scope }) => isParent(scope)) ??
    statements.find(({ path, scope }) => scope === null && isParent(path))
  if (neighbour) return insertBelow(doc, neighbour, `${name} = ${rendered}`)
  // Dotted keys made the table, and only dotted keys may add to it.
  const dotted = statements.findLast(
    ({ scope, path }) => scope !== null && scope.length < parent.length && isUnder(path, parent),
  )
  if (dotted) return insertBelow(doc, dotted, `${renderKey(target.slice(dotted.scope!.length))} = ${rendered}`)
  const first = statements.find(({ path }) => isUnder(path, parent))
  const pair = `${name} = ${rendered}${lineEnd}`
  if (!first) return insertion(text.length, (/[^\n]$/.test(text) ? lineEnd : '') + pair)
  const header = parent.length === 0 ? '' : `[${renderKey(parent)}]${lineEnd}`
  return insertion(aboveComments(doc, first.range.start), header + pair + lineEnd)
}

function insertBelow({ text, lineEnd }: Doc, { range }: Statement, line: string): Edit {
  return insertion(lineStop(text, range.end), lineEnd + indentAt(text, range.start) + line)
}

/** The lines of comment right above belong to what they stand on; but directives such as `#:schema` belong to the file. */
function aboveComments({ text, comments }: Doc, place: number): number {
  let line = lineStart(text, place)
  while (line > 0) {
    const above = lineStart(text, line - 1)
    const first = above + /^[ \t]*/.exec(text.slice(above, line))![0].length
    if (!comments.has(first) || text.startsWith('#:', first)) break
    line = above
  }
  return line
}

/** Below the statement, or at the end of the file; a blank line on either side. */
function insertBlocks({ text, lineEnd }: Doc, above: Statement | null, blocks: readonly string[]): Edit {
  const place = above === null ? text.length : nextLine(text, above.range.end)
  const before = text.slice(0, place)
  const ended = before === '' || before.endsWith('\n') ? '' : lineEnd
  const gap = before.trim() === '' || /\n[ \t]*\r?\n$/.test(before) ? '' : lineEnd
  const after = place === text.length || /^[ \t]*\r?\n/.test(text.slice(place)) ? '' : lineEnd
  return insertion(place, `${ended}${gap}${blocks.join(lineEnd + lineEnd)}${lineEnd}${after}`)
}

function namesIn(path: Path): string[] {
  return path.filter((step) => typeof step === 'string')
}

/** The table as blocks, each a header with its keys; `element` says that it is one of an array of tables. */
function renderSections(path: readonly string[], table: Table, lineEnd: LineEnd, element = false): string[] {
  const entries = Object.entries(table)
  const pairs = entries
    .filter(([, value]) => !isSection(value))
    .map(([key, value]) => `${renderKey([key])} = ${renderValue(value, lineEnd)}`)
  const inner = entries.flatMap(([key, value]) => {
    if (!isSection(value)) return []
    if (isTable(value)) return renderSections([...path, key], value, lineEnd)
    return (value as readonly Table[]).flatMap((one) => renderSections([...path, key], one, lineEnd, true))
  })
  // A table of nothing but tables exists by their headers.
  if (!element && pairs.length === 0 && inner.length > 0) return inner
  const name = renderKey(path)
  const header = path.length === 0 ? [] : [element ? `[[${name}]]` : `[${name}]`]
  const block = [...header, ...pairs]
  return block.length === 0 ? inner : [block.join(lineEnd), ...inner]
}

/** What reads better as `[table]` or `[[table]]` than behind a key. */
function isSection(value: Json): boolean {
  return isTable(value) || (holdsTables(value) && !value.every(isSmall))
}

function holdsTables(value: Json): value is readonly Table[] {
  return Array.isArray(value) && value.length > 0 && value.every(isTable)
}

const ONE_LINE = 80

function isSmall(table: Table): boolean {
  const values = Object.values(table)
  if (values.some((one) => typeof one === 'object' || (typeof one === 'string' && one.includes('\n')))) return false
  return renderInline(table).length <= ONE_LINE
}

/** In the style of the old value where the new one allows it; null means that it has only one line. */
function renderLike(old: AST.TOMLContentNode, value: Json, lineEnd: LineEnd | null): string {
  if (old.type === 'TOMLValue') {
    // A whole number where a fraction stood: the reader may want its type.
    if (old.kind === 'float' && Number.isSafeInteger(value) && !Object.is(value, -0)) return `${value}.0`
    const literal = old.kind === 'string' && old.style === 'literal' && typeof value === 'string'
    if (literal && !value.includes("'")) {
      const quoted = singleQuoted(value)
      if (quoted !== null) return quoted
    }
  }
  return lineEnd === null ? renderInline(value) : renderValue(value, lineEnd)
}

function renderValue(value: Json, lineEnd: LineEnd): string {
  if (typeof value === 'string') return tomlString(value, lineEnd)
  const line = renderInline(value)
  if (!Array.isArray(value) || line.length <= ONE_LINE) return line
  return `[${lineEnd}${value.map((item) => `  ${renderInline(item)},${lineEnd}`).join('')}]`
}

function renderInline(value: Json): string {
  if (typeof value === 'string') return doubleQuoted(value)
  if (typeof value === 'number') return renderNumber(value)
  if (Array.isArray(value)) return `[${value.map(renderInline).join(', ')}]`
  if (!isTable(value)) return String(value)
  const members = Object.entries(value).map(([key, one]) => `${renderKey([key])} = ${renderInline(one)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

function renderNumber(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  if (Object.is(value, -0)) return '-0.0'
  const text = String(value)
  // Beyond what every reader can hold as an integer, it is a float.
  return Number.isSafeInteger(value) || /[.e]/.test(text) ? text : `${text}.0`
}

function renderKey(path: Path): string {
  return namesIn(path)
    .map((name) => (/^[\w-]+$/.test(name) ? name : doubleQuoted(name)))
    .join('.')
}

/** As TOML can hold it, so that what is written compares equal to what was wanted. */
function clean(value: Json): Json {
  if (typeof value === 'string') return withoutLoneSurrogates(value)
  if (Array.isArray(value)) return value.filter((one) => one !== null).map(clean)
  if (!isTable(value)) return value
  const entries = Object.entries(value).filter(([, one]) => one !== null && one !== undefined)
  return Object.fromEntries(entries.map(([key, one]) => [withoutLoneSurrogates(key), clean(one)]))
}

function withoutLoneSurrogates(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
}

/** Integers beyond the safe ones become the number a caller would have. */
function plain(data: unknown): unknown {
  if (typeof data === 'bigint') return Number(data)
  if (Array.isArray(data)) return data.map(plain)
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(Object.entries(data).map(([key, one]) => [key, plain(one)]))
}
