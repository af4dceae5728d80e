/** All that is known about one row: the full text, the attempts, the last progress, files, the cause of death, the cost. */
import type { Handoff } from '../../team/state/handoff.ts'
import { progressOf } from '../../team/state/overview.ts'
import { maskHidden, plural, wrapWithin } from '../layout.ts'
import type { Style } from '../print-text.ts'
import type { ScreenContent } from './screen-frame.ts'
import { costText, elapsedText, type RowSubject, seconds } from './status-members.ts'

export interface RowDetails {
  readonly lines: readonly string[]
  /** How many of them must have been shown before an answer counts. */
  readonly toRead: number
}

type DetailField = readonly [label: string, text: string | null | undefined]

export function detailsOf(subject: RowSubject, content: ScreenContent, columns: number, style: Style): RowDetails {
  const fields = fieldsOf(subject, content)
  if (fields === null) return { lines: ['This is resolved.'], toRead: 0 }
  const blocks = fields
    .filter((field): field is readonly [string, string] => field[1] != null && field[1] !== '')
    .map(([label, text]) => block(label, text, columns, style))
  const first = blocks[0]?.length ?? 0
  return { lines: blocks.flat(), toRead: subject.kind === 'question' ? first : 0 }
}

const LABEL = 10

/** Text as it was written, line by line, without terminal control characters. */
function block(label: string, text: string, columns: number, style: Style): string[] {
  const isNarrow = columns < 40
  const indent = isNarrow ? 2 : LABEL
  const lines = maskHidden(text.replaceAll('\t', '    '))
    .split('\n')
    .flatMap((line) => wrapWithin(line, Math.max(1, columns - indent)))
    .map((line) => ' '.repeat(indent) + line)
  if (isNarrow) return [style.cyan(label), ...lines]
  const [head = '', ...rest] = lines
  return [style.cyan(label.padEnd(LABEL)) + head.slice(LABEL), ...rest]
}

/** Null: the subject of the row is gone. */
function fieldsOf(subject: RowSubject, content: ScreenContent): DetailField[] | null {
  const { state, now } = content
  switch (subject.kind) {
    case 'question': {
      const open = subject.ids.flatMap((id) => state.questions.get(id) ?? [])
      const [question] = open
      if (question === undefined) return null
      const handoff = state.handoffs.get(question.run.split('.')[0] ?? '')
      return [
        ['Question', question.text],
        ['Asked by', question.agent + (open.length > 1 ? `, ${open.length} times` : '')],
        ['Unless', `you answer within ${elapsedText(Math.max(0, question.until - now))}, the answer is no.`],
        ['Or run', `troupe work answer ${question.id} yes|no`],
        ...(handoff === undefined ? [] : handoffFields(handoff, content)),
      ]
    }
    case 'note': {
      const handoff = subject.handoff === null ? undefined : state.handoffs.get(subject.handoff)
      return [
        ['Said', subject.text],
        ['By', subject.agent],
        ...(subject.title === 'says' ? [['Answer', `troupe work send user ${subject.agent} "..."`] as const] : []),
        ...(handoff === undefined ? [] : handoffFields(handoff, content)),
      ]
    }
    case 'dead':
    case 'handoff': {
      const handoff = state.handoffs.get(subject.ids[0] ?? '')
      if (handoff === undefined) return null
      const others = subject.ids.length - 1
      return [
        ...handoffFields(handoff, content),
        [
          'Equal',
          others > 0
            ? `${plural(others, 'more handoff')} with the same text: ${subject.ids.slice(1).join(', ')}`
            : null,
        ],
      ]
    }
    case 'chain':
      return chainFields(subject.ids[0] ?? '', content)
    case 'members':
      return memberFields(subject.names, content)
  }
}

function handoffFields(handoff: Handoff, { state, now }: ScreenContent): DetailField[] {
  const {
    id,
    from,
    to,
    text,
    done,
    decisions,
    files = [],
    status,
    attempt,
    why,
    progress,
    report,
    answer,
    owes,
  } = handoff
  const chain = state.chains.get(handoff.chain)
  const named = new Set([...files, ...(report?.files ?? []), ...(progress?.files ?? [])])
  return [
    ['Task', text],
    [
      'From',
      `${from} \u2192 ${to}${handoff.observers.length === 0 ? '' : `, seen by ${handoff.observers.join(', ')}`}`,
    ],
    ['Status', statusOf(handoff, now)],
    [status === 'dead' ? 'Cause' : 'Problem', status === 'completed' ? null : why],
    ['Revive', status === 'dead' ? `r, or \`troupe work resume ${id}\`` : null],
    ['Attempts', attempt > 1 || status === 'dead' ? attemptsOf(handoff) : null],
    ['Progress', progressOf(handoff)],
    ['Owes', owes.length === 0 ? null : `a handoff to ${owes.join(' or ')}`],
    ['Answer', answer],
    ['Done', done],
    ['Decisions', decisions],
    ['Files', [...named].join('\n')],
    ['Cost', spentOf(handoff)],
    [
      'Chain',
      chain === undefined || chain.handoffs < 2 ? null : `${plural(chain.handoffs, 'handoff')}, ${spentOf(chain)}`,
    ],
    ['Handoff', id],
  ]
}

function statusOf({ status, run, at, startedAt, endedAt, wait, failedAt }: Handoff, now: number): string {
  if (status === 'completed' || status === 'dead')
    return `${status === 'dead' ? 'dead letter' : 'done'}, ${seconds(Math.max(0, (endedAt ?? at) - at))} after it was requested`
  if (run !== null) return `working for ${elapsedText(Math.max(0, now - (startedAt ?? at)))}`
  const again = failedAt === null ? 0 : failedAt + wait - now
  return again > 0 ? `tried again in ${elapsedText(again)}` : `queued for ${elapsedText(Math.max(0, now - at))}`
}

function attemptsOf({ attempt, firstAttempt, status }: Handoff): string {
  const made = status === 'dead' ? Math.max(1, attempt - 1) : attempt
  return `${made}${firstAttempt > 1 ? `, counted again from ${firstAttempt}` : ''}`
}

function spentOf({ ms, turns, cost }: Pick<Handoff, 'ms' | 'turns' | 'cost'>): string {
  if (ms + turns + cost === 0) return 'nothing reported yet'
  return `${seconds(ms)} of work, ${plural(turns, 'turn')}, ${cost === 0 ? 'cost not reported' : `cost ${costText(cost)}`}`
}

function chainFields(id: string, { state }: ScreenContent): DetailField[] | null {
  const chain = state.chains.get(id)
  if (chain === undefined) return null
  const handoffs = [...state.handoffs.values()].filter((one) => one.chain === id)
  return [
    ['Task', chain.task],
    ['From', chain.starter],
    [
      'Status',
      chain.ended ? 'ended' : `${chain.open} open, ${chain.dead} dead, of ${plural(chain.handoffs, 'handoff')}`,
    ],
    ['Cost', spentOf(chain)],
    [
      'Handoffs',
      handoffs
        .map(({ from, to, status, text }) => `${from} \u2192 ${to}, ${status}: ${text.split('\n')[0] ?? ''}`)
        .join('\n'),
    ],
  ]
}

function memberFields(names: readonly string[], content: ScreenContent): DetailField[] | null {
  const [name] = names
  if (names.length > 1) return [['Idle', names.join('\n')]]
  const member = content.overview.members.find((one) => one.name === name)
  if (member === undefined) return null
  const mine = [...content.state.handoffs.values()].filter(({ to }) => to === name)
  const current =
    mine.find(({ run }) => run !== null) ?? mine.find(({ id }) => content.state.open.has(id)) ?? mine.at(-1)
  const { harness, state, pid, silence, waiting, cost } = member
  return [
    ['Agent', `${name} (${harness})`],
    [
      'State',
      [
        state,
        pid === null ? '' : `pid ${pid}`,
        silence === null ? '' : `last sign ${elapsedText(silence)} ago`,
        waiting > 0 ? `${waiting} waiting` : '',
      ]
        .filter(Boolean)
        .join(', '),
    ],
    ['In all', `${plural(mine.length, 'handoff')}, ${cost === 0 ? 'cost not reported' : `cost ${costText(cost)}`}`],
    ...(current === undefined ? [] : handoffFields(current, content)),
  ]
}
