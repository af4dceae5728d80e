/** What a real harness did with agents compared with the prediction, and the request it sent to the model. */
import type { Role } from './access/rules.ts'
import type { Json } from './agent.ts'

type VerifiedAspect =
  | 'loaded'
  | 'description'
  | 'model'
  | 'mode'
  | 'permissions'
  | 'temperature'
  | 'effort'
  | 'prompt'
  | 'tools'

/** One prediction and its observation. */
export interface VerifiedFact {
  readonly what: VerifiedAspect
  /** Its role; null for a report of the loader. */
  readonly as: Role | null
  readonly predicted: string
  readonly observed: string
  readonly ok: boolean
}

export interface VerifiedAgent {
  readonly name: string
  /** Where it is defined; null if unknown. */
  readonly path: string | null
  readonly loaded: boolean
  /** The harness loaded it, but Troupe knows no such agent. */
  readonly unexpected: boolean
  /** What the harness reports as wrong with it. */
  readonly problems: readonly string[]
  /** What else there is to know. */
  readonly notes: readonly string[]
  readonly checks: readonly VerifiedFact[]
}

export interface VerifiedHarness {
  readonly id: string
  readonly title: string
  /** Null if it was not found, or does not report its version. */
  readonly version: string | null
  readonly checkedWith: string | null
  readonly installed: boolean
  /** What went wrong with running it. */
  readonly problems: readonly string[]
  /** Facts that are not problems, but worth knowing. */
  readonly notes: readonly string[]
  readonly agents: readonly VerifiedAgent[]
}

/** Everything is as predicted, and every agent is loaded and usable. */
export function isVerified({ problems, agents }: Pick<VerifiedHarness, 'problems' | 'agents'>): boolean {
  return problems.length === 0 && agents.every((agent) => isAsPredicted(agent) && isUsable(agent))
}

export function isAsPredicted({ unexpected, checks }: VerifiedAgent): boolean {
  return !unexpected && checks.every(({ ok }) => ok)
}

/** The observation for an agent that the harness has but cannot run. */
export const FAILS_IN_USE = 'using it fails'

export function isUsable({ loaded, checks }: VerifiedAgent): boolean {
  return loaded && !checks.some(({ observed }) => observed === FAILS_IN_USE)
}

/** A piece of text that reaches the model, and its author. */
export interface WireText {
  readonly whose: 'agent' | 'project' | 'harness'
  /** In the system prompt, or in a message before the user's own. */
  readonly in: 'system' | 'message'
  readonly text: string
}

export interface CapturedRequest {
  readonly harness: string
  readonly title: string
  readonly version: string | null
  readonly as: Role
  readonly model: string
  readonly parameters: Readonly<Record<string, Json>>
  readonly texts: readonly WireText[]
  readonly tools: readonly string[]
  /** The size of all tool descriptions. */
  readonly toolCharacters: number
}

/** Only the model's vendor can count them: four characters of English or code are about one. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / 4)
}
