/** The same places as our scanner finds, found by mdast: a second opinion on what Markdown means. */
import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { scanMarkdown } from '../../../src/formats/markdown/scan.ts'

export type Places = Record<
  'fence' | 'code' | 'heading' | 'list-item' | 'link' | 'indented-code' | 'html-comment',
  string[]
>
const nowhere = (): Places => {
  return { fence: [], code: [], heading: [], 'list-item': [], link: [], 'indented-code': [], 'html-comment': [] }
}

/** White space at the end of a line is the library's to count or not. */
const place = (text: string, start: number, end: number) =>
  `${start}-${start + text.slice(start, end).trimEnd().length}`

export function ours(text: string): Places {
  const places = nowhere()
  for (const { kind, range } of scanMarkdown(text)) places[kind].push(place(text, range.start, range.end))
  return places
}

export function theirs(text: string): Places {
  const places = nowhere()
  const visit = (node: Nodes) => {
    const start = node.position!.start.offset!
    const kind = kindOf(node, text[start]!)
    const marker = kind === 'list-item' ? /^(?:[-+*]|\d+[.)])/.exec(text.slice(start))?.[0].length : undefined
    if (kind) places[kind].push(place(text, start, marker ? start + marker : node.position!.end.offset!))
    if ('children' in node) for (const child of node.children) visit(child)
  }
  visit(fromMarkdown(text))
  return places
}

function kindOf(node: Nodes, initial: string): keyof Places | null {
  switch (node.type) {
    case 'code':
      return initial === '`' || initial === '~' ? 'fence' : 'indented-code'
    case 'inlineCode':
      return 'code'
    case 'heading':
      return 'heading'
    case 'listItem':
      return 'list-item'
    case 'link':
    case 'image':
      return 'link'
    case 'html':
      return node.value.startsWith('<!--') ? 'html-comment' : null
    default:
      return null
  }
}

/** How many spans both found, and how many only one of them did. */
export function agreement(text: string): { same: number; different: number } {
  const [mine, other] = [ours(text), theirs(text)]
  let same = 0
  let different = 0
  for (const kind of Object.keys(mine) as (keyof Places)[]) {
    const expected = new Set(other[kind])
    const found = mine[kind].filter((one) => expected.has(one)).length
    same += found
    different += expected.size - found + mine[kind].length - found
  }
  return { same, different }
}
