/** The end of a run: completed, nudged, or failed and tried again; each journalled before anything comes of it. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { wholeSlice } from '../../text/whole-slice.ts'
import type { Handoff } from '../../workplace/handoff.ts'
import { cleanText } from '../../workplace/message.ts'
import type { Progress } from '../../workplace/records.ts'
import { backoffAfter } from '../../workplace/roster.ts'
import { judge } from '../../workplace/verdict.ts'
import type { Engine, Setting } from '../engine.ts'
import { derivedId } from '../ingest.ts'
import type { OutputReader } from '../output-reader.ts'
import type { RunEvents } from '../session.ts'
import type { Active, ActiveRuns } from './active.ts'
import { runName } from './name.ts'

/** It is over, and all that it said before its end is journalled. What it gives back is done when its end is, too. */
export function conclude(runs: ActiveRuns, active: Active, events: RunEvents): () => void {
  const handoff = runs.engine.state.open.get(active.id)
  if (handoff === undefined || runName(handoff) !== active.run) return () => runs.leave(active, false)
  return finish(runs, active, handoff, events)
}

function finish(runs: ActiveRuns, active: Active, handoff: Handoff, events: RunEvents): () => void {
  const { engine } = runs
  const { setting, at } = engine
  const { id, attempt } = handoff
  const { output } = active
  // Cut off by the wrapper, however the program took that; or by the disk.
  const missing = events.lost ? 'what it printed could not be kept; is the disk full?' : null
  const ending = active.ending ?? (isFlood(setting, events) ? flooded(setting) : missing)
  const ms = runs.elapsed(active)
  const end = {
    isClaimed: events.claimed !== null,
    isStarted: events.started !== null,
    code: events.ended,
    ending,
    text: output.text,
    result: output.result,
    error: output.error,
    complaint: cleanText(setting.driver.complaint(active.run)),
  }
  const member = setting.roster.get(active.agent)
  const verdict = judge(handoff, end, member?.mustHandOff ? member.handoffTo : [])
  if (verdict.kind === 'failed') {
    return stageFailure(runs, active, handoff, verdict.why, verdict.hopeless ? 'hopeless' : 'counts')
  }
  if (verdict.kind === 'nudge') engine.stage({ t: 'nudged', id, attempt, at, ms, words: verdict.words })
  else {
    forgetSession(setting, active)
    const { answer, owes } = verdict
    if (handoff.replies.length === 0) stageAnswer(engine, handoff, answer)
    const owed = owes.length === 0 ? {} : { owes }
    engine.stage({ t: 'completed', id, attempt, at, ms, answer, ...owed, ...spentBy(output) })
  }
  return () => runs.leave(active, false)
}

export function isFlood({ rules }: Setting, { printed }: RunEvents): boolean {
  return printed > rules.megabytes * 1024 * 1024
}

export function flooded({ rules }: Setting): string {
  return `it printed more than ${rules.megabytes} MB`
}

/** What a member printed is its answer to whoever asked. */
export function stageAnswer(engine: Engine, { id, attempt, chain, from, to }: Handoff, answer: string): void {
  if (answer === '') return
  const message = {
    t: 'seen',
    id: derivedId(id, attempt, 'answer'),
    at: engine.at,
    from: to,
    to: from,
    text: answer,
  } as const
  engine.stage({ ...message, kind: 'reply', chain, answers: id, post: true })
}

type Failure = 'counts' | 'hopeless' | 'free'

/** It has failed, and is left. */
export function fail(runs: ActiveRuns, active: Active, handoff: Handoff, why: string, how: Failure): void {
  const leave = stageFailure(runs, active, handoff, why, how)
  runs.engine.flush()
  leave()
}

/** Another attempt, later; after the last one, or where none would help, the handoff is dead. */
function stageFailure(runs: ActiveRuns, active: Active, handoff: Handoff, why: string, how: Failure): () => void {
  const { engine } = runs
  const { setting, at } = engine
  const { id, attempt, firstAttempt } = handoff
  const failures = attempt - firstAttempt + 1
  const isDead = how === 'hopeless' || (how === 'counts' && (failures >= setting.rules.attempts || isSpent(why)))
  const wait = isDead || how === 'free' ? 0 : backoffAfter(failures, setting.rules)
  const due = Math.round(setting.clock.steady() + wait)
  const progress = progressOf(active, handoff)
  const free = how === 'free' ? { free: true as const } : {}
  const ms = runs.elapsed(active)
  engine.stage({ t: 'failed', id, attempt, at, ms, why, wait, due, progress, ...free, ...spentBy(active.output) })
  if (isDead) {
    const reason = failures === 1 ? why : `after ${failures} attempts: ${why}`
    engine.stage({ t: 'dead', id, at, why: reason, progress })
    forgetSession(setting, active)
  } else runs.wait(id, wait)
  return () => runs.leave(active, isDead)
}

/** Its session in a harness is not gone on with. */
function forgetSession({ places }: Setting, { id }: Active): void {
  rmSync(join(places.sessions, `${id}.json`), { force: true })
}

/** A chain that has used up what it may gets no further attempt. */
function isSpent(why: string): boolean {
  return why.startsWith('its chain ')
}

function spentBy({ turns, cost }: OutputReader): { turns?: number; cost?: number } {
  return { ...(turns > 0 ? { turns } : {}), ...(cost > 0 ? { cost } : {}) }
}

/** The last that was heard: what it told of itself, else its last line, else what an earlier attempt left. */
function progressOf({ output, run }: Active, { progress }: Handoff): Progress {
  if (progress?.runId === run) return progress
  const last = wholeSlice(output.text.split('\n').at(-1) ?? '', 0, 300) || null
  if (last === null && progress !== null) return progress
  return { lastSummary: last, files: progress?.files ?? [], runId: run }
}
