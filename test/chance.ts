/**
 * Property tests draw the same cases every time, so that a change is judged and not the dice. `RUNS=1000 npx vitest run
 * test/properties` throws them anew, and as often as it says where a test heeds that.
 */
import fc from 'fast-check'

if (process.env.RUNS === undefined) fc.configureGlobal({ seed: 20261115 })
