/** A workplace in plain lines: its status, what needs the person first; and events as they happen. */
import type { Overview } from '../../team/state/overview.ts'
import type { JournalRecord } from '../../team/state/records.ts'
import type { State } from '../../team/state/state.ts'
import { cut, displayWidth, oneLine, plural, wrap } from '../layout.ts'
import type { TerminalOptions } from '../print-text.ts'
import { statusSections } from './rows.ts'
import { costText, type StatusRow, type StatusSection, seconds } from './status-members.ts'

export interface StatusHead {
  readonly name: string
  /** The process that runs it; null: none. */
  readonly pid: number | null
  /** Messages in the inbox while nothing runs it. */
  readonly undelivered: number
}

/** The number of rows that need the person; the command that shows the others is named. */
const ROWS_SHOWN = 8

export function workStatusText(head: StatusHead, overview: Overview, options: TerminalOptions): string[] {
  const { style, columns } = options
  return [
    ...headLines(head, overview, options, false),
    ...statusSections(overview, { style, columns: columns - 2 }).flatMap((section) => [
      '',
      ...sectionLines(section, options),
    ]),
  ]
}

function sectionLines({ title, rows, note }: StatusSection, { style, columns }: TerminalOptions): string[] {
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

/** Commands are meant to be copied: they have their own line and are never cut. */
function rowLines({ text, way }: StatusRow, paint: (text: string) => string): string[] {
  return [`  ${text}`, ...(way === null ? [] : [`    ${paint(way)}`])]
}

/** Whether it runs, and the results so far; in one line if there are few. */
export function headLines(
  head: StatusHead,
  { totals, attention }: Overview,
  options: TerminalOptions,
  isLow: boolean,
): string[] {
  const { style, columns } = options
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
      : [
          style.yellow(
            cut(
              `${plural(undelivered, 'message')} waiting: \`troupe work resume\` delivers ${undelivered === 1 ? 'it' : 'them'}`,
              columns,
            ),
          ),
        ]
  if (isLow) return [first + fitParts(figures, columns - used, '  '), ...kept]
  return [first, ...kept, fitParts(figures, columns, '')]
}

/** As many as fit. */
function fitParts(parts: readonly string[], room: number, before: string): string {
  let text = ''
  for (const part of parts) {
    const longer = text === '' ? before + part : `${text}, ${part}`
    if (displayWidth(longer) > room) break
    text = longer
  }
  return text
}

/** Null if a record is of no interest to people, or belongs to another chain. */
export function narrateRecord(
  record: JournalRecord,
  state: State,
  chain: string | null,
  options: TerminalOptions,
): string | null {
  const { style } = options
  const line = (who: string, what: string, text: string) =>
    fitLine(options, `${style.bold(oneLine(who))} ${what}`, oneLine(text))
  // A reason is not cut off: it says what to do.
  const reason = (who: string, what: string, why: string) =>
    wrapLine(options, `${style.bold(oneLine(who))} ${what}`, oneLine(why))
  if (record.t === 'seen') {
    if (chain !== null && record.chain !== chain) return null
    if (record.from === 'server') return null
    const arrow = record.kind === 'handoff' ? '\u2192' : record.kind === 'reply' ? '\u21a9' : '\u00b7'
    return line(record.from, `${arrow} ${style.bold(oneLine(record.to))}`, record.text)
  }
  if (record.t === 'asked') {
    const asking = state.handoffs.get(record.run.split('.')[0] ?? '')
    if (chain !== null && asking?.chain !== chain) return null
    // The answer command must not be cut off.
    const way = style.cyan(`troupe work answer ${record.id} yes|no`)
    return `${line(record.agent, style.yellow('asks:'), record.text)}\n  ${way}`
  }
  if (record.t === 'held') {
    const from = `${record.file}:${record.lines}`
    return `${reason(from, style.yellow('not run:'), record.why)}\n  ${style.cyan(`troupe work send --lines ${from}`)}`
  }
  if (record.t === 'unfinished') return line(`chat.md:${record.line}`, style.yellow('has no newline:'), record.text)
  if (record.t === 'worktree-gone' && record.kept !== undefined) {
    const [, agent = '', origin = ''] = /([^/]*)-([^/-]{12})(?:-[^/-]{6})?$/.exec(record.path) ?? []
    const isOther = chain !== null && !chain.startsWith(origin)
    return isOther ? null : line(agent, style.yellow('left work:'), record.kept)
  }
  if (!('id' in record)) return null
  const handoff = state.handoffs.get(record.id)
  if (handoff === undefined || (chain !== null && handoff.chain !== chain)) return null
  switch (record.t) {
    case 'started':
      return line(
        handoff.to,
        record.attempt === 1 ? style.dim('started') : style.yellow(`started again, attempt ${record.attempt}`),
        '',
      )
    case 'ref':
      return record.about.length === 0 ? null : line(handoff.to, style.yellow('starts from'), record.about.join(' '))
    case 'nudged':
      return line(handoff.to, style.yellow('ended its turn without a handoff; nudged'), '')
    case 'completed':
      return line(
        handoff.to,
        record.owes === undefined
          ? style.green('done')
          : style.yellow(`done, but owes a handoff to ${record.owes.join(' or ')}`),
        seconds(record.ms),
      )
    case 'failed':
      // The dead letter that follows gives the reason.
      if (handoff.status === 'dead' && handoff.attempt <= record.attempt + 1) return null
      return reason(
        handoff.to,
        style.yellow('failed:'),
        `${record.why}${record.wait > 0 ? `; retrying in ${seconds(record.wait)}` : ''}`,
      )
    case 'dead':
      return reason(handoff.to, style.red('dead letter:'), record.why)
    case 'report':
      return record.status === 'progress' ? line(handoff.to, style.dim('says:'), record.text) : null
    default:
      return null
  }
}

function fitLine({ columns }: TerminalOptions, head: string, text: string): string {
  const { width, gap } = measureHead(head)
  return text === '' ? head : `${head}${gap}${cut(text, Math.max(20, columns - width - gap.length))}`
}

/** What does not fit beside the head is below it. */
function wrapLine({ columns }: TerminalOptions, head: string, text: string): string {
  const { width, gap } = measureHead(head)
  if (width + gap.length + displayWidth(text) <= columns) return `${head}${gap}${text}`
  return [head, ...wrap(text, columns - 2).map((line) => `  ${line}`)].join('\n')
}

/** Colours take no room on the screen. */
function measureHead(head: string): { width: number; gap: string } {
  const shown = head.replace(/\u001b\[\d+m/g, '')
  return { width: displayWidth(shown), gap: shown.endsWith(':') ? ' ' : '  ' }
}
