/** How many lines of a prompt are the same in another file. Not the fidelity score, which counts features. */

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

type MatchKind = (typeof matchKinds)[number]

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

type LineRating = LineCounts & Pick<AgentMatch, 'match' | 'kind'>

export function rateLines(counts: LineCounts): LineRating {
  const { changedLines, whitespaceLines } = counts
  const kind: MatchKind = changedLines > 0 ? 'changed' : whitespaceLines > 0 ? 'whitespace' : 'identical'
  return { match: percent(shareOf(counts)), kind, ...counts }
}

/** An agent that stands on one side alone has nothing in common with the other. */
export function rateUnmatched(kind: 'missing' | 'extra', lines: number): LineRating {
  return { match: 0, kind, changedLines: lines, whitespaceLines: 0, editedLines: 0, totalLines: lines }
}

/** The mean over agents; what has no source is not counted. */
export function overallMatch(agents: readonly AgentMatch[]): number {
  const counted = agents.filter(({ kind }) => kind !== 'extra')
  const shares = counted.map((one) => (one.kind === 'missing' ? 0 : shareOf(one)))
  return counted.length === 0 ? 0 : percent(shares.reduce((sum, share) => sum + share, 0) / counted.length)
}

/** Two empty prompts are the same. */
function shareOf({ totalLines, changedLines, whitespaceLines }: LineCounts): number {
  return totalLines === 0 ? 1 : (totalLines - changedLines - whitespaceLines) / totalLines
}

/** With one decimal, rounded down: 100 means all of it. The tiny addend is for sums that fall short by a bit. */
function percent(share: number): number {
  return Math.floor(share * 1000 + 1e-7) / 10
}
