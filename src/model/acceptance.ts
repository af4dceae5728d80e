/** What an agent may do in a target beyond its definition, because somebody accepted it. */
import type { Conversion } from './conversion.ts'

export interface Acceptance {
  readonly agent: string
  readonly target: string
  readonly capability: string
  /** Null: none was given. */
  readonly reason: string | null
}

/** `reasons`: by capability, or `*` for all. */
export function acceptancesOf(
  { name, target, status, access }: Conversion,
  reasons: ReadonlyMap<string, string | null>,
): Acceptance[] {
  if (status === 'refused' || status === 'failed') return []
  const gained = new Set(access.widened.map(({ capability }) => capability))
  return [...gained].map((capability) => {
    const reason = reasons.get(capability) ?? reasons.get('*') ?? null
    return { agent: name, target: target.harness, capability, reason }
  })
}
