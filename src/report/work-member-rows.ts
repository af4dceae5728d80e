/** The agents of a workplace, one row each: what they do, for how long, and where they are with it. */
import type { MemberRow, MemberState } from '../workplace/overview.ts'
import { cut, cutAtWord, displayWidth, oneLine, pad, plural } from './layout.ts'
import type { Paper } from './paper.ts'
import type { Style } from './style.ts'
import { columnWidth, isNarrow, type Section, span } from './work-row.ts'

const paint = (style: Style, state: MemberState) => {
  if (state === 'working' || state === 'up' || state === 'starting') return style.green
  if (state === 'dead letter' || state === 'down') return style.red
  return state === 'done' || state === 'idle' ? style.dim : style.yellow
}

/** Those at work first, then those in trouble, then the others; those that never worked share a row if they are many. */
const order: Readonly<Record<MemberState, number>> = {
  working: 0,
  quiet: 0,
  starting: 0,
  retrying: 0,
  queued: 0,
  down: 1,
  'dead letter': 1,
  'owes a handoff': 1,
  up: 2,
  stopped: 2,
  done: 2,
  idle: 3,
}
const MOST_IDLE = 3

export function memberSection(members: readonly MemberRow[], { style, columns }: Paper): Section {
  const sorted = [...members].sort((a, b) => order[a.state] - order[b.state])
  const idle = sorted.filter(({ state }) => state === 'idle')
  const isMany = idle.length > MOST_IDLE
  const alone = isMany ? sorted.filter(({ state }) => state !== 'idle') : sorted
  const name = columnWidth(
    [...alone.map((one) => oneLine(one.name)), ...(isMany ? [plural(idle.length, 'agent')] : [])],
    isNarrow(columns) ? 12 : 18,
  )
  const word = columnWidth(
    sorted.map(({ state }) => state),
    14,
  )
  const room = columns - name - word - 4
  const rowOf = (
    key: string,
    who: string,
    state: MemberState,
    text: string,
    fitted: string,
    names: readonly string[],
  ) => ({
    key: `member ${key}`,
    text: `${pad(cut(who, name), name)}  ${paint(style, state)(pad(state, word))}  ${fitted}`.trimEnd(),
    isCut: fitted !== text,
    subject: { kind: 'members', names } as const,
    way: null,
  })
  const rows = alone.map((one) => {
    const notes = notesOf(one)
    const task = oneLine(one.task ?? '')
    const told = oneLine(one.progress ?? '')
    const whole = [notes, task, told].filter(Boolean).join('  ')
    return rowOf(one.name, oneLine(one.name), one.state, whole, fitted([notes, task, told], room), [one.name])
  })
  const names = idle.map((one) => oneLine(one.name)).join(', ')
  const many = rowOf(
    'idle',
    plural(idle.length, 'agent'),
    'idle',
    names,
    cutAtWord(names, room),
    idle.map((one) => one.name),
  )
  return { title: `Agents (${members.length})`, rows: isMany ? [...rows, many] : rows, note: null }
}

function notesOf({ state, elapsed, silence, attempt, waiting, unread }: MemberRow): string {
  const quiet = silence !== null && silence >= 60_000 ? `silent for ${span(silence)}` : ''
  const again = attempt !== null && attempt > 1 ? `attempt ${attempt}` : ''
  const queue = waiting > 0 && state !== 'queued' && state !== 'retrying' ? `${waiting} waiting` : ''
  const several = waiting > 1 && queue === '' ? `${waiting} waiting` : ''
  return [elapsed === null ? '' : span(elapsed), quiet, again, queue, several, unread > 0 ? `${unread} to read` : '']
    .filter(Boolean)
    .join(', ')
}

/** The notes whole; then the task and what was told of it, or only the latter where there is little room. */
function fitted([notes, task, told]: readonly [string, string, string], room: number): string {
  const rest = room - (notes === '' ? 0 : displayWidth(notes) + 2)
  const both = displayWidth(task) + displayWidth(told) + 2 <= rest
  const text =
    told === '' || task === ''
      ? cutAtWord(told || task, rest)
      : both
        ? `${task}  ${told}`
        : rest < 50
          ? cutAtWord(told, rest)
          : shared(task, told, rest)
  return cut([notes, text].filter(Boolean).join('  '), room)
}

/** Each gets at least half; what one does not need is for the other. */
function shared(task: string, told: string, room: number): string {
  const half = Math.floor((room - 2) / 2)
  const first = cutAtWord(task, Math.max(half, room - 2 - displayWidth(told)))
  return `${first}  ${cutAtWord(told, room - 2 - displayWidth(first))}`
}
