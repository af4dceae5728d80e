/** A handoff: who gave the work to whom, and the steps of its status. */

import { wholeSlice } from '../../formats/text.ts'
import type { ProcessId } from '../../model/process-id.ts'
import type { GitRef, HandoffContext } from './message.ts'
import type { JournalRecord, ReportStatus, RunProgress, SeenRecord } from './records.ts'

export interface Handoff extends Omit<HandoffContext, 'ref'>, Attempts {
  ref: GitRef | null
  readonly id: string
  readonly chain: string
  readonly parent: string | null
  readonly from: string
  readonly to: string
  readonly observers: readonly string[]
  readonly text: string
  readonly at: number
  /** Notes about the work that it starts from. */
  about: readonly string[]
  /** The member's messages to the sender before its turn ended. */
  readonly replies: string[]
  /** To whom it handed on, and what: `to\ntext`. */
  readonly sent: string[]
  /** The attempt that was informed that its chain has no handoffs left; this happens once. */
  spentIn: number | null
}

/** The beginning of the reason why a handoff beyond the budget of its chain is dead. */
export const SPENT = 'its chain has used up'

/** In its initial state, when its message was seen. */
export function createHandoff(record: SeenRecord): Handoff {
  const { id, from, to, observers = [], text, chain, parent = null, at, done, files, decisions } = record
  const context = {
    ...(done === undefined ? {} : { done }),
    ...(files === undefined ? {} : { files }),
    ...(decisions === undefined ? {} : { decisions }),
  }
  // Every field by name: a journal has many of them, and another spread would slow down its replay.
  return {
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
    lastRun: null,
    wrapper: null,
    program: null,
    since: null,
    startedAt: null,
    endedAt: null,
    nudged: false,
    words: '',
    ref: null,
    about: [],
    replies: [],
    sent: [],
    spentIn: null,
    report: null,
    answer: null,
    owes: [],
    why: null,
    failedAt: null,
    wait: 0,
    due: null,
    progress: null,
    ms: 0,
    turns: 0,
    cost: 0,
    watched: [],
  }
}

/** How much of a member's progress report is kept. */
const SUMMARY_LIMIT = 2000

export type HandoffStatus = 'seen' | 'claimed' | 'started' | 'completed' | 'dead'

/** A member's report on its own run. */
interface RunReport {
  readonly status: ReportStatus
  readonly text: string
  readonly files: readonly string[]
}

interface Attempts {
  status: HandoffStatus
  /** The attempt that counts: the current one, or the next one. */
  attempt: number
  /** Where the count of attempts starts: a revived handoff has new ones. */
  firstAttempt: number
  /** The run that holds the claim. */
  run: string | null
  /** The run that last held it. */
  lastRun: string | null
  wrapper: ProcessId | null
  program: ProcessId | null
  /** When the run began, in milliseconds since the machine was started; null: before its last start. */
  since: number | null
  startedAt: number | null
  endedAt: number | null
  nudged: boolean
  /** Its last words before it was nudged. */
  words: string
  /** Its own report that it is done, or cannot be done; the last one counts. */
  report: RunReport | null
  answer: string | null
  owes: readonly string[]
  /** Why the last attempt failed, or why there are no more. */
  why: string | null
  failedAt: number | null
  wait: number
  /** When the next attempt may begin, in milliseconds since the machine was started; null: before its last start. */
  due: number | null
  /** The usage of all its runs: milliseconds of work, turns, and cost as far as programs report it. */
  ms: number
  turns: number
  cost: number
  /** The last progress report; kept until the next one, even after the run. */
  progress: RunProgress | null
  /** Messages observed by its member that it had not seen when the work began. */
  watched: readonly string[]
}

export type HandoffStep = Extract<
  JournalRecord,
  { t: 'claimed' | 'started' | 'nudged' | 'report' | 'completed' | 'failed' | 'dead' }
>

/** Only the attempt that counts can take a step. */
export function isCurrentAttempt({ attempt }: Attempts, step: HandoffStep): boolean {
  return !('attempt' in step) || step.attempt === attempt
}

/** Whether the run is over with this step. */
export function endsRun({ t }: HandoffStep): boolean {
  return t !== 'claimed' && t !== 'started' && t !== 'report'
}

/** False: it was taken before, or is out of order, and nothing is changed. */
export function applyStep(attempts: Attempts, step: HandoffStep): boolean {
  switch (step.t) {
    case 'claimed':
      if (attempts.run === step.run) return false
      attempts.status = 'claimed'
      attempts.run = step.run
      attempts.lastRun = step.run
      attempts.wrapper = { pid: step.pid, start: step.start }
      attempts.since = step.since ?? null
      attempts.startedAt ??= step.at
      return true
    case 'started':
      if (attempts.status !== 'claimed') return false
      attempts.status = 'started'
      attempts.program = { pid: step.pid, start: step.start }
      attempts.startedAt = step.at
      return true
    case 'nudged':
      if (attempts.nudged) return false
      clearRun(attempts)
      attempts.nudged = true
      attempts.words = step.words
      return true
    case 'report':
      if (step.status === 'progress') attempts.progress = reportedProgress(attempts, step)
      else attempts.report = { status: step.status, text: step.text, files: step.files ?? [] }
      return true
    case 'completed':
      clearRun(attempts)
      attempts.status = 'completed'
      attempts.endedAt = step.at
      attempts.answer = step.answer
      attempts.owes = step.owes ?? []
      return true
    case 'failed':
      clearRun(attempts)
      attempts.why = step.why
      attempts.failedAt = step.at
      attempts.wait = step.wait
      attempts.due = step.due ?? null
      attempts.progress = step.progress ?? attempts.progress
      if (step.free) attempts.firstAttempt++
      nextAttempt(attempts)
      return true
    case 'dead':
      clearRun(attempts)
      attempts.status = 'dead'
      attempts.endedAt = step.at
      attempts.why = step.why
      attempts.progress = step.progress ?? attempts.progress
      return true
  }
}

function reportedProgress(
  { run, progress }: Attempts,
  { text, files = [] }: HandoffStep & { t: 'report' },
): RunProgress {
  const lastSummary = text === '' ? (progress?.lastSummary ?? null) : wholeSlice(text, 0, SUMMARY_LIMIT)
  return { lastSummary, files: files.length === 0 ? (progress?.files ?? []) : files, runId: run ?? '' }
}

/** A dead handoff gets new attempts. */
export function revive(attempts: Attempts): void {
  clearRun(attempts)
  nextAttempt(attempts)
  attempts.firstAttempt = attempts.attempt
  attempts.endedAt = null
  attempts.failedAt = null
  attempts.wait = 0
  attempts.due = null
}

/** The machine was restarted: times since its last start are meaningless. */
export function clearTimers(attempts: Attempts): void {
  attempts.since = null
  attempts.due = null
}

/** The claim is for one run; the next one takes its own. */
function clearRun(attempts: Attempts): void {
  attempts.status = 'seen'
  attempts.run = null
  attempts.wrapper = null
  attempts.program = null
  attempts.since = null
}

function nextAttempt(attempts: Attempts): void {
  attempts.attempt++
  attempts.nudged = false
  attempts.report = null
}

/** A unique name for each run: attempts and nudges have their own. */
export function runName({ id, attempt, nudged }: Pick<Handoff, 'id' | 'attempt' | 'nudged'>): string {
  return `${id}.${attempt}${nudged ? '.nudge' : ''}`
}
