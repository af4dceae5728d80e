/** A state from a snapshot of it. */
import type { Snapshot } from './records.ts'

/** What is a part of something else in the state is only named in the snapshot. */
interface Restored<Handoff, Message> {
  readonly handoffs: ReadonlyMap<string, Handoff>
  readonly open: Map<string, Handoff>
  readonly messages: ReadonlyMap<string, Message>
  readonly outbox: Map<string, Message>
}

/** `empty`: a state in which nothing has happened yet; it is filled. What does not fit it is passed over. */
export function restore<H, M, S extends Restored<H, M>>(snapshot: Snapshot, empty: S): S {
  const { open, outbox, ...rest } = snapshot
  const values = Object.entries(rest).map(([key, value]) => [key, unpacked(value, Reflect.get(empty, key))] as const)
  const state: S = Object.assign(empty, Object.fromEntries(values))
  for (const id of listOf(open)) fill(state.open, state.handoffs, id)
  for (const id of listOf(outbox)) fill(state.outbox, state.messages, id)
  return state
}

function unpacked(value: unknown, like: unknown): unknown {
  if (like instanceof Map) return new Map(listOf(value).filter(isPair))
  if (like instanceof Set) return new Set(listOf(value))
  return Array.isArray(like) && !Array.isArray(value) ? like : value
}

function fill<T>(into: Map<string, T>, from: ReadonlyMap<string, T>, id: unknown): void {
  const found = from.get(String(id))
  if (found !== undefined) into.set(String(id), found)
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function isPair(value: unknown): value is [unknown, unknown] {
  return Array.isArray(value) && value.length === 2
}
