/** The overview of a workplace: what needs the person, the members, the handoffs, the cost. */

import type { Attention } from './attention.ts'
import type { Chain } from './chain.ts'
import type { Handoff, HandoffStatus } from './handoff.ts'
import { KERNEL, PERSON } from './message.ts'
import type { Roster } from './roster.ts'
import type { State } from './state.ts'

/**
 * Idle is never inferred from silence: a program without output is quiet, one that ended its turn is done or owes a
 * handoff, one that failed waits for its next attempt.
 */
export type MemberState =
  | 'working'
  | 'quiet'
  | 'starting'
  | 'retrying'
  | 'queued'
  | 'done'
  | 'owes a handoff'
  | 'dead letter'
  | 'stopped'
  | 'up'
  | 'down'
  | 'idle'

export interface MemberRow {
  readonly name: string
  readonly harness: string
  readonly state: MemberState
  readonly run: string | null
  readonly attempt: number | null
  readonly pid: number | null
  /** Milliseconds since it began, and since its last sign of life; null if it does not run. */
  readonly elapsed: number | null
  readonly silence: number | null
  readonly task: string | null
  /** Its last progress report on that task. */
  readonly progress: string | null
  readonly waiting: number
  /** Of all its work, as far as programs report it. */
  readonly cost: number
  /** Observed messages that it will be shown with its next work. */
  readonly unread: number
}

export interface HandoffRow {
  readonly id: string
  readonly chain: string
  readonly from: string
  readonly to: string
  readonly status: HandoffStatus
  readonly attempt: number
  /** Milliseconds from being seen to the start, and to the end. */
  readonly started: number | null
  readonly ended: number | null
  readonly task: string
  readonly progress: string | null
  readonly why: string | null
  readonly turns: number
  readonly cost: number
}

export interface ChainRow
  extends Pick<Chain, 'id' | 'task' | 'starter' | 'handoffs' | 'open' | 'dead' | 'turns' | 'cost' | 'ended'> {
  readonly ms: number
}

/** A message between others that the person observes; it needs no action. */
export interface WatchedRow {
  readonly id: string
  readonly at: number
  readonly from: string
  readonly to: string
  readonly text: string
}

export interface Overview {
  readonly attention: readonly Attention[]
  /** Earlier ones of the same kinds that are no longer listed. */
  readonly unlisted: readonly { readonly kind: Attention['kind']; readonly count: number }[]
  readonly watched: readonly WatchedRow[]
  readonly members: readonly MemberRow[]
  readonly handoffs: readonly HandoffRow[]
  readonly chains: readonly ChainRow[]
  /** Totals since the beginning. */
  readonly totals: {
    readonly completed: number
    readonly dead: number
    readonly open: number
    readonly refused: number
    readonly turns: number
    readonly cost: number
  }
}

/** A program without output for this long is quiet (ms). */
const QUIET = 120_000

/** `isUp`: a process runs the workplace. `lastSign`: the last sign of life of a run (ms since 1970), if known. */
export function overviewOf(
  state: State,
  roster: Roster,
  now: number,
  isUp: boolean,
  lastSign: (run: string) => number | null,
  last = 12,
): Overview {
  const handoffs = [...state.handoffs.values()]
  const byMember = new Map<string, Handoff[]>([...roster.keys()].map((name) => [name, []]))
  for (const handoff of handoffs) byMember.get(handoff.to)?.push(handoff)
  const members = [...roster.values()].map(({ name, harness, persistent }) => {
    const mine = byMember.get(name) ?? []
    const cost = state.costs.get(name) ?? 0
    return { name, harness, ...memberRow(name, mine, state, now, lastSign, persistent, isUp), cost }
  })
  const chains = [...state.chains.values()]
  const sum = (of: (chain: Chain) => number) => chains.reduce((total, chain) => total + of(chain), 0)
  const dead = handoffs.filter(({ status }) => status === 'dead').length
  return {
    attention: state.attention,
    unlisted: [...state.unlisted].map(([kind, count]) => ({ kind, count })),
    watched: (state.unseen.get(PERSON) ?? []).flatMap((id) => {
      const message = state.messages.get(id)
      if (message === undefined) return []
      const { at, from, to, text } = message
      return [{ id, at, from, to, text }]
    }),
    members,
    handoffs: openThenRecent(handoffs, ({ id }) => state.open.has(id), last).map((handoff) => handoffRow(handoff)),
    chains: openThenRecent(chains, ({ ended }) => !ended, last).map(
      ({ at: _at, endedAt: _ended, worktree: _worktree, ...chain }) => chain,
    ),
    totals: {
      completed: handoffs.length - dead - state.open.size + state.past.completed,
      dead,
      open: state.open.size,
      refused: state.refused,
      turns: sum(({ turns }) => turns) + state.past.turns,
      cost: sum(({ cost }) => cost) + state.past.cost,
    },
  }
}

/** Open ones first, then the latest. */
function openThenRecent<T>(all: readonly T[], isOpen: (one: T) => boolean, last: number): T[] {
  const open = all.filter(isOpen).slice(-last)
  const rest = last - open.length
  const over = rest === 0 ? [] : all.slice(-last).filter((one) => !isOpen(one))
  return [...open.reverse(), ...over.slice(-rest).reverse()]
}

function memberRow(
  name: string,
  mine: readonly Handoff[],
  state: State,
  now: number,
  lastSign: (run: string) => number | null,
  persistent: boolean,
  isUp: boolean,
): Omit<MemberRow, 'name' | 'harness' | 'cost'> {
  const current = mine.find(({ run }) => run !== null)
  const open = mine.filter(({ id }) => state.open.has(id))
  const nothing = {
    run: null,
    attempt: null,
    pid: null,
    elapsed: null,
    silence: null,
    task: null,
    progress: null,
    waiting: open.length - (current === undefined ? 0 : 1),
    unread: state.unseen.get(name)?.length ?? 0,
  }
  if (current !== undefined) {
    const { run, attempt, program, wrapper, startedAt, text, status } = current
    const elapsed = startedAt === null ? null : Math.max(0, now - startedAt)
    const sign = run === null ? null : lastSign(run)
    const silence = elapsed === null ? null : Math.min(elapsed, sign === null ? elapsed : Math.max(0, now - sign))
    const word = status === 'claimed' ? 'starting' : silence !== null && silence > QUIET ? 'quiet' : 'working'
    return {
      ...nothing,
      state: word,
      run,
      attempt,
      pid: program?.pid ?? wrapper?.pid ?? null,
      elapsed,
      silence,
      task: firstLine(text),
      progress: progressOf(current),
    }
  }
  if (state.stopped.has(name)) return { ...nothing, state: 'stopped' }
  const service = state.services.get(name)
  if (name === KERNEL) return { ...nothing, state: isUp ? 'up' : 'idle' }
  if (persistent && service !== undefined) {
    const hasProcess = service.process !== null
    return {
      ...nothing,
      state: hasProcess ? 'up' : service.why === null ? 'stopped' : 'down',
      run: service.run,
      pid: service.process?.pid ?? null,
      elapsed: hasProcess ? Math.max(0, now - service.at) : null,
    }
  }
  const [next] = open
  if (next !== undefined)
    return {
      ...nothing,
      state: next.why === null ? 'queued' : 'retrying',
      attempt: next.attempt,
      task: firstLine(next.text),
      progress: progressOf(next),
    }
  const before = mine.at(-1)
  if (before === undefined) return { ...nothing, state: 'idle' }
  const word = before.status === 'dead' ? 'dead letter' : before.owes.length > 0 ? 'owes a handoff' : 'done'
  return { ...nothing, state: word, task: firstLine(before.text) }
}

function handoffRow({
  id,
  chain,
  from,
  to,
  status,
  attempt,
  at,
  startedAt,
  endedAt,
  text,
  why,
  firstAttempt,
  report,
  progress,
  turns,
  cost,
}: Handoff): HandoffRow {
  return {
    id,
    chain,
    from,
    to,
    status,
    attempt:
      status === 'completed' || status === 'dead'
        ? Math.max(firstAttempt, status === 'dead' ? attempt - 1 : attempt)
        : attempt,
    started: startedAt === null ? null : Math.max(0, startedAt - at),
    ended: endedAt === null ? null : Math.max(0, endedAt - at),
    task: firstLine(text),
    progress: progressOf({ report, progress }),
    why,
    turns,
    cost,
  }
}

/** Its own report counts before the progress of an earlier attempt. */
export function progressOf({ report, progress }: Pick<Handoff, 'report' | 'progress'>): string | null {
  return (report?.status === 'progress' ? report.text : null) ?? progress?.lastSummary ?? null
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? ''
}

/** The outcome of a chain, for its starter. */
export interface ChainOutcome {
  readonly chain: Chain
  readonly handoffs: readonly Handoff[]
  /** The last answer. */
  readonly answer: string | null
  readonly isFine: boolean
}

export function chainOutcome(state: State, id: string): ChainOutcome | null {
  const chain = state.chains.get(id)
  if (chain === undefined) return null
  const handoffs = [...state.handoffs.values()].filter((one) => one.chain === id)
  const answered = handoffs.filter(({ answer }) => answer !== null && answer !== '')
  const last = answered.sort((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0)).at(-1)
  const isFine = chain.dead === 0 && handoffs.every(({ owes }) => owes.length === 0)
  return { chain, handoffs, answer: last?.answer ?? null, isFine }
}
