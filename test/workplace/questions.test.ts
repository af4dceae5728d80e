/** Questions to the person: open until they are answered, or until nobody waits for the answer any more. */
import { expect, test } from 'vitest'
import type { JournalRecord } from '../../src/workplace/records.ts'
import { fold } from '../../src/workplace/state.ts'

const handoff: JournalRecord[] = [
  { t: 'seen', id: 'h1', at: 1, kind: 'handoff', from: 'user', to: 'coder', text: 'x', chain: 'h1' },
  { t: 'claimed', id: 'h1', attempt: 1, run: 'h1.1', at: 2, pid: 1, start: '1' },
]
const asked: JournalRecord = { t: 'asked', id: 'q1', at: 3, run: 'h1.1', agent: 'coder', text: 'may I?', until: 9 }
const open = (...records: JournalRecord[]) => {
  const { questions, attention } = fold([...handoff, asked, ...records])
  return [[...questions.keys()], attention.filter(({ kind }) => kind === 'permission').map(({ id }) => id)]
}

test('a question needs the person, once', () => {
  expect(open()).toEqual([['q1'], ['q1']])
  expect(open(asked)).toEqual([['q1'], ['q1']])
})

test('an answer settles it, whoever gave it', () => {
  for (const by of ['person', 'nobody'] as const)
    expect(open({ t: 'answered', id: 'q1', at: 4, yes: true, by })).toEqual([[], []])
})

test('the end of its run settles it, and nobody else does', () => {
  expect(open({ t: 'failed', id: 'h1', attempt: 1, at: 4, ms: 1, why: 'killed', wait: 0 })).toEqual([[], []])
  expect(open({ t: 'completed', id: 'h1', attempt: 1, at: 4, ms: 1, answer: '' })).toEqual([[], []])
  expect(open({ t: 'dead', id: 'h1', at: 4, why: 'stopped' })).toEqual([[], []])
  expect(open({ t: 'dead', id: 'h2', at: 4, why: 'stopped' })).toEqual([['q1'], ['q1']])
})

test('having been seen does not settle it', () => {
  expect(open({ t: 'cleared', at: 4 })).toEqual([['q1'], ['q1']])
})
