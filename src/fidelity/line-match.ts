/** The line match: how many lines of a prompt are the same. Not the fidelity score, which counts features. */
import type { AgentMatch, LineCounts, MatchKind } from '../model/agent-match.ts'

type Judged = LineCounts & Pick<AgentMatch, 'match' | 'kind'>

export function judgeLines(counts: LineCounts): Judged {
  const { changedLines, whitespaceLines } = counts
  const kind: MatchKind = changedLines > 0 ? 'changed' : whitespaceLines > 0 ? 'whitespace' : 'identical'
  return { match: percent(shareOf(counts)), kind, ...counts }
}

/** An agent that stands on one side alone has nothing in common with the other. */
export function judgeAlone(kind: 'missing' | 'extra', lines: number): Judged {
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
