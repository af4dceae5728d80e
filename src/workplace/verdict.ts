/** How a run ended, and what follows from it. */

import { wholeSlice } from '../text/whole-slice.ts'
import type { Handoff } from './handoff.ts'

export interface RunEnd {
  readonly isClaimed: boolean
  readonly isStarted: boolean
  /** The exit code; null where the program was killed. */
  readonly code: number | null
  /** Why it was ended by us, or null. */
  readonly ending: string | null
  /** What it printed: plain text, a result, an error. */
  readonly text: string
  readonly result: string | null
  readonly error: string | null
  /** The last line it complained with. */
  readonly complaint: string
}

export type Verdict =
  | { readonly kind: 'completed'; readonly answer: string; readonly owes: readonly string[] }
  /** It owes a handoff and ended its turn without a word about what comes next, for the first time. */
  | { readonly kind: 'nudge'; readonly words: string }
  /** Another attempt may help, or may not. */
  | { readonly kind: 'failed'; readonly why: string; readonly hopeless: boolean }

/**
 * What a member prints is its answer, and completes the handoff. `owed`: those it must hand on to, where its definition
 * says so; then an answer in plain words is not enough.
 */
export function judge(
  handoff: Pick<Handoff, 'report' | 'replies' | 'sent' | 'nudged' | 'words'>,
  end: RunEnd,
  owed: readonly string[],
): Verdict {
  const trouble = troubleOf(handoff, end)
  if (trouble !== null) return { kind: 'failed', ...trouble }
  const { report, replies, sent, nudged } = handoff
  const isDone = report?.status === 'completed' || end.result !== null || replies.length > 0 || sent.length > 0
  const owes = isDone ? [] : owed
  if (owes.length > 0 && !nudged) return { kind: 'nudge', words: wholeSlice(end.text, -2000) }
  const reported = report?.status === 'completed' ? report.text : ''
  return { kind: 'completed', answer: reported || end.result || replies.at(-1) || end.text || handoff.words, owes }
}

function troubleOf({ report }: Pick<Handoff, 'report'>, end: RunEnd): { why: string; hopeless: boolean } | null {
  const said = end.complaint === '' ? '' : `: ${end.complaint}`
  const hopeful = (why: string) => ({ why, hopeless: false })
  const hopeless = (why: string) => ({ why, hopeless: true })
  if (end.ending !== null) return hopeful(end.ending)
  if (!end.isClaimed) return hopeful('it could not be started: nobody took the claim')
  if (end.code === null) return hopeful(end.isStarted ? 'it was killed' : 'it was killed before it began')
  if (end.code === 126 || end.code === 127) return hopeless(`its program cannot be run (exit code ${end.code})${said}`)
  const reported = report?.status === 'error' ? report.text : end.error
  if (reported !== null) return hopeless(reported === '' ? 'it reported an error and said no more' : reported)
  return end.code === 0 ? null : hopeful(`it ended with exit code ${end.code}${said}`)
}
