/** A TOML text as statements with positions, and what is at a path. */
import type { AST } from 'toml-eslint-parser'
import type { Range } from '../../model/range.ts'
import type { DataNode } from '../data.ts'
import type { Brackets, EditContext, EditStyle } from '../edit/context.ts'
import type { TomlPath } from './render.ts'
import { addStatements, createTomlBuilder, parseTomlProgram } from './tree.ts'

/** A header, or a key with its value. */
export interface TomlStatement {
  /** Its full path, from the root. */
  readonly path: TomlPath
  /** The table it is in; null for a header. */
  readonly scope: TomlPath | null
  readonly value: AST.TOMLContentNode | null
  readonly range: Range
}

export interface TomlDocument extends EditContext {
  readonly statements: readonly TomlStatement[]
  readonly root: DataNode
}

/** The text must be valid. */
export function readTomlDocument(text: string, style: EditStyle): TomlDocument {
  const program = parseTomlProgram(text)
  const builder = createTomlBuilder({ start: 0, end: 0 })
  addStatements(builder, program, 0)
  const comments = new Map(program.comments.map(({ range }) => range))
  const statements = program.body[0].body.flatMap((node) => {
    if (node.type === 'TOMLKeyValue') return [pairOf(node, [])]
    const [start] = node.range
    const end = text.indexOf(']', node.key.range[1]) + (node.kind === 'array' ? 2 : 1)
    const header: TomlStatement = { path: node.resolvedKey, scope: null, value: null, range: { start, end } }
    return [header, ...node.body.map((pair) => pairOf(pair, node.resolvedKey))]
  })
  return { ...style, text, comments, statements, root: builder.root() }
}

function pairOf(node: AST.TOMLKeyValue, scope: TomlPath): TomlStatement {
  return { path: [...scope, ...keyNames(node.key)], scope, value: node.value, range: tomlRange(node) }
}

export function keyNames({ keys }: AST.TOMLKey): string[] {
  return keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value))
}

export function tomlRange({ range }: { readonly range: readonly [number, number] }): Range {
  return { start: range[0], end: range[1] }
}

export function tomlBrackets(node: AST.TOMLContentNode, items: readonly AST.TOMLNode[]): Brackets {
  return { range: tomlRange(node), items: items.map(tomlRange) }
}

/** An inline table, the length of its path, and the statement it is part of. */
export interface InlineTable {
  readonly node: AST.TOMLInlineTable
  readonly depth: number
  readonly statement: TomlStatement
}

export type TomlLocation =
  | { readonly kind: 'missing' }
  | { readonly kind: 'blocked' }
  | { readonly kind: 'tables' }
  /** Created by headers, or by dotted keys, which may be in an inline table. */
  | { readonly kind: 'table'; readonly inline: InlineTable | null }
  | {
      readonly kind: 'value'
      readonly node: AST.TOMLContentNode
      readonly statement: TomlStatement
      readonly inline: InlineTable | null
    }

export function locateToml(doc: TomlDocument, path: TomlPath): TomlLocation {
  let found: TomlLocation = path.length === 0 ? { kind: 'table', inline: null } : { kind: 'missing' }
  for (const statement of doc.statements) {
    const common = commonLength(statement.path, path)
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

function locateInside(
  statement: TomlStatement,
  node: AST.TOMLContentNode,
  path: TomlPath,
  depth: number,
): TomlLocation {
  if (node.type !== 'TOMLInlineTable') return { kind: 'blocked' }
  const inline = { node, depth, statement }
  const rest = path.slice(depth)
  let found: TomlLocation = { kind: 'missing' }
  for (const member of node.body) {
    const names = keyNames(member.key)
    const common = commonLength(names, rest)
    if (common === rest.length) {
      if (common === names.length) return { kind: 'value', node: member.value, statement, inline }
      found = { kind: 'table', inline }
    } else if (common === names.length) return locateInside(statement, member.value, path, depth + common)
  }
  return found
}

function commonLength(a: TomlPath, b: TomlPath): number {
  let common = 0
  while (common < a.length && common < b.length && a[common] === b[common]) common++
  return common
}

export function isUnder(path: TomlPath, parent: TomlPath): boolean {
  return commonLength(path, parent) === parent.length
}
