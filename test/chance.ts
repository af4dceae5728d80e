/**
 * Property tests draw the same cases every time, so that a change is judged and not the dice. `RUNS=20 npx vitest run
 * test/properties` throws them anew, and twenty times as often.
 */
import fc from 'fast-check'

const { RUNS } = process.env
if (RUNS === undefined) fc.configureGlobal({ seed: 20261115 })

export function runs(count: number): { readonly numRuns: number } {
  return { numRuns: count * Number(RUNS ?? 1) }
}
