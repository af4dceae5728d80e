/** What the journal amounts to: `fold` any prefix of it, and the result is a state that could be gone on from. */
import type { Context } from './message.ts'
import { isPerson, SERVER } from './names.ts'
import type { Cursor, JournalRecord, ProcessId, Progress, ReportStatus, SeenRecord } from './records.ts'

export type HandoffStatus = 'seen' | 'claimed' | 'started' | 'completed' | 'dead'

export interface Handoff extends Context {
  readonly id: string
  readonly chain: string
  readonly parent: string | null
  readonly from: string
  readonly to: string
  readonly observers: readonly string[]
  readonly text: string
  readonly at: number
  status: HandoffStatus
  /** The attempt that counts: the one under way, or the next one. */
  attempt: number
  /** Where attempts began to be counted: a revived handoff has new ones. */
  firstAttempt: number
  /** The run that holds the claim. */
  run: string | null
  wrapper: ProcessId | null
  program: ProcessId | null
  startedAt: number | null
  endedAt: number | null
  nudged: boolean
  /** Its last words before it was nudged. */
  words: string
  /** What the member said to whoever asked, before its turn ended. */
  readonly replies: string[]
  /** To whom it handed on, and what: `to\ntext`. */
  readonly sent: string[]
  /** What it said of itself; the last word counts. */
  report: Report | null
  answer: string | null
  owes: readonly string[]
  /** Why the last attempt failed, or why there are no more. */
  why: string | null
  failedAt: number | null
  wait: number
  progress: Progress | null
}

export interface Report {
  readonly status: ReportStatus
  readonly text: string
  readonly files: readonly string[]
}

export interface Chain {
  readonly id: string
  readonly at: number
  readonly starter: string
  readonly task: string
  readonly worktree: boolean
  handoffs: number
  open: number
  dead: number
  /** Milliseconds of work, turns, and cost as far as programs tell. */
  ms: number
  turns: number
  cost: number
  ended: boolean
  endedAt: number | null
}

export interface Service {
  readonly agent: string
  run: string | null
  process: ProcessId | null
  at: number
  /** How often in a row it has ended. */
  failures: number
  why: string | null
}

export interface Worktree {
  readonly agent: string
  readonly chain: string
  readonly path: string
  readonly branch: string
  readonly base: string
}

export interface Attention {
  readonly at: number
  readonly kind: 'dead' | 'owes' | 'message' | 'broken' | 'refused' | 'kept' | 'permission'
  /** The handoff or message. */
  readonly id: string | null
  readonly from: string
  readonly text: string
}

export interface Question {
  readonly id: string
  readonly run: string
  readonly agent: string
  readonly text: string
  readonly until: number
}

export interface State {
  format: number | null
  uuid: string | null
  epochs: number
  owner: (ProcessId & { readonly host: string; readonly at: number }) | null
  lastEvent: number | null
  cursor: Cursor | null
  /** Every message, in the order of the journal. */
  readonly messages: Map<string, SeenRecord>
  readonly handoffs: Map<string, Handoff>
  /** Neither completed nor dead, in order. */
  readonly open: Map<string, Handoff>
  readonly chains: Map<string, Chain>
  /** Where messages stand in the chat that did not come through it. */
  readonly lines: Map<string, number>
  /** Messages that are not in the chat yet. */
  readonly outbox: Map<string, SeenRecord>
  readonly services: Map<string, Service>
  /** Members that a person stopped; the server's name: all of it. */
  readonly stopped: Set<string>
  readonly worktrees: Map<string, Worktree>
  attention: Attention[]
  /** What members wait for the person's yes or no. */
  readonly questions: Map<string, Question>
  /** Results that were not accepted. */
  refused: number
}

export function emptyState(): State {
  return {
    format: null,
    uuid: null,
    epochs: 0,
    owner: null,
    lastEvent: null,
    cursor: null,
    messages: new Map(),
    handoffs: new Map(),
    open: new Map(),
    chains: new Map(),
    lines: new Map(),
    outbox: new Map(),
    services: new Map(),
    stopped: new Set(),
    worktrees: new Map(),
    attention: [],
    questions: new Map(),
    refused: 0,
  }
}

export function fold(records: Iterable<JournalRecord>, state = emptyState()): State {
  for (const record of records) reduce(state, record)
  return state
}

/** A record that does not fit the state changes nothing: that is how a second completion is refused. */
export function reduce(state: State, record: JournalRecord): void {
  if ('at' in record) state.lastEvent = record.at
  switch (record.t) {
    case 'open':
      state.format ??= record.format
      state.uuid ??= record.uuid
      return
    case 'epoch':
      state.epochs++
      state.stopped.delete(SERVER)
      state.owner = { pid: record.pid, start: record.start, host: record.host, at: record.at }
      return
    case 'read':
      state.cursor = record.cursor
      return
    case 'broken':
      if (record.cursor !== undefined) state.cursor = record.cursor
      attend(state, record.at, 'broken', null, `chat.md:${record.line}`, `${record.why}: ${record.text}`)
      return
    case 'seen':
      seen(state, record)
      return
    case 'posted':
      state.outbox.delete(record.id)
      if (record.line !== undefined) state.lines.set(record.id, record.line)
      return
    case 'refused':
      state.refused++
      return
    case 'revived':
      revived(state, record)
      return
    case 'ended': {
      const chain = state.chains.get(record.chain)
      if (chain === undefined || chain.open > 0) return
      chain.ended = true
      chain.endedAt = record.at
      return
    }
    case 'up':
      state.stopped.delete(record.agent)
      service(state, record.agent).run = record.run
      service(state, record.agent).process = { pid: record.pid, start: record.start }
      service(state, record.agent).at = record.at
      return
    case 'down': {
      const one = service(state, record.agent)
      if (one.run !== record.run) return
      Object.assign(one, { run: null, process: null, at: record.at, why: record.why, failures: one.failures + 1 })
      return
    }
    case 'stopped':
      state.stopped.add(record.agent)
      return
    case 'worktree': {
      const { t: _t, ...worktree } = record
      state.worktrees.set(record.path, worktree)
      return
    }
    case 'worktree-gone': {
      const worktree = state.worktrees.get(record.path)
      state.worktrees.delete(record.path)
      if (worktree !== undefined && record.kept !== undefined)
        attend(state, state.lastEvent ?? 0, 'kept', null, worktree.agent, record.kept)
      return
    }
    case 'asked': {
      const { id, run, agent, text, until } = record
      if (state.questions.has(id)) return
      state.questions.set(id, { id, run, agent, text, until })
      attend(state, record.at, 'permission', id, agent, text)
      return
    }
    case 'answered':
      settle(state, [record.id])
      return
    case 'cleared':
      // A question is not settled by having been seen.
      state.attention = state.attention.filter(({ kind }) => kind === 'permission')
      return
    default:
      step(state, record)
  }
}

type Step = Extract<JournalRecord, { t: 'claimed' | 'started' | 'nudged' | 'report' | 'completed' | 'failed' | 'dead' }>

/** A step of an open handoff; only the attempt that counts can take one. */
function step(state: State, record: Step): void {
  const handoff = state.open.get(record.id)
  if (handoff === undefined) return
  if ('attempt' in record && record.attempt !== handoff.attempt) return
  // Whoever asked is not there any more.
  if (record.t !== 'claimed' && record.t !== 'started' && record.t !== 'report')
    settle(
      state,
      [...state.questions.values()].flatMap(({ id, run }) => (run.startsWith(`${handoff.id}.`) ? [id] : [])),
    )
  switch (record.t) {
    case 'claimed':
      if (handoff.run === record.run) return
      handoff.status = 'claimed'
      handoff.run = record.run
      handoff.wrapper = { pid: record.pid, start: record.start }
      handoff.startedAt ??= record.at
      state.stopped.delete(handoff.to)
      return
    case 'started':
      if (handoff.status !== 'claimed') return
      handoff.status = 'started'
      handoff.program = { pid: record.pid, start: record.start }
      handoff.startedAt = record.at
      return
    case 'nudged':
      if (handoff.nudged) return
      leaveRun(handoff)
      handoff.nudged = true
      handoff.words = record.words
      spend(state, handoff, record.ms, 1, 0)
      return
    case 'report':
      handoff.report = { status: record.status, text: record.text, files: record.files ?? [] }
      return
    case 'completed':
      leaveRun(handoff)
      handoff.answer = record.answer
      handoff.owes = record.owes ?? []
      spend(state, handoff, record.ms, record.turns ?? 1, record.cost ?? 0)
      if (handoff.owes.length > 0) {
        const text = `ended its turn without handing off to ${handoff.owes.join(' or ')}, and without a word that it is done`
        attend(state, record.at, 'owes', handoff.id, handoff.to, text)
      }
      close(state, handoff, 'completed', record.at)
      return
    case 'failed':
      leaveRun(handoff)
      handoff.why = record.why
      handoff.failedAt = record.at
      handoff.wait = record.wait
      handoff.progress = record.progress ?? handoff.progress
      handoff.attempt++
      if (record.free) handoff.firstAttempt++
      handoff.nudged = false
      handoff.report = null
      spend(state, handoff, record.ms, record.turns ?? 1, record.cost ?? 0)
      return
    case 'dead': {
      leaveRun(handoff)
      handoff.why = record.why
      handoff.progress = record.progress ?? handoff.progress
      const chain = state.chains.get(handoff.chain)
      if (chain !== undefined) chain.dead++
      attend(state, record.at, 'dead', handoff.id, handoff.to, record.why)
      close(state, handoff, 'dead', record.at)
      return
    }
  }
}

/** The claim is for one run; the next one takes its own. */
function leaveRun(handoff: Handoff): void {
  handoff.status = 'seen'
  handoff.run = null
  handoff.wrapper = null
  handoff.program = null
}

function close(state: State, handoff: Handoff, status: 'completed' | 'dead', at: number): void {
  handoff.status = status
  handoff.endedAt = at
  state.open.delete(handoff.id)
  const chain = state.chains.get(handoff.chain)
  if (chain !== undefined) chain.open--
}

function spend(state: State, handoff: Handoff, ms: number, turns: number, cost: number): void {
  const chain = state.chains.get(handoff.chain)
  if (chain === undefined) return
  chain.ms += Math.max(0, ms)
  chain.turns += Math.max(0, turns)
  chain.cost += Math.max(0, cost)
}

function seen(state: State, record: SeenRecord): void {
  if (record.cursor !== undefined) state.cursor = record.cursor
  if (state.messages.has(record.id)) return
  state.messages.set(record.id, record)
  if (record.post) state.outbox.set(record.id, record)
  // A word from the person settles what was asked of them.
  if (isPerson(record.from))
    state.attention = state.attention.filter(({ kind, from }) => kind !== 'message' || from !== record.to)
  const parent = record.parent === undefined ? undefined : state.open.get(record.parent)
  const answered = record.answers === undefined ? undefined : state.open.get(record.answers)
  if (answered !== undefined) answered.replies.push(record.text)
  else if (isPerson(record.to) && record.from !== SERVER)
    attend(state, record.at, 'message', record.id, record.from, record.text)
  if (record.kind !== 'handoff') return
  if (parent !== undefined) parent.sent.push(`${record.to}\n${record.text}`)
  openHandoff(state, record)
}

function openHandoff(state: State, record: SeenRecord): void {
  const { id, from, to, observers = [], text, chain, parent = null, at, done, files, decisions } = record
  const context = {
    ...(done === undefined ? {} : { done }),
    ...(files === undefined ? {} : { files }),
    ...(decisions === undefined ? {} : { decisions }),
  }
  const handoff: Handoff = {
    ...context,
    id,
    chain,
    parent,
    from,
    to,
    observers,
    text,
    at,
    status: 'seen',
    attempt: 1,
    firstAttempt: 1,
    run: null,
    wrapper: null,
    program: null,
    startedAt: null,
    endedAt: null,
    nudged: false,
    words: '',
    replies: [],
    sent: [],
    report: null,
    answer: null,
    owes: [],
    why: null,
    failedAt: null,
    wait: 0,
    progress: null,
  }
  state.handoffs.set(id, handoff)
  state.open.set(id, handoff)
  const known = state.chains.get(chain)
  if (known !== undefined) {
    known.handoffs++
    known.open++
    known.ended = false
    return
  }
  const worktree = record.worktree === true
  state.chains.set(chain, {
    id: chain,
    at,
    starter: from,
    task: text,
    worktree,
    handoffs: 1,
    open: 1,
    dead: 0,
    ms: 0,
    turns: 0,
    cost: 0,
    ended: false,
    endedAt: null,
  })
}

function revived(state: State, { id }: { readonly id: string }): void {
  const handoff = state.handoffs.get(id)
  if (handoff === undefined || handoff.status !== 'dead') return
  leaveRun(handoff)
  handoff.attempt++
  handoff.firstAttempt = handoff.attempt
  handoff.endedAt = null
  handoff.failedAt = null
  handoff.wait = 0
  handoff.nudged = false
  handoff.report = null
  state.open.set(id, handoff)
  state.attention = state.attention.filter((one) => one.id !== id)
  const chain = state.chains.get(handoff.chain)
  if (chain === undefined) return
  chain.open++
  chain.dead--
  chain.ended = false
}

function service(state: State, agent: string): Service {
  const known = state.services.get(agent)
  if (known !== undefined) return known
  const one: Service = { agent, run: null, process: null, at: 0, failures: 0, why: null }
  state.services.set(agent, one)
  return one
}

function settle(state: State, ids: readonly string[]): void {
  if (!ids.some((id) => state.questions.delete(id))) return
  for (const id of ids) state.questions.delete(id)
  state.attention = state.attention.filter(({ kind, id }) => kind !== 'permission' || id === null || !ids.includes(id))
}

function attend(
  state: State,
  at: number,
  kind: Attention['kind'],
  id: string | null,
  from: string,
  text: string,
): void {
  state.attention.push({ at, kind, id, from, text })
}
