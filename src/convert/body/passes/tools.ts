/** Pass 1: tool words become the target's, alone or in lists. */

import type { Pass, Proposal, Scope } from '../proposal.ts'
import type { Reference } from '../words/references.ts'
import { translate } from '../words/translate.ts'
import { missingTools } from './missing-tools.ts'
import { collapseLists } from './tool-lists.ts'

export const convertTools: Pass = { words: null, run: convert }

function convert(scope: Scope): Proposal[] {
  if (scope.source === scope.target) return []
  const references = scope.references()
  if (references.length === 0) return []
  const missing: Reference[] = []
  const known: Reference[] = []
  for (const reference of references) {
    const { to } = translate(scope.source, scope.target, reference.entry)
    ;(to === null ? missing : known).push(reference)
  }
  const collapsed = collapseLists(scope, known)
  const inLists = new Set(collapsed.flatMap(({ members }) => members))
  return [
    ...missingTools(scope, missing, references),
    ...collapsed.flatMap(({ proposals }) => proposals),
    ...known.filter((reference) => !inLists.has(reference)).map((reference) => replaceWord(scope, reference)),
  ]
}

function replaceWord({ page, source, target }: Scope, { start, end, entry, code, isCall }: Reference): Proposal {
  const { to, outcome, note } = translate(source, target, entry)
  const range = { start: start - markLength(page.text, start), end }
  // What is no name of a tool cannot be called.
  const isLost = isCall && to !== null && !/^\w[\w/*-]*$/.test(to)
  const isQuoted = code?.start === start && code.end === end
  const text = isLost || to === entry.word ? null : isQuoted ? (to?.replaceAll(' and ', '` and `') ?? null) : to
  const feature = `tool: ${entry.word}`
  const change: Proposal = {
    range,
    text,
    rule: 'tool-reference',
    feature,
    outcome: isLost ? 'todo' : outcome,
    from: entry.word,
    to,
  }
  return note === undefined ? change : { ...change, note }
}

/** The mark that says "this is a tool" goes with the name, because another harness would not know it. */
function markLength(text: string, start: number): number {
  if (text.startsWith('#tool:', start - 6)) return 6
  return text[start - 1] === '#' ? 1 : 0
}
