/** Converts without writing, to list the classes of gaps before anything is decided. */

import { gapClass, type OpenGap } from '../../convert/gaps.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import type { Conversion } from '../../model/conversion.ts'
import { convertProject } from './convert.ts'
import type { ConversionRequest } from './request.ts'

export interface GapClass {
  readonly target: Harness
  /** What answers are kept under. */
  readonly name: string
  readonly gap: OpenGap
  /** How many agents have it. */
  readonly agents: number
}

/** Trifles resolve themselves and are not among them; the gravest come first. */
export async function collectGapClasses(request: Omit<ConversionRequest, 'decisions'>): Promise<GapClass[]> {
  const classes = new Map<string, GapClass>()
  const add = ({ target: { harness: id }, gaps }: Conversion) => {
    const target = request.registry.byId(id)
    if (target === undefined) return
    for (const gap of gaps.filter(({ severity }) => severity !== 'low')) {
      const name = gapClass(gap)
      const key = `${id} ${name}`
      const { resolution: _resolution, decidedBy: _decidedBy, ...open } = gap
      const known = classes.get(key)
      classes.set(key, { target, name, gap: known?.gap ?? open, agents: (known?.agents ?? 0) + 1 })
    }
  }
  await convertProject({ ...request, decisions: () => ({}), dryRun: true }, add)
  const order = { high: 0, medium: 1, low: 2 }
  return [...classes.values()].sort((a, b) => order[a.gap.severity] - order[b.gap.severity] || b.agents - a.agents)
}
