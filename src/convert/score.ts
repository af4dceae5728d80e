/** Stage 6, score: a claim counts as direct only if reading the written text back says the same. */
import { understandModel } from '../harness/models.ts'
import type { Agent, Json } from '../model/agent.ts'
import { sameData } from '../text/data.ts'
import { extraOf } from './extra-of.ts'
import type { FieldClaim } from './fields.ts'
import type { Ledger } from './ledger.ts'

export function settleClaims(ledger: Ledger, before: Agent, after: Agent, claims: readonly FieldClaim[]): void {
  for (const claim of claims) {
    const { feature, from, to, line } = claim
    const isKept = claim.outcome !== 'direct' || claim.isCertain || isSame(before, after, claim)
    const outcome = isKept ? claim.outcome : 'workaround'
    const changed = claim.concept === 'model' ? 'another model of the same tier' : 'not read back as the same value'
    const note = claim.note ?? (isKept ? undefined : changed)
    ledger.features.push({ area: 'fields', feature, outcome, from, to, line, note })
  }
}

function isSame(before: Agent, after: Agent, { concept, feature }: FieldClaim): boolean {
  if (concept === null) {
    return sameData(extraOf(before, feature)?.value, extraOf(after, feature)?.value)
  }
  const old = before.fields[concept]?.value as Json
  const now = after.fields[concept]?.value as Json | undefined
  // Left out because it means the same as nothing, or said by the file's mere presence.
  if (now === undefined) return true
  if (concept === 'model') return sameModels(old, now)
  if (concept === 'color' || concept === 'mcpServers') return true
  return sameData(old, now)
}

/** The same tier, or the same model by another name. */
function sameModels(old: Json, now: Json): boolean {
  if (typeof old !== 'string' || typeof now !== 'string') return sameData(listOf(old), listOf(now))
  return old === now || meaningOf(old) === meaningOf(now)
}

function listOf(value: Json): (string | null)[] {
  return (Array.isArray(value) ? value : [value]).map((one) => meaningOf(String(one)))
}

const meanings = new Map<string, string | null>()

function meaningOf(model: string): string | null {
  let meaning = meanings.get(model)
  if (meaning === undefined) {
    const name = understandModel(model)
    meaning = name === null || name === 'inherit' ? name : (name.tier ?? `${name.family} ${name.version}`)
    meanings.set(model, meaning)
  }
  return meaning
}
