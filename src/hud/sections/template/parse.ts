/** Parses a template. Nothing in it is ever executed: there are values, conditions and lists. */
import type { Finding } from '../../../model/findings.ts'
import type { Range } from '../../../model/range.ts'
import { parseExpression, parseValue, pathsIn } from './expression.ts'
import { valueFormats } from './formats.ts'
import {
  type Branch,
  type DataReference,
  type Expression,
  MOST_LEVELS,
  type Node,
  type Template,
  TemplateMistake,
} from './syntax.ts'

/** Larger than any prompt that a user would pay for. */
const LARGEST = 100_000

/** `offset`: where the text begins in its file. Null where it cannot be used; the finding explains why. */
export function parseTemplate(
  text: string,
  offset = 0,
): { readonly template: Template | null; readonly findings: readonly Finding[] } {
  try {
    if (text.length > LARGEST) throw new TemplateMistake(`it has more than ${LARGEST} characters`, { start: 0, end: 0 })
    return { template: build(cutIntoPieces(text)), findings: [] }
  } catch (error) {
    if (!(error instanceof TemplateMistake)) throw error
    return { template: null, findings: [mistake(error.message, error.range, offset)] }
  }
}

/** A condition on its own, as in `when`. */
export function parseCondition(
  text: string,
  offset = 0,
): { readonly condition: Expression | null; readonly findings: readonly Finding[] } {
  try {
    return { condition: parseExpression(text), findings: [] }
  } catch (error) {
    if (!(error instanceof TemplateMistake)) throw error
    return { condition: null, findings: [mistake(error.message, error.range, offset)] }
  }
}

function mistake(why: string, { start, end }: Range, offset: number): Finding {
  const message = `The section is left out: ${why}.`
  return { code: 'broken-template', message, range: { start: start + offset, end: end + offset } }
}

/** An open block: `{{#if}}` or `{{#each}}`. */
interface Block {
  readonly kind: 'if' | 'each'
  readonly range: Range
  readonly branches: { readonly condition: Expression; readonly body: Node[] }[]
  readonly list: Expression | null
  readonly body: Node[]
  otherwise: Node[] | null
}

interface Builder {
  readonly nodes: Node[]
  readonly open: Block[]
  readonly references: DataReference[]
}

function build(pieces: readonly TemplatePiece[]): Template {
  const builder: Builder = { nodes: [], open: [], references: [] }
  for (const piece of pieces) {
    if (piece.kind === 'text') place(builder).push(piece)
    else addTag(builder, piece)
  }
  const unclosed = builder.open.at(-1)
  if (unclosed !== undefined) {
    throw new TemplateMistake(`\`{{#${unclosed.kind}}}\` is never closed by \`{{/${unclosed.kind}}}\``, unclosed.range)
  }
  return { nodes: builder.nodes, references: builder.references }
}

/** Where the next node goes. */
function place({ nodes, open }: Builder): Node[] {
  const block = open.at(-1)
  if (block === undefined) return nodes
  return block.otherwise ?? (block.kind === 'each' ? block.body : (block.branches.at(-1)?.body ?? nodes))
}

type Tag = Extract<TemplatePiece, { kind: 'tag' }>

const TAG = /^(\s*)(#\w+|\/\w+|else\s+if\b|else\b)(\s*)([\s\S]*)$/

function addTag(builder: Builder, tag: Tag): void {
  const { content, range, inner } = tag
  if (/^\s*!/.test(content)) return
  const match = TAG.exec(content)
  if (match === null) {
    const value = parseValue(content, inner)
    for (const { name } of value.as) {
      if (!Object.hasOwn(valueFormats, name)) {
        throw new TemplateMistake(
          `the format "${name}" is unknown; formats are ${Object.keys(valueFormats).join(', ')}`,
          range,
        )
      }
    }
    refer(builder, value.of, range)
    place(builder).push({ kind: 'value', ...value })
    return
  }
  const [, lead = '', word = '', gap = '', rest = ''] = match
  const at = inner + lead.length + word.length + gap.length
  const keyword = word.replace(/\s+/g, ' ')
  const handler = Object.hasOwn(handlers, keyword) ? handlers[keyword] : undefined
  if (handler === undefined) {
    throw new TemplateMistake(
      `\`{{${keyword}}}\` is unknown; there are #if, else if, else, /if, #each and /each`,
      range,
    )
  }
  handler(builder, rest, at, range)
}

const handlers: Readonly<Record<string, (builder: Builder, rest: string, at: number, range: Range) => void>> = {
  '#if': (builder, rest, at, range) => {
    const branches = [{ condition: condition(builder, rest, at, range), body: [] }]
    begin(builder, { kind: 'if', range, branches, list: null, body: [], otherwise: null })
  },
  '#each': (builder, rest, at, range) => {
    const list = condition(builder, rest, at, range)
    begin(builder, { kind: 'each', range, branches: [], list, body: [], otherwise: null })
  },
  'else if': (builder, rest, at, range) => {
    const block = inside(builder, 'if', 'else if', range)
    if (block.otherwise !== null) throw new TemplateMistake('`{{else if}}` comes after `{{else}}`', range)
    block.branches.push({ condition: condition(builder, rest, at, range), body: [] })
  },
  else: (builder, rest, _at, range) => {
    const block = builder.open.at(-1)
    if (block === undefined) throw new TemplateMistake('`{{else}}` is outside a block', range)
    if (block.otherwise !== null) throw new TemplateMistake('`{{else}}` occurs twice in one block', range)
    if (rest.trim() !== '') throw new TemplateMistake(`"${rest.trim()}" is not expected after \`else\``, range)
    block.otherwise = []
  },
  '/if': (builder, _rest, _at, range) => {
    const { branches, otherwise } = end(builder, 'if', range)
    place(builder).push({ kind: 'if', branches: branches as readonly Branch[], otherwise: otherwise ?? [] })
  },
  '/each': (builder, _rest, _at, range) => {
    const { list, body, otherwise } = end(builder, 'each', range)
    if (list !== null) place(builder).push({ kind: 'each', list, body, otherwise: otherwise ?? [] })
  },
}

function condition(builder: Builder, rest: string, at: number, range: Range): Expression {
  const expression = parseExpression(rest, at)
  refer(builder, expression, range)
  return expression
}

function begin({ open }: Builder, block: Block): void {
  if (open.length >= MOST_LEVELS) throw new TemplateMistake('the blocks are nested too deeply', block.range)
  open.push(block)
}

function inside({ open }: Builder, kind: Block['kind'], word: string, range: Range): Block {
  const block = open.at(-1)
  if (block?.kind !== kind) throw new TemplateMistake(`\`{{${word}}}\` is outside \`{{#${kind}}}\``, range)
  return block
}

function end(builder: Builder, kind: Block['kind'], range: Range): Block {
  const block = inside(builder, kind, `/${kind}`, range)
  builder.open.pop()
  return block
}

function refer({ open, references }: Builder, expression: Expression, range: Range): void {
  const inList = open.some(({ kind }) => kind === 'each')
  for (const path of pathsIn(expression)) references.push({ path, range, inList })
}

/** Cuts a template into text and tags, in one pass. */
type TemplatePiece =
  | { readonly kind: 'text'; readonly text: string }
  /** The text between the braces. */
  | { readonly kind: 'tag'; readonly content: string; readonly range: Range; readonly inner: number }

const OPENING = /\\?(?:\{\{|\$\{)/g
/** `${...}` counts only with a name in it: prompts mention shells too. */
const DOLLAR = /\$\{([ \t]*@?[A-Za-z_][\w-]*(?:\.[\w-]+)*(?:[ \t]*\|[^{}\n]*)?[ \t]*)\}/y
const BLOCK = /^\s*(?:[#/!]|else\b)/

export function cutIntoPieces(text: string): TemplatePiece[] {
  const pieces: TemplatePiece[] = []
  let done = 0
  const take = (end: number) => {
    if (end > done) pieces.push({ kind: 'text', text: text.slice(done, end) })
  }
  OPENING.lastIndex = 0
  for (let match = OPENING.exec(text); match !== null; match = OPENING.exec(text)) {
    const [opening] = match
    const start = match.index
    if (opening.startsWith('\\')) {
      // `\{{` is a literal brace.
      take(start)
      pieces.push({ kind: 'text', text: opening.slice(1) })
      done = start + opening.length
      continue
    }
    const tag = opening === '${' ? dollarTag(text, start) : braceTag(text, start)
    if (tag === null) {
      // In `${{a}}` the braces begin right after the sign.
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

type TagPiece = Extract<TemplatePiece, { kind: 'tag' }>

function braceTag(text: string, start: number): TagPiece {
  const comment = text.startsWith('{{!--', start)
  const close = text.indexOf(comment ? '--}}' : '}}', start + 2)
  if (close < 0) throw new TemplateMistake('`{{` is never closed by `}}`', { start, end: start + 2 })
  const end = close + (comment ? 4 : 2)
  return { kind: 'tag', content: text.slice(start + 2, close), range: { start, end }, inner: start + 2 }
}

function dollarTag(text: string, start: number): TagPiece | null {
  DOLLAR.lastIndex = start
  const content = DOLLAR.exec(text)?.[1]
  if (content === undefined) return null
  return { kind: 'tag', content, range: { start, end: start + content.length + 3 }, inner: start + 2 }
}

/** A block tag alone on its line takes the line with it. */
function around(text: string, { content, range: { start, end } }: TagPiece): { from: number; to: number } {
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
