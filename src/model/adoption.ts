/** What somebody changed by hand in an output, on its way into the source. */

/** What becomes of an output that was changed by hand. */
export const editChoices = ['adopt', 'overwrite', 'skip'] as const
export type EditChoice = (typeof editChoices)[number]

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
