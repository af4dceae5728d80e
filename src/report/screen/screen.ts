/** A workplace as a screen: content, view and size become lines, and keys become another view or something to do. */
import { cut, oneLine } from '../layout.ts'
import type { Style } from '../style.ts'
import type { Row } from '../work-row.ts'
import { detailsOf } from './details.ts'
import { frameOf, leftOutText, windowOf } from './frame.ts'
import { type DrawnList, drawList } from './list.ts'
import type { Content, Size, View } from './view.ts'

/** What was drawn; keys are about nothing else. */
export interface Drawn extends DrawnList {
  readonly selected: Row | null
  /** Whether a question has been seen to its end, where it is shown in full. */
  readonly isRead: boolean
}

export function drawScreen(content: Content, view: View, size: Size, style: Style): Drawn {
  const list = drawList(content, view, size, style)
  const selected = list.rows.find(({ key }) => key === list.view.selected) ?? null
  if (view.mode === 'details' && selected === null)
    return drawScreen(
      content,
      { ...view, mode: 'list', notice: view.notice ?? 'What was shown is settled.' },
      size,
      style,
    )
  if (view.mode === 'list' || selected === null) return { ...list, selected, isRead: selected?.isCut === false }
  return drawDetails(content, list, selected, size, style)
}

function drawDetails(content: Content, list: DrawnList, selected: Row, size: Size, style: Style): Drawn {
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

function titleOf({ subject }: Row, { head }: Content): string {
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
