/** Finds what stands at a path of a TOML text, be it made by headers, dotted keys or inline tables. */
import type { AST } from 'toml-eslint-parser'
import { type Doc, namesOf, type Statement } from './toml-doc.ts'
import type { Path } from './toml-values.ts'

/** An inline table, how many steps lead to it, and the statement it is part of. */
export interface Inline {
  readonly node: AST.TOMLInlineTable
  readonly depth: number
  readonly statement: Statement
}

export type Found =
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

export function locate(doc: Doc, path: Path): Found {
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

export function isUnder(path: Path, parent: Path): boolean {
  return shared(path, parent) === parent.length
}
