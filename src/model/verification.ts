/** What a real harness did with agents, beside what was predicted: the result of `troupe verify`. */
import type { Role } from './access.ts'

export type CheckedThing =
  | 'loaded'
  | 'description'
  | 'model'
  | 'mode'
  | 'permissions'
  | 'temperature'
  | 'effort'
  | 'prompt'
  | 'tools'

/** One thing that was predicted and looked at. */
export interface VerifiedThing {
  readonly what: CheckedThing
  /** The part it played; null for what the loader says. */
  readonly as: Role | null
  readonly predicted: string
  readonly observed: string
  readonly ok: boolean
}

export interface VerifiedAgent {
  readonly name: string
  /** Where it is defined; null where nobody knows. */
  readonly path: string | null
  readonly loaded: boolean
  /** The harness loaded it, and Troupe knows of no such agent. */
  readonly unexpected: boolean
  /** What the harness says is wrong with it. */
  readonly problems: readonly string[]
  /** What else there is to know. */
  readonly notes: readonly string[]
  readonly checks: readonly VerifiedThing[]
}

export interface VerifiedHarness {
  readonly id: string
  readonly title: string
  /** Null where it was not found, or does not say. */
  readonly version: string | null
  readonly checkedWith: string | null
  readonly installed: boolean
  /** What went wrong with running it. */
  readonly problems: readonly string[]
  /** What is as it should be, and worth knowing. */
  readonly notes: readonly string[]
  readonly agents: readonly VerifiedAgent[]
}

/** Everything is as predicted, and every agent is there and can be used. */
export function isVerified({ problems, agents }: Pick<VerifiedHarness, 'problems' | 'agents'>): boolean {
  return problems.length === 0 && agents.every((agent) => isAsPredicted(agent) && isUsable(agent))
}

export function isAsPredicted({ unexpected, checks }: VerifiedAgent): boolean {
  return !unexpected && checks.every(({ ok }) => ok)
}

/** What is observed of an agent that the harness has and cannot run. */
export const FAILS = 'using it fails'

export function isUsable({ loaded, checks }: VerifiedAgent): boolean {
  return loaded && !checks.some(({ observed }) => observed === FAILS)
}
