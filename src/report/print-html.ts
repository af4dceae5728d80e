/** Prints a report as one HTML page: nothing is loaded, nothing runs, and file content stays text. */

import {
  type Bar,
  type Block,
  type Facts,
  type Figures,
  type Folded,
  type Inline,
  isShown,
  type List,
  type Paragraph,
  type ReportDocument,
  SENTENCE_LIMIT,
  type Table,
  type Tone,
} from './document.ts'
import { cut, maskHidden, oneLine, splitQuotes } from './layout.ts'

/** HTML that is safe to put into a page. */
type Html = string & { readonly html: true }
type Attributes = Readonly<Record<string, string | null>>

/** A second line of defence: injected markup still cannot load or run anything. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/** The style is ours, and is inserted verbatim. */
export function printHtml({ overline, title, lead, blocks, foot }: ReportDocument, style: string): string {
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="referrer" content="no-referrer">',
    tag('title', {}, escapeHtml(plainText([overline, ': ', title]))),
    `<style>${style}</style>`,
  ]
  const body = tag(
    'body',
    {},
    tag(
      'header',
      {},
      tag('p', { class: 'over' }, inline(overline)),
      tag('h1', {}, inline(title)),
      ...printBlocks(lead, 2),
    ),
    tag('main', {}, ...printBlocks(blocks, 2)),
    tag('footer', {}, ...printBlocks(foot, 2)),
  )
  return `<!doctype html>\n<html lang="en">\n<head>\n${head.join('\n')}\n</head>\n${body}\n</html>\n`
}

/** Except inside folded sections, cards hold tables, tasks and folded sections; adjacent folded ones share a card. */
function printBlocks(blocks: readonly Block[], level: number, isInside = false): Html[] {
  const shown = blocks.filter((block) => isShown(block, 'html'))
  const parts: Html[] = []
  for (let at = 0; at < shown.length; at++) {
    const block = shown[at]
    if (block === undefined) continue
    if (block.kind === 'folded') {
      const end = shown.findIndex(({ kind }, index) => index > at && kind !== 'folded')
      const folded = shown.slice(at, end === -1 ? undefined : end).filter((one) => one.kind === 'folded')
      parts.push(tag('div', { class: 'card' }, ...folded.map((one) => printFolded(one, level))))
      at += folded.length - 1
      continue
    }
    const printed = printBlock(block, level, isInside)
    const isCard = !isInside && (block.kind === 'table' || (block.kind === 'list' && block.style === 'tasks'))
    parts.push(isCard ? tag('div', { class: 'card' }, printed) : printed)
  }
  return parts
}

function printBlock(block: Exclude<Block, Folded>, level: number, isInside: boolean): Html {
  switch (block.kind) {
    case 'section': {
      const inside = printBlocks(block.blocks, level + 1, isInside)
      const heading = tag(`h${Math.min(5, level)}`, {}, inline(block.title))
      return inside.length === 0 ? none : tag('section', { id: block.id ?? null }, heading, ...inside)
    }
    case 'paragraph':
      return printParagraph(block)
    case 'list':
      return printList(block)
    case 'facts':
      return printFacts(block)
    case 'table':
      return printTable(block)
    case 'code':
      return tag('pre', {}, escapeHtml(block.text))
    case 'figures':
      return printFigures(block)
    case 'comment':
      return none
  }
}

/** It has no heading of its own. The anchor is inside, so that a link to it opens the details. */
function printFolded({ title, marks, id, blocks }: Folded, level: number): Html {
  return tag(
    'details',
    {},
    tag(
      'summary',
      {},
      tag('span', { class: 'name' }, inline(title)),
      ...marks.map((mark) => tag('span', { class: 'mark' }, inline(mark))),
    ),
    tag(
      'div',
      { class: 'inside' },
      ...(id === undefined ? [] : [tag('span', { id })]),
      ...printBlocks(blocks, level, true),
    ),
  )
}

const roles: Readonly<Record<NonNullable<Paragraph['role']>, string>> = {
  note: 'soft',
  legend: 'key',
  alarm: 'note red',
  hint: 'note blue',
}

function printParagraph({ content, role }: Paragraph): Html {
  return tag('p', { class: role === undefined ? null : roles[role] }, inline(content))
}

function printList({ style, items }: List): Html {
  const rows = items.map((item) => tag('li', {}, inline(item)))
  return style === 'numbers'
    ? tag('ol', {}, ...rows)
    : tag('ul', { class: style === 'tasks' ? 'steps' : null }, ...rows)
}

function printFacts({ rows, hint }: Facts): Html {
  const shown = rows.filter((row) => isShown(row, 'html'))
  const facts = shown.flatMap(({ term, value }) => [tag('dt', {}, escapeHtml(term)), tag('dd', {}, inline(value))])
  const list = tag('dl', { class: 'facts' }, ...facts)
  return hint === undefined ? list : join([list, printParagraph({ kind: 'paragraph', content: hint, role: 'hint' })])
}

/** It scrolls by itself on a narrow screen; one with many columns labels each cell there. */
function printTable({ columns, rows, isOverview }: Table): Html {
  const kind = isOverview ? 'overview' : columns.length >= 4 ? 'stack' : null
  const cell = (content: Inline, index: number) =>
    kind === 'stack'
      ? tag('td', { 'data-label': oneLine(columns[index] ?? '') }, tag('span', {}, inline(content)))
      : tag('td', {}, inline(content))
  const head = columns.map((title) => tag('th', { scope: 'col' }, escapeHtml(cut(oneLine(title), 80))))
  return tag(
    'div',
    { class: 'scroll' },
    tag(
      'table',
      { class: kind },
      tag('thead', {}, tag('tr', {}, ...head)),
      tag('tbody', {}, ...rows.map((row) => tag('tr', {}, ...row.map(cell)))),
    ),
  )
}

/** An item with a share has a ring around it. */
function printFigures({ items }: Figures): Html {
  const figures = items.map(({ value, label, tone, share }) => {
    const number = tag('b', {}, escapeHtml(oneLine(value)))
    const color = tone === null ? '' : ` ${colors[tone]}`
    return tag(
      'div',
      { class: `figure${color}${share === undefined ? '' : ' mean'}` },
      share === undefined ? number : tag('div', { class: 'ring', style: `--score:${percent(share)}` }, number),
      tag('span', {}, escapeHtml(oneLine(label))),
    )
  })
  return tag('div', { class: 'figures' }, ...figures)
}

const colors: Readonly<Record<Tone, string>> = {
  good: 'green',
  notice: 'blue',
  warning: 'yellow',
  bad: 'red',
  muted: 'grey',
}

/** The only place where text becomes HTML. */
function inline(content: Inline): Html {
  if (typeof content === 'string') return prose(content)
  if (!('kind' in content)) return join(content.map(inline))
  switch (content.kind) {
    case 'value':
      return content.text === '' ? escapeHtml('–') : code(cut(oneLine(content.text), content.limit))
    case 'path':
      return code(cut(oneLine(content.text), 200))
    case 'words':
      return escapeHtml(cut(oneLine(content.text), content.limit))
    case 'strong':
      return tag('b', {}, inline(content.content))
    case 'small':
      return tag('span', { class: `small ${colors[content.tone]}` }, inline(content.content))
    case 'badge':
      return tag('span', { class: `badge ${colors[content.tone]}` }, escapeHtml(cut(oneLine(content.text), 80)))
    case 'link':
      return tag('a', { href: `#${content.to}` }, inline(content.content))
    case 'bar':
      return printBar(content)
  }
}

function printBar({ text, tone, parts }: Bar): Html {
  const labels = oneLine(parts.map(({ label }) => label).join(', '))
  const drawn = parts.map((part) => tag('i', { class: colors[part.tone], style: `width:${percent(part.percent)}%` }))
  return tag(
    'span',
    { class: `bar ${colors[tone]}` },
    tag('span', { class: 'parts', role: 'img', 'aria-label': labels, title: labels }, ...drawn),
    ...(text === '' ? [] : [tag('b', {}, escapeHtml(oneLine(text)))]),
  )
}

function percent(share: number): string {
  return String(Math.round(Math.max(0, Math.min(100, share))))
}

/** A sentence of ours, with its quotes as code; a space at either end separates it from its neighbours. */
function prose(sentence: string): Html {
  const pieces = splitQuotes(cut(oneLine(sentence), SENTENCE_LIMIT)).map(({ text, isCode }) =>
    isCode ? code(text) : escapeHtml(text),
  )
  const [before, after] = [/^\s/.test(sentence) ? ' ' : '', /\S\s+$/.test(sentence) ? ' ' : '']
  return join([escapeHtml(before), ...pieces, escapeHtml(after)])
}

function code(text: string): Html {
  return tag('code', {}, escapeHtml(text))
}

/** Without markup, for places that allow none. */
function plainText(content: Inline): string {
  if (typeof content === 'string') return content
  if (!('kind' in content)) return content.map(plainText).join('')
  return oneLine('text' in content ? content.text : plainText(content.content))
}

/** Line ends are kept, for blocks of code; other control characters are not. */
function escapeHtml(text: string): Html {
  return maskHidden(text.replaceAll('\t', '\ufffd'))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;') as Html
}

const none = '' as Html

/** Null leaves an attribute out. */
function tag(name: string, attributes: Attributes, ...children: readonly Html[]): Html {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === null ? [] : [` ${key}="${escapeHtml(value)}"`],
  )
  return `<${name}${written.join('')}>${children.join('')}</${name}>` as Html
}

function join(parts: readonly Html[]): Html {
  return parts.join('') as Html
}
