/** Questions to the person: open until they are answered, or until nobody waits for the answer any more. */
import { expect, test } from 'vitest'
import type { JournalRecord } from '../../../src/team/state/records.ts'
import { snapshotOf } from '../../../src/team/state/snapshot.ts'
import { emptyState, foldRecords, type State } from '../../../src/team/state/state.ts'

const handoff: JournalRecord[] = [
  { t: 'seen', id: 'h1', at: 1, kind: 'handoff', from: 'user', to: 'coder', text: 'x', chain: 'h1' },
  { t: 'claimed', id: 'h1', attempt: 1, run: 'h1.1', at: 2, pid: 1, start: '1' },
]
const asked: JournalRecord = {
  t: 'asked',
  id: 'q1',
  at: 3,
  run: 'h1.1',
  agent: 'coder',
  text: 'to use bash',
  until: 9,
}
const open = (...records: JournalRecord[]) => {
  const { questions, attention } = foldRecords([...handoff, asked, ...records])
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

/** What needs the person, when there is too much of it: the latest of each kind, and a number. */
const broken = (count: number): JournalRecord[] =>
  Array.from({ length: count }, (_, line) => ({ t: 'broken', at: 1, line, text: 'x', why: 'y' }))
const said = (count: number): JournalRecord[] =>
  Array.from({ length: count }, (_, index) => {
    const who = { from: index === 0 ? 'ben' : 'ada', to: 'user' }
    return { t: 'seen', id: `m${index}`, at: 2, kind: 'note', ...who, text: `${index}`, chain: `m${index}` }
  })
const figures = ({ attention, unlisted }: State) => [attention.length, Object.fromEntries(unlisted)]
const restored = (state: object) => foldRecords([{ t: 'snapshot', state: JSON.parse(JSON.stringify(state)) }])

test('each kind has its own bound, and the latest stay, in their order', () => {
  const state = foldRecords([...broken(1700), ...said(502)])
  expect(figures(state)).toEqual([1000, { broken: 1200, message: 2 }])
  expect(state.attention[0]).toMatchObject({ kind: 'broken', from: 'chat.md:1200' })
  expect(state.attention[500]).toMatchObject({ kind: 'message', id: 'm2' })
  expect(state.attention.at(-1)).toMatchObject({ id: 'm501' })
  expect(restored(snapshotOf(state))).toMatchObject({ attention: state.attention, unlisted: state.unlisted })
})

test('what is no longer listed is settled with the last of its kind', () => {
  const state = foldRecords([...broken(600), ...said(510)])
  foldRecords([{ t: 'seen', id: 'a', at: 3, kind: 'note', from: 'user', to: 'ada', text: 'x', chain: 'a' }], state)
  expect(figures(state)).toEqual([500, { broken: 100 }])
  foldRecords([{ t: 'cleared', at: 4 }], state)
  expect(figures(state)).toEqual([0, {}])
})

test('a snapshot without bounds, of an earlier version, is brought within them', () => {
  const { attention: _attention, unlisted: _unlisted, ...rest } = snapshotOf(emptyState())
  const row = { at: 1, kind: 'broken', id: null, from: 'chat.md:0', text: 'it is no message' }
  const state = restored({ ...rest, attention: Array.from({ length: 49_027 }, () => row) })
  expect(figures(state)).toEqual([500, { broken: 48_527 }])
})
