/** The agents of a workplace, one row each: their task, for how long, and its progress. */

import type { MemberRow, MemberState } from '../../team/state/overview.ts'
import { cut, cutAtWord, displayWidth, oneLine, pad, plural } from '../layout.ts'
import type { Style, TerminalOptions } from '../print-text.ts'

/** The subject of a row. Ids are those of all equal ones, the latest first. */
export type RowSubject =
  | {
      readonly kind: 'question' | 'dead'
      readonly ids: readonly string[]
      readonly agent: string
      readonly text: string
    }
  /** A message or an error: no key applies to it. */
  | {
      readonly kind: 'note'
      readonly title: string
      readonly text: string
      readonly agent: string
      readonly handoff: string | null
    }
  | { readonly kind: 'handoff' | 'chain'; readonly ids: readonly string[] }
  | { readonly kind: 'members'; readonly names: readonly string[] }

export interface StatusRow {
  /** Constant while the row is about the same thing. */
  readonly key: string
  readonly text: string
  /** Some of its text does not fit. */
  readonly isCut: boolean
  readonly subject: RowSubject
  /** The command to act on it; null: there is none. */
  readonly way: string | null
}

export interface StatusSection {
  readonly title: string
  readonly rows: readonly StatusRow[]
  /** Shown if there are no rows, or about what is not among them. */
  readonly note: string | null
}

/** Rows that read the same are merged, at the place of the first. */
export function groupEqual<T>(all: readonly T[], sameAs: (one: T) => readonly unknown[]): (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>()
  for (const one of all) {
    const key = JSON.stringify(sameAs(one))
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [one])
    else group.push(one)
  }
  return [...groups.values()]
}

/** "3 x " before what occurs three times. */
export function timesText(count: number): string {
  return count === 1 ? '' : `${count} x `
}

/** The widest of them, within bounds. */
export function columnWidth(texts: readonly string[], most: number): number {
  return Math.min(most, Math.max(0, ...texts.map(displayWidth)))
}

/** Durations, to the second at first and to the minute later: what changes every second distracts. */
export function elapsedText(ms: number): string {
  if (ms < 60_000) return `${Math.floor(ms / 1000)} s`
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min`
  return `${Math.floor(ms / 3_600_000)} h ${Math.floor((ms % 3_600_000) / 60_000)} min`
}

export function costText(cost: number): string {
  return cost === 0 || cost >= 0.01 ? cost.toFixed(2) : cost.toPrecision(1)
}

/** Too narrow for long names and long figures. */
export function isNarrow(columns: number): boolean {
  return columns < 64
}

const paint = (style: Style, state: MemberState) => {
  if (state === 'working' || state === 'up' || state === 'starting') return style.green
  if (state === 'dead letter' || state === 'down') return style.red
  return state === 'done' || state === 'idle' ? style.dim : style.yellow
}

/** Working members first, then those in trouble, then the others; many that never worked share a row. */
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

export function memberSection(members: readonly MemberRow[], { style, columns }: TerminalOptions): StatusSection {
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
    const progress = oneLine(one.progress ?? '')
    const whole = [notes, task, progress].filter(Boolean).join('  ')
    return rowOf(one.name, oneLine(one.name), one.state, whole, fitNotes([notes, task, progress], room), [one.name])
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
  const quiet = silence !== null && silence >= 60_000 ? `silent for ${elapsedText(silence)}` : ''
  const again = attempt !== null && attempt > 1 ? `attempt ${attempt}` : ''
  const queue = waiting > 0 && state !== 'queued' && state !== 'retrying' ? `${waiting} waiting` : ''
  const several = waiting > 1 && queue === '' ? `${waiting} waiting` : ''
  return [
    elapsed === null ? '' : elapsedText(elapsed),
    quiet,
    again,
    queue,
    several,
    unread > 0 ? `${unread} to read` : '',
  ]
    .filter(Boolean)
    .join(', ')
}

/** The notes in full; then the task and its progress, or only the latter if there is little room. */
function fitNotes([notes, task, progress]: readonly [string, string, string], room: number): string {
  const rest = room - (notes === '' ? 0 : displayWidth(notes) + 2)
  const both = displayWidth(task) + displayWidth(progress) + 2 <= rest
  const text =
    progress === '' || task === ''
      ? cutAtWord(progress || task, rest)
      : both
        ? `${task}  ${progress}`
        : rest < 50
          ? cutAtWord(progress, rest)
          : shareRoom(task, progress, rest)
  return cut([notes, text].filter(Boolean).join('  '), room)
}

/** Each gets at least half; the other may use what is left. */
function shareRoom(task: string, progress: string, room: number): string {
  const half = Math.floor((room - 2) / 2)
  const first = cutAtWord(task, Math.max(half, room - 2 - displayWidth(progress)))
  return `${first}  ${cutAtWord(progress, room - 2 - displayWidth(first))}`
}

export function seconds(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
  return `${Math.floor(ms / 3_600_000)} h ${Math.floor((ms % 3_600_000) / 60_000)} min`
}
