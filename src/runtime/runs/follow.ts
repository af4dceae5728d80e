/** Looks at runs that go on: what they have come to, what they say, whether they may go on. */
import { exceeded } from '../../workplace/budget.ts'
import type { Handoff } from '../../workplace/handoff.ts'
import type { Engine } from '../engine.ts'
import { accept, derivedId } from '../ingest.ts'
import type { RunEvents } from '../session.ts'
import type { Active, ActiveRuns } from './active.ts'
import { conclude, flooded, isFlood } from './conclude.ts'
import { followDelivered } from './delivered.ts'
import { runName } from './name.ts'

/** How long a claim may be on its way (ms). */
const CLAIMING = 5000

/** Looks at every run once. */
export function followRuns(runs: ActiveRuns): void {
  for (const active of runs.all()) if (!active.preparing) follow(runs, active)
}

function follow(runs: ActiveRuns, active: Active): void {
  const { engine } = runs
  const { state, setting, at } = engine
  const { driver } = setting
  const handoff = state.open.get(active.id)
  if (handoff === undefined || runName(handoff) !== active.run) {
    runs.leave(active, handoff === undefined && state.handoffs.get(active.id)?.status === 'dead')
    return
  }
  if (setting.roster.get(active.agent)?.persistent) {
    followDelivered(runs, active, handoff)
    return
  }
  let events = driver.events(active.run)
  const isGoing = events.ended === null && driver.resume(active.run, events.claimed)
  // It may have written its last words between the two questions.
  if (!isGoing && events.ended === null) events = driver.events(active.run)
  const { id, attempt } = handoff
  const { run } = active
  if (events.claimed !== null && handoff.run === null)
    engine.stage({ t: 'claimed', id, attempt, run, at, ...events.claimed })
  if (events.started !== null && handoff.status === 'claimed')
    engine.stage({ t: 'started', id, attempt, at, ...events.started })
  listen(engine, active, !isGoing)
  engine.flush()
  if (isGoing) limit(runs, active, handoff, events)
  else if (events.claimed !== null || runs.elapsed(active) > CLAIMING) conclude(runs, active, events)
}

/** Messages that it prints. */
function listen(engine: Engine, { run, agent, output }: Active, last: boolean): void {
  for (const { event, at } of output.more(last)) {
    if (event.type !== 'message' && event.type !== 'handoff') continue
    const { type, ...message } = event
    const text = type === 'handoff' && !/^handoff:/i.test(event.text) ? `Handoff: ${event.text}` : event.text
    accept(engine, { ...message, from: agent, text, id: derivedId(run, at) })
  }
}

/** Too long, too much, or its chain has used up what it may. */
function limit(runs: ActiveRuns, active: Active, handoff: Handoff, events: RunEvents): void {
  const { state, setting } = runs.engine
  const elapsed = setting.clock.steady() - active.since
  const minutes = setting.roster.get(active.agent)?.minutes ?? 0
  const chain = state.chains.get(handoff.chain)
  if (active.ending !== null) return
  if (elapsed > minutes * 60_000)
    runs.end(active, `it did not end within ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`)
  else if (isFlood(setting, events)) runs.end(active, flooded(setting))
  else if (chain !== undefined) {
    const why = exceeded(chain, setting.rules.budget, elapsed)
    if (why !== null) runs.end(active, why)
  }
}
