/** The members of a workplace, whatever dialect they are written in. */

/** The dialect of the workplace's own agents. */
export const DIALECT = 'workplace'

export interface Member {
  readonly name: string
  readonly role: string | null
  readonly triggers: readonly string[]
  /** Whom it may hand work to; answering is always allowed. */
  readonly handoffTo: readonly string[]
  /** It must hand on, or say that it is done: a plain answer is not enough. */
  readonly mustHandOff: boolean
  readonly persistent: boolean
  /** Its own words: the prompt of the definition. */
  readonly body: string
  readonly harness: string
  readonly path: string
  /** The program that plays it, and its words; null where none is named. */
  readonly command: readonly string[] | null
  /** The harness in which it is played, where its program is one that Troupe knows; null: an ordinary program. */
  readonly playedIn: string | null
  /** The most that one run may cost, as far as its harness tells; null: as much as it likes. */
  readonly cost: number | null
  /** How long a question to the person waits (minutes), before the answer is no. */
  readonly patience: number
  /** How long one run may take. */
  readonly minutes: number
}

export type Roster = ReadonlyMap<string, Member>

/** What a chain of handoffs may use before it is stopped; null: as much as it likes. */
export interface Budget {
  readonly handoffs: number
  readonly minutes: number
  readonly turns: number
  readonly cost: number | null
}

export interface Rules {
  readonly budget: Budget
  /** Attempts for one handoff. */
  readonly attempts: number
  /** Seconds before the second attempt; each further one waits four times as long. */
  readonly backoff: number
  /** Programs at the same time. */
  readonly parallel: number
  /** The most one run may print. */
  readonly megabytes: number
}

export const defaultRules: Rules = {
  budget: { handoffs: 50, minutes: 240, turns: 200, cost: null },
  attempts: 3,
  backoff: 2,
  parallel: 8,
  megabytes: 32,
}

/** One run, where nobody says otherwise. */
export const MINUTES = 30

/** One question, where nobody says otherwise. */
export const PATIENCE = 10

/** Milliseconds before the next attempt, after so many have failed. */
export function backoffAfter(failures: number, { backoff }: Pick<Rules, 'backoff'>): number {
  return Math.min(backoff * 1000 * 4 ** Math.max(0, failures - 1), Math.max(60_000, backoff * 1000))
}
