/** Why outputs are not up to date, and what happens to outputs that were edited by hand. */
export type DriftKind =
  /** The file does not exist yet, or no longer. */
  | 'missing'
  /** The source has changed. */
  | 'source-changed'
  /** The source is the same; Troupe, a harness file or `troupe.yaml` has changed. */
  | 'rules-changed'
  /** The output was edited. */
  | 'edited'
  /** A file that Troupe did not write is there. */
  | 'foreign'
  /** The output is no longer wanted. */
  | 'stale'

export interface Drift {
  readonly kind: DriftKind
  /** Of the output. */
  readonly path: string
  readonly source: string | null
  readonly agent: string | null
  readonly target: string | null
}

/** What happens to an output that was edited by hand. */
export const handEditChoices = ['adopt', 'overwrite', 'skip'] as const
export type HandEditChoice = (typeof handEditChoices)[number]

export interface Adoption {
  /** Of the output. */
  readonly path: string
  readonly source: string | null
  readonly target: string | null
  /** What is adopted: keys as the source spells them, and `prompt`; empty if only the spelling was changed. */
  readonly changes: readonly string[]
  /** What the agent could then do and cannot do now. */
  readonly widened: readonly string[]
  /** Why it is not adopted; null: it is. */
  readonly problem: string | null
}
