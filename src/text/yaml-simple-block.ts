/** The quick way through a block of text below its key: lines in one column, and nothing that YAML has a rule of its own for. */
import type { ScalarNode } from './tree.ts'
import type { View } from './view.ts'

const HEADER = /([|>])(-?) *\n/y
const NOT_SIMPLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/
const SPACE = 32
const LINE_END = 10

/** `start`: where the sign of the block stands. Null when something is not simple, be it valid or not. */
export function readSimpleBlock(
  view: View,
  start: number,
): { readonly node: ScalarNode; readonly next: number } | null {
  const { text } = view
  HEADER.lastIndex = start
  const header = HEADER.exec(text)
  if (header === null) return null
  const isFolded = header[1] === '>'
  const first = start + header[0].length
  const indent = spacesAt(text, first)
  if (indent === 0) return null
  let value = ''
  let between = ''
  let line = first
  while (line < text.length) {
    const end = text.indexOf('\n', line)
    if (end < 0) return null
    if (end === line) between += '\n'
    else {
      const spaces = spacesAt(text, line)
      if (spaces === 0) break
      // Folded lines that stand further in are not folded.
      if (spaces < indent || (isFolded && spaces > indent)) return null
      value += separator(value, between, isFolded) + text.slice(line + indent, end)
      between = ''
    }
    line = end + 1
  }
  if (between !== '' || NOT_SIMPLE.test(text.slice(first, line))) return null
  const range = { start: view.toFile(start), end: view.toFile(line - 1) }
  return { node: { kind: 'scalar', value: header[2] === '-' ? value : `${value}\n`, range }, next: line }
}

/** `between`: the line ends of blank lines. */
function separator(value: string, between: string, isFolded: boolean): string {
  if (value === '') return ''
  if (isFolded) return between === '' ? ' ' : between
  return `\n${between}`
}

/** None where nothing follows them. */
function spacesAt(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) === SPACE) at++
  return text.charCodeAt(at) === LINE_END ? 0 : at - from
}
