/** A snapshot and what comes after it amount to the same as everything: for people, for prompts, and for what is decided next. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { classify } from '../../../src/team/state/classify-message.ts'
import { overviewOf } from '../../../src/team/state/overview.ts'
import { taskPrompt } from '../../../src/team/state/prompt.ts'
import type { JournalRecord, SeenRecord } from '../../../src/team/state/records.ts'
import type { Member } from '../../../src/team/state/roster.ts'
import { snapshotOf } from '../../../src/team/state/snapshot.ts'
import { emptyState, foldRecords, isKnownMessage, type State } from '../../../src/team/state/state.ts'
import { processStatus } from '../../../src/team/state/status.ts'
import { defaultTeamRules } from '../../../src/team/state/team-rules.ts'
import { runs } from '../../chance.ts'

const names = ['ada', 'ben', 'cleo']
const roster = new Map(
  names.map((name): [string, Member] => [
    name,
    {
      name,
      role: 'Worker',
      triggers: [],
      handoffTo: names.filter((one) => one !== name),
      persistent: false,
      mustHandOff: false,
      body: '',
      harness: 'troupe',
      path: '',
      command: ['true'],
      playedIn: null,
      cost: null,
      patience: 1,
      minutes: 1,
    },
  ]),
)
const process = { pid: 1, start: '1' }

const action = fc.record({
  what: fc.constantFrom(
    ...(['say', 'say', 'say', 'say', 'say again', 'claim', 'work', 'work', 'work', 'settle', 'settle'] as const),
    ...(['fail', 'die', 'revive', 'clear', 'nudge', 'report', 'ask', 'stop', 'tree'] as const),
    ...(['snapshot', 'snapshot', 'snapshot'] as const),
  ),
  from: fc.constantFrom('user', ...names),
  to: fc.constantFrom('user', ...names),
  word: fc.constantFrom('', '', 'Note: ', 'Handoff: '),
  which: fc.nat(1000),
})
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

/** What an orchestrator with this state would write down. */
function recordsOf(state: State, { what, from, to, word, which }: Action, number: number): JournalRecord[] {
  const at = number
  const pick = <T>(all: Iterable<T>): T | undefined => {
    const list = [...all]
    return list[which % Math.max(1, list.length)]
  }
  const open = pick(state.open.values())
  const step = { id: open?.id ?? '', attempt: open?.attempt ?? 0, at }
  switch (what) {
    case 'say': {
      const id = `m${number}`
      const meaning = classify(
        { from, to, observers: [], text: `${word}task ${number}` },
        state,
        roster,
        defaultTeamRules,
      )
      if (meaning.kind === 'repeated' || meaning.kind === 'spent' || from === to) return []
      const base = {
        t: 'seen',
        id,
        at,
        from,
        to,
        text: `task ${number}`,
        chain: meaning.chain ?? id,
        post: true,
        ...(which % 3 === 0 ? { observers: ['user', 'ada', 'ben'].filter((one) => one !== from && one !== to) } : {}),
      } as const
      if (meaning.kind === 'reply') return [{ ...base, kind: 'reply', answers: meaning.answers }]
      if (meaning.kind === 'note') return [{ ...base, kind: 'note' }]
      const parent = meaning.parent === null ? {} : { parent: meaning.parent }
      const seen: SeenRecord = { ...base, kind: 'handoff', ...parent }
      return meaning.kind === 'dead' ? [seen, { t: 'dead', id, at, why: meaning.why }] : [seen]
    }
    case 'say again': {
      const seen = pick(Array.from({ length: number }, (_, one) => `m${one}`).filter((id) => isKnownMessage(state, id)))
      if (seen === undefined) return []
      return [{ t: 'seen', id: seen, at, kind: 'handoff', from: 'user', to: 'ada', text: 'again', chain: seen }]
    }
    case 'claim':
      if (open === undefined || open.run !== null) return []
      return [
        { t: 'claimed', ...step, run: `${open.id}.${open.attempt}`, ...process },
        { t: 'started', ...step, ...process },
        { t: 'heard', run: `${open.id}.${open.attempt}`, to: number },
      ]
    case 'work': {
      if (open === undefined) return []
      const claimed = recordsOf(state, { what: 'claim', from, to, word, which }, number)
      const owed = which % 7 === 0 ? { owes: ['ben'] } : {}
      return [...claimed, { t: 'completed', ...step, ms: 5, answer: 'done', cost: 1, ...owed }]
    }
    case 'fail':
      return [{ t: 'failed', ...step, ms: 5, why: 'no luck', wait: 10, due: number }]
    case 'nudge':
      return [{ t: 'nudged', ...step, ms: 5, words: 'well' }]
    case 'report':
      return [{ t: 'report', ...step, key: 'k', status: 'progress', text: 'half' }]
    case 'die':
      return [{ t: 'dead', id: step.id, at, why: 'no more' }]
    case 'revive': {
      const dead = pick([...state.handoffs.values()].filter(({ status }) => status === 'dead'))
      return dead === undefined ? [] : [{ t: 'revived', id: dead.id, at }]
    }
    case 'settle': {
      const over = [...state.chains.values()].filter(({ ended, open: left }) => !ended && left === 0)
      return [
        ...over.map(({ id }) => ({ t: 'ended', chain: id, at }) as const),
        ...[...state.outbox.keys()].map((id) => ({ t: 'posted', id, line: number }) as const),
      ]
    }
    case 'clear':
      return which % 3 === 0 ? [{ t: 'cleared', at }] : []
    case 'ask':
      if (open?.run == null) return []
      return [{ t: 'asked', id: `q${number}`, at, run: open.run, agent: open.to, text: 'to use bash', until: 1 }]
    case 'stop':
      return [{ t: 'stopped', agent: to, at }]
    case 'tree':
      if (open === undefined) return []
      if (state.worktrees.size > 0 && which % 2) {
        const [path = ''] = state.worktrees.keys()
        return [{ t: 'worktree-gone', path, kept: 'has work' }]
      }
      return [{ t: 'worktree', agent: open.to, chain: open.chain, path: `/t${number}`, branch: 'b', base: 'c' }]
    case 'snapshot':
      return []
  }
}

/** As it is after the journal was compacted and read again. */
function compacted(state: State, recent: number): State {
  const record = { t: 'snapshot', state: snapshotOf(state, recent) }
  return foldRecords([JSON.parse(JSON.stringify(record))])
}

/** All that anybody can see of a state, or that is decided by it; of what is finished only the last. */
function observe(state: State, ids: readonly string[], last: number): unknown {
  const { handoffs, chains, ...overview } = overviewOf(state, roster, 1000, true, () => null, last)
  return {
    overview,
    finished: [handoffs.slice(0, last), chains.slice(0, last)],
    status: processStatus(state, roster, { status: 'running', error: null }),
    prompts: [...state.open.values()].map((handoff) => {
      const messages = [...state.messages.values()].filter(
        ({ chain, id }) => chain === handoff.chain && id !== handoff.id,
      )
      const ids = new Set([...handoff.watched, ...(state.unseen.get(handoff.to) ?? [])])
      const watched = [...ids].map((id) => state.messages.get(id) ?? null)
      expect(watched).not.toContain(null)
      return taskPrompt(
        { handoff, conversation: messages, sent: messages, watched: watched.filter((one) => one !== null) },
        { git: null, about: null },
      )
    }),
    open: [...state.open.values()],
    dead: [...state.handoffs.values()].filter(({ status }) => status === 'dead'),
    chains: [...state.chains.values()].filter(({ open, dead, ended }) => open + dead > 0 || !ended),
    meanings: ['user', ...names].flatMap((from) =>
      ['user', ...names].map((to) =>
        classify({ from, to, observers: [], text: 'now' }, state, roster, defaultTeamRules),
      ),
    ),
    known: ids.map((id) => isKnownMessage(state, id)),
    outbox: [...state.outbox.values()],
    heard: [...state.heard],
    questions: [...state.questions.values()],
    rest: [state.cursor, state.stopped, state.worktrees, state.services, state.refused, state.epochs],
  }
}

describe('a snapshot', () => {
  test.each([0, 2])('and what follows it amount to the same as everything (%i recent chains are kept)', (recent) => {
    let forgetful = 0
    fc.assert(
      fc.property(fc.array(action, { minLength: 30, maxLength: 150 }), (actions) => {
        const whole = emptyState()
        let state = emptyState()
        const ids: string[] = []
        for (const [number, one] of actions.entries()) {
          const records = recordsOf(whole, one, number)
          expect(recordsOf(state, one, number)).toEqual(records)
          for (const record of records) if (record.t === 'seen') ids.push(record.id)
          foldRecords(records, whole)
          foldRecords(structuredClone(records), state)
          if (one.what === 'snapshot') state = compacted(state, recent)
        }
        expect(observe(state, ids, recent)).toEqual(observe(whole, ids, recent))
        if (state.past.completed > 0) forgetful++
      }),
      runs(1500),
    )
    // Else nothing was tried.
    expect(forgetful).toBeGreaterThan(20)
  })

  test('forgets what is finished, and stays as small as that', () => {
    let state = emptyState()
    let size = 0
    for (let number = 0; number < 3000; number++) {
      const id = `h${number}`
      foldRecords(
        [
          { t: 'seen', id, at: 1, kind: 'handoff', from: 'user', to: 'ada', text: 'x'.repeat(500), chain: id },
          { t: 'claimed', id, attempt: 1, run: `${id}.1`, at: 1, ...process },
          { t: 'completed', id, attempt: 1, at: 1, ms: 1, answer: 'done', turns: 2 },
          { t: 'ended', chain: id, at: 1 },
        ],
        state,
      )
      if (number % 500 === 499) {
        state = compacted(state, 20)
        if (number === 999) size = JSON.stringify(snapshotOf(state, 20)).length
      }
    }
    expect(state.handoffs.size).toBe(20)
    expect(overviewOf(state, roster, 1, true, () => null).totals).toMatchObject({ completed: 3000, turns: 6000 })
    // But for ids, by which a message that comes again is known.
    expect(JSON.stringify(snapshotOf(state, 20)).length).toBeLessThan(size + 2000 * 10)
  })

  test('keeps what a newer part of the state holds, without knowing it', () => {
    const state = Object.assign(emptyState(), { later: ['a'], other: { deep: 1 } })
    expect(compacted(state, 0)).toMatchObject({ later: ['a'], other: { deep: 1 } })
  })
})
