/** The attempts at a handoff: where it stands, and what each step makes of that. */

import { wholeSlice } from '../text/whole-slice.ts'
import type { JournalRecord, ProcessId, Progress, ReportStatus } from './records.ts'

/** As much as is kept of what a member says about where it is. */
const LONG = 2000

export type HandoffStatus = 'seen' | 'claimed' | 'started' | 'completed' | 'dead'

/** What a member said of its own run. */
export interface Report {
  readonly status: ReportStatus
  readonly text: string
  readonly files: readonly string[]
}

export interface Attempts {
  status: HandoffStatus
  /** The attempt that counts: the one under way, or the next one. */
  attempt: number
  /** Where attempts began to be counted: a revived handoff has new ones. */
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
  /** That it is done, or cannot be done, in its own words; the last word counts. */
  report: Report | null
  answer: string | null
  owes: readonly string[]
  /** Why the last attempt failed, or why there are no more. */
  why: string | null
  failedAt: number | null
  wait: number
  /** When the next attempt may begin, in milliseconds since the machine was started; null: before its last start. */
  due: number | null
  /** What all its runs have used: milliseconds of work, turns, and cost as far as programs tell. */
  ms: number
  turns: number
  cost: number
  /** The last that was heard of where it is; it stays until more is heard, whatever becomes of the run. */
  progress: Progress | null
  /** Messages that its member was to watch and had not seen when the work began. */
  watched: readonly string[]
}

export type Step = Extract<
  JournalRecord,
  { t: 'claimed' | 'started' | 'nudged' | 'report' | 'completed' | 'failed' | 'dead' }
>

/** Only the attempt that counts can take a step. */
export function counts({ attempt }: Attempts, step: Step): boolean {
  return !('attempt' in step) || step.attempt === attempt
}

/** Whether the run is over with this step. */
export function leavesRun({ t }: Step): boolean {
  return t !== 'claimed' && t !== 'started' && t !== 'report'
}

/** False: it has been taken before, or does not follow, and nothing is changed. */
export function takeStep(attempts: Attempts, step: Step): boolean {
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
      leaveRun(attempts)
      attempts.nudged = true
      attempts.words = step.words
      return true
    case 'report':
      if (step.status === 'progress') attempts.progress = progressIn(attempts, step)
      else attempts.report = { status: step.status, text: step.text, files: step.files ?? [] }
      return true
    case 'completed':
      leaveRun(attempts)
      attempts.status = 'completed'
      attempts.endedAt = step.at
      attempts.answer = step.answer
      attempts.owes = step.owes ?? []
      return true
    case 'failed':
      leaveRun(attempts)
      attempts.why = step.why
      attempts.failedAt = step.at
      attempts.wait = step.wait
      attempts.due = step.due ?? null
      attempts.progress = step.progress ?? attempts.progress
      if (step.free) attempts.firstAttempt++
      nextAttempt(attempts)
      return true
    case 'dead':
      leaveRun(attempts)
      attempts.status = 'dead'
      attempts.endedAt = step.at
      attempts.why = step.why
      attempts.progress = step.progress ?? attempts.progress
      return true
  }
}

function progressIn({ run, progress }: Attempts, { text, files = [] }: Step & { t: 'report' }): Progress {
  const lastSummary = text === '' ? (progress?.lastSummary ?? null) : wholeSlice(text, 0, LONG)
  return { lastSummary, files: files.length === 0 ? (progress?.files ?? []) : files, runId: run ?? '' }
}

/** A dead handoff gets new attempts. */
export function revive(attempts: Attempts): void {
  leaveRun(attempts)
  nextAttempt(attempts)
  attempts.firstAttempt = attempts.attempt
  attempts.endedAt = null
  attempts.failedAt = null
  attempts.wait = 0
  attempts.due = null
}

/** The machine was started anew: what was counted since its last start says nothing any more. */
export function forgetClock(attempts: Attempts): void {
  attempts.since = null
  attempts.due = null
}

/** The claim is for one run; the next one takes its own. */
function leaveRun(attempts: Attempts): void {
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
