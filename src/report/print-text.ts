/** Prints a report on a terminal: colours and signs, and no line wider than the terminal. */
import type { Severity } from '../model/findings.ts'
import {
  type Block,
  type ColumnLayout,
  type Inline,
  isShown,
  type Paragraph,
  strong,
  type Table,
  type Tone,
  words,
} from './document.ts'
import { cut, cutStart, displayWidth, maskHidden, oneLine, pad, wrap } from './layout.ts'

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

/** The terminal: colours, a width, and text that fits it. */
export interface TerminalOptions {
  readonly style: Style
  readonly columns: number
}

/** Words longer than a line are cut, except for options: those are meant to be copied. */
export function wrapIndented({ columns }: TerminalOptions, text: string, indent: number): string[] {
  if (text === '') return []
  const width = columns - indent
  return wrap(oneLine(text), width).map(
    (line) => ' '.repeat(indent) + (COMMAND_OPTION.test(line) ? line : cut(line, width)),
  )
}

const COMMAND_OPTION = /(?:^|[\s`])--[a-z]/

/** Prints blocks for a terminal, separated by an empty line; no line is wider than the terminal. */
export function printText(blocks: readonly Block[], options: TerminalOptions): string[] {
  return blocks
    .filter((block) => isShown(block, 'text'))
    .map((block) => blockLines(block, options, 0))
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))
}

function blockLines(block: Block, options: TerminalOptions, indent: number): string[] {
  const { style, columns } = options
  const wrapped = (content: Inline) => wrapIndented(options, textOf(content), indent)
  switch (block.kind) {
    case 'section':
    case 'folded': {
      const shown = block.blocks.filter((one) => isShown(one, 'text'))
      const inside = shown.flatMap((one) => blockLines(one, options, 2))
      return inside.length === 0 ? [] : [titleLine(block.title, options), ...inside]
    }
    case 'paragraph':
      return wrapped(block.content).map(block.role === undefined ? same : style[roles[block.role]])
    case 'list':
      return block.items.flatMap((item, index) => wrapped([block.style === 'numbers' ? `${index + 1}. ` : '- ', item]))
    case 'facts':
      return [
        ...block.rows
          .filter((row) => isShown(row, 'text'))
          .flatMap(({ term, value, tone }) => wrapped([`${term}: `, value]).map(paintTone(style, tone))),
        ...(block.hint === undefined ? [] : wrapIndented(options, textOf(block.hint), indent + 2)),
      ]
    case 'table':
      return tableLines(block, options)
    case 'code':
      return block.text
        .split('\n')
        .map((line) => ' '.repeat(indent) + cut(maskHidden(line.replaceAll('\t', ' ')), columns - indent))
    case 'figures':
      return block.items.flatMap(({ value, label }) => wrapped(`${value} ${label}`))
    case 'comment':
      return []
  }
}

const roles: Readonly<Record<NonNullable<Paragraph['role']>, keyof Style>> = {
  note: 'dim',
  legend: 'dim',
  alarm: 'red',
  hint: 'cyan',
}

/** A minor remark is left out if there is no room for it. */
function titleLine(title: Inline, { style, columns }: TerminalOptions): string {
  const parts = [title].flat() as readonly Inline[]
  const isSmall = (part: Inline) => typeof part === 'object' && 'kind' in part && part.kind === 'small'
  const text = textOf(parts.filter((part) => !isSmall(part)))
  const remark = textOf(parts.filter(isSmall))
  const hasRoom = remark !== '' && displayWidth(text) + displayWidth(remark) < columns
  return style.bold(cut(text, columns)) + (hasRoom ? style.dim(remark) : '')
}

const INDENT = 2
const GAP = 2
/** The rest gets its reserve only if this much is left for the name. */
const NAME_KEEPS = 14
/** Fixed columns that do not fit are cut, but not to less than this. */
const CUT_TO = 8

/** The only place that divides a line into columns. */
export function tableLines({ columns: titles, rows, layout }: Table, options: TerminalOptions): string[] {
  const plan =
    layout ??
    titles.map((_, at): ColumnLayout => ({ fit: at === 0 ? 'name' : at < titles.length - 1 ? 'fixed' : 'rest' }))
  const all = layout === undefined ? [titles.map((title) => strong(words(title))), ...rows] : rows
  const widths = columnWidths(all, plan, options.columns)
  return all.flatMap((row) => rowLines(row, plan, widths, options))
}

/** Fixed columns are as wide as their widest cell; then the name gets what it needs, and the rest what is left. */
function columnWidths(rows: readonly (readonly Inline[])[], plan: readonly ColumnLayout[], line: number): number[] {
  const widths = plan.map(({ fit, least = 0, from = 0 }, at) => {
    const widest = rows.reduce((most, row) => Math.max(most, displayWidth(textOf(row[at] ?? ''))), 0)
    return fit === 'fixed' && (line < from || widest === 0) ? 0 : Math.max(least, widest)
  })
  const taken = plan.reduce((sum, { fit }, at) => {
    const width = widths[at] ?? 0
    return sum + (fit === 'mark' ? width + 1 : fit === 'fixed' && width > 0 ? width + GAP : 0)
  }, INDENT)
  const reserve = plan.find(({ fit }) => fit === 'rest')?.reserve ?? 0
  const room = line - taken
  const forName = room - reserve < NAME_KEEPS ? room : room - reserve
  const nameAt = plan.findIndex(({ fit }) => fit === 'name')
  const { least = 0, most } = plan[nameAt] ?? {}
  const name = Math.max(least, Math.min(widths[nameAt] ?? 0, most?.(line) ?? line, forName))
  const rest = nameAt < 0 ? room : room - name - GAP
  return plan.map(({ fit }, at) => (fit === 'name' ? name : fit === 'rest' ? rest : (widths[at] ?? 0)))
}

function rowLines(
  row: readonly Inline[],
  plan: readonly ColumnLayout[],
  widths: readonly number[],
  options: TerminalOptions,
): string[] {
  const { style, columns } = options
  const above: string[] = []
  const below: string[] = []
  let line = ' '.repeat(INDENT)
  let used = INDENT
  for (const [at, column] of plan.entries()) {
    const content = row[at] ?? ''
    const paint = paintTone(style, toneOf(content))
    const width = widths[at] ?? 0
    const text = textOf(content)
    if (column.fit === 'mark') {
      line += `${paint(pad(text, width))} `
      used += width + 1
    } else if (column.fit === 'name') {
      const ownLine = column.long === 'own-line' ? cutCell(content, columns - used) : text
      const isLong = column.long !== 'cut' && displayWidth(text) > width && used + displayWidth(ownLine) <= columns
      if (isLong) {
        above.push(line + paint(ownLine))
        line = ' '.repeat(used)
      }
      line += isLong ? ' '.repeat(width) : paint(pad(cutCell(content, width), width))
      used += width
    } else if (column.fit === 'rest' && column.long === 'wrap') {
      const isBelow = width < (column.least ?? 1)
      const [first = '', ...others] = isBelow ? [] : wrap(text, width).map((one) => paint(cut(one, width)))
      line += ' '.repeat(GAP) + first
      below.push(...others.map((one) => ' '.repeat(columns - width) + one))
      if (isBelow) below.push(...wrapIndented(options, text, 2 * INDENT).map(paint))
    } else {
      const gap = used > INDENT ? GAP : 0
      const room = Math.min(width, columns - used - gap)
      const isShown =
        column.fit === 'rest' ? width >= (column.least ?? 1) : width > 0 && (room === width || room >= CUT_TO)
      if (!isShown) continue
      const cell = cutCell(content, room)
      const space = ' '.repeat(Math.max(0, room - displayWidth(cell)))
      line += ' '.repeat(gap) + paint(column.align === 'end' ? space + cell : cell + space)
      used += gap + room
    }
  }
  return [...above, line.trimEnd(), ...below]
}

/** Keeps the end of a path, even with something before it. */
function cutCell(content: Inline, width: number): string {
  const parts = [content].flat() as readonly Inline[]
  const last = parts.at(-1)
  if (typeof last !== 'object' || !('kind' in last)) return cut(textOf(content), width)
  if (last.kind === 'small') return cutCell([...parts.slice(0, -1), last.content], width)
  const before = textOf(parts.slice(0, -1))
  if (last.kind !== 'path' || (before !== '' && width < 16)) return cut(textOf(content), width)
  return before + cutStart(oneLine(last.text), width - displayWidth(before))
}

/** The only place where text becomes terminal lines. */
function textOf(content: Inline): string {
  if (typeof content === 'string') {
    const [before, after] = [/^\s/.test(content) ? ' ' : '', /\S\s+$/.test(content) ? ' ' : '']
    return before + oneLine(content) + after
  }
  if (!('kind' in content)) return content.map(textOf).join('')
  return 'content' in content ? textOf(content.content) : oneLine(content.text)
}

function toneOf(content: Inline): Tone | undefined {
  return typeof content === 'object' && 'tone' in content ? content.tone : undefined
}

function paintTone(style: Style, tone: Tone | undefined): PaintText {
  return tone === undefined ? same : style[toneColors[tone]]
}

const toneColors: Readonly<Record<Tone, keyof Style>> = {
  good: 'green',
  notice: 'cyan',
  warning: 'yellow',
  bad: 'red',
  muted: 'dim',
}

const same: PaintText = (text) => text
