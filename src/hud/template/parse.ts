/** From the text of a template to what it means. Nothing in it is ever run: there are values, conditions and lists. */
import type { Finding } from '../../model/diagnostics.ts'
import type { Range } from '../../model/place.ts'
import { parseExpression, parseValue, pathsIn } from './expression.ts'
import { formats } from './formats.ts'
import { cutIntoPieces, type Piece } from './pieces.ts'
import {
  type Branch,
  type Expression,
  MOST_LEVELS,
  type Node,
  type Reference,
  type Template,
  TemplateMistake,
} from './syntax.ts'

/** Larger than any prompt that a person would pay for. */
const LARGEST = 100_000

/** `offset`: where the text begins in its file. Null where it cannot be used; the finding says why. */
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

/** A condition that stands by itself, as in `when`. */
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

/** A block that is open: `{{#if}}` or `{{#each}}`. */
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
  readonly references: Reference[]
}

function build(pieces: readonly Piece[]): Template {
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

type Tag = Extract<Piece, { kind: 'tag' }>

const TAG = /^(\s*)(#\w+|\/\w+|else\s+if\b|else\b)(\s*)([\s\S]*)$/

function addTag(builder: Builder, tag: Tag): void {
  const { content, range, inner } = tag
  if (/^\s*!/.test(content)) return
  const match = TAG.exec(content)
  if (match === null) {
    const value = parseValue(content, inner)
    for (const { name } of value.as) {
      if (!Object.hasOwn(formats, name)) {
        throw new TemplateMistake(`there is no format "${name}", only ${Object.keys(formats).join(', ')}`, range)
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
    throw new TemplateMistake(`there is no \`{{${keyword}}}\`, only #if, else if, else, /if, #each and /each`, range)
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
    if (block.otherwise !== null) throw new TemplateMistake('`{{else if}}` stands behind `{{else}}`', range)
    block.branches.push({ condition: condition(builder, rest, at, range), body: [] })
  },
  else: (builder, rest, _at, range) => {
    const block = builder.open.at(-1)
    if (block === undefined) throw new TemplateMistake('`{{else}}` stands outside of a block', range)
    if (block.otherwise !== null) throw new TemplateMistake('`{{else}}` stands twice in one block', range)
    if (rest.trim() !== '') throw new TemplateMistake(`"${rest.trim()}" is not expected behind \`else\``, range)
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
  if (block?.kind !== kind) throw new TemplateMistake(`\`{{${word}}}\` stands outside of \`{{#${kind}}}\``, range)
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
