/** A workplace in plain lines: what needs the person first, then agents, tasks, handoffs, cost. */
import type { Overview } from '../../team/state/overview.ts'
import { cut, displayWidth, oneLine, plural } from '../layout.ts'
import type { TextOptions } from '../terminal.ts'
import { costText, type StatusRow, type StatusSection } from './member-rows.ts'
import { statusSections } from './rows.ts'

export interface StatusHead {
  readonly name: string
  /** The process that runs it; null: none does. */
  readonly pid: number | null
  /** Messages in the inbox while nothing runs it. */
  readonly undelivered: number
}

/** So many rows of what needs the person; the command that shows the others is named. */
const ROWS_SHOWN = 8

export function workStatusText(head: StatusHead, overview: Overview, paper: TextOptions): string[] {
  const { style, columns } = paper
  return [
    ...headLines(head, overview, paper, false),
    ...statusSections(overview, { style, columns: columns - 2 }).flatMap((section) => [
      '',
      ...sectionLines(section, paper),
    ]),
  ]
}

function sectionLines({ title, rows, note }: StatusSection, { style, columns }: TextOptions): string[] {
  if (rows.length === 0) return [style.dim(note ?? '')]
  const shown = rows.some(({ way }) => way !== null) ? rows.slice(0, ROWS_SHOWN) : rows
  const more = rows.length - shown.length
  return [
    style.bold(title),
    ...shown.flatMap((row) => rowLines(row, style.cyan)),
    ...(more > 0 ? [style.dim(cut(`  ${more} more: \`troupe work status --watch\` shows all`, columns))] : []),
    ...(note === null ? [] : [style.dim(cut(`  ${note}`, columns))]),
  ]
}

/** Commands are there to be copied: they have a line of their own, and are never cut. */
function rowLines({ text, way }: StatusRow, paint: (text: string) => string): string[] {
  return [`  ${text}`, ...(way === null ? [] : [`    ${paint(way)}`])]
}

/** Whether it runs, and what it came to; in one line where there are few. */
export function headLines(
  head: StatusHead,
  { totals, attention }: Overview,
  paper: TextOptions,
  isLow: boolean,
): string[] {
  const { style, columns } = paper
  const { name, pid, undelivered } = head
  const running = pid === null ? 'not running' : isLow ? 'running' : `running, pid ${pid}`
  const paint = pid === null ? style.yellow : style.green
  const cost = totals.cost === 0 ? 'cost not reported' : `cost ${costText(totals.cost)}`
  const counts = [`${totals.completed} done`, `${totals.dead} dead`]
  const figures = [
    ...(isLow && attention.length > 0 ? [`${attention.length} for you`] : []),
    `${totals.open} open`,
    ...(isLow ? [...(totals.cost === 0 ? [] : [cost]), ...counts.reverse()] : [...counts, cost]),
    plural(totals.turns, 'turn'),
    ...(totals.refused > 0 ? [`${totals.refused} late results refused`] : []),
  ]
  const title = cut(oneLine(name), Math.max(8, columns - running.length - 2))
  const first = `${style.bold(title)}  ${paint(running)}`
  const used = displayWidth(title) + 2 + running.length
  const kept =
    undelivered === 0
      ? []
      : [style.yellow(cut(`${plural(undelivered, 'message')} kept until it runs: \`troupe work resume\``, columns))]
  if (isLow) return [first + fitParts(figures, columns - used, '  '), ...kept]
  return [first, ...kept, fitParts(figures, columns, '')]
}

/** As many as there is room for. */
function fitParts(parts: readonly string[], room: number, before: string): string {
  let text = ''
  for (const part of parts) {
    const longer = text === '' ? before + part : `${text}, ${part}`
    if (displayWidth(longer) > room) break
    text = longer
  }
  return text
}
