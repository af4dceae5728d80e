/** Which keys say on the way back what the target says today. */
import type { Carrier, Harness } from '../harness/schema/harness.ts'
import type { Agent, Concept, Json } from '../model/agent.ts'
import type { Edit, Range } from '../model/place.ts'
import type { LineEnd } from '../text/lines.ts'
import { conceptsOfKey, isAccessKey } from './concept-of-key.ts'
import type { Kept } from './kept.ts'
import { accessMark, conceptMark } from './marks.ts'

export interface RestoreInput {
  readonly kept: Kept
  /** What of the prompt was written since, where it is known. */
  readonly added: Range | null
  /** The dialect that is gone back to. */
  readonly harness: Harness
  readonly carrier: Carrier
  /** The agent as it stands in the target today. */
  readonly now: Agent
  /** What an ordinary conversion would write, and how it would change the prompt. */
  readonly keys: Readonly<Record<string, Json>>
  readonly prompt: string
  readonly changes: readonly Edit[]
  readonly lineEnd: LineEnd
}

/** The key under which the ordinary conversion says the same; none where it says nothing. */
export function spellings({ harness, keys }: RestoreInput, key: string): string[] {
  if (Object.hasOwn(keys, key)) return [key]
  const proper = conceptsOfKey(harness, key).flatMap((concept) => harness.fields[concept]?.key ?? [])
  return proper.filter((one) => Object.hasOwn(keys, one))
}

/** What the target says today and did not say then: fields, keys of the author's own, and who may do what. */
export function newKeys(input: RestoreInput, said: ReadonlySet<string>): string[] {
  const { kept, harness, now, keys } = input
  const isOtherAccess = kept.access !== accessMark(now)
  const heldThen = new Map(kept.held.map((one) => (typeof one === 'string' ? [one, null] : one)))
  const isChanged = (concept: Concept) => {
    if (now.fields[concept] === undefined) return false
    const mark = heldThen.get(concept)
    return mark === undefined || (mark !== null && mark !== conceptMark(now, concept))
  }
  return Object.keys(keys).filter((key) => {
    if (said.has(key)) return false
    if (isAccessKey(harness, key)) return isOtherAccess
    const concepts = conceptsOfKey(harness, key)
    return concepts.length > 0 ? concepts.some(isChanged) : now.extras.some((extra) => extra.key === key)
  })
}
