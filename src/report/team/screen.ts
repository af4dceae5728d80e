/** A workplace as a screen: content, view and size become lines, and keys become another view or an action. */
import { cut, oneLine } from '../layout.ts'
import type { Style } from '../print-text.ts'
import { statusSections } from './rows.ts'
import { detailsOf } from './screen-details.ts'
import {
  frameOf,
  highlight,
  leftOutText,
  type ScreenContent,
  type ScreenSize,
  type ScreenView,
  windowOf,
} from './screen-frame.ts'
import { headLines } from './status.ts'
import type { StatusRow, StatusSection } from './status-members.ts'

/** The list of everything under way in a workplace, as terminal lines, with one row selected. */
interface DrawnList {
  readonly lines: readonly string[]
  /** As drawn: scrolled so that the selected row is visible. */
  readonly view: ScreenView
  readonly rows: readonly StatusRow[]
  /** The first row of each section. */
  readonly firsts: readonly number[]
  /** The number of rows per page. */
  readonly page: number
}

interface ListLine {
  readonly text: string
  readonly row: StatusRow | null
}

function drawList(content: ScreenContent, view: ScreenView, size: ScreenSize, style: Style): DrawnList {
  const { columns } = size
  // Each row leaves room for the selection mark.
  const sections = statusSections(content.overview, { style, columns: Math.max(20, columns - 2) })
  const isLow = size.rows < 18
  const lines = sections.flatMap((section, index) => linesOf(section, isLow || index === 0, columns, style))
  const rows = sections.flatMap((section) => section.rows)
  const settled = restoreSelection(view, rows)
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
  const count = (some: readonly ListLine[]) => some.filter(({ row }) => row !== null).length
  const leftOut = (from: number, end: number) => leftOutText(count(lines.slice(0, from)), count(lines.slice(end)))
  return {
    lines: frameOf({ ...parts, top, leftOut }, size, style),
    view: { ...settled, top },
    rows,
    firsts: sections.map((_, index) => sections.slice(0, index).reduce((sum, one) => sum + one.rows.length, 0)),
    page: Math.max(1, height - 2),
  }
}

function linesOf({ title, rows, note }: StatusSection, isFirst: boolean, columns: number, style: Style): ListLine[] {
  const plain = (text: string): ListLine => ({ text, row: null })
  return [
    ...(isFirst ? [] : [plain('')]),
    ...(rows.length > 0 ? [plain(style.bold(cut(title, columns)))] : []),
    ...rows.map((row) => ({ text: row.text, row })),
    ...(note === null ? [] : [plain(style.dim(cut(rows.length > 0 ? `  ${note}` : note, columns)))]),
  ]
}

/** If the row is gone, nothing is selected, but its place is kept. */
function restoreSelection(view: ScreenView, rows: readonly StatusRow[]): ScreenView {
  const index = rows.findIndex(({ key }) => key === view.selected)
  if (index >= 0) return { ...view, place: index }
  return { ...view, selected: null, place: Math.max(0, Math.min(view.place, rows.length - 1)) }
}

/** As little as needed; a title directly above the selected row is shown with it. */
function scrolledTo(at: number, top: number, height: number, lines: readonly ListLine[]): number {
  let first = at
  while (first > 0 && lines[first - 1]?.row === null && at - first < height - 1) first--
  if (first < top) return first
  // After the last row there may be a note about it.
  const last = lines.slice(at + 1).some(({ row }) => row !== null) ? at : Math.min(lines.length - 1, at + height - 1)
  return last >= top + height ? last - height + 1 : top
}

function keysFor(row: StatusRow | undefined, isSelected: boolean): string[] {
  const kind = isSelected ? row?.subject.kind : undefined
  const own = kind === 'question' ? ['y yes', 'n no'] : kind === 'dead' ? ['r revive'] : []
  return ['q quit', 'j/k move', ...own, 'Enter details', 'Tab next section']
}

/** What was drawn; keys refer to nothing else. */
export interface DrawnScreen extends DrawnList {
  readonly selected: StatusRow | null
  /** Whether a question was shown to its end, if it is shown in full. */
  readonly isRead: boolean
}

export function drawScreen(content: ScreenContent, view: ScreenView, size: ScreenSize, style: Style): DrawnScreen {
  const list = drawList(content, view, size, style)
  const selected = list.rows.find(({ key }) => key === list.view.selected) ?? null
  if (view.mode === 'details' && selected === null)
    return drawScreen(
      content,
      { ...view, mode: 'list', notice: view.notice ?? 'What you were reading is resolved.' },
      size,
      style,
    )
  if (view.mode === 'list' || selected === null) return { ...list, selected, isRead: selected?.isCut === false }
  return drawDetails(content, list, selected, size, style)
}

function drawDetails(
  content: ScreenContent,
  list: DrawnList,
  selected: StatusRow,
  size: ScreenSize,
  style: Style,
): DrawnScreen {
  const { columns } = size
  const { view } = list
  const { lines: body, toRead } = detailsOf(selected.subject, content, columns, style)
  const { kind } = selected.subject
  const own = kind === 'question' ? ['y yes', 'n no'] : kind === 'dead' ? ['r revive'] : []
  const parts = {
    head: size.rows < 18 ? [] : [style.bold(cut(titleOf(selected, content), columns)), ''],
    body,
    top: view.detailsTop,
    notice: view.notice,
    keys: ['q quit', 'Esc back', ...own, 'j/k scroll'],
  }
  const { top, height } = windowOf(parts, size)
  const leftOut = (from: number, end: number) =>
    leftOutText(from, Math.max(0, body.length - end)).replace(',', ' lines,')
  const read = Math.max(view.read, top + height)
  return {
    ...list,
    lines: frameOf({ ...parts, top, leftOut }, size, style),
    view: { ...view, detailsTop: top, read },
    page: Math.max(1, height - 1),
    selected,
    isRead: read >= toRead,
  }
}

function titleOf({ subject }: StatusRow, { head }: ScreenContent): string {
  const about = {
    question: 'a question',
    dead: 'a dead letter',
    note: 'for you',
    handoff: 'a handoff',
    chain: 'a task',
    members: 'an agent',
  }[subject.kind]
  return `${oneLine(head.name)}: ${subject.kind === 'members' && subject.names.length > 1 ? 'idle agents' : about}`
}

/** The effect of a key: it moves the selection, opens details, or requests an action. */
export type KeyAction =
  | { readonly kind: 'answer'; readonly ids: readonly string[]; readonly agent: string; readonly yes: boolean }
  | { readonly kind: 'revive'; readonly ids: readonly string[]; readonly agent: string }
  | { readonly kind: 'quit' }

export interface KeyResult {
  readonly view: ScreenView
  readonly action: KeyAction | null
}

/** Keys refer only to what was drawn: an answer is for the question that was read. */
export function handleKey(key: string, drawn: DrawnScreen): KeyResult {
  const view: ScreenView = { ...drawn.view, notice: null }
  const { selected } = drawn
  const stay = (notice: string | null = null): KeyResult => ({ view: { ...view, notice }, action: null })
  const go = (changes: Partial<ScreenView>): KeyResult => ({ view: { ...view, ...changes }, action: null })
  switch (key) {
    case 'q':
      return { view, action: { kind: 'quit' } }
    case 'y':
    case 'n':
      if (selected?.subject.kind !== 'question') return stay('Select a question first, with j and k.')
      if (!drawn.isRead)
        return view.mode === 'list'
          ? go({ mode: 'details', detailsTop: 0, read: 0, notice: 'Read it to the end, then press y or n.' })
          : stay('The question continues below. Scroll down with j.')
      return {
        view,
        action: { kind: 'answer', ids: selected.subject.ids, agent: selected.subject.agent, yes: key === 'y' },
      }
    case 'r':
      if (selected?.subject.kind !== 'dead') return stay('Select a dead letter first, with j and k.')
      return { view, action: { kind: 'revive', ids: selected.subject.ids, agent: selected.subject.agent } }
    case 'return':
    case 'right':
      if (view.mode === 'details') return key === 'return' ? go({ mode: 'list' }) : stay()
      return selected === null
        ? stay('Select a row first, with j and k.')
        : go({ mode: 'details', detailsTop: 0, read: 0 })
    case 'escape':
    case 'backspace':
    case 'left':
      return go({ mode: 'list' })
    default:
      return view.mode === 'details' ? go({ detailsTop: scrollTo(key, drawn) }) : go(moveSelection(key, drawn))
  }
}

/** Positions beyond the ends are corrected when drawn. */
function scrollTo(key: string, { view: { detailsTop }, page }: DrawnScreen): number {
  const ways: Readonly<Record<string, number>> = {
    j: 1,
    down: 1,
    k: -1,
    up: -1,
    space: page,
    pagedown: page,
    pageup: -page,
    home: -1e9,
    g: -1e9,
    end: 1e9,
    G: 1e9,
  }
  return Math.max(0, detailsTop + (ways[key] ?? 0))
}

function moveSelection(key: string, { view, rows, firsts, page }: DrawnScreen): Partial<ScreenView> {
  if (rows.length === 0) return {}
  const { place } = view
  // If nothing is selected, down selects the row now at the place of the one that is gone.
  const from = view.selected === null ? place - 1 : place
  const next = () => firsts.find((first) => first > from && first < rows.length) ?? 0
  const ways: Readonly<Record<string, () => number>> = {
    j: () => from + 1,
    down: () => from + 1,
    k: () => place - 1,
    up: () => place - 1,
    space: () => place + page,
    pagedown: () => place + page,
    pageup: () => place - page,
    home: () => 0,
    g: () => 0,
    end: () => rows.length - 1,
    G: () => rows.length - 1,
    tab: next,
  }
  const way = ways[key]
  if (way === undefined) return {}
  const to = Math.max(0, Math.min(way(), rows.length - 1))
  // The first row also shows the lines above it.
  return { selected: rows[to]?.key ?? null, place: to, ...(to === 0 ? { top: 0 } : {}) }
}
