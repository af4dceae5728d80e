/** Plain values as edits build and compare them: tables, missing parents, lists side by side. */
import type { Json } from '../model/agent.ts'

export type Table = { readonly [key: string]: Json }

export function isTable(value: Json | undefined): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The parents that are missing, around the value. */
export function nest(path: readonly string[], value: Json): Json {
  return path.reduceRight<Json>((inner, key) => ({ [key]: inner }), value)
}

/** What two lists have in common at the start stays, and at the end; `old` items between are to become `now` new ones. */
export function alignLists(
  before: number,
  after: number,
  same: (i: number, j: number) => boolean,
): { readonly head: number; readonly old: number; readonly now: number } {
  const shorter = Math.min(before, after)
  let head = 0
  while (head < shorter && same(head, head)) head++
  let tail = 0
  while (tail < shorter - head && same(before - 1 - tail, after - 1 - tail)) tail++
  return { head, old: before - head - tail, now: after - head - tail }
}
