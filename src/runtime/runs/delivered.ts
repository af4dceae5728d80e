/** Handoffs to persistent members: delivered to the program that is up already, which goes on after its answer. */
import type { Handoff } from '../../workplace/handoff.ts'
import type { Member } from '../../workplace/roster.ts'
import { isDiskTrouble } from '../disk-trouble.ts'
import type { Active, ActiveRuns } from './active.ts'
import { fail, stageAnswer } from './conclude.ts'
import { runName } from './name.ts'
import { taskFor } from './prompt.ts'

/** Waits where its program is not up. */
export function deliver(runs: ActiveRuns, handoff: Handoff, member: Member): void {
  const { engine, around } = runs
  const { at } = engine
  const process = around.serviceOf(member.name)
  if (process === null) return
  const { id, attempt } = handoff
  const since = Math.round(engine.setting.clock.steady())
  engine.stage(
    { t: 'claimed', id, attempt, run: runName(handoff), at, since, ...process },
    { t: 'started', id, attempt, at, ...process },
  )
  engine.flush()
  handOver(runs, runs.take(handoff), handoff)
}

/** Also after a crash, or a full disk, between the claim and this. */
function handOver({ engine, around }: ActiveRuns, active: Active, handoff: Handoff): void {
  if (active.isDelivered || around.serviceOf(active.agent) === null) return
  try {
    around.deliver(active.agent, handoff, taskFor(engine, handoff, { git: null, about: null }))
    active.isDelivered = true
  } catch (error) {
    if (isDiskTrouble(error)) throw error
    // What its program has made of its inbox costs its own handoff.
    active.ending = `its inbox could not be written: ${(error as Error).message}`
  }
}

export function followDelivered(runs: ActiveRuns, active: Active, handoff: Handoff): void {
  const { engine, around } = runs
  const { setting, at } = engine
  const { id, attempt, report, replies } = handoff
  handOver(runs, active, handoff)
  const ms = runs.elapsed(active)
  const answer = report?.status === 'completed' ? report.text : replies.at(-1)
  const limit = setting.roster.get(active.agent)?.minutes ?? 0
  if (answer !== undefined) {
    if (replies.length === 0) stageAnswer(engine, handoff, answer)
    engine.stage({ t: 'completed', id, attempt, at, ms, answer })
    engine.flush()
    runs.forget(active)
    around.wake()
  } else if (report?.status === 'error') fail(runs, active, handoff, report.text, 'hopeless')
  else if (active.ending !== null) fail(runs, active, handoff, active.ending, 'counts')
  else if (around.serviceOf(active.agent) === null)
    fail(runs, active, handoff, 'its program ended before it answered', 'counts')
  else if (ms > limit * 60_000) fail(runs, active, handoff, `it did not answer within ${limit} minutes`, 'counts')
}
