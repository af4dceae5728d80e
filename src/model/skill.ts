/** The skill: a text with instructions that an agent loads when it needs them, in neutral terms. */
import type { Json } from './agent.ts'
import type { Range } from './range.ts'

/** What is lost with a concept: something that is shown, a way of working, or a limit. */
type SkillWeight = 'label' | 'working' | 'grant' | 'guard'

/** What the front matter of a skill can say besides its name and its description. A harness file maps its keys to these. */
export const skillConcepts = {
  whenToUse: { weight: 'label', meaning: 'when to load it, shown after the description' },
  argumentHint: { weight: 'label', meaning: 'what people see as its arguments' },
  arguments: { weight: 'working', meaning: 'names of its arguments' },
  allowedTools: { weight: 'grant', meaning: 'tools that need no question while it is loaded' },
  disallowedTools: { weight: 'guard', meaning: 'tools that are taken away while it is loaded' },
  manualOnly: { weight: 'guard', meaning: 'people can start it, the model cannot' },
  userInvocable: { weight: 'label', meaning: 'whether people can start it' },
  model: { weight: 'working', meaning: 'the model that is used with it' },
  effort: { weight: 'working', meaning: 'how much the model should reason' },
  context: { weight: 'working', meaning: 'whether it runs in a child session' },
  agent: { weight: 'working', meaning: 'the agent that runs it' },
  background: { weight: 'working', meaning: 'whether it runs without blocking' },
  hooks: { weight: 'guard', meaning: 'commands that run at events while it is loaded' },
  paths: { weight: 'working', meaning: 'files that must be read before it is offered' },
  shell: { weight: 'working', meaning: 'the shell of its commands' },
} as const satisfies Record<string, { weight: SkillWeight; meaning: string }>

export type SkillConcept = keyof typeof skillConcepts

export const skillConceptNames = Object.keys(skillConcepts) as SkillConcept[]

export interface SkillValue {
  /** The key of the harness; null: a file beside it says so. */
  readonly key: string | null
  readonly value: Json
  readonly range: Range | null
}

export interface Skill {
  /** By which harnesses know it: the key `name`, or its folder. */
  readonly name: string
  /** Null: there is no such key. */
  readonly named: string | null
  readonly description: string | null
  readonly values: ReadonlyMap<SkillConcept, SkillValue>
  readonly body: Range
  /** Commands that run when it is loaded, before the model reads it. */
  readonly runs: readonly string[]
}

/** What a skill does to the agent that loads it, beyond words: no agent may gain from a conversion. */
export interface SkillPower {
  readonly allows: readonly string[]
  readonly denies: readonly string[]
  readonly runs: readonly string[]
  readonly hasHooks: boolean
  readonly isManualOnly: boolean
}

export function powerOf({ values, runs }: Skill): SkillPower {
  const words = (concept: SkillConcept) => wordsOf(values.get(concept)?.value)
  const hooks = values.get('hooks')?.value
  return {
    allows: words('allowedTools'),
    denies: words('disallowedTools'),
    runs,
    hasHooks: hooks !== undefined && hooks !== null,
    isManualOnly: values.get('manualOnly')?.value === true,
  }
}

/** What is gained from one to the other, in words; empty: nothing. */
export function gainedPower(before: SkillPower, after: SkillPower): string[] {
  const more = (one: readonly string[], other: readonly string[]) => other.filter((word) => !one.includes(word))
  const allowed = more(before.allows, after.allows)
  const run = more(before.runs, after.runs)
  const free = more(after.denies, before.denies)
  return [
    ...(allowed.length > 0 ? [`${allowed.join(', ')} would need no question`] : []),
    ...(run.length > 0 ? [`\`${run.join('`, `')}\` would run when it is loaded`] : []),
    ...(free.length > 0 ? [`${free.join(', ')} would no longer be taken away while it is loaded`] : []),
    ...(after.hasHooks && !before.hasHooks ? ['its hooks would run'] : []),
    ...(before.hasHooks && !after.hasHooks ? ['its hooks would no longer run'] : []),
    ...(before.isManualOnly && !after.isManualOnly ? ['the model could load it without being asked to'] : []),
  ]
}

/** A list, or words with commas or spaces between them, but not inside of parentheses. */
function wordsOf(value: Json | undefined): string[] {
  if (value === undefined || value === null || value === '') return []
  if (Array.isArray(value)) return value.flatMap((one: Json) => wordsOf(one))
  return [...String(typeof value === 'object' ? JSON.stringify(value) : value).matchAll(/[^\s,(]+(?:\([^)]*\))?/g)].map(
    ([word]) => word,
  )
}
