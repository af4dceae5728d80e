/** Cuts a template into text and tags, in one pass. */
import type { Range } from '../../model/place.ts'
import { TemplateMistake } from './syntax.ts'

export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  /** What stands between the braces. */
  | { readonly kind: 'tag'; readonly content: string; readonly range: Range; readonly inner: number }

const OPENING = /\\?(?:\{\{|\$\{)/g
/** `${...}` counts only where a name stands in it: prompts speak of shells too. */
const DOLLAR = /\$\{([ \t]*@?[A-Za-z_][\w-]*(?:\.[\w-]+)*(?:[ \t]*\|[^{}\n]*)?[ \t]*)\}/y
const BLOCK = /^\s*(?:[#/!]|else\b)/

export function cutIntoPieces(text: string): Piece[] {
  const pieces: Piece[] = []
  let done = 0
  const take = (end: number) => {
    if (end > done) pieces.push({ kind: 'text', text: text.slice(done, end) })
  }
  OPENING.lastIndex = 0
  for (let match = OPENING.exec(text); match !== null; match = OPENING.exec(text)) {
    const [opening] = match
    const start = match.index
    if (opening.startsWith('\\')) {
      // `\{{` is a brace like any other.
      take(start)
      pieces.push({ kind: 'text', text: opening.slice(1) })
      done = start + opening.length
      continue
    }
    const tag = opening === '${' ? dollarTag(text, start) : braceTag(text, start)
    if (tag === null) {
      // In `${{a}}` the braces begin right behind the sign.
      OPENING.lastIndex = start + 1
      continue
    }
    const { from, to } = around(text, tag)
    take(Math.max(done, from))
    pieces.push(tag)
    done = to
    OPENING.lastIndex = to
  }
  take(text.length)
  return pieces
}

type Tag = Extract<Piece, { kind: 'tag' }>

function braceTag(text: string, start: number): Tag {
  const comment = text.startsWith('{{!--', start)
  const close = text.indexOf(comment ? '--}}' : '}}', start + 2)
  if (close < 0) throw new TemplateMistake('`{{` is never closed by `}}`', { start, end: start + 2 })
  const end = close + (comment ? 4 : 2)
  return { kind: 'tag', content: text.slice(start + 2, close), range: { start, end }, inner: start + 2 }
}

function dollarTag(text: string, start: number): Tag | null {
  DOLLAR.lastIndex = start
  const content = DOLLAR.exec(text)?.[1]
  if (content === undefined) return null
  return { kind: 'tag', content, range: { start, end: start + content.length + 3 }, inner: start + 2 }
}

/** A block tag alone on its line takes the line with it. */
function around(text: string, { content, range: { start, end } }: Tag): { from: number; to: number } {
  const plain = { from: start, to: end }
  if (!BLOCK.test(content)) return plain
  let from = start
  while (from > 0 && isBlank(text[from - 1])) from--
  if (from > 0 && text[from - 1] !== '\n') return plain
  let to = end
  while (to < text.length && (isBlank(text[to]) || text[to] === '\r')) to++
  if (to < text.length && text[to] !== '\n') return plain
  return { from, to: Math.min(to + 1, text.length) }
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t'
}
