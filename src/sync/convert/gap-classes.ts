/** Converts without writing, to list the classes of gaps before anything is decided. */

import { defaultDecision, gapClass, type OpenGap } from '../../convert/gaps.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import { convertProject } from './convert.ts'
import type { ConversionRequest } from './request.ts'

/** A conversion for show: which classes of gaps there are, before anything is decided or written. */

export interface GapClass {
  readonly target: Harness
  /** What answers are kept under. */
  readonly name: string
  readonly gap: OpenGap
  /** How many agents have it. */
  readonly agents: number
}

/** Trifles resolve themselves and are not among them; the gravest come first. */
export async function collectGapClasses(request: Omit<ConversionRequest, 'policy'>): Promise<GapClass[]> {
  const classes = new Map<string, GapClass>()
  const policy = (target: Harness) => (gap: OpenGap) => {
    if (gap.severity !== 'low') {
      const name = gapClass(gap)
      const key = `${target.id} ${name}`
      classes.set(key, { target, name, gap, agents: (classes.get(key)?.agents ?? 0) + 1 })
    }
    return defaultDecision(gap)
  }
  await convertProject({ ...request, policy, dryRun: true }, () => {})
  const order = { high: 0, medium: 1, low: 2 }
  return [...classes.values()].sort((a, b) => order[a.gap.severity] - order[b.gap.severity] || b.agents - a.agents)
}
