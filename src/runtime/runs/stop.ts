/** Runs that are stopped by hand, one member's or all. */
import type { ActiveRuns } from './active.ts'
import { fail } from './conclude.ts'
import { followRuns } from './follow.ts'

/** A person stops one member: what it is at is dead, and can be revived. `key`: what the person asked it with. */
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
  for (const { run, preparing } of runs.all()) if (!preparing) runs.engine.setting.driver.cancel(run)
}

/** Whether a program still runs. */
export function isAnyGoing(runs: ActiveRuns): boolean {
  const { driver } = runs.engine.setting
  return runs.all().some(({ run, preparing }) => !preparing && driver.resume(run, driver.events(run).claimed))
}

/** Everything is stopped: the work stays open, and what was under way does not count as an attempt. */
export function stopAll(runs: ActiveRuns): void {
  for (const active of runs.all()) {
    const handoff = runs.engine.state.open.get(active.id)
    if (handoff === undefined || active.preparing) runs.forget(active)
    else if (handoff.run === null) runs.leave(active, false)
    else fail(runs, active, handoff, 'the workplace was stopped', 'free')
  }
}
