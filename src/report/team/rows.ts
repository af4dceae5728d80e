/** The rows of a workplace's status: what needs the person, the agents, the tasks under way, the handoffs. */
import type { Attention } from '../../team/state/attention.ts'
import type { ChainRow, HandoffRow, Overview, WatchedRow } from '../../team/state/overview.ts'
import { cut, cutAtWord, displayWidth, oneLine, pad, plural } from '../layout.ts'
import type { TerminalOptions } from '../print-text.ts'
import {
  columnWidth,
  costText,
  elapsedText,
  groupEqual,
  isNarrow,
  memberSection,
  type RowSubject,
  type StatusRow,
  type StatusSection,
  seconds,
  timesText,
} from './status-members.ts'

/** The width of `options` is that of a row. */
export function statusSections(overview: Overview, options: TerminalOptions): StatusSection[] {
  const sections = [
    attentionSection(overview, options),
    watchedSection(overview.watched, options),
    memberSection(overview.members, options),
    chainSection(overview.chains, options),
    handoffSection(overview, options),
  ]
  return sections.filter(({ rows, note }) => rows.length > 0 || note !== null)
}

const attentionWords: Record<Attention['kind'], string> = {
  permission: 'asks',
  dead: 'dead letter',
  owes: 'owes',
  message: 'says',
  broken: 'unclear',
  kept: 'left work',
  held: 'not run',
  unfinished: 'no line end',
}

function attentionSection({ attention, unlisted }: Overview, { style, columns }: TerminalOptions): StatusSection {
  // An agent that waits for an answer comes first, then the latest.
  const latest = [...attention].reverse()
  const ordered = [...latest.filter(isQuestion), ...latest.filter((one) => !isQuestion(one))]
  const groups = groupEqual(ordered, ({ kind, from, text }) => [kind, from, text])
  const name = columnWidth(
    groups.map(([{ from }]) => oneLine(from)),
    isNarrow(columns) ? 10 : 16,
  )
  const word = columnWidth(
    groups.map(([{ kind }]) => attentionWords[kind]),
    11,
  )
  const rows = groups.map((group): StatusRow => {
    const [{ kind, from, text, id }] = group
    const said = timesText(group.length) + oneLine(text)
    const room = columns - name - word - 6
    const sign = kind === 'dead' ? style.red('\u2717') : style.yellow(kind === 'permission' ? '?' : '!')
    const head = `${sign} ${pad(cut(oneLine(from), name), name)}  ${pad(attentionWords[kind], word)}  `
    return {
      key: `${kind} ${kind === 'permission' || id === null ? [from, text].join(' ') : group.at(-1)?.id}`,
      text: `${head}${cutAtWord(said, room)}`,
      isCut: displayWidth(said) > room || text.includes('\n'),
      subject: subjectOf(group),
      way: commandFor(kind, from, group.length, id),
    }
  })
  const left = unlisted.reduce((sum, { count }) => sum + count, 0)
  const title = attention.length === 0 ? 'Needs you' : `Needs you (${attention.length + left})`
  const more = unlisted.map(({ kind, count }) => `${count} earlier (${attentionWords[kind]})`)
  const note = left === 0 ? null : `${more.join(', ')}: not listed; \`troupe work log\` shows all messages`
  return { title, rows, note: attention.length === 0 ? 'Nothing needs your attention.' : note }
}

/** Messages between others that the person observes. */
function watchedSection(watched: readonly WatchedRow[], { columns }: TerminalOptions): StatusSection {
  const rows = [...watched].reverse().map(({ id, from, to, text }): StatusRow => {
    const head = `${oneLine(from)} \u2192 ${oneLine(to)}  `
    const room = columns - displayWidth(head)
    return {
      key: `watched ${id}`,
      text: `${head}${cutAtWord(oneLine(text), room)}`,
      isCut: displayWidth(oneLine(text)) > room || text.includes('\n'),
      subject: { kind: 'note', title: 'for you to read', text, agent: from, handoff: null },
      way: null,
    }
  })
  return { title: `For you to read (${watched.length})`, rows, note: null }
}

function isQuestion({ kind }: Attention): boolean {
  return kind === 'permission'
}

function subjectOf(group: readonly [Attention, ...Attention[]]): RowSubject {
  const [{ kind, from, text, id }] = group
  const ids = group.flatMap((one) => (one.id === null ? [] : [one.id]))
  if (kind === 'permission') return { kind: 'question', ids, agent: from, text }
  if (kind === 'dead') return { kind: 'dead', ids, agent: from, text }
  return { kind: 'note', title: attentionWords[kind], text, agent: from, handoff: kind === 'owes' ? id : null }
}

function commandFor(kind: Attention['kind'], from: string, count: number, id: string | null): string | null {
  const first = count === 1 ? '' : 'the latest: '
  if (kind === 'dead' && id !== null) return `${first}\`troupe work resume ${id}\``
  if (kind === 'permission' && id !== null) return `${first}\`troupe work answer ${id} yes|no\``
  if (kind === 'held') return `\`troupe work send --lines ${oneLine(from)}\``
  return kind === 'message' ? `\`troupe work send user ${oneLine(from)} ...\`` : null
}

function chainSection(chains: readonly ChainRow[], { columns }: TerminalOptions): StatusSection {
  // A single handoff already has its own row.
  const open = chains.filter(({ ended, handoffs }) => !ended && handoffs > 1)
  const figures = open.map(({ handoffs, open: left, dead, ms, cost }) =>
    [
      `${handoffs - left - dead} of ${handoffs} done`,
      ...(dead > 0 ? [`${dead} dead`] : []),
      ...(ms > 0 ? [`${elapsedText(ms)} of work`] : []),
      ...(cost > 0 ? [`cost ${costText(cost)}`] : []),
    ].join(', '),
  )
  const width = columnWidth(figures, columns - 14)
  const rows = open.map(({ id, task }, index): StatusRow => {
    const text = oneLine(task)
    const room = columns - width - 2
    return {
      key: `chain ${id}`,
      text: `${pad(cut(figures[index] ?? '', width), width)}  ${cutAtWord(text, room)}`,
      isCut: displayWidth(text) > room || task.includes('\n'),
      subject: { kind: 'chain', ids: [id] },
      way: null,
    }
  })
  return { title: `Tasks under way (${open.length})`, rows, note: null }
}

function handoffSection({ handoffs, totals }: Overview, { style, columns }: TerminalOptions): StatusSection {
  const way = ({ from, to }: HandoffRow) => `${oneLine(from)} \u2192 ${oneLine(to)}`
  const groups = groupEqual(handoffs, ({ from, to, status, task, why, attempt }) => [
    from,
    to,
    status,
    task,
    why,
    attempt,
  ])
  const width = columnWidth(
    groups.map(([one]) => way(one)),
    isNarrow(columns) ? 16 : 26,
  )
  const word = columnWidth(
    groups.map(([one]) => statusWord(one)),
    8,
  )
  // On a narrow terminal, the cost of each is left to the details.
  const figures = groups.map((group) => figuresOf(group, isNarrow(columns) ? 1 : 3))
  const wide = columnWidth(figures, isNarrow(columns) ? 10 : 26)
  const rows = groups.map((group, index): StatusRow => {
    const [one] = group
    const color = one.status === 'completed' ? style.green : one.status === 'dead' ? style.red : style.yellow
    const text = timesText(group.length) + oneLine(one.task)
    const room = columns - width - word - wide - 6
    const head = `${pad(cut(way(one), width), width)}  ${color(pad(statusWord(one), word))}  ${pad(cut(figures[index] ?? '', wide), wide)}`
    return {
      key: `handoff ${group.at(-1)?.id}`,
      text: `${head}  ${cutAtWord(text, room)}`.trimEnd(),
      isCut: displayWidth(text) > room,
      subject:
        one.status === 'dead'
          ? { kind: 'dead', ids: group.map(({ id }) => id), agent: one.to, text: one.why ?? '' }
          : { kind: 'handoff', ids: group.map(({ id }) => id) },
      way: null,
    }
  })
  const all = totals.completed + totals.dead + totals.open
  const left = all - handoffs.length
  const note = left > 0 ? `${plural(left, 'earlier handoff')}: \`troupe work log\` shows all messages` : null
  return { title: `Handoffs (${all})`, rows, note }
}

function statusWord({ status, why }: HandoffRow): string {
  if (status === 'seen') return why === null ? 'queued' : 'retrying'
  return { claimed: 'starting', started: 'working', completed: 'done', dead: 'dead' }[status]
}

function figuresOf(group: readonly HandoffRow[], most: number): string {
  const [{ ended, attempt } = { ended: null, attempt: 1 }] = group
  const cost = group.reduce((sum, one) => sum + one.cost, 0)
  return [
    ...(ended === null ? [] : [seconds(ended)]),
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(cost > 0 ? [`cost ${costText(cost)}`] : []),
  ]
    .slice(0, most)
    .join(', ')
}
