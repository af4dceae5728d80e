/** Pass 4: sentences about asking the user for permission, which are true of every harness that asks, and so are only noted. */
import type { Pass, Proposal, Scope } from '../proposal.ts'

const SUBJECT = /\b(?:permission approval|approval|permission)\b/g
const REQUIRED = /\brequires?(?:[ \t]+(?:explicit|prior|the))?[ \t]+(?:user(?:'s)?[ \t]+)?(?:permission[ \t]+)?$/i

export const notePermissions: Pass = {
  words: () => ['approval', 'requires permission', 'Requires permission'],
  run: note,
}

function note({ page, source, target }: Scope): Proposal[] {
  const proposals: Proposal[] = []
  if (source === target) return proposals
  SUBJECT.lastIndex = 0
  for (let match = SUBJECT.exec(page.text); match !== null; match = SUBJECT.exec(page.text)) {
    const before = REQUIRED.exec(page.text.slice(Math.max(0, match.index - 60), match.index))?.[0]
    if (before === undefined) continue
    const range = { start: match.index - before.length, end: match.index + match[0].length }
    const from = page.text.slice(range.start, range.end)
    const why = `left as it is; what ${target.title} asks about is set in the definition`
    const feature = 'permission: user approval'
    proposals.push({
      range,
      text: null,
      rule: 'permission-sentence',
      feature,
      outcome: 'direct',
      from,
      to: from,
      note: why,
    })
  }
  return proposals
}
