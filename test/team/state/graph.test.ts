/** In a trial each member plays once, handed work along `handoff_to` where anybody can. */
import { expect, test } from 'vitest'
import { planTrial } from '../../../src/team/state/graph.ts'
import type { Member } from '../../../src/team/state/roster.ts'

function plan(team: Readonly<Record<string, readonly string[]>>, persistent: readonly string[] = []) {
  const member = (name: string, handoffTo: readonly string[]): Member => ({
    name,
    role: null,
    triggers: [],
    handoffTo,
    persistent: persistent.includes(name),
    mustHandOff: false,
    body: '',
    harness: 'workplace',
    path: '',
    command: null,
    playedIn: null,
    cost: null,
    patience: 10,
    minutes: 30,
  })
  const roster = new Map(Object.entries(team).map(([name, targets]) => [name, member(name, targets)]))
  const { entries, hands } = planTrial(roster)
  return { entries, hands: Object.fromEntries(hands) }
}

test('a circle ends where it began', () => {
  expect(plan({ a: ['b'], b: ['c'], c: ['a'] })).toEqual({ entries: ['a'], hands: { a: ['b'], b: ['c'], c: [] } })
})

test('the one that reaches most begins, and those that are not reached are asked by the person', () => {
  expect(plan({ a: [], b: ['c', 'd'], c: ['d'], d: [] })).toEqual({
    entries: ['b', 'a'],
    hands: { b: ['c'], c: ['d'], d: [], a: [] },
  })
})

test('persons, strangers and members that are always up are handed nothing', () => {
  expect(plan({ a: ['user', 'nobody', 'k', 'a'], k: ['a'] }, ['k'])).toEqual({ entries: ['a'], hands: { a: [] } })
})
