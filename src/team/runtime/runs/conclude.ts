/** Concludes a run: completed, nudged, or failed and retried; each outcome is journalled before it takes effect. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { wholeSlice } from '../../../formats/text.ts'
import type { Engine, RunStatus, Workplace } from '../../engine/engine.ts'
import type { OutputReader } from '../../engine/output.ts'
import type { Chain } from '../../state/chain.ts'
import { type Handoff, runName } from '../../state/handoff.ts'
import { cleanText, SERVER } from '../../state/message.ts'
import type { RunProgress } from '../../state/records.ts'
import { backoffAfter } from '../../state/team-rules.ts'
import { judgeRun } from '../../state/verdicts.ts'
import { derivedId } from '../ingest.ts'
import type { ActiveRun, ActiveRuns } from './active.ts'

/** The run is over, and all its messages are journalled. The result is called once its end is journalled, too. */
export function conclude(runs: ActiveRuns, active: ActiveRun, events: RunStatus): () => void {
  const handoff = runs.engine.state.open.get(active.id)
  if (handoff === undefined || runName(handoff) !== active.run) return () => runs.leave(active, false)
  return finishRun(runs, active, handoff, events)
}

function finishRun(runs: ActiveRuns, active: ActiveRun, handoff: Handoff, events: RunStatus): () => void {
  const { engine } = runs
  const { workplace, at } = engine
  const { id, attempt } = handoff
  const { output } = active
  // Cut off by the wrapper, regardless of how the program reacted; or by the disk.
  const missing = events.lost ? 'its output could not be saved; is the disk full?' : null
  const ending = active.ending ?? (printsTooMuch(workplace, events) ? printsTooMuchText(workplace) : missing)
  const ms = runs.elapsed(active)
  const end = {
    isClaimed: events.claimed !== null,
    isStarted: events.started !== null,
    code: events.ended,
    ending,
    text: output.text,
    result: output.result,
    error: output.error,
    complaint: cleanText(workplace.driver.complaint(active.run)),
  }
  const member = workplace.roster.get(active.agent)
  const verdict = judgeRun(handoff, end, member?.mustHandOff ? member.handoffTo : [])
  if (verdict.kind === 'failed') {
    return stageFailure(runs, active, handoff, verdict.why, verdict.isPermanent ? 'permanent' : 'counts')
  }
  if (verdict.kind === 'nudge') engine.stage({ t: 'nudged', id, attempt, at, ms, words: verdict.words })
  else {
    forgetSession(workplace, active)
    const { answer, owes } = verdict
    if (handoff.replies.length === 0) stageAnswer(engine, handoff, answer)
    const owed = owes.length === 0 ? {} : { owes }
    engine.stage({ t: 'completed', id, attempt, at, ms, answer, ...owed, ...spentBy(output) })
  }
  return () => runs.leave(active, false)
}

export function printsTooMuch({ rules }: Workplace, { printed }: RunStatus): boolean {
  return printed > rules.megabytes * 1024 * 1024
}

export function printsTooMuchText({ rules }: Workplace): string {
  return `it printed more than ${rules.megabytes} MB`
}

/** A member's output is its answer to the sender. */
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

type Failure = 'counts' | 'permanent' | 'free'

/** Fails the run and leaves it. */
export function failRun(runs: ActiveRuns, active: ActiveRun, handoff: Handoff, why: string, how: Failure): void {
  const leave = stageFailure(runs, active, handoff, why, how)
  runs.engine.flush()
  leave()
}

/** Another attempt, later; after the last one, or if none would help, the handoff is dead. */
function stageFailure(runs: ActiveRuns, active: ActiveRun, handoff: Handoff, why: string, how: Failure): () => void {
  const { engine } = runs
  const { workplace, at } = engine
  const { id, attempt, firstAttempt } = handoff
  const failures = attempt - firstAttempt + 1
  const isDead =
    how === 'permanent' || (how === 'counts' && (failures >= workplace.rules.attempts || isBudgetReason(why)))
  const wait = isDead || how === 'free' ? 0 : backoffAfter(failures, workplace.rules)
  const due = Math.round(workplace.clock.steady() + wait)
  const progress = lastProgress(active, handoff)
  const free = how === 'free' ? { free: true as const } : {}
  const ms = runs.elapsed(active)
  engine.stage({ t: 'failed', id, attempt, at, ms, why, wait, due, progress, ...free, ...spentBy(active.output) })
  if (isDead) {
    const reason = failures === 1 ? why : `after ${failures} attempts: ${why}`
    engine.stage({ t: 'dead', id, at, why: reason, progress })
    forgetSession(workplace, active)
  } else runs.wait(id, wait)
  return () => runs.leave(active, isDead)
}

/** Its session in a harness is not continued. */
function forgetSession({ places }: Workplace, { id }: ActiveRun): void {
  rmSync(join(places.sessions, `${id}.json`), { force: true })
}

/** A chain that has exceeded its budget gets no further attempt. */
function isBudgetReason(why: string): boolean {
  return why.startsWith('its chain ')
}

function spentBy({ turns, cost }: OutputReader): { turns?: number; cost?: number } {
  return { ...(turns > 0 ? { turns } : {}), ...(cost > 0 ? { cost } : {}) }
}

/** The last sign of progress: its own report, else its last line, else that of an earlier attempt. */
function lastProgress({ output, run }: ActiveRun, { progress }: Handoff): RunProgress {
  if (progress?.runId === run) return progress
  const last = wholeSlice(output.text.split('\n').at(-1) ?? '', 0, 300) || null
  if (last === null && progress !== null) return progress
  return { lastSummary: last, files: progress?.files ?? [], runId: run }
}

/** Chains without open handoffs: the starter is informed in the chat; attached commands read the journal. */
export function endChains(engine: Engine): void {
  const { state, at } = engine
  for (const chain of state.chains.values()) {
    if (chain.ended || chain.open > 0) continue
    const { id, starter, handoffs, dead } = chain
    engine.stage({ t: 'ended', chain: id, at })
    const message = {
      t: 'seen',
      id: derivedId(id, handoffs, dead, at, 'ended'),
      at,
      from: SERVER,
      to: starter,
      text: chainOutcomeText(chain),
    } as const
    engine.stage({ ...message, kind: 'note', chain: id, post: true })
  }
  engine.flush()
}

function chainOutcomeText({ task, handoffs, dead }: Chain): string {
  const words = wholeSlice(task.split('\n')[0] ?? '', 0, 80)
  const count = `${handoffs} ${handoffs === 1 ? 'handoff' : 'handoffs'}`
  return dead === 0
    ? `Finished after ${count}: ${words}`
    : `Ended with ${dead} of ${count} dead: ${words}. \`troupe work status\` says why.`
}
