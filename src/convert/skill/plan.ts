/** What a conversion of a skill is given, and what it returns. */
import type { Registry } from '../../harness/registry.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import type { ModelMap } from '../../harness/write/models.ts'
import type { Feature, FidelityReport, Gap, PromptEdit } from '../../model/conversion.ts'
import type { GapPolicy } from '../gaps.ts'
import type { IsThere } from '../prompt/pass.ts'
import type { KeptSkill } from './restore.ts'

export interface SkillSource {
  readonly registry: Registry
  readonly harness: Harness
  readonly text: string
  readonly folder: string
  /** The folder below the root of the project. */
  readonly from: string
  /** The text of a file beside it; null: there is none. */
  readonly beside: (path: string) => string | null
}

export interface SkillOptions {
  readonly target: Harness
  /** What it is called there, and its folder below the root of the project. */
  readonly name: string
  readonly place: string
  readonly renamed: ReadonlyMap<string, string>
  readonly policy: GapPolicy
  readonly models: ModelMap
  readonly isThere: IsThere
  /** What was kept when this was written from a skill of the target's. */
  readonly kept: KeptSkill | null
  /** The text of that skill, where it is still there. */
  readonly original: string | null
}

export interface ConvertedSkill {
  readonly text: string
  /** Further files, by their path in the folder. */
  readonly files: ReadonlyMap<string, string>
  readonly features: readonly Feature[]
  readonly gaps: readonly Gap[]
  readonly edits: readonly PromptEdit[]
  readonly fidelity: FidelityReport
  readonly kept: KeptSkill | null
  /** What the agent that loads it would gain, in words. */
  readonly gains: readonly string[]
  readonly isRestored: boolean
  /** Why it cannot be converted at all. */
  readonly problem: string | null
}
