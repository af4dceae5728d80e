/** What keeps outputs from being in step with their source. */

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
