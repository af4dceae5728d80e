/** The syntax tree of a template. */
import type { Range } from '../../../model/range.ts'

export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'path'; readonly path: readonly string[] }
  | { readonly kind: 'not'; readonly of: Expression }
  | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'compare'; readonly by: Comparison; readonly left: Expression; readonly right: Expression }

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>='

/** How a value is printed: `| list 5`. */
export interface Formatting {
  readonly name: string
  readonly argument: string | number | null
}

export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly of: Expression; readonly as: readonly Formatting[] }
  | { readonly kind: 'if'; readonly branches: readonly Branch[]; readonly otherwise: readonly Node[] }
  | {
      readonly kind: 'each'
      readonly list: Expression
      readonly body: readonly Node[]
      readonly otherwise: readonly Node[]
    }

export interface Branch {
  readonly condition: Expression
  readonly body: readonly Node[]
}

/** A use of a path, for finding out which data is wanted. */
export interface DataReference {
  readonly path: readonly string[]
  readonly range: Range
  /** Inside `{{#each}}` the name can be a key of an item, which is not known beforehand. */
  readonly inList: boolean
}

export interface Template {
  readonly nodes: readonly Node[]
  readonly references: readonly DataReference[]
}

/** Deeper than any sensible template; it bounds recursion. */
export const MOST_LEVELS = 32

/** Why a template cannot be used, and where. Thrown and caught inside this folder. */
export class TemplateMistake extends Error {
  readonly range: Range
  constructor(message: string, range: Range) {
    super(message)
    this.range = range
  }
}
