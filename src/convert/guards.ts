/** Guards: what the definition keeps calls of other tools from, by a name that only its own harness has. */
import { type AccessChange, isWider } from '../fidelity/access.ts'
import type { Harness } from '../harness/schema/harness.ts'
import { type Access, decide, strictest, widest } from '../model/access.ts'
import { allCalls, strictestAnswer } from '../model/call-sets.ts'
import { powers } from '../model/tools.ts'

/** What can be reached in the target because it does not have a guard that the definition sets. */
export function lostGuards(source: Harness, target: Harness, before: Access, after: Access): AccessChange[] {
  return Object.entries(source.units).flatMap(([name, { guards = [], grants }]) => {
    const isKept = Object.values(target.units).some((unit) => unit.grants.some((one) => grants.includes(one)))
    // A word for everything says nothing about guards in particular.
    const isSet = before.some(({ rules }) =>
      rules.some(({ range, tools }) => range !== null && tools.some((one) => grants.includes(one))),
    )
    if (isKept || !isSet) return []
    const answer = strictest(grants.map((tool) => strictestAnswer(before, allCalls(tool))))
    return guards.flatMap((capability) => {
      const general = (access: Access) => widest(powers[capability].map((tool) => decide(access, { tool }).action))
      const change = { before: strictest([answer, general(before)]), after: general(after) }
      const isLost = isWider({ before: answer, after: change.after }) && general(before) !== 'deny'
      return isLost ? [{ capability, pattern: name, ...change }] : []
    })
  })
}
