/** What a chain of handoffs may still use; beyond that it is stopped, and the starter told. */
import type { Chain } from './chain.ts'
import type { Budget } from './roster.ts'

/** Why the chain must not go on, or null. `running`: milliseconds that its present runs have taken so far. */
export function exceeded(chain: Chain, budget: Budget, running = 0): string | null {
  const minutes = (chain.ms + running) / 60_000
  if (minutes >= budget.minutes) return `its chain has worked for ${budget.minutes} minutes, which is all it may`
  if (chain.turns >= budget.turns) return `its chain has used up its ${budget.turns} turns`
  if (budget.cost !== null && chain.cost >= budget.cost)
    return `its chain has cost ${chain.cost.toFixed(2)} of ${budget.cost}`
  return null
}
