/** What happens in a workplace, as it happens, one line each. */
import type { JournalRecord } from '../../team/state/records.ts'
import type { State } from '../../team/state/state.ts'
import { cut, displayWidth, oneLine } from '../layout.ts'
import type { TextOptions } from '../terminal.ts'

/** Null where a record says nothing to people, or belongs to another chain. */
export function narrateRecord(
  record: JournalRecord,
  state: State,
  chain: string | null,
  paper: TextOptions,
): string | null {
  const { style } = paper
  const line = (who: string, what: string, text: string) =>
    fitLine(paper, `${style.bold(oneLine(who))} ${what}`, oneLine(text))
  if (record.t === 'seen') {
    if (chain !== null && record.chain !== chain) return null
    if (record.from === 'server') return null
    const arrow = record.kind === 'handoff' ? '\u2192' : record.kind === 'reply' ? '\u21a9' : '\u00b7'
    return line(record.from, `${arrow} ${style.bold(oneLine(record.to))}`, record.text)
  }
  if (record.t === 'asked') {
    const asking = state.handoffs.get(record.run.split('.')[0] ?? '')
    if (chain !== null && asking?.chain !== chain) return null
    // How to answer must not be cut off.
    const way = style.cyan(`troupe work answer ${record.id} yes|no`)
    return `${line(record.agent, style.yellow('asks:'), record.text)}\n  ${way}`
  }
  if (record.t === 'held') {
    const from = `${record.file}:${record.lines}`
    return `${line(from, style.yellow('not run:'), record.why)}\n  ${style.cyan(`troupe work send --lines ${from}`)}`
  }
  if (record.t === 'unfinished') return line(`chat.md:${record.line}`, style.yellow('has no line end:'), record.text)
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
      return line(
        handoff.to,
        style.yellow('failed:'),
        `${record.why}${record.wait > 0 ? `; again in ${seconds(record.wait)}` : ''}`,
      )
    case 'dead':
      return line(handoff.to, style.red('dead letter:'), record.why)
    case 'report':
      return record.status === 'progress' ? line(handoff.to, style.dim('says:'), record.text) : null
    default:
      return null
  }
}

function fitLine({ columns }: TextOptions, head: string, text: string): string {
  // Colours take no room on the screen.
  const width = displayWidth(head.replace(/\u001b\[\d+m/g, ''))
  return text === '' ? head : `${head}  ${cut(text, Math.max(20, columns - width - 2))}`
}

export function seconds(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
  return `${Math.floor(ms / 3_600_000)} h ${Math.floor((ms % 3_600_000) / 60_000)} min`
}
