/** The plan of a conversion: the request, and the order of its seven stages. */

import type { Carrier, Harness } from '../harness/schema/harness.ts'
import type { ModelMap } from '../harness/write/models.ts'
import type { Access, Role } from '../model/access/rules.ts'
import type { Range } from '../model/range.ts'
import type { FindSkill } from './agent/skills.ts'
import type { Source } from './agent/source.ts'
import type { GapPolicy } from './gaps.ts'
import type { IsThere } from './prompt/pass.ts'
import type { KeptSource } from './restore/kept.ts'

/** A harness, and the kind of file that is written for it. */
export interface Target {
  readonly harness: Harness
  readonly carrier: Carrier
}

export interface ConversionOptions {
  readonly target: Target
  /** The name the agent gets there. */
  readonly name: string
  /** Names that change in this batch, old to new. */
  readonly renamed: ReadonlyMap<string, string>
  readonly policy: GapPolicy
  readonly models: ModelMap
  readonly keepAsking: boolean
  /** The only role that the agent will have there; absent: as its definition declares. */
  readonly role?: Role
  readonly findSkill: FindSkill
  /** Absent: nothing is known of other files. */
  readonly isThere?: IsThere
  /** What was kept when the source was converted from an agent of the target's dialect. */
  readonly kept: KeptSource | null
  /** The text of that agent's file, where it is still there and unchanged. */
  readonly original?: string
  /** The part of the source's prompt that was written after that, where it is known. */
  readonly added?: Range
}

/**
 * `convert`: into another dialect, or into a kind of file that drops keys. `move`: the same keys in another kind of file of
 * the same dialect. `copy`: the same file, byte for byte, in another place.
 */
export type Way = 'convert' | 'move' | 'copy'

/** It never changes while a conversion runs. */
export interface Plan extends ConversionOptions {
  /** The definition as found. */
  readonly given: Source
  readonly way: Way
  /** Layers that limit the agent beyond its definition. */
  readonly limits: Access
}

/** A stage sees the plan and what earlier stages added, and adds its own part. */
type Stage<Before, Added> = (plan: Plan, before: Before) => Added

/** The stages as one function. A stage in the wrong place does not compile: what it needs is not there yet. */
export function stagesInOrder<A, B, C, D, E, F, G>(
  one: Stage<object, A>,
  two: Stage<A, B>,
  three: Stage<A & B, C>,
  four: Stage<A & B & C, D>,
  five: Stage<A & B & C & D, E>,
  six: Stage<A & B & C & D & E, F>,
  seven: Stage<A & B & C & D & E & F, G>,
): (plan: Plan) => A & B & C & D & E & F & G {
  const stages = [one, two, three, four, five, six, seven] as readonly Stage<object, object>[]
  return (plan) => {
    const progress = {}
    for (const stage of stages) Object.assign(progress, stage(plan, progress))
    return progress as A & B & C & D & E & F & G
  }
}
