/** Fills a template with data. It always ends, and it never fails. */
import { MARK } from '../size.ts'
import { evaluate, isTrue, type Scopes } from './evaluate.ts'
import { formats, valueText } from './formats.ts'
import type { Formatting, Node, Template } from './syntax.ts'

/** Lists in lists multiply: more than this is not a status any more. */
export const MOST_STEPS = 5000
const MOST_TEXT = 100_000
const MOST_ITEMS = 200

export interface Filled {
  readonly text: string
  /** How many parts were looked at. */
  readonly steps: number
}

export function fillTemplate(template: Template, data: unknown, most = MOST_STEPS): Filled {
  const work: Work = { parts: [], length: 0, steps: 0, most }
  fill(template.nodes, [{ value: data }], work)
  // Whoever reads it should know that something is missing.
  if (isOver(work)) work.parts.push(`\n${MARK}`)
  return { text: work.parts.join(''), steps: work.steps }
}

interface Work {
  readonly most: number
  readonly parts: string[]
  length: number
  steps: number
}

function fill(nodes: readonly Node[], scopes: Scopes, work: Work): void {
  for (const node of nodes) {
    if (isOver(work)) return
    work.steps++
    if (node.kind === 'text') put(work, node.text)
    else if (node.kind === 'value') put(work, printed(evaluate(node.of, scopes), node.as))
    else if (node.kind === 'if') fill(chosen(node, scopes, work), scopes, work)
    else fillList(node, scopes, work)
  }
}

function isOver({ steps, length, most }: Work): boolean {
  return steps >= most || length >= MOST_TEXT
}

function put(work: Work, text: string): void {
  work.parts.push(text)
  work.length += text.length
}

function chosen({ branches, otherwise }: Extract<Node, { kind: 'if' }>, scopes: Scopes, work: Work): readonly Node[] {
  for (const { condition, body } of branches) {
    if (isOver(work)) return []
    work.steps++
    if (isTrue(evaluate(condition, scopes))) return body
  }
  return otherwise
}

function fillList({ list, body, otherwise }: Extract<Node, { kind: 'each' }>, scopes: Scopes, work: Work): void {
  const value = evaluate(list, scopes)
  const all = Array.isArray(value) ? value.length : 0
  const items = Array.isArray(value) ? value.slice(0, MOST_ITEMS) : []
  if (items.length === 0) fill(otherwise, scopes, work)
  for (const [index, item] of items.entries()) {
    if (isOver(work)) return
    work.steps++
    fill(body, [...scopes, { value: item, index, count: items.length }], work)
  }
  if (all > items.length) put(work, `${MARK} ${all - items.length} more\n`)
}

function printed(value: unknown, as: readonly Formatting[]): string {
  const [first, ...more] = as
  if (first === undefined) return valueText(value)
  let text = formats[first.name]?.(value, first.argument) ?? valueText(value)
  for (const { name, argument } of more) text = formats[name]?.(text, argument) ?? text
  return text
}
