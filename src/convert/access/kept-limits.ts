/** What only a lock vouches for: it may take away, and gives nothing that an ordinary conversion would not. */

import type { Harness } from '../../harness/schema/harness.ts'
import { accessInRole } from '../../harness/write/target-access.ts'
import { compareAccess } from '../../model/access/compare.ts'
import { decide } from '../../model/access/decide.ts'
import { witnessOf } from '../../model/access/patterns.ts'
import type { Access, Action, Role } from '../../model/access/rules.ts'
import { coversTool, powerlessTools } from '../../model/tools.ts'
import { isAccessKey } from '../agent/keys.ts'
import type { KeptSource } from '../restore/kept.ts'

/** Whether some call gets more from the one than from the other, the target's own switches and harmless tools included. */
export function exceeds(target: Harness, ordinary: Access, restored: Access, inRoles: readonly Role[]): boolean {
  const units = Object.values(target.units).flatMap(({ grants }) => grants)
  const others = [...new Set([...powerlessTools, ...units.filter((tool) => tool.startsWith('native:'))])]
  return inRoles.some((role) => {
    const before = accessInRole(target, ordinary, role)
    const after = accessInRole(target, restored, role)
    if (compareAccess(before, after).widened.length > 0) return true
    return others.some((tool) =>
      argumentsFor(after, tool).some((argument) => {
        const call = argument === undefined ? { tool } : { tool, argument }
        return isWider(decide(before, call).action, decide(after, call).action)
      }),
    )
  })
}

function argumentsFor(access: Access, tool: string): (string | undefined)[] {
  const rules = access.flatMap((layer) => layer.rules.filter(({ tools }) => tools.some((one) => coversTool(one, tool))))
  return [undefined, ...rules.flatMap(({ pattern, syntax }) => (pattern === null ? [] : [witnessOf(syntax, pattern)]))]
}

function isWider(before: Action, after: Action): boolean {
  return (before === 'deny' && after !== 'deny') || (before === 'ask' && after === 'allow')
}

/** What the original said, as limits on what is made anew; they have no place in the file that is converted. */
export function asLimits(access: Access): Access {
  return access.map((layer) => ({ ...layer, rules: layer.rules.map((rule) => ({ ...rule, range: null })) }))
}

/** The same without the words of the original about access; null where they cannot be told from others. */
export function withoutAccess(harness: Harness, kept: KeptSource): KeptSource | null {
  if (kept.data !== undefined || kept.solid !== undefined) return null
  const header = kept.header.map((entry) => {
    const key = typeof entry === 'string' ? entry : entry[0]
    return isAccessKey(harness, key) ? key : entry
  })
  return { ...kept, header }
}
