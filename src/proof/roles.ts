/** In which part an agent is looked at: the one that it is made for, where the harness can be made to play it. */
import type { Harness } from '../harness/schema/harness.ts'
import type { Role } from '../model/access.ts'
import type { Agent } from '../model/agent.ts'

export function roleOf({ oracle, fields }: Harness, agent: Agent): Role {
  const mode = agent.fields.mode?.value ?? fields.mode?.default
  const wanted: Role = mode === 'primary' ? 'main' : 'child'
  const other: Role = wanted === 'main' ? 'child' : 'main'
  return (oracle?.[wanted] ?? null) === null ? other : wanted
}
