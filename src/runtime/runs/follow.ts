/** Looks at runs that go on: what they have come to, what they say, whether they may go on. */
import { exceeded } from '../../workplace/budget.ts'
import type { JournalRecord } from '../../workplace/records.ts'
import type { Engine } from '../engine.ts'
import { accept, derivedId } from '../ingest.ts'
import type { RunEvents } from '../session.ts'
import type { Active, ActiveRuns } from './active.ts'
import { conclude, flooded, isFlood } from './conclude.ts'
import { followDelivered } from './delivered.ts'
import { runName } from './name.ts'

/** How long a claim may be on its way (ms). */
const CLAIMING = 5000

/** Looks at every run once; what all of them have come to is journalled in one write, and so is the end of those that are over. */
export function followRuns(runs: ActiveRuns): void {
  const { engine, around } = runs
  const looks = runs.all().flatMap((active) => (active.preparing ? [] : (look(runs, active) ?? [])))
  engine.flush()
  const over = looks.filter(({ active, events, isGoing }) => {
    if (isGoing) limit(runs, active, events)
    return !isGoing && (events.claimed !== null || runs.elapsed(active) > CLAIMING)
  })
  if (over.length === 0) return
  // What they said before their end, in the chat or the inbox, comes before it.
  around.ingest()
  const leaving = over
    .filter(({ active }) => runs.holds(active))
    .map(({ active, events }) => conclude(runs, active, events))
  engine.flush()
  for (const leave of leaving) leave()
}

interface Look {
  readonly active: Active
  readonly events: RunEvents
  readonly isGoing: boolean
}

/** Null where there is nothing more to it. */
function look(runs: ActiveRuns, active: Active): Look | null {
  const { engine } = runs
  const { state, setting, at } = engine
  const { driver } = setting
  const handoff = state.open.get(active.id)
  if (handoff === undefined || runName(handoff) !== active.run) {
    runs.leave(active, handoff === undefined && state.handoffs.get(active.id)?.status === 'dead')
    return null
  }
  if (setting.roster.get(active.agent)?.persistent) {
    followDelivered(runs, active, handoff)
    return null
  }
  let events = driver.events(active.run)
  const isGoing = events.ended === null && driver.resume(active.run, events.claimed)
  // It may have written its last words between the two questions.
  if (!isGoing && events.ended === null) events = driver.events(active.run)
  const { id, attempt } = handoff
  const { run } = active
  if (events.claimed !== null && handoff.run === null)
    engine.stage({ t: 'claimed', id, attempt, run, at, since: active.since, ...events.claimed })
  if (events.started !== null && handoff.status === 'claimed')
    engine.stage({ t: 'started', id, attempt, at, ...events.started })
  listen(engine, active, attempt, !isGoing)
  return { active, events, isGoing }
}

/**
 * Messages that it prints, and the last that it says about where it is; how far they were read is in the same write, so none is
 * passed over and none counts twice.
 */
function listen(engine: Engine, { id, run, agent, output }: Active, attempt: number, last: boolean): void {
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
    accept(engine, { ...message, from: agent, text, id: derivedId(run, at) })
  }
  if (progress !== null) engine.stage(progress)
}

/** Too long, too much, or its chain has used up what it may. */
function limit(runs: ActiveRuns, active: Active, events: RunEvents): void {
  const { state, setting } = runs.engine
  const elapsed = setting.clock.steady() - active.since
  const minutes = setting.roster.get(active.agent)?.minutes ?? 0
  const chain = state.chains.get(state.open.get(active.id)?.chain ?? '')
  if (active.ending !== null) return
  if (elapsed > minutes * 60_000)
    runs.end(active, `it did not end within ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`)
  else if (isFlood(setting, events)) runs.end(active, flooded(setting))
  else if (chain !== undefined) {
    const why = exceeded(chain, setting.rules.budget, elapsed)
    if (why !== null) runs.end(active, why)
  }
}
