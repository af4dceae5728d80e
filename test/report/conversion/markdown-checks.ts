/** What must be true of every Markdown report, whatever the files said. */
import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { expect } from 'vitest'

/** What the reports are made of themselves. */
const ours = new Set<Nodes['type']>([
  'root',
  'heading',
  'paragraph',
  'text',
  'inlineCode',
  'code',
  'list',
  'listItem',
  'strong',
  'break',
])

/** No node that only a file could have brought in; the only HTML is the comment at the end. */
export function expectOnlyOurs(markdown: string): void {
  const foreign: string[] = []
  const visit = (node: Nodes) => {
    const isMetadata = node.type === 'html' && node.value.startsWith('<!-- PORT-METADATA\n')
    const isBold = node.type === 'strong' && /bold|under/.test(textOf(node))
    if ((!ours.has(node.type) && !isMetadata) || isBold)
      foreign.push(`${node.type}: ${JSON.stringify(node).slice(0, 300)}`)
    if ('children' in node) for (const child of node.children) visit(child)
  }
  visit(fromMarkdown(markdown))
  expect(foreign).toEqual([])
}

export function headingsOf(markdown: string): string[] {
  return fromMarkdown(markdown).children.flatMap((node) =>
    node.type === 'heading' ? [`${node.depth} ${textOf(node)}`] : [],
  )
}

function textOf(node: Nodes): string {
  if ('children' in node) return node.children.map(textOf).join('')
  return 'value' in node ? node.value : ''
}

/** Every row has the cells of its head. A cell never holds a pipe, escaped or not, so that every renderer agrees. */
export function expectWholeTables(markdown: string): void {
  let cells = 0
  let isCode = false
  for (const line of markdown.split('\n')) {
    if (/^`{3,}/.test(line)) isCode = !isCode
    if (isCode || !line.startsWith('| ')) {
      if (!line.startsWith('|---')) cells = 0
      continue
    }
    const pipes = line.split('|').length
    if (cells === 0) cells = pipes
    expect([line.slice(0, 200), pipes]).toEqual([line.slice(0, 200), cells])
  }
}

/** What a renderer would turn into a link by itself stands in code, or is broken up. */
export function expectNoAutolinks(markdown: string): void {
  const outside = markdown
    .replace(/^(`{3,})[^`\n]*\n[\s\S]*?^\1$/gm, '')
    .replace(/(?<![`\\])(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, '')
    .replace(/<!-- PORT-METADATA[\s\S]*-->/, '')
  expect(outside).not.toMatch(/:\/\/|www\./)
}
