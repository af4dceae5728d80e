/** A workplace on one screen: what needs the person first, then members, handoffs, cost. */
import type { Attention } from '../workplace/attention.ts'
import type { HandoffRow, MemberRow, MemberState, Overview } from '../workplace/overview.ts'
import { cut, displayWidth, oneLine, pad, plural } from './layout.ts'
import type { Paper } from './paper.ts'
import type { Style } from './style.ts'
import { seconds } from './work-narration.ts'

export interface StatusHead {
  readonly name: string
  /** Who runs it; null: nobody. */
  readonly pid: number | null
  readonly trouble: string | null
  /** Left in the inbox by others while nobody runs it. */
  readonly undelivered: number
}

export function statusText(head: StatusHead, overview: Overview, paper: Paper): string[] {
  return [
    ...headLines(head, paper),
    ...attentionLines(overview.attention, paper),
    ...memberLines(overview.members, paper),
    ...handoffLines(overview.handoffs, paper),
    '',
    ...totalLines(overview, paper),
  ]
}

function headLines({ name, pid, trouble, undelivered }: StatusHead, { style, columns }: Paper): string[] {
  const state =
    pid === null
      ? style.yellow('not running')
      : trouble === null
        ? style.green(`running, pid ${pid}`)
        : style.red(`waiting: ${oneLine(trouble)}`)
  const lines = [cut(`${style.bold(oneLine(name))}  ${state}`, columns + 20)]
  if (undelivered > 0)
    lines.push(style.yellow(`${plural(undelivered, 'message')} kept until it runs: \`troupe work resume\``))
  return lines
}

const words: Record<Attention['kind'], string> = {
  dead: 'dead letter',
  owes: 'owes',
  message: 'asks you',
  broken: 'not understood',
  kept: 'left work',
  permission: 'asks leave',
}

function attentionLines(attention: readonly Attention[], paper: Paper): string[] {
  const { style } = paper
  if (attention.length === 0) return ['', style.dim('Nothing needs you.')]
  const shown = attention.slice(-6)
  const rows = shown.map(({ kind, from, text, id }) => {
    const sign = kind === 'dead' ? style.red('\u2717') : style.yellow('!')
    const way =
      kind === 'dead' && id !== null
        ? ` \`troupe work resume ${id}\``
        : kind === 'permission' && id !== null
          ? ` \`troupe work answer ${id} yes|no\``
          : kind === 'message'
            ? ` \`troupe work send user ${from} ...\``
            : ''
    return row(
      paper,
      `${sign} ${pad(cut(oneLine(from), 14), 14)}  ${pad(words[kind], 14)}`,
      oneLine(text),
      style.cyan(way),
    )
  })
  const more = attention.length - shown.length
  return [
    '',
    style.bold(`Needs you (${attention.length})`),
    ...rows.flat(),
    ...(more > 0 ? [style.dim(`  and ${more} earlier; \`troupe work status --json\` has all`)] : []),
  ]
}

/** A way out stands on a line of its own where there is no room beside the text. */
function row({ columns }: Paper, head: string, text: string, way: string): string[] {
  const width = displayWidth(plain(head))
  const room = columns - width - 2
  const tail = displayWidth(plain(way))
  if (way === '' || displayWidth(text) + tail <= room) return [`${head}  ${cut(text, room)}${way}`]
  return [`${head}  ${cut(text, room)}`, `${' '.repeat(width + 1)}${way}`]
}

const paint = (style: Style, state: MemberState) => {
  if (state === 'working' || state === 'up' || state === 'starting') return style.green
  if (state === 'dead letter' || state === 'down') return style.red
  return state === 'done' || state === 'idle' ? style.dim : style.yellow
}

function memberLines(members: readonly MemberRow[], paper: Paper): string[] {
  const { style, columns } = paper
  const width = Math.min(18, Math.max(4, ...members.map(({ name }) => displayWidth(oneLine(name)))))
  const rows = members.map(({ name, state, attempt, elapsed, silence, task, waiting }) => {
    const times =
      elapsed === null
        ? ''
        : silence === null
          ? seconds(elapsed)
          : `${seconds(elapsed)}, last sign ${seconds(silence)} ago`
    const again = attempt !== null && attempt > 1 ? `attempt ${attempt}` : ''
    const queue = waiting > 0 && state !== 'queued' && state !== 'retrying' ? `${waiting} waiting` : ''
    const notes = [times, again, queue].filter(Boolean).join(', ')
    const head = `  ${pad(cut(oneLine(name), width), width)}  ${paint(style, state)(pad(state, 14))}  `
    const used = width + 20
    const text = [notes, oneLine(task ?? '')].filter(Boolean).join('  ')
    return `${head}${cut(text, columns - used)}`.trimEnd()
  })
  return ['', style.bold('Agents'), ...rows]
}

function handoffLines(handoffs: readonly HandoffRow[], paper: Paper): string[] {
  const { style, columns } = paper
  if (handoffs.length === 0) return []
  const way = ({ from, to }: HandoffRow) => `${oneLine(from)} \u2192 ${oneLine(to)}`
  const width = Math.min(26, Math.max(...handoffs.map((one) => displayWidth(way(one)))))
  const timeOf = ({ ended, started, attempt }: HandoffRow) => {
    const took = ended ?? started
    return `${took === null ? '' : seconds(took)}${attempt > 1 ? `, attempt ${attempt}` : ''}`
  }
  const times = Math.max(...handoffs.map((one) => timeOf(one).length))
  const rows = handoffs.map((one) => {
    const color = one.status === 'completed' ? style.green : one.status === 'dead' ? style.red : style.yellow
    const head = `  ${pad(cut(way(one), width), width)}  ${color(pad(one.status, 9))}  ${pad(timeOf(one), times)}  `
    return `${head}${style.dim(cut(oneLine(one.task), Math.max(10, columns - width - times - 17)))}`.trimEnd()
  })
  return ['', style.bold('Handoffs'), ...rows]
}

function totalLines({ totals, chains }: Overview, { style, columns }: Paper): string[] {
  const open = chains.filter(({ ended }) => !ended)
  const parts = [
    `${totals.completed} completed`,
    `${totals.open} open`,
    `${totals.dead} dead`,
    ...(totals.refused > 0 ? [`${totals.refused} late results refused`] : []),
    plural(totals.turns, 'turn'),
    `cost ${totals.cost === 0 ? 'not reported' : totals.cost.toFixed(2)}`,
  ]
  const chain = open[0]
  const now =
    chain === undefined
      ? []
      : [
          `  ${cut(`now: ${oneLine(chain.task)} (${chain.handoffs} handoffs, ${seconds(chain.ms)} of work)`, columns - 2)}`,
        ]
  return [style.bold('Cost'), `  ${cut(parts.join(', '), columns - 2)}`, ...now]
}

function plain(text: string): string {
  return text.replace(/\u001b\[\d+m/g, '')
}
