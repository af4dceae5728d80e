/** The state that the journal's records fold into; any prefix of the journal gives a state to continue from. */

import type { ProcessId } from '../../model/process-id.ts'
import {
  addAttention,
  addQuestion,
  boundAll,
  brokenRow,
  clearAttention,
  clearUnfinishedLine,
  closeQuestions,
  closeQuestionsOf,
  keepAttention,
  type PersonInbox,
} from './attention.ts'
import { addOpenHandoff, addUsage, beginChain, type Chain, endChain } from './chain.ts'
import {
  applyStep,
  clearTimers,
  createHandoff,
  endsRun,
  type Handoff,
  type HandoffStep,
  isCurrentAttempt,
  revive,
  SPENT,
} from './handoff.ts'
import { isPerson, PERSON, SERVER } from './message.ts'
import { type ChatCursor, type JournalRecord, type SeenRecord, unpackSnapshot } from './records.ts'
import { markServiceDown, markServiceUp, type ServiceState, serviceOf } from './roster.ts'

export interface Worktree {
  readonly agent: string
  readonly chain: string
  readonly path: string
  readonly branch: string
  readonly base: string
}

export interface State extends PersonInbox {
  epochs: number
  owner: (ProcessId & { readonly host: string; readonly boot: string; readonly at: number }) | null
  lastEvent: number | null
  cursor: ChatCursor | null
  /** The messages of chains that are kept, in journal order. */
  readonly messages: Map<string, SeenRecord>
  readonly handoffs: Map<string, Handoff>
  /** Neither completed nor dead, in order. */
  readonly open: Map<string, Handoff>
  readonly chains: Map<string, Chain>
  /** The chat lines of messages that did not come through the chat. */
  readonly lines: Map<string, number>
  /** Messages that are not in the chat yet. */
  readonly outbox: Map<string, SeenRecord>
  readonly services: Map<string, ServiceState>
  /** Members that a person stopped; the server's name: all of it. */
  readonly stopped: Set<string>
  readonly worktrees: Map<string, Worktree>
  /** Observed messages per member, until its next work begins; those of the person under one name. */
  readonly unseen: Map<string, readonly string[]>
  /** Results that were not accepted. */
  refused: number
  /** How much of each run's output has been ingested, in bytes. */
  readonly heard: Map<string, number>
  /** The ids of dropped messages: none of them may count again. */
  readonly known: Set<string>
  /** The totals of dropped chains. */
  past: PastTotals
  /** By member: the cost of all its runs, as far as programs report it. */
  readonly costs: Map<string, number>
}

/** Sums over what finished long ago. */
export interface PastTotals {
  readonly completed: number
  readonly turns: number
  readonly cost: number
}

/** Whether a message with this id has already counted. */
export function isKnownMessage({ messages, known }: State, id: string): boolean {
  return messages.has(id) || known.has(id)
}

export function emptyState(): State {
  return {
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
    unseen: new Map(),
    attention: [],
    unlisted: new Map(),
    questions: new Map(),
    refused: 0,
    heard: new Map(),
    known: new Set(),
    past: { completed: 0, turns: 0, cost: 0 },
    costs: new Map(),
  }
}

export function foldRecords(records: Iterable<JournalRecord>, state = emptyState()): State {
  for (const record of records) applyRecord(state, record)
  return state
}

/** A record that does not fit the state has no effect: that is how a second completion is refused. */
export function applyRecord(state: State, record: JournalRecord): void {
  if ('at' in record) state.lastEvent = record.at
  switch (record.t) {
    case 'open':
    case 'sealed':
      return
    case 'snapshot':
      Object.assign(state, unpackSnapshot(record.state, emptyState()))
      boundAll(state)
      return
    case 'epoch':
      applyEpoch(state, record)
      return
    case 'heard':
      state.heard.set(record.run, record.to)
      return
    case 'read':
      state.cursor = record.cursor
      clearUnfinishedLine(state)
      return
    case 'held':
      addAttention(state, record.at, 'held', null, `${record.file}:${record.lines}`, record.why)
      return
    case 'unfinished':
      clearUnfinishedLine(state)
      addAttention(state, record.at, 'unfinished', null, `chat.md:${record.line}`, record.text)
      return
    case 'broken':
      if (record.cursor !== undefined) state.cursor = record.cursor
      broken(state, record)
      return
    case 'seen':
      applySeen(state, record)
      return
    case 'posted':
      state.outbox.delete(record.id)
      if (record.line !== undefined) state.lines.set(record.id, record.line)
      return
    case 'refused':
      state.refused++
      return
    case 'revived':
      applyRevived(state, record.id)
      return
    case 'ended': {
      const chain = state.chains.get(record.chain)
      if (chain !== undefined) endChain(chain, record.at)
      return
    }
    case 'up':
      state.stopped.delete(record.agent)
      markServiceUp(serviceOf(state.services, record.agent), record.run, record, record.at)
      return
    case 'down':
      markServiceDown(serviceOf(state.services, record.agent), record.run, record.at, record.why)
      state.heard.delete(record.run)
      return
    case 'stopped':
      state.stopped.add(record.agent)
      if (record.key !== undefined) state.known.add(record.key)
      return
    case 'worktree': {
      const { t: _t, ...worktree } = record
      state.worktrees.set(record.path, worktree)
      return
    }
    case 'ref': {
      const handoff = state.open.get(record.id)
      if (handoff === undefined || handoff.ref !== null) return
      handoff.ref = record.ref
      handoff.about = record.about
      return
    }
    case 'worktree-gone': {
      const worktree = state.worktrees.get(record.path)
      state.worktrees.delete(record.path)
      if (worktree !== undefined && record.kept !== undefined)
        addAttention(state, state.lastEvent ?? 0, 'kept', null, worktree.agent, record.kept)
      return
    }
    case 'asked':
      addQuestion(state, record, record.at)
      return
    case 'answered':
      closeQuestions(state, [record.id])
      return
    case 'cleared':
      clearAttention(state, record.from)
      if (record.from === undefined) state.unseen.delete(PERSON)
      return
    default:
      applyHandoffStep(state, record)
  }
}

function broken(state: State, record: Extract<JournalRecord, { t: 'broken' }>): void {
  const { from, text } = brokenRow(record)
  addAttention(state, record.at, 'broken', null, from, text)
}

/** Another process continues; times on the machine's clock are void if it was restarted. */
function applyEpoch(state: State, { pid, start, host, boot, at }: Extract<JournalRecord, { t: 'epoch' }>): void {
  if (boot !== state.owner?.boot) for (const handoff of state.open.values()) clearTimers(handoff)
  state.epochs++
  state.stopped.delete(SERVER)
  state.owner = { pid, start, host, boot, at }
}

/** A step of an open handoff, and its effect on the others. */
function applyHandoffStep(state: State, record: HandoffStep): void {
  const handoff = state.open.get(record.id)
  if (handoff === undefined || !isCurrentAttempt(handoff, record)) return
  if (endsRun(record)) {
    closeQuestionsOf(state, handoff.id)
    if (handoff.run !== null) state.heard.delete(handoff.run)
  }
  if (!applyStep(handoff, record)) return
  const chain = chainOf(state, handoff)
  switch (record.t) {
    case 'claimed':
      state.stopped.delete(handoff.to)
      handoff.watched = [...handoff.watched, ...(state.unseen.get(handoff.to) ?? [])]
      state.unseen.delete(handoff.to)
      return
    case 'nudged':
    case 'failed':
      addUsageOf(state, handoff, record)
      return
    case 'completed':
      addUsageOf(state, handoff, record)
      if (handoff.owes.length > 0) {
        const text = `ended its turn without handing off to ${handoff.owes.join(' or ')} and without reporting that it is done`
        addAttention(state, record.at, 'owes', handoff.id, handoff.to, text)
      }
      chain.open--
      state.open.delete(handoff.id)
      return
    case 'dead':
      addAttention(state, record.at, 'dead', handoff.id, handoff.to, record.why)
      if (record.why.startsWith(SPENT) && handoff.startedAt === null) reportSpentBudget(state, handoff)
      chain.open--
      chain.dead++
      state.open.delete(handoff.id)
      return
  }
}

function reportSpentBudget({ open }: State, { parent }: Handoff): void {
  const sender = parent === null ? undefined : open.get(parent)
  if (sender !== undefined) sender.spentIn = sender.attempt
}

/** Counts for the handoff, for its chain and for its member. */
function addUsageOf(state: State, handoff: Handoff, record: Extract<HandoffStep, { ms: number }>): void {
  addUsage(chainOf(state, handoff), record)
  addUsage(handoff, record)
  state.costs.set(
    handoff.to,
    (state.costs.get(handoff.to) ?? 0) + Math.max(0, record.t === 'nudged' ? 0 : (record.cost ?? 0)),
  )
}

function applyRevived(state: State, id: string): void {
  const handoff = state.handoffs.get(id)
  if (handoff?.status !== 'dead') return
  revive(handoff)
  state.open.set(id, handoff)
  keepAttention(state, (one) => one.id !== id)
  const chain = chainOf(state, handoff)
  addOpenHandoff(chain)
  chain.dead--
}

/** It exists as soon as there is a handoff. */
function chainOf({ chains }: State, { chain }: Handoff): Chain {
  return chains.get(chain)!
}

function applySeen(state: State, record: SeenRecord): void {
  if (record.cursor !== undefined) state.cursor = record.cursor
  if (isKnownMessage(state, record.id)) return
  state.messages.set(record.id, record)
  if (record.post) state.outbox.set(record.id, record)
  // A message from the person settles what was asked of them.
  if (isPerson(record.from)) keepAttention(state, ({ kind, from }) => kind !== 'message' || from !== record.to)
  for (const observer of record.observers ?? []) addObserved(state, observer, record)
  const parent = record.parent === undefined ? undefined : state.open.get(record.parent)
  const answered = record.answers === undefined ? undefined : state.open.get(record.answers)
  if (answered !== undefined) answered.replies.push(record.text)
  else if (isPerson(record.to) && record.from !== SERVER)
    addAttention(state, record.at, 'message', record.id, record.from, record.text)
  if (record.kind !== 'handoff') return
  if (parent !== undefined) parent.sent.push(`${record.to}\n${record.text}`)
  openHandoff(state, record)
}

/** The maximum kept per observer; older messages are in the chat. */
const OBSERVED_LIMIT = 30

/** A message is kept for observers: a member is shown it with its next work, the person in the status. */
function addObserved(state: State, observer: string, { id, from, to }: SeenRecord): void {
  if (observer === from || observer === to || (isPerson(observer) && isPerson(to))) return
  const name = isPerson(observer) ? PERSON : observer
  const before = state.unseen.get(name) ?? []
  if (!before.includes(id)) state.unseen.set(name, [...before, id].slice(-OBSERVED_LIMIT))
}

function openHandoff(state: State, record: SeenRecord): void {
  const handoff = createHandoff(record)
  const { id, chain, at, from, text } = handoff
  state.handoffs.set(id, handoff)
  state.open.set(id, handoff)
  const known = state.chains.get(chain)
  if (known === undefined)
    state.chains.set(
      chain,
      beginChain({ id: chain, at, starter: from, task: text, worktree: record.worktree === true }),
    )
  else {
    known.handoffs++
    addOpenHandoff(known)
  }
}
