/** The lines of a terminal: a head, a part of a longer text that can be scrolled, and below it what is left out and the keys. */
import { cut, displayWidth, pad } from '../layout.ts'
import type { Style } from '../style.ts'
import type { Size } from './view.ts'

export interface Parts {
  readonly head: readonly string[]
  readonly body: readonly string[]
  readonly top: number
  /** Of the body, what is above and below; empty where all is shown. */
  readonly leftOut: (top: number, end: number) => string
  readonly notice: string | null
  /** The most important first; those that do not fit are left away. */
  readonly keys: readonly string[]
}

export interface Window {
  readonly top: number
  readonly height: number
}

/** How many lines of the body there is room for; the keys are always there. */
export function windowOf({ head, body, top, notice }: Omit<Parts, 'leftOut' | 'keys'>, { rows }: Size): Window {
  const around = 1 + (rows > 3 ? head.length : 0) + (notice !== null && rows > 2 ? 1 : 0)
  const most = Math.max(0, rows - around)
  // What is left out is said in a line of its own.
  const height = body.length <= most ? most : Math.max(Math.min(1, most), most - 1)
  return { top: Math.max(0, Math.min(top, body.length - height)), height }
}

/** Exactly as many lines as the terminal has, none wider than it is. */
export function frameOf(parts: Parts, size: Size, style: Style): string[] {
  const { columns, rows } = size
  const { top, height } = windowOf(parts, size)
  const shown = parts.body.slice(top, top + height)
  const hidden = parts.leftOut(top, top + height)
  const lines = [
    ...(rows > 3 ? parts.head : []),
    ...shown,
    ...Array.from({ length: height - shown.length }, () => ''),
    ...(parts.body.length > height ? [style.dim(cut(hidden, columns))] : []),
    ...(parts.notice !== null && rows > 2 ? [style.yellow(cut(parts.notice, columns))] : []),
  ]
  const all = [...lines.slice(0, rows - 1), style.dim(keyLine(parts.keys, columns))].slice(-rows)
  return all.map((line) => within(line, columns))
}

/** On a terminal of a few columns colours are given up before the width is. */
function within(line: string, columns: number): string {
  const text = unpainted(line)
  return displayWidth(text) <= columns ? line : cut(text, columns)
}

function unpainted(text: string): string {
  return text.replace(/\u001b\[\d+m/g, '')
}

function keyLine(keys: readonly string[], columns: number): string {
  let line = ''
  for (const key of keys) {
    const longer = line === '' ? key : `${line}  ${key}`
    if (displayWidth(longer) > columns) break
    line = longer
  }
  return line === '' ? cut(keys[0] ?? '', columns) : line
}

/** "3 above and 12 more below, j/k to scroll" */
export function leftOutText(above: number, below: number): string {
  const parts = [...(above > 0 ? [`${above} above`] : []), ...(below > 0 ? [`${below} more below`] : [])]
  return parts.length === 0 ? '' : `${parts.join(' and ')}, j/k to scroll`
}

/** The whole width in reverse, so that it is found at a glance. */
export function highlight(text: string, columns: number, style: Style): string {
  return style.inverse(pad(unpainted(text), columns))
}
