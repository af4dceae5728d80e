/** The tree of a JSON text: finding nodes by path, and what they hold. */
import { getNodeValue, type Node, parseTree } from 'jsonc-parser'
import type { Json } from '../../model/agent.ts'
import type { Range } from '../../model/range.ts'
import type { Brackets } from '../edit/context.ts'

export type JsonStep = string | number

/** The text is known to be valid and not blank. */
let lastParsed: { readonly text: string; readonly tree: Node } | null = null

/** Whoever edits a text looks at the same one several times in a row; nobody changes the tree. */
export function parseJsonTree(text: string): Node {
  if (lastParsed?.text !== text) lastParsed = { text, tree: parseTree(text, [], { allowTrailingComma: true })! }
  return lastParsed.tree
}

export function findJsonNode(tree: Node, path: readonly JsonStep[]): Node | undefined {
  let node: Node | undefined = tree
  for (const step of path) {
    if (node === undefined) return undefined
    if (typeof step === 'number') node = node.children?.[step]
    else if (node.type === 'object') node = objectEntries(node).findLast(({ key }) => key === step)?.value
    else return undefined
  }
  return node
}

export function objectEntries(object: Node): { readonly key: string; readonly value: Node }[] {
  return (object.children ?? []).map(({ children }) => ({ key: String(children![0]!.value), value: children![1]! }))
}

export function jsonBrackets(node: Node): Brackets {
  return { range: jsonRange(node), items: (node.children ?? []).map(jsonRange) }
}

export function jsonRange(node: Node): Range {
  return { start: node.offset, end: node.offset + node.length }
}

export function jsonNodeEquals(node: Node, value: Json): boolean {
  return JSON.stringify(getNodeValue(node)) === JSON.stringify(value)
}
