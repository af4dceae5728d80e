/** What an agent's own rules say, apart from every default around them. */
import { type Access, decide, type Verdict } from '../model/access.ts'

/** Null where none of its rules speaks of the tool, so that others decide. */
export function ownAnswer(access: Access, tool: string): Verdict | null {
  const own = access.map((layer) => ({
    ...layer,
    rules: layer.rules.filter(({ range }) => range !== null),
    otherwise: null,
  }))
  const verdict = decide(own, { tool })
  return verdict.rule === null ? null : verdict
}
