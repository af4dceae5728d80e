/** Dice that fall the same way for the same seed. */
export interface Dice {
  /** From 0 to below `sides`. */
  roll(sides: number): number
  pick<T>(all: readonly T[]): T
  /** True in so many of a hundred. */
  often(percent: number): boolean
  some<T>(all: readonly T[], most: number): T[]
}

export function createDice(seed: number): Dice {
  let state = (seed ^ 0x9e3779b9) >>> 0
  // mulberry32: small, and good enough to draw test cases.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const roll = (sides: number) => Math.floor(next() * sides)
  const pick = <T>(all: readonly T[]): T => all[roll(all.length)] as T
  return {
    roll,
    pick,
    often: (percent) => next() * 100 < percent,
    some: (all, most) => Array.from({ length: roll(most + 1) }, () => pick(all)),
  }
}
