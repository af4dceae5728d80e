/** What a message means to one who is at work: also when there are thousands of them. */
import { expect, test } from 'vitest'
import { classify } from '../../../src/team/state/classify-message.ts'
import type { JournalRecord } from '../../../src/team/state/records.ts'
import type { Member } from '../../../src/team/state/roster.ts'
import { snapshotOf } from '../../../src/team/state/snapshot.ts'
import { foldRecords, type State } from '../../../src/team/state/state.ts'
import { defaultTeamRules } from '../../../src/team/state/team-rules.ts'

const member = (name: string, handoffTo: readonly string[]) => ({ name, handoffTo }) as Member
const roster = new Map([
  ['ada', member('ada', ['ben'])],
  ['ben', member('ben', [])],
])
const rules = { ...defaultTeamRules, budget: { ...defaultTeamRules.budget, handoffs: 3 } }
const process = { pid: 1, start: '1' }

const begun: JournalRecord[] = [
  { t: 'seen', id: 'h1', at: 1, kind: 'handoff', from: 'user', to: 'ada', text: 'work', chain: 'h1' },
  { t: 'claimed', id: 'h1', attempt: 1, run: 'h1.1', at: 1, ...process },
]

/** Says something, and says what it meant. */
function say(state: State, text: string, to = 'ben'): string {
  const meaning = classify({ from: 'ada', to, observers: [], text: `Handoff: ${text}` }, state, roster, rules)
  if (meaning.kind !== 'handoff' && meaning.kind !== 'dead') return meaning.kind
  const words = meaning.kind === 'handoff' ? meaning.text : `Handoff: ${text}`
  const seen = { t: 'seen', id: `m${state.messages.size}`, at: 2, from: 'ada', to, text: words } as const
  foldRecords([{ ...seen, kind: 'handoff', chain: 'h1', parent: 'h1' }], state)
  if (meaning.kind === 'dead') foldRecords([{ t: 'dead', id: seen.id, at: 2, why: meaning.why }], state)
  return meaning.kind
}

const restored = (state: State) =>
  foldRecords([{ t: 'snapshot', state: JSON.parse(JSON.stringify(snapshotOf(state))) }])

test('beyond what its chain may have, a run is refused once; the next attempt is refused once more', () => {
  let state = foldRecords(begun)
  expect(['a', 'b', 'c', 'd', 'e'].map((text) => say(state, text))).toEqual([
    'handoff',
    'handoff',
    'dead',
    'spent',
    'spent',
  ])
  state = restored(state)
  expect(say(state, 'f')).toBe('spent')
  foldRecords(
    [
      { t: 'failed', id: 'h1', attempt: 1, at: 3, ms: 1, why: 'x', wait: 0 },
      { t: 'claimed', id: 'h1', attempt: 2, run: 'h1.2', at: 4, ...process },
    ],
    state,
  )
  // What the first attempt has sent already is not sent again.
  expect(['a', 'b', 'c', 'd'].map((text) => say(state, text))).toEqual(['repeated', 'repeated', 'dead', 'spent'])
})

test('refusals for other reasons count, and there is an end to them too', () => {
  const state = foldRecords(begun)
  const said = ['a', 'b', 'c', 'd', 'e'].map((text) => say(state, text, 'nobody'))
  expect(said).toEqual(['dead', 'dead', 'dead', 'spent', 'spent'])
})
