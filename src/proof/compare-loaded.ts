/** What the loader says of an agent, beside what its definition says. */
import type { Harness } from '../harness/schema/harness.ts'
import { type ToldFact, toldFacts } from '../harness/schema/recipe.ts'
import type { Agent } from '../model/agent.ts'
import type { VerifiedThing } from '../model/verification.ts'
import { rulesText } from './as-merged.ts'

const NOTHING = 'none'

/** `rules`: all that apply to it, where the harness tells them and they can be predicted. */
export function compareLoaded(
  harness: Harness,
  agent: Agent,
  told: Readonly<Partial<Record<ToldFact, string>>>,
  rules: string | null,
): VerifiedThing[] {
  const tells = factsOf(harness).filter((what) => what !== 'permissions' || rules !== null)
  return tells.map((what) => {
    const predicted = (what === 'permissions' ? rules : predictedFact(harness, agent, what)) ?? NOTHING
    const observed = (what === 'permissions' ? toldRules(told[what]) : told[what]?.trim()) ?? NOTHING
    return { what, as: null, predicted, observed, ok: predicted === observed }
  })
}

/** The facts that the harness tells of an agent when it has them. */
function factsOf({ oracle }: Harness): ToldFact[] {
  const { facts = {}, pattern = '' } = oracle?.load.told ?? {}
  return toldFacts.filter((fact) => fact in facts || pattern.includes(`(?<${fact}>`))
}

function toldRules(text: string | undefined): string | undefined {
  return text === undefined ? undefined : rulesText(JSON.parse(text))
}

type OwnFact = Exclude<ToldFact, 'permissions'>

function predictedFact({ fields, models }: Harness, { fields: own }: Agent, what: OwnFact): string | undefined {
  const value = own[what]?.value
  switch (what) {
    case 'description': {
      const text = typeof value === 'string' ? value.trim() : ''
      return (fields.description?.unescapes === true ? text.replaceAll('\\n', '\n') : text) || undefined
    }
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
