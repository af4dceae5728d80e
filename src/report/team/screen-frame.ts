/** The lines of a terminal: a header, a scrollable part of a longer text, and below it what is left out and the keys. */
import type { Overview } from '../../team/state/overview.ts'
import type { State } from '../../team/state/state.ts'
import { cut, displayWidth, pad } from '../layout.ts'
import type { Style } from '../print-text.ts'
import type { StatusHead } from './status.ts'

/** What a person sees of a workplace: the terminal's size, the selected row, the scroll position. */
export interface ScreenSize {
  readonly columns: number
  readonly rows: number
}

/** All that can be shown. */
export interface ScreenContent {
  readonly head: StatusHead
  readonly overview: Overview
  readonly state: State
  readonly now: number
}

export interface ScreenView {
  readonly mode: 'list' | 'details'
  /** The key of the selected row. Null: none, because the selected one is gone; a key must not act on another by surprise. */
  readonly selected: string | null
  /** The index of the selected row, or of the one that is gone. */
  readonly place: number
  /** The first visible line, of the list and of the details. */
  readonly top: number
  readonly detailsTop: number
  /** How many lines of the details have been shown so far. */
  readonly read: number
  /** The result of the last key, or why it had none. */
  readonly notice: string | null
}

export const firstView: ScreenView = {
  mode: 'list',
  selected: null,
  place: 0,
  top: 0,
  detailsTop: 0,
  read: 0,
  notice: null,
}

interface FrameParts {
  readonly head: readonly string[]
  readonly body: readonly string[]
  readonly top: number
  /** What is above and below the visible body; empty if all is shown. */
  readonly leftOut: (top: number, end: number) => string
  readonly notice: string | null
  /** The most important first; those that do not fit are left out. */
  readonly keys: readonly string[]
}

interface FrameWindow {
  readonly top: number
  readonly height: number
}

/** How many lines of the body fit; the keys are always shown. */
export function windowOf(
  { head, body, top, notice }: Omit<FrameParts, 'leftOut' | 'keys'>,
  { rows }: ScreenSize,
): FrameWindow {
  const around = 1 + (rows > 3 ? head.length : 0) + (notice !== null && rows > 2 ? 1 : 0)
  const most = Math.max(0, rows - around)
  // What is left out is noted on its own line.
  const height = body.length <= most ? most : Math.max(Math.min(1, most), most - 1)
  return { top: Math.max(0, Math.min(top, body.length - height)), height }
}

/** Exactly as many lines as the terminal has, none wider than it. */
export function frameOf(parts: FrameParts, size: ScreenSize, style: Style): string[] {
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
  return all.map((line) => fitWidth(line, columns))
}

/** On a very narrow terminal colours are dropped before the width is exceeded. */
function fitWidth(line: string, columns: number): string {
  const text = stripColor(line)
  return displayWidth(text) <= columns ? line : cut(text, columns)
}

function stripColor(text: string): string {
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

/** The whole width in reverse, so that it is easy to spot. */
export function highlight(text: string, columns: number, style: Style): string {
  return style.inverse(pad(stripColor(text), columns))
}
