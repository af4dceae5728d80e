/** One piece of work on its way: from whom, to whom, and what has become of it. */
import type { Attempts } from './attempts.ts'
import type { Context, Ref } from './message.ts'
import type { SeenRecord } from './records.ts'

export interface Handoff extends Omit<Context, 'ref'>, Attempts {
  ref: Ref | null
  readonly id: string
  readonly chain: string
  readonly parent: string | null
  readonly from: string
  readonly to: string
  readonly observers: readonly string[]
  readonly text: string
  readonly at: number
  /** What there is to say about the work that it starts from. */
  about: readonly string[]
  /** What the member said to whoever asked, before its turn ended. */
  readonly replies: string[]
  /** To whom it handed on, and what: `to\ntext`. */
  readonly sent: string[]
  /** The attempt that was told that its chain has no more handoffs: it is told once. */
  spentIn: number | null
}

/** How the reason begins why a handoff beyond what its chain may have is dead. */
export const SPENT = 'its chain has used up'

/** As it is when its message was seen, and nothing has been done yet. */
export function handoffOf(record: SeenRecord): Handoff {
  const { id, from, to, observers = [], text, chain, parent = null, at, done, files, decisions } = record
  const context = {
    ...(done === undefined ? {} : { done }),
    ...(files === undefined ? {} : { files }),
    ...(decisions === undefined ? {} : { decisions }),
  }
  // Every field by its name: a journal has many of them, and one more spread makes its replay slower.
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
