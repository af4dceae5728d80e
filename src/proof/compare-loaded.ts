/** What the loader says of an agent, beside what its definition says. */
import type { Harness } from '../harness/schema/harness.ts'
import type { ToldFact } from '../harness/schema/recipe.ts'
import type { Agent } from '../model/agent.ts'
import type { VerifiedThing } from '../model/verification.ts'

const NOTHING = 'none'

export function compareLoaded(
  harness: Harness,
  agent: Agent,
  told: Readonly<Partial<Record<ToldFact, string>>>,
): VerifiedThing[] {
  const tells = factsOf(harness)
  return tells.map((what) => {
    const predicted = predictedFact(harness, agent, what) ?? NOTHING
    const observed = told[what]?.trim() ?? NOTHING
    return { what, as: null, predicted, observed, ok: predicted === observed }
  })
}

/** The facts that the harness tells of an agent when it has them. */
function factsOf({ oracle }: Harness): ToldFact[] {
  const { facts = {}, pattern = '' } = oracle?.load.told ?? {}
  const all: readonly ToldFact[] = ['description', 'model', 'mode', 'temperature']
  return all.filter((fact) => fact in facts || pattern.includes(`(?<${fact}>`))
}

function predictedFact({ fields, models }: Harness, { fields: own }: Agent, what: ToldFact): string | undefined {
  const value = own[what]?.value
  switch (what) {
    case 'description':
      return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
    case 'mode':
      return String(value ?? fields.mode?.default ?? '') || undefined
    case 'model': {
      const [first] = typeof value === 'string' ? [value] : ((value as readonly string[] | undefined) ?? [])
      return first === models.inherit || first === fields.model?.omit ? undefined : first
    }
    case 'temperature':
      return value === undefined ? undefined : String(value)
  }
}
