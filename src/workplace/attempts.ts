/** The attempts at a handoff: where it stands, and what each step makes of that. */
import type { JournalRecord, ProcessId, Progress, ReportStatus } from './records.ts'

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
  wrapper: ProcessId | null
  program: ProcessId | null
  startedAt: number | null
  endedAt: number | null
  nudged: boolean
  /** Its last words before it was nudged. */
  words: string
  /** What it said of itself; the last word counts. */
  report: Report | null
  answer: string | null
  owes: readonly string[]
  /** Why the last attempt failed, or why there are no more. */
  why: string | null
  failedAt: number | null
  wait: number
  progress: Progress | null
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
      attempts.wrapper = { pid: step.pid, start: step.start }
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
      attempts.report = { status: step.status, text: step.text, files: step.files ?? [] }
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

/** A dead handoff gets new attempts. */
export function revive(attempts: Attempts): void {
  leaveRun(attempts)
  nextAttempt(attempts)
  attempts.firstAttempt = attempts.attempt
  attempts.endedAt = null
  attempts.failedAt = null
  attempts.wait = 0
}

/** The claim is for one run; the next one takes its own. */
function leaveRun(attempts: Attempts): void {
  attempts.status = 'seen'
  attempts.run = null
  attempts.wrapper = null
  attempts.program = null
}

function nextAttempt(attempts: Attempts): void {
  attempts.attempt++
  attempts.nudged = false
  attempts.report = null
}
