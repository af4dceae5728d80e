/** HTML from parts that may hold anything: text is escaped where it enters, tags are made in one place. */
import { maskHidden } from './characters.ts'
import { cut, oneLine } from './layout.ts'
import { splitQuotes } from './prose.ts'

/** HTML that is safe to put into a page. */
export type Html = string & { readonly html: true }

type Attributes = Readonly<Record<string, string | number | boolean | null>>

/** Line ends stay, for blocks of code; other characters that steer do not. */
export function escapeHtml(text: string): Html {
  return maskHidden(text.replaceAll('\t', '\ufffd'))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;') as Html
}

/** Null and false leave an attribute out. */
export function tag(name: string, attributes: Attributes, ...children: readonly Html[]): Html {
  const written = Object.entries(attributes).flatMap(([key, value]) => {
    if (value === null || value === false) return []
    return [value === true ? ` ${key}` : ` ${key}="${escapeHtml(String(value))}"`]
  })
  return `<${name}${written.join('')}>${children.join('')}</${name}>` as Html
}

/** Plain words. */
export function words(text: string, width = 400): Html {
  return escapeHtml(cut(oneLine(text), width))
}

/** A value, a name, a path; it may break where it is too long for a small screen. */
export function code(text: string, width = 160): Html {
  return tag('code', {}, words(text, width))
}

/** A sentence of ours, with what it quotes as code. */
export function prose(sentence: string, width = 2000): Html {
  return join(
    splitQuotes(cut(oneLine(sentence), width)).map(({ text, isCode }) =>
      isCode ? code(text, width) : escapeHtml(text),
    ),
  )
}

export function join(parts: readonly Html[], between = ''): Html {
  return parts.join(between) as Html
}

export function list(items: readonly Html[], attributes: Attributes = {}): Html {
  return tag('ul', attributes, ...items.map((item) => tag('li', {}, item)))
}

/** A table that scrolls by itself where the screen is too narrow; one of kind `stack` says there what each cell is. */
export function table(head: readonly string[], rows: readonly (readonly Html[])[], kind = ''): Html {
  const isStack = kind === 'stack'
  const cell = (content: Html, index: number) =>
    isStack ? tag('td', { 'data-label': head[index] ?? null }, tag('span', {}, content)) : tag('td', {}, content)
  const inner = tag(
    'table',
    { class: kind === '' ? null : kind },
    tag('thead', {}, tag('tr', {}, ...head.map((title) => tag('th', { scope: 'col' }, escapeHtml(title))))),
    tag('tbody', {}, ...rows.map((row) => tag('tr', {}, ...row.map(cell)))),
  )
  return tag('div', { class: 'scroll' }, inner)
}

export function details(summary: Html, content: readonly Html[], attributes: Attributes = {}): Html {
  return tag('details', attributes, tag('summary', {}, summary), tag('div', { class: 'inside' }, ...content))
}
