/** Workplaces made of journal records, of any size, for tests of what is shown of them. */
import type { ScreenContent } from '../../../src/report/team/screen-frame.ts'
import { overviewOf } from '../../../src/team/state/overview.ts'
import type { JournalRecord } from '../../../src/team/state/records.ts'
import type { Member, Roster } from '../../../src/team/state/roster.ts'
import { foldRecords } from '../../../src/team/state/state.ts'

export const NOW = 10_000_000

export interface Sample {
  readonly agents?: readonly string[]
  readonly records?: readonly JournalRecord[]
  readonly name?: string
}

export function contentOf({ agents = ['ada', 'ben'], records = [], name = 'shop' }: Sample): ScreenContent {
  const roster: Roster = new Map(agents.map((agent) => [agent, memberOf(agent)]))
  const state = foldRecords(records)
  return {
    head: { name, pid: 4711, undelivered: 0 },
    overview: overviewOf(state, roster, NOW, true, () => NOW, 200),
    state,
    now: NOW,
  }
}

function memberOf(name: string): Member {
  return {
    name,
    role: null,
    triggers: [],
    handoffTo: [],
    persistent: false,
    mustHandOff: false,
    body: '',
    harness: 'troupe',
    path: '',
    command: null,
    playedIn: null,
    cost: null,
    patience: 10,
    minutes: 30,
  }
}

export function handoff(id: string, to: string, text: string, from = 'user'): JournalRecord {
  return { t: 'seen', id, at: NOW - 90_000, kind: 'handoff', from, to, text, chain: id }
}

export function working(id: string, to: string, text: string): JournalRecord[] {
  const at = NOW - 42_000
  return [
    handoff(id, to, text),
    { t: 'claimed', id, attempt: 1, run: `${id}.1`, at, pid: 1, start: '1' },
    { t: 'started', id, attempt: 1, at, pid: 2, start: '2' },
  ]
}

export function finished(id: string, to: string, text: string, cost = 0.25): JournalRecord[] {
  return [
    ...working(id, to, text),
    { t: 'completed', id, attempt: 1, at: NOW - 40_000, ms: 2000, answer: `${text}: done`, turns: 3, cost },
  ]
}

export function died(id: string, to: string, text: string, why: string): JournalRecord[] {
  const progress = { lastSummary: 'half of it', files: ['src/half.ts'], runId: `${id}.1` }
  return [
    ...working(id, to, text),
    { t: 'failed', id, attempt: 1, at: NOW - 41_000, ms: 1000, why, wait: 0, progress, cost: 0.5 },
    { t: 'dead', id, at: NOW - 41_000, why, progress },
  ]
}

export function question(id: string, agent: string, text: string, run: string): JournalRecord {
  return { t: 'asked', id, at: NOW - 1000, run, agent, text, until: NOW + 300_000 }
}
