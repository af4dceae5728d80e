/** Colours and signs for terminals, and nothing of them elsewhere. */
import type { Severity } from '../model/diagnostics.ts'

type Paint = (text: string) => string

export interface Style {
  readonly bold: Paint
  readonly dim: Paint
  readonly red: Paint
  readonly yellow: Paint
  readonly green: Paint
  readonly cyan: Paint
  readonly inverse: Paint
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
  const paint = ([on, off]: readonly [number, number]): Paint =>
    colored ? (text) => `\u001b[${on}m${text}\u001b[${off}m` : (text) => text
  return Object.fromEntries(Object.entries(codes).map(([name, code]) => [name, paint(code)])) as unknown as Style
}

export function paintSeverity(style: Style, severity: Severity): Paint {
  return severity === 'error' ? style.red : severity === 'warning' ? style.yellow : style.cyan
}

export function severitySign(severity: Severity | null): string {
  return severity === 'error' ? '✗' : severity === 'warning' ? '!' : ' '
}
