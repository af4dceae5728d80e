/** The list of all that goes on in a workplace, as lines of a terminal, with one row selected. */
import { cut } from '../layout.ts'
import type { Style } from '../style.ts'
import type { Row, Section } from '../work-row.ts'
import { sectionsOf } from '../work-rows.ts'
import { headLines } from '../work-status-text.ts'
import { frameOf, highlight, leftOutText, windowOf } from './frame.ts'
import type { Content, Size, View } from './view.ts'

export interface DrawnList {
  readonly lines: readonly string[]
  /** As it was drawn: scrolled so that the selected row is seen. */
  readonly view: View
  readonly rows: readonly Row[]
  /** The first row of each section. */
  readonly firsts: readonly number[]
  /** How many rows are a page. */
  readonly page: number
}

interface Line {
  readonly text: string
  readonly row: Row | null
}

export function drawList(content: Content, view: View, size: Size, style: Style): DrawnList {
  const { columns } = size
  // Before each row there is room for the mark of the selected one.
  const sections = sectionsOf(content.overview, { style, columns: Math.max(20, columns - 2) })
  const isLow = size.rows < 18
  const lines = sections.flatMap((section, index) => linesOf(section, isLow || index === 0, columns, style))
  const rows = sections.flatMap((section) => section.rows)
  const settled = settle(view, rows)
  const head = headLines(content.head, content.overview, { style, columns }, isLow)
  const parts = {
    head: isLow ? head : [...head, ''],
    body: lines.map(({ text, row }) =>
      row === null ? text : row.key === settled.selected ? highlight(`> ${row.text}`, columns, style) : `  ${row.text}`,
    ),
    notice: view.notice,
    keys: keysFor(rows[settled.place], settled.selected !== null),
  }
  const { height } = windowOf({ ...parts, top: settled.top }, size)
  const at = lines.findIndex(({ row }) => row !== null && row.key === settled.selected)
  const { top } = windowOf({ ...parts, top: at < 0 ? settled.top : scrolledTo(at, settled.top, height, lines) }, size)
  const count = (some: readonly Line[]) => some.filter(({ row }) => row !== null).length
  const leftOut = (from: number, end: number) => leftOutText(count(lines.slice(0, from)), count(lines.slice(end)))
  return {
    lines: frameOf({ ...parts, top, leftOut }, size, style),
    view: { ...settled, top },
    rows,
    firsts: sections.map((_, index) => sections.slice(0, index).reduce((sum, one) => sum + one.rows.length, 0)),
    page: Math.max(1, height - 2),
  }
}

function linesOf({ title, rows, note }: Section, isFirst: boolean, columns: number, style: Style): Line[] {
  const plain = (text: string): Line => ({ text, row: null })
  return [
    ...(isFirst ? [] : [plain('')]),
    ...(rows.length > 0 ? [plain(style.bold(cut(title, columns)))] : []),
    ...rows.map((row) => ({ text: row.text, row })),
    ...(note === null ? [] : [plain(style.dim(cut(rows.length > 0 ? `  ${note}` : note, columns)))]),
  ]
}

/** A row that is gone leaves nothing selected, and the place where it was. */
function settle(view: View, rows: readonly Row[]): View {
  const index = rows.findIndex(({ key }) => key === view.selected)
  if (index >= 0) return { ...view, place: index }
  return { ...view, selected: null, place: Math.max(0, Math.min(view.place, rows.length - 1)) }
}

/** As little as needed; a title just above the selected row is shown with it. */
function scrolledTo(at: number, top: number, height: number, lines: readonly Line[]): number {
  let first = at
  while (first > 0 && lines[first - 1]?.row === null && at - first < height - 1) first--
  if (first < top) return first
  // Behind the last row there may be a note about it.
  const last = lines.slice(at + 1).some(({ row }) => row !== null) ? at : Math.min(lines.length - 1, at + height - 1)
  return last >= top + height ? last - height + 1 : top
}

function keysFor(row: Row | undefined, isSelected: boolean): string[] {
  const kind = isSelected ? row?.subject.kind : undefined
  const own = kind === 'question' ? ['y yes', 'n no'] : kind === 'dead' ? ['r revive'] : []
  return ['q quit', 'j/k move', ...own, 'Enter details', 'Tab next part']
}
