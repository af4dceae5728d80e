/**
 * Property tests draw the same cases every time, so that a change is judged and not the dice. `npm run test:properties` throws new
 * dice, and far more often: `RUNS` times the number that a test gives. `SEED` repeats a throw.
 */
import fc from 'fast-check'

const { RUNS, SEED } = process.env
if (SEED !== undefined) fc.configureGlobal({ seed: Number(SEED) })
else if (RUNS === undefined) fc.configureGlobal({ seed: 20261115 })

/** Every day a quarter of the number is enough. */
export function runs(count: number): { readonly numRuns: number } {
  return { numRuns: Math.ceil(count * Number(RUNS ?? 0.25)) }
}
