/** Tool lists where the target has no place for them: an agent gets what its type has, or everything. */

import { outcomeOf } from '../fidelity/score.ts'
import type { AgentType, Harness } from '../harness/schema/harness.ts'
import type { Feature } from '../model/conversion.ts'
import type { CarriedAccess } from './access.ts'
import { type Ledger, todoComment } from './ledger.ts'

export interface FixedToolsInput {
  readonly target: Harness
  readonly carried: CarriedAccess
  readonly ledger: Ledger
  /** The key of the list, and its line. */
  readonly key: string
  readonly line: number | null
}

/** Null where nothing is lost, because the list restricted nothing. */
export function accountForFixedTools({ target, carried, ledger, key, line }: FixedToolsInput): Feature | null {
  const { type } = carried
  const isHeld = carried.report.widened.length === 0
  if (type === null && isHeld) return null
  const fixed = 'Agent tool restrictions cannot be configured'
  const reason = type === null ? fixed : `${fixed}; target platform uses fixed tool sets per agent type`
  const has = type === null ? 'an agent has all tools' : toolsOf(type)
  const resolution = ledger.decide({
    type: 'field-unsupported',
    feature: key,
    // What is lost where the agent can do more is a guard.
    severity: isHeld ? 'low' : 'high',
    reason: `${reason}: ${has}`,
    workaround: null,
    line,
  })
  const feature = { area: 'fields', feature: key, from: key, line, note: has } as const
  if (isHeld) return { ...feature, outcome: 'workaround', to: `agent type ${type?.name}` }
  if (resolution === 'todo') ledger.todos.push(todoComment(`${key} cannot be kept on ${target.title}: ${has}.`))
  return { ...feature, outcome: outcomeOf(resolution), to: null }
}

function toolsOf({ name, tools }: AgentType): string {
  return tools === undefined ? `'${name}' has all tools` : `'${name}' has ${tools.join(', ')}`
}
