/**
 * Judges a converted prompt as text: the same Markdown tree but for words, and paths that lead somewhere. Shares no code with
 * the converter: the tree is that of mdast-util-from-markdown.
 */
import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'

/** What is not text: the nesting of blocks and of emphasis, links and images. */
type Tree = readonly [type: string, ...children: Tree[]]

/** Words may become code and code words; a line may become a comment. */
const WORDS = new Set(['text', 'inlineCode', 'break'])

export function treeOf(markdown: string): Tree {
  return shapeOf(fromMarkdown(markdown))
}

function shapeOf(node: Nodes): Tree {
  if (node.type === 'html') return [isTodo(node.value) ? 'paragraph' : 'html']
  const type =
    node.type === 'heading' ? `heading ${node.depth}` : node.type === 'code' ? `code ${node.lang ?? ''}` : node.type
  // Within a sentence a comment is text.
  const isLine = node.type === 'paragraph' || node.type === 'heading'
  const children =
    'children' in node ? node.children.filter((child) => !isWord(child) && !(isLine && isTodoNode(child))) : []
  return [type, ...children.map(shapeOf)]
}

/** Emphasised words can be a name that a list has once in place of twice; marks that are lost are counted apart. */
function isWord(node: Nodes): boolean {
  if (node.type !== 'emphasis' && node.type !== 'strong') return WORDS.has(node.type)
  return node.children.every((child) => WORDS.has(child.type))
}

function isTodo(html: string): boolean {
  return /^<!-- TODO: [^\n]*-->\s*$/.test(html)
}

function isTodoNode(node: Nodes): boolean {
  return node.type === 'html' && isTodo(node.value)
}

/** Where two prompts differ in more than words: the first difference, in words; null: nowhere. */
export function treeDifference(before: string, after: string): string | null {
  const [one, other] = [before, after].map((text) => text.replaceAll('\r\n', '\n').replace(/^\s*\n/, '')) as [
    string,
    string,
  ]
  return differenceIn(treeOf(one), treeOf(other), 'root') ?? rowDifference(one, other) ?? markDifference(one, other)
}

/** A mark of emphasis that has lost its partner is text. */
function markDifference(before: string, after: string): string | null {
  const lost = (text: string) => marksIn(fromMarkdown(text))
  return lost(after) > lost(before) ? 'a mark of emphasis is text' : null
}

function marksIn(node: Nodes): number {
  if (node.type === 'text') return node.value.split('**').length - 1
  return 'children' in node ? node.children.reduce((sum, child) => sum + marksIn(child), 0) : 0
}

/** The parser knows no tables: a row has as many cells as before. */
function rowDifference(before: string, after: string): string | null {
  const now = after.split('\n')
  const cells = (row: string) => row.split(/(?<!\\)\|/).length
  const lines = before.split('\n')
  if (lines.length > now.length + 1) return null
  const odd = lines.findIndex((line, i) => /^[ \t>]*\|/.test(line) && cells(line) !== cells(now[i] ?? line))
  return odd < 0 ? null : `line ${odd + 1}: a row has other cells`
}

function differenceIn([type, ...children]: Tree, [otherType, ...others]: Tree, path: string): string | null {
  if (type !== otherType) return `${path}: ${type} became ${otherType}`
  for (const [i, child] of children.entries()) {
    const other = others[i]
    if (other === undefined) return `${path} > ${type}: ${child[0]} is gone`
    const found = differenceIn(child, other, `${path} > ${child[0]} ${i}`)
    if (found !== null) return found
  }
  const extra = others[children.length]
  return extra === undefined ? null : `${path} > ${type}: ${extra[0]} is new`
}

const PATH =
  /(?<![\w/.-])(?:~\/)?\.(?:claude|opencode|codex|github|gemini|qwen|agents)\/[\w./-]*\w|(?<![\w/.-])(?:AGENTS|GEMINI|QWEN|CLAUDE)\.md\b/g

/** Paths of a harness that the prompt did not have before. */
export function newPaths(before: string, after: string): string[] {
  const known = new Set(before.match(PATH))
  const said = after.replace(/<!-- TODO: [^\n]*?-->/g, '')
  return [...new Set(said.match(PATH))].filter((path) => !known.has(path))
}

/** How often a word is there that is not English: a name of a tool. */
export function countOf(text: string, word: string): number {
  return text.split(new RegExp(`(?<![\\w/-])${word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}(?![\\w/-])`)).length - 1
}
