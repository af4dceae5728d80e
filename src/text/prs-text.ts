/** Texts as PromptScript writes them: quoted, or in blocks of three quotes. */

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', "'": "'", '\\': '\\' }

/** What stands in the quotes, of which the last may be missing. */
export function innerText(spelled: string): string {
  const quotes = spelled.startsWith('"""') ? '"""' : spelled.slice(0, 1)
  const isClosed = spelled.length >= 2 * quotes.length && spelled.endsWith(quotes)
  return spelled.slice(quotes.length, isClosed ? -quotes.length : undefined)
}

/** What stands between the quotes, as it was meant; another backslash is only a backslash. */
export function unescaped(inner: string): string {
  return inner.includes('\\') ? inner.replace(/\\([\s\S])/g, (whole, one: string) => ESCAPES[one] ?? whole) : inner
}

/** What PromptScript makes of it: one kind of escape after the other, so that `\\n` becomes a backslash and a line end. */
function unescapedInTurn(inner: string): string {
  return Object.entries(ESCAPES).reduce((text, [one, meant]) => text.replaceAll(`\\${one}`, () => meant), inner)
}

/** A block is trimmed; what all its lines are indented by is the indent of the file, not of the text. */
export function readBlock(inner: string): string {
  const lines = inner.replace(/\r\n/g, '\n').trimEnd().split('\n')
  const first = lines.findIndex((line) => line.trim() !== '')
  // Right behind the quotes, the first line has no indent that could be told.
  const filled = lines.slice(Math.max(1, first)).filter((line) => line.trim() !== '')
  const indent = filled.reduce((least, line) => Math.min(least, line.search(/\S/)), Number.POSITIVE_INFINITY)
  if (filled.length === 0 || indent === 0) return lines.join('\n').trim()
  return lines
    .map((line, index) => (line.trim() === '' ? '' : index === 0 ? line : line.slice(indent)))
    .join('\n')
    .trim()
}

/** A text where any value can stand: in quotes, or in a block where PromptScript would damage it in quotes. */
export function plainText(text: string): string {
  return isSafe(quoted(text)) || !fitsBetween(text) ? quoted(text) : `"""${text}"""`
}

/** Prose: a block where that is read as the same text, else quoted, on lines of its own all the same. */
export function proseText(text: string, lineEnd: '\n' | '\r\n'): string {
  const lines = lineEnd === '\n' ? text : text.replaceAll('\n', lineEnd)
  if (fitsBlock(text)) return `"""${lineEnd}${lines}${lineEnd}"""`
  return lineEnd === '\n' ? `"${withEscapes(text)}"` : quoted(text)
}

/** Whether PromptScript reads another text where this one is written: there is no spelling that it would read as this. */
export function isDamaged(text: string, isProse: boolean): boolean {
  return !isSafe(quoted(text)) && !(isProse ? fitsBlock(text) : fitsBetween(text))
}

/** On one line. */
export function quoted(text: string): string {
  return `"${withEscapes(text).replace(/\n/g, '\\n').replace(/\t/g, '\\t')}"`
}

/** Line ends stay, but for a CR, which programs like to change. */
function withEscapes(text: string): string {
  return text.replace(/[\\"]/g, '\\$&').replace(/\r/g, '\\r')
}

function isSafe(spelled: string): boolean {
  const inner = spelled.slice(1, -1)
  return unescapedInTurn(inner) === unescaped(inner)
}

/** Empty texts, white space at the edges and three quotes in a row are beyond a block. */
function fitsBlock(text: string): boolean {
  return text !== '' && !/"""|\r/.test(text) && readBlock(`\n${text}\n`) === text
}

/** Right between the quotes. */
function fitsBetween(text: string): boolean {
  return text !== '' && !/"""|\r|"$/.test(text) && readBlock(text) === text
}
