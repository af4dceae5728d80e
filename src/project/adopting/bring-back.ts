/** Hand edits into their sources, as the first part of the run that builds everything anew from them. */
import type { Adoption, EditChoice } from '../../model/adoption.ts'
import type { ConversionRequest } from '../converting/request.ts'
import type { Run } from '../run.ts'
import { findHandEdits } from './hand-edits.ts'
import { planAdoptions } from './plan.ts'

export function bringBack(
  request: ConversionRequest,
  run: Run,
  choose: (path: string) => EditChoice,
  isAccepted: (capability: string) => boolean,
): readonly Adoption[] {
  const wanted = findHandEdits(request, run.owned).filter(({ path }) => choose(path) === 'adopt')
  if (wanted.length === 0) return []
  const { adoptions, sources } = planAdoptions(request, run.owned, wanted, isAccepted)
  const unwritable = new Set<string>()
  for (const [path, bytes] of sources) {
    if (run.plan(path, bytes) !== 'outside') run.edit(path, bytes)
    else unwritable.add(path)
    if (run.failed.has(path)) unwritable.add(path)
  }
  return adoptions.map((one) =>
    one.problem === null && one.source !== null && unwritable.has(one.source)
      ? { ...one, problem: 'its source cannot be written' }
      : one,
  )
}
