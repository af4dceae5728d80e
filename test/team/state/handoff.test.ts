/** Attempts at a handoff: which of them are used up. */
import { expect, test } from 'vitest'
import type { JournalRecord } from '../../../src/team/state/records.ts'
import { foldRecords } from '../../../src/team/state/state.ts'

const seen: JournalRecord = {
  t: 'seen',
  kind: 'handoff',
  id: 'a',
  at: 1,
  from: 'user',
  to: 'ada',
  text: 'x',
  chain: 'a',
}
const failed = (attempt: number, free: boolean): JournalRecord => ({
  t: 'failed',
  id: 'a',
  attempt,
  at: 1,
  ms: 0,
  why: 'the workplace was stopped',
  wait: 0,
  ...(free ? { free: true as const } : {}),
})

test.each([
  [true, 0],
  [false, 2],
])('an attempt that ended because the workplace was stopped: %s; used up: %d', (free, used) => {
  const handoff = foldRecords([seen, failed(1, free), failed(2, free)]).handoffs.get('a')
  expect(handoff?.attempt).toBe(3)
  expect((handoff?.attempt ?? 0) - (handoff?.firstAttempt ?? 0)).toBe(used)
})
