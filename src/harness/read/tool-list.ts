/** Tool lists as files spell them: strings, lists, `Tool(pattern)`, each name with its position. */

import { type DataNode, getEntry, type ScalarNode } from '../../formats/data.ts'
import { wildcardsOf } from '../../model/access/regex-patterns.ts'
import type { Range } from '../../model/range.ts'
import type { AccessLayerSpec } from '../schema/harness.ts'

export interface ToolEntry {
  /** The tool's name, without its pattern. */
  readonly name: string
  /** The text in the parentheses, or null. */
  readonly argument: string | null
  /** The name in the file; the whole value if the text has escapes and the position is unknown. */
  readonly range: Range
  /** It follows a parenthesis that the harness does not know as one: to a person it is part of the name before it. */
  readonly isInside?: boolean
}

/** How a harness splits a list into names. */
export type ListForm = Pick<AccessLayerSpec, 'cuts' | 'otherItems' | 'codec' | 'limitKey'>

type Cuts = NonNullable<AccessLayerSpec['cuts']>

/** The default: commas and line ends, except inside parentheses. */
const usual: Cuts = { text: ',\n', items: ',\n', parentheses: true }

/** The entries of a tool list; null if the value is not a list of names in any spelling. */
export function toolEntries(text: string, node: DataNode, form: ListForm): ToolEntry[] | null {
  const { cuts = usual } = form
  if (node.kind === 'map') return null
  if (node.kind === 'list') {
    const entries: ToolEntry[] = []
    for (const item of node.items) {
      const limited = limitedEntry(form, item)
      if (limited !== null) entries.push(limited)
      else if (item.kind === 'scalar' && typeof item.value === 'string')
        entries.push(...scalarEntries(text, item, cuts.items, cuts))
      else if (form.otherItems !== 'dropped' || !isHarmless(form, item)) return null
    }
    return entries
  }
  if (node.value === null) return []
  return typeof node.value === 'string' ? scalarEntries(text, node, cuts.text, cuts) : null
}

/** `[edit, { fileRegex: '\\.md$' }]`; a limit that no wildcards express leaves nothing of the tool. */
function limitedEntry({ limitKey }: ListForm, item: DataNode): ToolEntry | null {
  if (limitKey === undefined || item.kind !== 'list') return null
  const [name, limit] = item.items
  if (name?.kind !== 'scalar' || typeof name.value !== 'string' || item.items.length !== 2) return null
  const found = getEntry(limit, limitKey)?.value
  const source = found?.kind === 'scalar' && typeof found.value === 'string' ? found.value : null
  if (limit?.kind !== 'map' || (source === null && found !== undefined)) return null
  const argument = source === null ? null : (wildcardsOf(source, false)?.join(', ') ?? '')
  return { name: name.value, argument, range: name.range }
}

/** A number among denials names nothing; a list inside the list may have been meant to. */
function isHarmless({ codec }: ListForm, item: DataNode): boolean {
  return codec !== 'deny-list' || item.kind === 'scalar'
}

function scalarEntries(text: string, node: ScalarNode, separators: string, cuts: Cuts): ToolEntry[] {
  const { parentheses } = cuts
  const value = node.value as string
  const raw = text.slice(node.range.start, node.range.end)
  // If the value is in the file verbatim, each name has its own position.
  const shift = raw.indexOf(value)
  const entries: ToolEntry[] = []
  // A value that is not split is not trimmed either.
  const pieces = separators === '' ? [{ text: value, start: 0 }] : cutList(value, separators, cuts)
  let isInside = false
  for (const piece of pieces) {
    const { name, argument } = parentheses ? nameOf(piece.text) : { name: piece.text, argument: null }
    const start = node.range.start + shift + piece.start
    const range = shift < 0 ? node.range : { start, end: start + name.length }
    entries.push(isInside ? { name, argument, range, isInside } : { name, argument, range })
    const last = parentheses ? -1 : Math.max(name.lastIndexOf('('), name.lastIndexOf(')'))
    if (last >= 0) isInside = name[last] === '('
  }
  return entries
}

/** Text that does not end with its closing parenthesis is a name as a whole; so is a star with parentheses. */
function nameOf(piece: string): Pick<ToolEntry, 'name' | 'argument'> {
  const [, name = piece, inside = null] = /^((?:[^\\(]|\\.)+)\((.*)(?<!(?<!\\)(?:\\\\)*\\)\)$/s.exec(piece) ?? []
  if (inside === null || name.trim() === '*') return { name: piece, argument: null }
  return { name: name.trimEnd(), argument: inside.trim() }
}

interface Piece {
  readonly text: string
  readonly start: number
}

/** Unlike JavaScript, Unicode excludes the byte order mark from white space, and includes U+0085. */
const betweenBlanks = /\P{White_Space}(?:.*\P{White_Space})?/su

/** Splits at separators outside parentheses, which do not nest in harnesses; empty pieces are dropped. */
export function cutList(value: string, separators = ',\n', { parentheses, blanks }: Cuts = usual): Piece[] {
  const pieces: Piece[] = []
  let inside = false
  let from = 0
  const push = (to: number) => {
    const part = value.slice(from, to)
    const trimmed = blanks === 'unicode' ? (betweenBlanks.exec(part)?.[0] ?? '') : part.trim()
    if (trimmed !== '') pieces.push({ text: trimmed, start: from + part.indexOf(trimmed) })
    from = to + 1
  }
  for (let i = 0; i < value.length; i++) {
    const c = value[i] as string
    if (c === '(') inside = parentheses
    else if (c === ')') inside = false
    else if (!inside && separators.includes(c)) push(i)
  }
  push(value.length)
  return pieces
}

const negating = /^(?:except|excepting|excluding|but|not|no|without|minus|never|besides)$/i

/** A sign before a name that is not the first word of its entry: `& !Bash`, `Read -Bash`. */
const signedInside = /[\s,;|&+/()[\]{}"'`](?:!\s*|-)(?=[\w@*])([^\s,;|&+()[\]{}"'`]+)/g

/**
 * A list of grants can contain exclusions: `!Bash`, `-Bash`, `all except Bash`. No harness reads it that way; text
 * after such a word, up to the end, was not meant to be granted, although harnesses may treat it as a name.
 */
export function negatedEntries(entries: readonly ToolEntry[], node: DataNode): ToolEntry[] {
  if (!entries.some(isNegated)) return []
  const denied: ToolEntry[] = []
  let until = -1
  for (const entry of entries) {
    const { name, argument, range } = entry
    if (range.start < until) {
      denied.push(entry)
      continue
    }
    const [sign] = /^(?:!\s*|-)(?=[\w@*])/.exec(name) ?? []
    if (sign !== undefined) {
      denied.push({ ...entry, name: name.slice(sign.length) })
      continue
    }
    denied.push(...[...name.matchAll(signedInside)].map(({ 1: word = '' }) => ({ name: word, argument: null, range })))
    const words = name.split(/[\s,;()]+/)
    const at = words.findIndex((word) => negating.test(word))
    if (at >= 0) {
      const rest = words.slice(at + 1).filter((word) => word !== '')
      denied.push(...rest.map((word) => ({ name: word, argument: null, range })))
      // In a list, a separate item applies to all items after it.
      until = words.length === 1 ? node.range.end + 1 : (itemEnd(node, range.start) ?? until)
    }
    const inside = argument?.split(/[\s,;()]+/) ?? []
    const from = inside.findIndex((word) => negating.test(word))
    if (from >= 0) denied.push(...inside.slice(from + 1).map((word) => ({ name: word, argument: null, range })))
  }
  return denied.filter(({ name }) => name !== '')
}

function isNegated({ name, argument }: ToolEntry): boolean {
  return (
    /^(?:!|-[\w@*])/.test(name) ||
    name.search(signedInside) >= 0 ||
    [...name.split(/[\s,;()]+/), ...(argument?.split(/\s+/) ?? [])].some((one) => negating.test(one))
  )
}

/** The end of the text that contains this offset. */
function itemEnd(node: DataNode, at: number): number | undefined {
  const items = node.kind === 'list' ? node.items : [node]
  return items.find(({ range }) => range.start <= at && at <= range.end)?.range.end
}

/** Every word of a text in which an author may have named tools, with any separators. */
export function wordsIn({ name, range }: ToolEntry): ToolEntry[] {
  // A dash before a name is a bullet, or a minus: both apply to the name.
  const words = [...name.matchAll(/(?!-)[^\s,;|&()[\]{}"'`]+/g)]
  return words.map(({ 0: written, index }) => {
    const [{ length: before } = ''] = /^[^\w@/]*(?=\w)/.exec(written) ?? []
    const word = withoutDecoration(written.slice(before))
    const start = range.start + index + before
    const isExact = range.end - range.start === name.length
    return { name: word, argument: null, range: isExact ? { start, end: start + word.length } : range }
  })
}

/** Punctuation behind a name is not part of it; a single star is. */
function withoutDecoration(word: string): string {
  return word.replace(/(?<=\w)(?:[^\w*/]+|\*\*+)$/, '')
}

/** Entries that run together with the previous one: `Write(*)`, a line end, `Bash(rm *)` are one pair of brackets. */
export function entriesBehind({ argument, range }: ToolEntry): ToolEntry[] {
  const end = argument === null ? -1 : closingPlace(argument)
  if (argument === null || end < 0) return []
  const rest = `${argument.slice(end + 1)})`
  return cutList(rest, ', \t\n;|').map(({ text }) => ({ ...nameOf(text), range }))
}

/** Where the parenthesis opened before the text is closed; -1: at its end. */
function closingPlace(text: string): number {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')' && --depth < 0) return at
  }
  return -1
}
