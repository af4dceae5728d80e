/** A terminal to write on: colours, a width, and text that keeps within it. */
import { cut, displayWidth, oneLine, wrap } from './layout.ts'
import type { Style } from './style.ts'
import { graphemes } from './width.ts'

export interface Paper {
  readonly style: Style
  readonly columns: number
}

/** Words that are longer than a line are cut, but for options: those are there to be copied. */
export function wrapped({ columns }: Paper, text: string, indent: number): string[] {
  if (text === '') return []
  const width = columns - indent
  return wrap(oneLine(text), width).map((line) => ' '.repeat(indent) + (OPTION.test(line) ? line : cut(line, width)))
}

const OPTION = /(?:^|[\s`])--[a-z]/

/** Of a path the end tells most. */
export function cutStart(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  const characters = [...graphemes(text)]
  while (characters.length > 0 && displayWidth(characters.join('')) > width - 1) characters.shift()
  return `…${characters.join('')}`
}
