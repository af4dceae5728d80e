/** PromptScript strings, blocks and names: reading and quoting. */
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', "'": "'", '\\': '\\' }

/** The text inside the quotes, of which the last may be missing. */
export function innerText(spelled: string): string {
  const quotes = spelled.startsWith('"""') ? '"""' : spelled.slice(0, 1)
  const isClosed = spelled.length >= 2 * quotes.length && spelled.endsWith(quotes)
  return spelled.slice(quotes.length, isClosed ? -quotes.length : undefined)
}

/** The text inside the quotes, as it was meant; any other backslash is literal. */
export function unescapePrs(inner: string): string {
  return inner.includes('\\') ? inner.replace(/\\([\s\S])/g, (whole, one: string) => ESCAPES[one] ?? whole) : inner
}

/** What PromptScript reads: it replaces one escape after the other, so `\\n` becomes a backslash and a line end. */
function unescapedInTurn(inner: string): string {
  return Object.entries(ESCAPES).reduce((text, [one, meant]) => text.replaceAll(`\\${one}`, () => meant), inner)
}

/** A block is trimmed; the common indent of its lines belongs to the file, not to the text. */
export function readBlock(inner: string): string {
  const lines = inner.replace(/\r\n/g, '\n').split('\n')
  // Directly behind the quotes, the first line has no indent to measure.
  const filled = lines.slice(1).filter((line) => line.trim() !== '')
  const indent = filled.reduce((least, line) => Math.min(least, line.search(/\S/)), Number.POSITIVE_INFINITY)
  if (filled.length === 0 || indent === 0) return lines.join('\n').trim()
  return lines
    .map((line, index) => (line.trim() === '' ? '' : index === 0 ? line : line.slice(indent)))
    .join('\n')
    .trim()
}

/** The field that holds the prose of an entry, in every block. */
export const PROSE_FIELD = 'content'

/** Line ends at the edges of prose are kept, though PromptScript trims them too: a body has them in its own file. */
export function readProse(inner: string): string {
  const text = readBlock(inner)
  if (text === '') return ''
  const [before = '', after = ''] = [/^\s*/.exec(inner)?.[0], inner.slice(inner.trimEnd().length)]
  return lineEndsIn(before) + text + lineEndsIn(after)
}

function lineEndsIn(space: string): string {
  return space.replace(/[^\n]+/g, '')
}

/** A text where any value is allowed: in quotes, or in a block if PromptScript would damage it in quotes. */
export function prsText(text: string): string {
  return isReadAsMeant(quotePrs(text)) || !fitsBetween(text) ? quotePrs(text) : `"""${text}"""`
}

/** Prose: a block if that reads back as the same text, else quoted, but still on lines of its own. */
export function prsProse(text: string, lineEnd: '\n' | '\r\n'): string {
  if (fitsBlock(text)) return `"""${lineEnd === '\n' ? text : text.replaceAll('\n', lineEnd)}"""`
  return lineEnd === '\n' && text.trim() !== '' ? `"${withEscapes(text)}"` : quotePrs(text)
}

/** Whether PromptScript misreads this text in every spelling. */
export function isDamaged(text: string, isProse: boolean): boolean {
  return !isReadAsMeant(quotePrs(text)) && !(isProse ? fitsBlock(text) : fitsBetween(text))
}

/** On one line. */
export function quotePrs(text: string): string {
  return `"${withEscapes(text).replace(/\n/g, '\\n').replace(/\t/g, '\\t')}"`
}

/** Line ends stay, except a CR, which programs tend to change. */
function withEscapes(text: string): string {
  return text.replace(/[\\"]/g, '\\$&').replace(/\r/g, '\\r')
}

function isReadAsMeant(spelled: string): boolean {
  const inner = spelled.slice(1, -1)
  return unescapedInTurn(inner) === unescapePrs(inner)
}

/** A block cannot hold empty texts, white space at the edges beyond one line end, or three quotes in a row. */
function fitsBlock(text: string): boolean {
  return !/"""|\r|"$|^\n\n|\n\n$/.test(text) && text !== '' && readProse(text) === text
}

/** Directly between the quotes, where nothing at the edges is kept. */
function fitsBetween(text: string): boolean {
  return fitsBlock(text) && readBlock(text) === text
}

/** The names of types can be names of fields anyway. */
const TYPES = ['string', 'number', 'boolean']
const RESERVED = ['meta', 'inherit', 'use', 'as', 'into', 'extend', 'true', 'false', 'null', 'range', 'enum']

/** It needs quotes as a name or as a text. */
export function isReserved(word: string): boolean {
  return RESERVED.includes(word)
}

/** Whether a field or a block may have this name without quotes. */
export function isPlainName(name: string): boolean {
  return /^[a-zA-Z_][a-zA-Z0-9_-]*$/.test(name) && !isReserved(name) && !TYPES.includes(name)
}
