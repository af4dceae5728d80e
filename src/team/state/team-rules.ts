/** The rules of a team and their defaults: what may be used, how often and how long something is tried. */

/** What a chain of handoffs may use before it is stopped; null: unlimited. */
export interface Budget {
  readonly handoffs: number
  readonly minutes: number
  readonly turns: number
  readonly cost: number | null
}

export interface TeamRules {
  readonly budget: Budget
  /** Attempts for one handoff. */
  readonly attempts: number
  /** Seconds before the second attempt; each further one waits four times as long. */
  readonly backoff: number
  /** Programs at the same time. */
  readonly parallel: number
  /** The maximum output of one run. */
  readonly megabytes: number
}

export const defaultTeamRules: TeamRules = {
  budget: { handoffs: 50, minutes: 240, turns: 200, cost: null },
  attempts: 3,
  backoff: 2,
  parallel: 8,
  megabytes: 32,
}

/** The default for one run. */
export const RUN_MINUTES = 30

/** The default for one question. */
export const QUESTION_MINUTES = 10

/** Milliseconds before the next attempt, after so many have failed. */
export function backoffAfter(failures: number, { backoff }: Pick<TeamRules, 'backoff'>): number {
  return Math.min(backoff * 1000 * 4 ** Math.max(0, failures - 1), Math.max(60_000, backoff * 1000))
}
