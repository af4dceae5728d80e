/** The tree of a JSON text: finding nodes by path, and what they hold. */
import { getNodeValue, type Node, parseTree } from 'jsonc-parser'
import type { Json } from '../model/agent.ts'
import type { Range } from '../model/place.ts'
import type { Box } from './edit-surroundings.ts'

export type Step = string | number

/** The text is known to be valid and not blank. */
let last: { readonly text: string; readonly tree: Node } | null = null

/** Whoever edits a text looks at the same one several times in a row; nobody changes the tree. */
export function parseBody(text: string): Node {
  if (last?.text !== text) last = { text, tree: parseTree(text, [], { allowTrailingComma: true })! }
  return last.tree
}

export function findNode(tree: Node, path: readonly Step[]): Node | undefined {
  let node: Node | undefined = tree
  for (const step of path) {
    if (node === undefined) return undefined
    if (typeof step === 'number') node = node.children?.[step]
    else if (node.type === 'object') node = entriesOf(node).findLast(({ key }) => key === step)?.value
    else return undefined
  }
  return node
}

export function entriesOf(object: Node): { readonly key: string; readonly value: Node }[] {
  return (object.children ?? []).map(({ children }) => ({ key: String(children![0]!.value), value: children![1]! }))
}

export function boxOf(node: Node): Box {
  return { range: rangeOf(node), items: (node.children ?? []).map(rangeOf) }
}

export function rangeOf(node: Node): Range {
  return { start: node.offset, end: node.offset + node.length }
}

export function isSame(node: Node, value: Json): boolean {
  return JSON.stringify(getNodeValue(node)) === JSON.stringify(value)
}
