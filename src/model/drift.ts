/** Why outputs are not up to date, and what happens to outputs that were edited by hand. */
export type DriftKind =
  /** There is no such file yet, or no more. */
  | 'missing'
  /** The source says something else now. */
  | 'source-changed'
  /** The source is the same; Troupe, a harness file or what `troupe.yaml` says is not. */
  | 'rules-changed'
  /** Somebody changed the output. */
  | 'edited'
  /** Somebody else's file stands there. */
  | 'foreign'
  /** Nothing asks for this output any more. */
  | 'stale'

export interface Drift {
  readonly kind: DriftKind
  /** Of the output. */
  readonly path: string
  readonly source: string | null
  readonly agent: string | null
  readonly target: string | null
}

/** What becomes of an output that was changed by hand. */
export const handEditChoices = ['adopt', 'overwrite', 'skip'] as const
export type HandEditChoice = (typeof handEditChoices)[number]

export interface Adoption {
  /** Of the output. */
  readonly path: string
  readonly source: string | null
  readonly target: string | null
  /** What goes back: keys as the source spells them, and `prompt`; none where only the spelling was changed. */
  readonly changes: readonly string[]
  /** What the agent could do then and cannot do now. */
  readonly widened: readonly string[]
  /** Why it does not go back; null: it does. */
  readonly problem: string | null
}
