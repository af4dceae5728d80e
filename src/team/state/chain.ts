/** A chain: all the handoffs that one message led to, with their number and usage. */
import type { Budget } from './team-rules.ts'

export interface Chain {
  readonly id: string
  readonly at: number
  readonly starter: string
  readonly task: string
  readonly worktree: boolean
  handoffs: number
  open: number
  dead: number
  /** Milliseconds of work, turns, and cost as far as programs report it. */
  ms: number
  turns: number
  cost: number
  ended: boolean
  endedAt: number | null
}

/** With its first handoff. */
export function beginChain(origin: Pick<Chain, 'id' | 'at' | 'starter' | 'task' | 'worktree'>): Chain {
  const { id, at, starter, task, worktree } = origin
  return {
    id,
    at,
    starter,
    task,
    worktree,
    handoffs: 1,
    open: 1,
    dead: 0,
    ms: 0,
    turns: 0,
    cost: 0,
    ended: false,
    endedAt: null,
  }
}

/** A handoff is opened or reopened; a chain that had ended continues. */
export function addOpenHandoff(chain: Chain): void {
  chain.open++
  chain.ended = false
}

/** Counted for a chain and one of its handoffs. A run that does not report its turns had one. */
export function addUsage(
  used: Pick<Chain, 'ms' | 'turns' | 'cost'>,
  { ms, turns = 1, cost = 0 }: { readonly ms: number; readonly turns?: number; readonly cost?: number },
): void {
  used.ms += Math.max(0, ms)
  used.turns += Math.max(0, turns)
  used.cost += Math.max(0, cost)
}

/** Not while anything is open. */
export function endChain(chain: Chain, at: number): void {
  if (chain.open > 0) return
  chain.ended = true
  chain.endedAt = at
}

/** Why the chain must not continue, or null. `running`: milliseconds of its current runs so far. */
export function exceededBudget(chain: Chain, budget: Budget, running = 0): string | null {
  const minutes = (chain.ms + running) / 60_000
  if (minutes >= budget.minutes) return `its chain has reached its limit of ${budget.minutes} minutes`
  if (chain.turns >= budget.turns) return `its chain has used up its ${budget.turns} turns`
  if (budget.cost !== null && chain.cost >= budget.cost)
    return `its chain has cost ${chain.cost.toFixed(2)}, its limit is ${budget.cost}`
  return null
}
