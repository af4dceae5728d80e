/** Colours and signs for terminals, and nothing of them elsewhere. */
import type { Severity } from '../model/findings.ts'
import { cut, oneLine, wrap } from './layout.ts'

type PaintText = (text: string) => string

export interface Style {
  readonly bold: PaintText
  readonly dim: PaintText
  readonly red: PaintText
  readonly yellow: PaintText
  readonly green: PaintText
  readonly cyan: PaintText
  readonly inverse: PaintText
}

const codes: Record<keyof Style, readonly [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  yellow: [33, 39],
  green: [32, 39],
  cyan: [36, 39],
  inverse: [7, 27],
}

export function createStyle(colored: boolean): Style {
  const paint = ([on, off]: readonly [number, number]): PaintText =>
    colored ? (text) => `\u001b[${on}m${text}\u001b[${off}m` : (text) => text
  return Object.fromEntries(Object.entries(codes).map(([name, code]) => [name, paint(code)])) as unknown as Style
}

export function paintSeverity(style: Style, severity: Severity): PaintText {
  return severity === 'error' ? style.red : severity === 'warning' ? style.yellow : style.cyan
}

export function severitySign(severity: Severity | null): string {
  return severity === 'error' ? '✗' : severity === 'warning' ? '!' : ' '
}

/** A terminal to write on: colours, a width, and text that keeps within it. */
export interface TextOptions {
  readonly style: Style
  readonly columns: number
}

/** Words that are longer than a line are cut, but for options: those are there to be copied. */
export function wrapIndented({ columns }: TextOptions, text: string, indent: number): string[] {
  if (text === '') return []
  const width = columns - indent
  return wrap(oneLine(text), width).map(
    (line) => ' '.repeat(indent) + (COMMAND_OPTION.test(line) ? line : cut(line, width)),
  )
}

const COMMAND_OPTION = /(?:^|[\s`])--[a-z]/
