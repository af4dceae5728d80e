/** The state as one record, to go on from: everything that can still matter, and only sums of the rest. */
import type { Snapshot } from './records.ts'
import { remember } from './remember.ts'
import type { State } from './state.ts'

/** `recent`: how many finished chains, handoffs and messages are kept for people to look at. */
export function snapshotOf(state: State, recent?: number): Snapshot {
  const { open, outbox, ...rest } = remember(state, recent)
  const values = Object.entries(rest).map(([key, value]) => [key, packed(value)] as const)
  // Each of these is among the handoffs or the messages.
  return { ...Object.fromEntries(values), open: [...open.keys()], outbox: [...outbox.keys()] }
}

function packed(value: unknown): unknown {
  return value instanceof Map || value instanceof Set ? [...value] : value
}
