/** What an agent could do after a change of its definition and could not do before. */
import { compareAccess } from '../../fidelity/access.ts'
import { roles, writtenAccess } from '../../model/access.ts'
import { type Concept, concepts } from '../../model/agent.ts'
import type { Source } from '../parse.ts'

/** Capabilities, and fields that guard it or start programs and are no longer what they were. */
export function gainsBetween({ agent: before }: Source, { agent: after }: Source): string[] {
  const capabilities = roles.flatMap((role) =>
    compareAccess(writtenAccess(before.access, role), writtenAccess(after.access, role)).widened.map(
      ({ capability }) => capability,
    ),
  )
  const guards = (Object.keys(concepts) as Concept[]).filter((concept) => {
    if (concepts[concept].weight !== 'guard' && concept !== 'mcpServers') return false
    return isLooser(before.fields[concept]?.value, after.fields[concept]?.value)
  })
  return [...new Set([...capabilities, ...guards])]
}

/** A limit that is lower, or new, guards more; of anything else nobody can say. */
function isLooser(before: unknown, after: unknown): boolean {
  if (JSON.stringify(before) === JSON.stringify(after)) return false
  const isLower = typeof after === 'number' && (before === undefined || (typeof before === 'number' && after < before))
  return !isLower
}
