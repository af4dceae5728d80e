/** Ingests the inbox: each file is journalled once, in rounds of bounded size, and then removed. */

import type { Engine } from '../engine/engine.ts'
import { type InboxItem, removeFromInbox, type Waiting, waiting } from '../engine/inbox.ts'
import type { JournalRecord } from '../state/records.ts'
import { isKnownMessage } from '../state/state.ts'
import { acceptMessage, reportBrokenLine } from './ingest.ts'

export interface InboxOrders {
  /** Journals it under that key, and carries it out. */
  readonly stop: (agent: string | null, key: string) => void
}

/** The maximum per round before it is written to the disk: one write must not become too long (files, bytes). */
const FILES = 200
const BYTES = 8 * 1024 * 1024

/**
 * Each file is removed once its content is on the disk elsewhere. One round at a time, so that other work gets its turn;
 * `isWhole`: everything present. Returns whether there is more.
 */
export function ingestInbox(engine: Engine, orders: InboxOrders, isWhole = false): boolean {
  let [round, bytes]: [Waiting[], number] = [[], 0]
  for (const one of waiting(engine.workplace.places)) {
    if (round.length === FILES || (round.length > 0 && bytes + one.size > BYTES)) {
      takeIn(engine, round, orders)
      if (!isWhole) return true
      round = []
      bytes = 0
    }
    round.push(one)
    bytes += one.size
  }
  takeIn(engine, round, orders)
  return false
}

function takeIn(engine: Engine, round: readonly Waiting[], orders: InboxOrders): void {
  const { places } = engine.workplace
  const stops: { readonly id: string; readonly agent: string | null }[] = []
  for (const { id, item } of round) {
    if ('problem' in item) reportBrokenLine(engine, { line: 0, place: 'inbox', text: `inbox/${id}`, why: item.problem })
    else if (item.kind === 'stop') stops.push({ id, agent: item.agent })
    else engine.stage(...inboxRecords(engine, id, item))
  }
  engine.flush()
  const later = new Set(stops.map(({ id }) => id))
  for (const { id } of round) if (!later.has(id)) removeFromInbox(places, id)
  for (const { id, agent } of stops) {
    // It may have been followed by a process that ended before it had removed it.
    if (!isKnownMessage(engine.state, id)) orders.stop(agent, id)
    removeFromInbox(places, id)
  }
}

function inboxRecords(engine: Engine, id: string, item: Exclude<InboxItem, { kind: 'stop' }>): JournalRecord[] {
  const { state, at } = engine
  switch (item.kind) {
    case 'message': {
      const { kind: _kind, run, ...message } = item
      const refusal = run === null ? null : staleRunReason(engine, run)
      if (refusal !== null)
        return [{ t: 'refused', id, run: run ?? '', at, why: `a message to ${item.to}: ${refusal}` }]
      acceptMessage(engine, { ...message, id })
      return []
    }
    case 'report': {
      const refusal = staleRunReason(engine, item.run)
      if (refusal !== null) return [{ t: 'refused', id, run: item.run, at, why: `a report: ${refusal}` }]
      const [handoff = '', attempt = '0'] = item.run.split('.')
      const { status, text, files } = item
      return [{ t: 'report', id: handoff, attempt: Number(attempt), at, key: id, status, text, files }]
    }
    case 'revive':
      if (state.handoffs.get(item.id)?.status !== 'dead') return []
      return [{ t: 'revived', id: item.id, at }]
    case 'question': {
      const { kind: _kind, ...question } = item
      const refusal = staleRunReason(engine, item.run)
      if (refusal !== null) return [{ t: 'refused', id, run: item.run, at, why: `a question: ${refusal}` }]
      return [{ t: 'asked', at, ...question }]
    }
    case 'answer':
      if (!state.questions.has(item.question)) return []
      return [{ t: 'answered', id: item.question, at, yes: item.yes, by: item.by }]
    case 'clear':
      return [{ t: 'cleared', at, ...(item.from === undefined ? {} : { from: item.from }) }]
  }
}

/** Why nothing from this run counts any more, or null. Persistent members are not bound to a single handoff. */
function staleRunReason({ state }: Engine, run: string): string | null {
  const [id = '', attempt = ''] = run.split('.')
  if (id.startsWith('service-')) return null
  const handoff = state.open.get(id)
  if (handoff === undefined) return 'its run is over'
  return String(handoff.attempt) === attempt
    ? null
    : `attempt ${attempt} was given up; attempt ${handoff.attempt} counts`
}
