/** Prints a report as Markdown: file content stays text, inside and outside of tables. */

import {
  type Block,
  type Comment,
  type CommentLine,
  type Facts,
  type Inline,
  isShown,
  type List,
  type ReportDocument,
  SENTENCE_LIMIT,
  type Table,
} from './document.ts'
import { cut, maskHidden, oneLine, splitQuotes } from './layout.ts'

export function printMarkdown({ overline, title, lead, blocks, foot }: ReportDocument): string {
  const head = `# ${inline([overline, ': ', title])}`
  return `${[head, ...printBlocks([...lead, ...blocks, ...foot], 2)].join('\n\n')}\n`
}

function printBlocks(blocks: readonly Block[], level: number): string[] {
  return blocks.filter((block) => isShown(block, 'markdown')).flatMap((block) => printBlock(block, level))
}

function printBlock(block: Block, level: number): string[] {
  switch (block.kind) {
    case 'section':
    case 'folded': {
      const inside = printBlocks(block.blocks, level + 1)
      return inside.length === 0 ? [] : [`${'#'.repeat(Math.min(6, level))} ${inline(block.title)}`, ...inside]
    }
    case 'paragraph':
      return [inline(block.content)]
    case 'list':
      return [printList(block)]
    case 'facts':
      return [printFacts(block)]
    case 'table':
      return [printTable(block)]
    case 'code':
      return [fenced(block.language, block.text)]
    case 'figures':
      return [block.items.map((item) => `- ${plain(`${item.value} ${item.label}`, SENTENCE_LIMIT)}`).join('\n')]
    case 'comment':
      return [printComment(block)]
  }
}

function printList({ style, items }: List): string {
  const mark = (index: number) => (style === 'numbers' ? `${index + 1}.` : style === 'tasks' ? '- [ ]' : '-')
  return items.map((item, index) => `${mark(index)} ${inline(item)}`).join('\n')
}

function printFacts({ rows, style, hint }: Facts): string {
  const facts = rows
    .filter((row) => isShown(row, 'markdown'))
    .map(({ term, value }) => `**${plain(term)}:** ${inline(value)}`)
  if (hint !== undefined) facts.push(inline(hint))
  // Two spaces break the line.
  return style === 'lines' ? facts.join('  \n') : facts.map((fact) => `- ${fact}`).join('\n')
}

function printTable({ columns, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rule = `|${columns.map(() => '---').join('|')}|`
  return [line(columns.map((title) => escaped(title))), rule, ...rows.map((cells) => line(cells.map(inline)))].join(
    '\n',
  )
}

/** The only place where text becomes Markdown. */
function inline(content: Inline): string {
  if (typeof content === 'string') return prose(content)
  if (!('kind' in content)) return content.map(inline).join('')
  switch (content.kind) {
    case 'value':
      return code(content.text, content.limit)
    case 'path':
      return code(content.text, 200)
    case 'words':
      return plain(content.text, content.limit)
    case 'strong':
      return `**${inline(content.content)}**`
    case 'small':
    case 'link':
      return inline(content.content)
    case 'badge':
    case 'bar':
      return plain(content.text)
  }
}

/** Plain words, possibly at a line start. */
function plain(text: string, limit?: number): string {
  return escaped(text, limit).replace(/^(?:[#+=-]|\d+(?=[.)](?:\s|$)))/, (mark) =>
    /\d/.test(mark) ? `&#${mark.charCodeAt(0)};${mark.slice(1)}` : `\\${mark}`,
  )
}

/** Entities, because renderers disagree about a backslash before the pipe of a table. */
function escaped(text: string, limit = 200): string {
  return cut(oneLine(text), limit)
    .replace(/[\\`*[\]~$]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('|', '&#124;')
    .replace(/(?<![A-Za-z0-9_])_+|_+(?![A-Za-z0-9_])/g, (run) => '\\_'.repeat(run.length))
    .replace(/:\/\//g, '&#58;//')
    .replace(/\bwww\./gi, (www) => `${www.slice(0, 3)}&#46;`)
}

/**
 * A value, a name, a path. A pipe would end the cell even in code, and comment delimiters could mislead a program that
 * looks for ours, so such a value is written as plain words.
 */
function code(text: string, limit: number): string {
  const line = cut(oneLine(text), limit)
  if (line === '') return '-'
  if (/\||<!--|-->/.test(line)) return plain(line, limit)
  const fence = '`'.repeat(longestRun(line) + 1)
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return fence + space + line + space + fence
}

/** A sentence of ours, with its quotes as code; a space at either end separates it from its neighbours. */
function prose(sentence: string): string {
  const pieces = splitQuotes(cut(oneLine(sentence), SENTENCE_LIMIT)).map(({ text, isCode }, index) => {
    if (isCode) return code(text, SENTENCE_LIMIT)
    const before = index > 0 && /^\s/.test(text) ? ' ' : ''
    const after = /\s$/.test(text) && text.trim() !== '' ? ' ' : ''
    return before + plain(text, SENTENCE_LIMIT) + after
  })
  const [before, after] = [/^\s/.test(sentence) ? ' ' : '', /\S\s+$/.test(sentence) ? ' ' : '']
  return before + pieces.join('') + after
}

/** A block of code that its content cannot close, and in which no program mistakes a comment for ours. */
function fenced(language: string, content: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(content) + 1))
  const text = maskHidden(content).replaceAll('<!--', '<! --').replaceAll('-->', '-- >')
  return [fence + language, text, fence].join('\n')
}

function printComment({ name, lines }: Comment): string {
  return [`<!-- ${name}`, ...lines.map(commentLine), `${name} -->`].join('\n')
}

function commentLine(line: CommentLine): string {
  if (typeof line === 'string') return maskHidden(line.replace(/[<>\r\n]|--/g, ''))
  const [lead, content] = line
  const quoted = typeof content === 'string' ? commentString(content) : `[${content.map(commentString).join(', ')}]`
  return lead + quoted
}

/** A string for the YAML of a comment: it can end neither the string nor the comment. */
function commentString(text: string): string {
  return JSON.stringify(oneLine(text))
    .replaceAll('--', '-\\u002d')
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
}
