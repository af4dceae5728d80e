/** How much of an agent's prompt stands in another file too, line by line. */

export interface LineCounts {
  /** Lines whose words differ. */
  readonly changedLines: number
  /** Lines that differ in white space alone; none of them is among the changed ones. */
  readonly whitespaceLines: number
  /** Those of the changed lines that the converter changes itself. */
  readonly editedLines: number
  /** Of the longer side. */
  readonly totalLines: number
}

/** `missing`: in the source alone; `extra`: in the target alone. */
export const matchKinds = ['identical', 'whitespace', 'changed', 'missing', 'extra'] as const

export type MatchKind = (typeof matchKinds)[number]

export interface AgentMatch extends LineCounts {
  readonly name: string
  /** The file, as people see its path; null where there is none. */
  readonly source: string | null
  readonly compiled: string | null
  /** Per cent of the lines, with one decimal. */
  readonly match: number
  readonly kind: MatchKind
  /** The lines that differ, as unified hunks; only where they are wanted. */
  readonly patch?: readonly string[]
}
