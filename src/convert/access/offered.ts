/** Which tools an agent still has in the target: what its prompt may name there. */
import type { Harness } from '../../harness/schema/harness.ts'
import { findUnit } from '../../harness/units.ts'
import { decide } from '../../model/access/decide.ts'
import type { IsOffered } from '../prompt/pass.ts'
import type { CarriedAccess } from './carry.ts'

/** What the definition denies too is no loss: prompts also say what an agent cannot use. */
export function offeredBy(target: Harness, { intent, held }: CarriedAccess): IsOffered {
  const known = new Map<string, boolean>()
  const isAllowed = (tool: string) => held.some((access) => decide(access, { tool }).action !== 'deny')
  return (tool, word) => {
    let offered = known.get(word)
    if (offered === undefined) {
      const unit = tool.startsWith('mcp:') ? null : findUnit(target, word)
      offered = decide(intent.access, { tool }).action === 'deny' || (unit?.grants ?? [tool]).some(isAllowed)
      known.set(word, offered)
    }
    return offered
  }
}

/** A harness without a tool for skills lets agents read them as files. */
export function mayLoadSkills({ words }: Harness, { held }: CarriedAccess): boolean {
  return words.skill == null || held.some((access) => decide(access, { tool: 'skill' }).action !== 'deny')
}
