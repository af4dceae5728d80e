/** Shares a budget of tokens among sections: whoever has the lower priority number takes first. */
import { byPriority } from './layers.ts'
import { cutAtLine, quartersOf } from './size.ts'

export interface Claim {
  readonly name: string
  readonly priority: number
  readonly text: string
}

/** What stands between two sections. */
export const GAP = '\n\n'

/** By name: the text that fits; null: no room at all. `fixed` is the text around them all. */
export function shareBudget(claims: readonly Claim[], tokens: number, fixed = ''): Map<string, string | null> {
  let left = tokens * 4 - quartersOf(fixed)
  const shares = new Map<string, string | null>()
  for (const { name, text } of [...claims].sort(byPriority)) {
    const share = cutAtLine(text, left - quartersOf(GAP), quartersOf)
    shares.set(name, share)
    if (share !== null) left -= quartersOf(share) + quartersOf(GAP)
  }
  return shares
}
