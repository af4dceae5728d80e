/** The state as one record to continue from: everything that can still matter, and only sums of the rest. */

import { isPerson } from './message.ts'
import type { Snapshot } from './records.ts'
import type { PastTotals, State } from './state.ts'

/** `recent`: how many finished chains, handoffs and messages are kept for people to look at. */
export function snapshotOf(state: State, recent?: number): Snapshot {
  const { open, outbox, ...rest } = relevantState(state, recent)
  const values = Object.entries(rest).map(([key, value]) => [key, packed(value)] as const)
  // Each of these is among the handoffs or the messages.
  return { ...Object.fromEntries(values), open: [...open.keys()], outbox: [...outbox.keys()] }
}

function packed(value: unknown): unknown {
  return value instanceof Map || value instanceof Set ? [...value] : value
}

/**
 * What of a state can still matter. A chain is kept in full or not at all: while anything in it is open or can be revived,
 * while the person, a worktree or the chat still waits for something of it, while it is the last that one member had from
 * another, and for a while after its end, for people to look at.
 */
const RECENT_CHAINS = 200
/** Ids of dropped messages that are kept, so that duplicates do not count again. */
const KNOWN_IDS = 20_000

function relevantState(state: State, recent = RECENT_CHAINS): State {
  const chains = relevantChains(state, recent)
  const messages = filterMap(state.messages, ({ chain }) => chains.has(chain))
  const forgotten = [...state.messages.keys()].filter((id) => !messages.has(id))
  return {
    ...state,
    messages,
    handoffs: filterMap(state.handoffs, ({ chain }) => chains.has(chain)),
    chains: filterMap(state.chains, ({ id }) => chains.has(id)),
    lines: filterMap(state.lines, (_line, id) => messages.has(id)),
    known: new Set([...state.known, ...forgotten].slice(-KNOWN_IDS)),
    past: addToPast(state, chains),
  }
}

function relevantChains(state: State, recent: number): Set<string> {
  const { chains, handoffs, messages, attention, worktrees, outbox } = state
  const matter = new Set<string>()
  for (const { id, open, dead, ended } of chains.values()) if (open > 0 || dead > 0 || !ended) matter.add(id)
  for (const id of lastEntries(chains.keys(), recent)) matter.add(id)
  for (const { chain } of lastEntries(handoffs.values(), recent)) matter.add(chain)
  for (const { chain } of lastEntries(messages.values(), recent)) matter.add(chain)
  for (const { chain } of outbox.values()) matter.add(chain)
  for (const { chain } of worktrees.values()) matter.add(chain)
  for (const { id } of attention) {
    const chain = id === null ? undefined : (handoffs.get(id)?.chain ?? messages.get(id)?.chain)
    if (chain !== undefined) matter.add(chain)
  }
  const watched = [...state.unseen.values(), ...[...state.open.values()].map((handoff) => handoff.watched)].flat()
  for (const id of watched) matter.add(messages.get(id)?.chain ?? '')
  for (const chain of lastChainOfEach(state).values()) matter.add(chain)
  return matter
}

/** The last handoff that each member had from each other one, and the last that it worked on. */
function lastChainOfEach({ handoffs }: State): Map<string, string> {
  const found = new Map<string, string>()
  for (const { from, to, chain, startedAt } of handoffs.values()) {
    found.set(`${to}\n${isPerson(from) ? '' : from}`, chain)
    // One that died before it began may be revived: until then it is ignored.
    if (startedAt !== null) found.set(to, chain)
  }
  return found
}

/** A dropped chain has no open and no dead handoffs. */
function addToPast({ chains, past }: State, matter: ReadonlySet<string>): PastTotals {
  let { completed, turns, cost } = past
  for (const chain of chains.values()) {
    if (matter.has(chain.id)) continue
    completed += chain.handoffs
    turns += chain.turns
    cost += chain.cost
  }
  return { completed, turns, cost }
}

function filterMap<T>(all: ReadonlyMap<string, T>, isWanted: (value: T, key: string) => boolean): Map<string, T> {
  const found = new Map<string, T>()
  for (const [key, value] of all) if (isWanted(value, key)) found.set(key, value)
  return found
}

function lastEntries<T>(all: Iterable<T>, count: number): T[] {
  return count === 0 ? [] : [...all].slice(-count)
}
