/** What needs the person, when there is too much of it: the latest of each kind, and a number. */
import { expect, test } from 'vitest'
import type { JournalRecord } from '../../src/workplace/records.ts'
import { snapshotOf } from '../../src/workplace/snapshot.ts'
import { emptyState, fold, type State } from '../../src/workplace/state.ts'

const broken = (count: number): JournalRecord[] =>
  Array.from({ length: count }, (_, line) => ({ t: 'broken', at: 1, line, text: 'x', why: 'y' }))
const said = (count: number): JournalRecord[] =>
  Array.from({ length: count }, (_, index) => {
    const who = { from: index === 0 ? 'ben' : 'ada', to: 'user' }
    return { t: 'seen', id: `m${index}`, at: 2, kind: 'note', ...who, text: `${index}`, chain: `m${index}` }
  })
const figures = ({ attention, unlisted }: State) => [attention.length, Object.fromEntries(unlisted)]
const restored = (state: object) => fold([{ t: 'snapshot', state: JSON.parse(JSON.stringify(state)) }])

test('each kind has its own bound, and the latest stay, in their order', () => {
  const state = fold([...broken(1700), ...said(502)])
  expect(figures(state)).toEqual([1000, { broken: 1200, message: 2 }])
  expect(state.attention[0]).toMatchObject({ kind: 'broken', from: 'chat.md:1200' })
  expect(state.attention[500]).toMatchObject({ kind: 'message', id: 'm2' })
  expect(state.attention.at(-1)).toMatchObject({ id: 'm501' })
  expect(restored(snapshotOf(state))).toMatchObject({ attention: state.attention, unlisted: state.unlisted })
})

test('what is no longer listed is settled with the last of its kind', () => {
  const state = fold([...broken(600), ...said(510)])
  fold([{ t: 'seen', id: 'a', at: 3, kind: 'note', from: 'user', to: 'ada', text: 'x', chain: 'a' }], state)
  expect(figures(state)).toEqual([500, { broken: 100 }])
  fold([{ t: 'cleared', at: 4 }], state)
  expect(figures(state)).toEqual([0, {}])
})

test('a snapshot without bounds, of an earlier version, is brought within them', () => {
  const { attention: _attention, unlisted: _unlisted, ...rest } = snapshotOf(emptyState())
  const row = { at: 1, kind: 'broken', id: null, from: 'chat.md:0', text: 'it is no message' }
  const state = restored({ ...rest, attention: Array.from({ length: 49_027 }, () => row) })
  expect(figures(state)).toEqual([500, { broken: 48_527 }])
})
