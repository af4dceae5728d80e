/** Follows active runs: their progress, their output, and whether they may continue. */

import type { Engine, RunStatus } from '../../engine/engine.ts'
import { exceededBudget } from '../../state/chain.ts'
import { runName } from '../../state/handoff.ts'
import type { JournalRecord } from '../../state/records.ts'
import { acceptMessage, derivedId } from '../ingest.ts'
import type { ActiveRun, ActiveRuns } from './active.ts'
import { conclude, failRun, printsTooMuch, printsTooMuchText } from './conclude.ts'
import { followDelivered } from './services.ts'

/** How long a claim may take to appear (ms). */
const CLAIM_TIMEOUT = 5000

/** Checks every run once; all their results are journalled in one write, including the end of those that are over. */
export function followRuns(runs: ActiveRuns): void {
  const { engine, around } = runs
  const looks = runs.all().flatMap((active) => (active.preparing ? [] : (checkRun(runs, active) ?? [])))
  engine.flush()
  const over = looks.filter(({ active, events, isGoing }) => {
    if (isGoing) enforceLimits(runs, active, events)
    return !isGoing && (events.claimed !== null || runs.elapsed(active) > CLAIM_TIMEOUT)
  })
  if (over.length === 0) return
  // Their messages in the chat or the inbox come before their end.
  around.ingest()
  const leaving = over
    .filter(({ active }) => runs.holds(active))
    .map(({ active, events }) => conclude(runs, active, events))
  engine.flush()
  for (const leave of leaving) leave()
}

interface CheckedRun {
  readonly active: ActiveRun
  readonly events: RunStatus
  readonly isGoing: boolean
}

/** Null if there is nothing more to do. */
function checkRun(runs: ActiveRuns, active: ActiveRun): CheckedRun | null {
  const { engine } = runs
  const { state, workplace, at } = engine
  const { driver } = workplace
  const handoff = state.open.get(active.id)
  if (handoff === undefined || runName(handoff) !== active.run) {
    runs.leave(active, handoff === undefined && state.handoffs.get(active.id)?.status === 'dead')
    return null
  }
  if (workplace.roster.get(active.agent)?.persistent) {
    followDelivered(runs, active, handoff)
    return null
  }
  let events = driver.events(active.run)
  const isGoing = events.ended === null && driver.resume(active.run, events.claimed)
  // It may have ended between the two checks.
  if (!isGoing && events.ended === null) events = driver.events(active.run)
  const { id, attempt } = handoff
  const { run } = active
  if (events.claimed !== null && handoff.run === null)
    engine.stage({ t: 'claimed', id, attempt, run, at, since: active.since, ...events.claimed })
  if (events.started !== null && handoff.status === 'claimed')
    engine.stage({ t: 'started', id, attempt, at, ...events.started })
  readMessages(engine, active, attempt, !isGoing)
  return { active, events, isGoing }
}

/**
 * The messages it prints, and its last progress report; the read position is in the same write, so none is skipped and none
 * counts twice.
 */
function readMessages(engine: Engine, { id, run, agent, output }: ActiveRun, attempt: number, last: boolean): void {
  const found = output.more(last)
  if (found.length > 0) engine.stage({ t: 'heard', run, to: output.place })
  let progress: JournalRecord | null = null
  for (const { event, at } of found) {
    if (event.type === 'progress') {
      const { text, files } = event
      progress = { t: 'report', id, attempt, at: engine.at, key: derivedId(run, at), status: 'progress', text, files }
    }
    if (event.type !== 'message' && event.type !== 'handoff') continue
    const { type, ...message } = event
    const text = type === 'handoff' && !/^handoff:/i.test(event.text) ? `Handoff: ${event.text}` : event.text
    acceptMessage(engine, { ...message, from: agent, text, id: derivedId(run, at) })
  }
  if (progress !== null) engine.stage(progress)
}

/** Too long, too much output, or its chain has exceeded its budget. */
function enforceLimits(runs: ActiveRuns, active: ActiveRun, events: RunStatus): void {
  const { state, workplace } = runs.engine
  const elapsed = workplace.clock.steady() - active.since
  const minutes = workplace.roster.get(active.agent)?.minutes ?? 0
  const chain = state.chains.get(state.open.get(active.id)?.chain ?? '')
  if (active.ending !== null) return
  if (elapsed > minutes * 60_000)
    runs.end(active, `it did not end within ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`)
  else if (printsTooMuch(workplace, events)) runs.end(active, printsTooMuchText(workplace))
  else if (chain !== undefined) {
    const why = exceededBudget(chain, workplace.rules.budget, elapsed)
    if (why !== null) runs.end(active, why)
  }
}

/** A person stops one member: its current handoff is dead, and can be revived. `key`: the id of the request. */
export function stopAgent(runs: ActiveRuns, agent: string, key: string): void {
  const { engine } = runs
  const { state, at } = engine
  const why = 'it was stopped by hand'
  for (const active of runs.all()) {
    if (active.agent !== agent) continue
    engine.stage({ t: 'dead', id: active.id, at, why })
    if (active.preparing) runs.forget(active)
  }
  for (const { id, to } of [...state.open.values()]) if (to === agent) engine.stage({ t: 'dead', id, at, why })
  engine.stage({ t: 'stopped', agent, at, key })
  engine.flush()
  followRuns(runs)
}

/** Asks every program to end. */
export function cancelAll(runs: ActiveRuns): void {
  for (const { run, preparing } of runs.all()) if (!preparing) runs.engine.workplace.driver.cancel(run)
}

/** Whether a program still runs. */
export function isAnyRunning(runs: ActiveRuns): boolean {
  const { driver } = runs.engine.workplace
  return runs.all().some(({ run, preparing }) => !preparing && driver.resume(run, driver.events(run).claimed))
}

/** Everything is stopped: the work stays open, and runs under way do not count as attempts. */
export function stopAll(runs: ActiveRuns): void {
  for (const active of runs.all()) {
    const handoff = runs.engine.state.open.get(active.id)
    if (handoff === undefined || active.preparing) runs.forget(active)
    else if (handoff.run === null) runs.leave(active, false)
    else failRun(runs, active, handoff, 'the workplace was stopped', 'free')
  }
}
