/** Lists of tool names as files spell them: comma strings, lists, `Tool(pattern)`, each name with its place. */
import type { Range } from '../model/place.ts'
import type { DataNode, ScalarNode } from '../text/tree.ts'

export interface ToolEntry {
  /** The tool's name, without its pattern. */
  readonly name: string
  /** What stands in the parentheses, or null. */
  readonly argument: string | null
  /** The name in the file; the whole value where the text has escapes and the place cannot be told. */
  readonly range: Range
}

/** The entries of a tool list; null when the value is not a list of names in any spelling. */
export function toolEntries(text: string, node: DataNode): ToolEntry[] | null {
  if (node.kind === 'map') return null
  if (node.kind === 'list') {
    const entries: ToolEntry[] = []
    for (const item of node.items) {
      if (item.kind !== 'scalar' || typeof item.value !== 'string') return null
      entries.push(...scalarEntries(text, item))
    }
    return entries
  }
  if (node.value === null) return []
  return typeof node.value === 'string' ? scalarEntries(text, node) : null
}

function scalarEntries(text: string, node: ScalarNode): ToolEntry[] {
  const value = node.value as string
  const raw = text.slice(node.range.start, node.range.end)
  // Where the characters stand in the file exactly as in the value, each name has a place of its own.
  const shift = raw.indexOf(value)
  const entries: ToolEntry[] = []
  for (const piece of splitOutsideParentheses(value)) {
    // Most are a name and nothing else.
    const match = piece.text.includes('(') ? /^([^()]+?)\s*(?:\(([\s\S]*)\)?)?$/.exec(piece.text) : null
    const name = match?.[1] ?? piece.text
    const argument = match?.[2]?.replace(/\)$/, '').trim() ?? null
    const start = node.range.start + shift + piece.start
    entries.push({ name, argument, range: shift < 0 ? node.range : { start, end: start + name.length } })
  }
  return entries
}

interface Piece {
  readonly text: string
  readonly start: number
}

/** Cuts at commas (and line ends) that do not stand inside parentheses; empty pieces are dropped. */
export function splitOutsideParentheses(value: string): Piece[] {
  const pieces: Piece[] = []
  let depth = 0
  let from = 0
  const push = (to: number) => {
    const part = value.slice(from, to)
    const trimmed = part.trim()
    if (trimmed !== '') pieces.push({ text: trimmed, start: from + part.indexOf(trimmed) })
    from = to + 1
  }
  for (let i = 0; i < value.length; i++) {
    const c = value[i]
    if (c === '(') depth++
    else if (c === ')') depth = Math.max(0, depth - 1)
    else if ((c === ',' || c === '\n') && depth === 0) push(i)
  }
  push(value.length)
  return pieces
}
