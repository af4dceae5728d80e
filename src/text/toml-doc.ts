/** A TOML text as a list of statements with their places, for edits. */
import type { AST } from 'toml-eslint-parser'
import type { Range } from '../model/place.ts'
import type { Box, Style, Surroundings } from './edit-surroundings.ts'
import { parseProgram } from './toml-parse.ts'
import { addStatements, growToml } from './toml-tree.ts'
import type { Path } from './toml-values.ts'
import type { DataNode } from './tree.ts'

/** A header, or a key with its value. */
export interface Statement {
  /** Where it leads, from the top. */
  readonly path: Path
  /** The table it stands in; null of a header. */
  readonly scope: Path | null
  readonly value: AST.TOMLContentNode | null
  readonly range: Range
}

export interface Doc extends Surroundings {
  readonly statements: readonly Statement[]
  readonly root: DataNode
}

/** The text is known to be valid. */
export function readDoc(text: string, style: Style): Doc {
  const program = parseProgram(text)
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

export function namesOf({ keys }: AST.TOMLKey): string[] {
  return keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value))
}

export function rangeOf({ range }: { readonly range: readonly [number, number] }): Range {
  return { start: range[0], end: range[1] }
}

export function boxOf(node: AST.TOMLContentNode, items: readonly AST.TOMLNode[]): Box {
  return { range: rangeOf(node), items: items.map(rangeOf) }
}
