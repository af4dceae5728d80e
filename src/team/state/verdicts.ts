/** The verdict on a run: how it ended, and what follows from it. */
import { wholeSlice } from '../../formats/text.ts'
import type { Handoff } from './handoff.ts'

export interface RunEnd {
  readonly isClaimed: boolean
  readonly isStarted: boolean
  /** The exit code; null if the program was killed. */
  readonly code: number | null
  /** Why it was ended by us, or null. */
  readonly ending: string | null
  /** Its output: plain text, a result, an error. */
  readonly text: string
  readonly result: string | null
  readonly error: string | null
  /** The last line of its error output. */
  readonly complaint: string
}

type RunVerdict =
  | { readonly kind: 'completed'; readonly answer: string; readonly owes: readonly string[] }
  /** It owes a handoff and ended its turn without naming the next step, for the first time. */
  | { readonly kind: 'nudge'; readonly words: string }
  /** Another attempt may or may not help. */
  | { readonly kind: 'failed'; readonly why: string; readonly isPermanent: boolean }

/**
 * A member's output is its answer, and completes the handoff. `owed`: the members it must hand on to, if its definition
 * requires it; then a plain answer is not enough.
 */
export function judgeRun(
  handoff: Pick<Handoff, 'report' | 'replies' | 'sent' | 'nudged' | 'words'>,
  end: RunEnd,
  owed: readonly string[],
): RunVerdict {
  const trouble = runTrouble(handoff, end)
  if (trouble !== null) return { kind: 'failed', ...trouble }
  const { report, replies, sent, nudged } = handoff
  const isDone = report?.status === 'completed' || end.result !== null || replies.length > 0 || sent.length > 0
  const owes = isDone ? [] : owed
  if (owes.length > 0 && !nudged) return { kind: 'nudge', words: wholeSlice(end.text, -2000) }
  const reported = report?.status === 'completed' ? report.text : ''
  return { kind: 'completed', answer: reported || end.result || replies.at(-1) || end.text || handoff.words, owes }
}

function runTrouble({ report }: Pick<Handoff, 'report'>, end: RunEnd): { why: string; isPermanent: boolean } | null {
  const said = end.complaint === '' ? '' : `: ${end.complaint}`
  const hopeful = (why: string) => ({ why, isPermanent: false })
  const isPermanent = (why: string) => ({ why, isPermanent: true })
  if (end.ending !== null) return hopeful(end.ending)
  if (!end.isClaimed) return hopeful('it could not be started: its claim was not taken')
  if (end.code === null) return hopeful(end.isStarted ? 'it was killed' : 'it was killed before it began')
  if (end.code === 126 || end.code === 127)
    return isPermanent(`its program cannot be run (exit code ${end.code})${said}`)
  const reported = report?.status === 'error' ? report.text : end.error
  if (reported !== null) return isPermanent(reported === '' ? 'it reported an error without a reason' : reported)
  return end.code === 0 ? null : hopeful(`it ended with exit code ${end.code}${said}`)
}
