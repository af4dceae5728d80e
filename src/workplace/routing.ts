/** Who a task is for that names nobody: the member whose trigger words stand in it. */
import type { Member, Roster } from './roster.ts'

export interface Routed {
  /** The members with the most trigger words in the task; one of them is an answer, several are a question. */
  readonly members: readonly Member[]
  readonly words: readonly string[]
}

export function route(task: string, roster: Roster): Routed {
  const scored = [...roster.values()].map((member) => {
    const words = member.triggers.filter((word) => contains(task, word))
    return { member, words }
  })
  const most = Math.max(0, ...scored.map(({ words }) => words.length))
  if (most === 0) return { members: [], words: [] }
  const best = scored.filter(({ words }) => words.length === most)
  return { members: best.map(({ member }) => member), words: [...new Set(best.flatMap(({ words }) => words))] }
}

/** As whole words, however they are written; `test` stands in "Test it" and not in "latest". */
function contains(task: string, words: string): boolean {
  const pattern = words
    .trim()
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\s+/g, '\\s+')
  return pattern !== '' && new RegExp(`(?<![\\p{L}\\p{N}_])${pattern}(?![\\p{L}\\p{N}_])`, 'iu').test(task)
}
