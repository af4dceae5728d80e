/** Chance that can be repeated: the same seed, the same faults in the same order. */

export interface Chance {
  /** From 0 to below 1. */
  readonly next: () => number
  readonly below: (limit: number) => number
  readonly pick: <T>(from: readonly T[]) => T
}

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { next, below, pick: (from) => from[below(from.length)] as (typeof from)[number] }
}
