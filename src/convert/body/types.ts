/** What converting a prompt needs, and what comes of it. */
import type { Carrier, Harness } from '../../harness/schema/harness.ts'
import type { GapResolution, GapType, Outcome, Severity } from '../../model/conversion.ts'
import type { Edit } from '../../model/place.ts'

/** Something the prompt relies on that the target does not have. */
export interface BodyGap {
  readonly type: GapType
  readonly feature: string
  readonly severity: Severity
  /** What is lost, for people. */
  readonly reason: string
  /** What an agent can be told to do instead; null where nothing helps. */
  readonly workaround: string | null
}

export interface BodyInput {
  /** The prompt, without front matter. */
  readonly text: string
  readonly source: Harness
  readonly target: Harness
  /** The kind of file the prompt will be written to. */
  readonly carrier: Carrier
  /** Agents that have another name in the target: old to new. */
  readonly renamed: ReadonlyMap<string, string>
  /** What to do about a gap: decided outside, by flags, answers and questions; asked once for each feature. */
  readonly resolve: (gap: BodyGap) => GapResolution
  /** The target's id for a tier, an id or a display name of a model; null when there is none. */
  readonly model: (words: string) => string | null
}

/** A change in the prompt; what stood there before is `text.slice(range.start, range.end)` of the input. */
export interface BodyChange extends Edit {
  readonly rule: Rule
  /** What it is about: `tool: Read`. */
  readonly feature: string
}

/** Everything of one kind and name that the prompt says, changed or not. */
export interface BodyPattern {
  readonly feature: string
  readonly outcome: Outcome
  readonly from: string
  readonly to: string | null
  readonly occurrences: number
  /** Where it first stands, as an offset into the prompt. */
  readonly first: number
  readonly note?: string
}

export interface DecidedGap extends BodyGap {
  readonly resolution: GapResolution
  readonly first: number
}

export interface BodyResult {
  readonly text: string
  /** In the order of their places. */
  readonly changes: readonly BodyChange[]
  readonly patterns: readonly BodyPattern[]
  /** Comments that belong at the end of the file: what is left to do by hand and is not said in its place. */
  readonly todos: readonly string[]
  readonly gaps: readonly DecidedGap[]
}

export const rules = [
  'tool-reference',
  'model-reference',
  'path-reference',
  'skill-reference',
  'agent-name',
  'built-in-agent',
  'call-argument',
  'harness-name',
  'permission-sentence',
  'template-escape',
] as const
export type Rule = (typeof rules)[number]
