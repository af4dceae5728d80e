/** What decides about a call besides rules, as far as the harness file tells. */

import type { Role } from '../model/access.ts'
import type { Harness } from './schema/harness.ts'

export function callNotes({ calls }: Harness, tool: string, as: Role): string[] {
  const fitting = (calls?.notes ?? []).filter(
    ({ tools, role }) => (tools?.includes(tool) ?? true) && (role === undefined || role === as),
  )
  return fitting.map(({ note }) => note)
}
