/** The books of one conversion: every feature with what became of it, every gap with its decision. */
import type { Feature, Gap, GapResolution } from '../model/conversion.ts'
import { type GapPolicy, gapClass, type OpenGap } from './gaps.ts'

export interface Ledger {
  readonly features: Feature[]
  readonly gaps: Gap[]
  /** Comments for the end of the file, one for each thing left to do. */
  readonly todos: string[]
  /** Writes a gap down and tells what to do about it; the same gap twice is one. */
  decide(gap: OpenGap): GapResolution
}

export function openLedger(policy: GapPolicy): Ledger {
  const gaps: Gap[] = []
  const decided = new Map<string, GapResolution>()
  return {
    features: [],
    gaps,
    todos: [],
    decide: (gap) => {
      const known = decided.get(gapClass(gap))
      if (known !== undefined) return known
      const decision = policy(gap)
      gaps.push({ ...gap, ...decision })
      decided.set(gapClass(gap), decision.resolution)
      return decision.resolution
    },
  }
}

/** As a comment in the target's prompt. */
export function todoComment(what: string): string {
  return `<!-- TODO: ${what.replaceAll('-->', '-- >')} -->`
}
