/**
 * What of a state can still matter. A chain is remembered whole or not at all: while anything is open or can be revived in
 * it, while the person, a worktree or the chat still waits for something of it, while it is the last that one member had
 * from another, and for a while after its end, for people to look at.
 */
import { isPerson } from './names.ts'
import type { Past, State } from './state.ts'

const RECENT = 200
/** Ids of forgotten messages that are kept, so that what comes a second time does not count again. */
const KNOWN = 20_000

export function remember(state: State, recent = RECENT): State {
  const chains = chainsThatMatter(state, recent)
  const messages = only(state.messages, ({ chain }) => chains.has(chain))
  const forgotten = [...state.messages.keys()].filter((id) => !messages.has(id))
  return {
    ...state,
    messages,
    handoffs: only(state.handoffs, ({ chain }) => chains.has(chain)),
    chains: only(state.chains, ({ id }) => chains.has(id)),
    lines: only(state.lines, (_line, id) => messages.has(id)),
    known: new Set([...state.known, ...forgotten].slice(-KNOWN)),
    past: withForgotten(state, chains),
  }
}

function chainsThatMatter(state: State, recent: number): Set<string> {
  const { chains, handoffs, messages, attention, worktrees, outbox } = state
  const matter = new Set<string>()
  for (const { id, open, dead, ended } of chains.values()) if (open > 0 || dead > 0 || !ended) matter.add(id)
  for (const id of last(chains.keys(), recent)) matter.add(id)
  for (const { chain } of last(handoffs.values(), recent)) matter.add(chain)
  for (const { chain } of last(messages.values(), recent)) matter.add(chain)
  for (const { chain } of outbox.values()) matter.add(chain)
  for (const { chain } of worktrees.values()) matter.add(chain)
  for (const { id } of attention) {
    const chain = id === null ? undefined : (handoffs.get(id)?.chain ?? messages.get(id)?.chain)
    if (chain !== undefined) matter.add(chain)
  }
  const watched = [...state.unseen.values(), ...[...state.open.values()].map((handoff) => handoff.watched)].flat()
  for (const id of watched) matter.add(messages.get(id)?.chain ?? '')
  for (const chain of lastOfEach(state).values()) matter.add(chain)
  return matter
}

/** The last handoff that each member had from each other one, and the last that it worked on. */
function lastOfEach({ handoffs }: State): Map<string, string> {
  const found = new Map<string, string>()
  for (const { from, to, chain, startedAt } of handoffs.values()) {
    found.set(`${to}\n${isPerson(from) ? '' : from}`, chain)
    // One that died before it began may be revived: then it is as if it had not been there.
    if (startedAt !== null) found.set(to, chain)
  }
  return found
}

/** In a chain that is forgotten nothing is open and nothing dead. */
function withForgotten({ chains, past }: State, matter: ReadonlySet<string>): Past {
  let { completed, turns, cost } = past
  for (const chain of chains.values()) {
    if (matter.has(chain.id)) continue
    completed += chain.handoffs
    turns += chain.turns
    cost += chain.cost
  }
  return { completed, turns, cost }
}

function only<T>(all: ReadonlyMap<string, T>, isWanted: (value: T, key: string) => boolean): Map<string, T> {
  const found = new Map<string, T>()
  for (const [key, value] of all) if (isWanted(value, key)) found.set(key, value)
  return found
}

function last<T>(all: Iterable<T>, count: number): T[] {
  return count === 0 ? [] : [...all].slice(-count)
}
