/** Rewrites tool words, alone or in lists. */
import { noEquivalent, workaroundFor } from '../../gaps.ts'
import type { Pass, PassScope, ProposedEdit } from '../pass.ts'
import type { ToolReference } from '../words/references.ts'
import { withArticle } from '../words/role.ts'
import { toolEdit } from '../words/tool-edit.ts'
import { type Wording, wordingsFor, workaroundWording } from '../words/wording.ts'
import { missingTools, resolutionOf } from './missing-tools.ts'
import { collapseLists } from './repetitions.ts'
import { undistinguished } from './undistinguished.ts'

export const rewriteTools: Pass = { words: null, run: rewriteReferences }

function rewriteReferences(scope: PassScope): ProposedEdit[] {
  if (scope.source === scope.target) return []
  const references = scope.references()
  if (references.length === 0) return []
  const known: Wording[] = []
  const missing: ToolReference[] = []
  for (const wording of wordingsFor(scope.page, scope, references).values()) {
    const { to, reference } = wording
    const instead = to === null ? workaround(scope, wording) : offered(scope, wording)
    if (instead === null) missing.push(reference)
    else known.push(instead)
  }
  const alike = undistinguished(scope, known)
  const distinct = known.filter((wording) => !alike.wordings.has(wording))
  const collapsed = collapseLists(scope, distinct)
  const inLists = new Set(collapsed.flatMap(({ members }) => members))
  return [
    ...missingTools(scope, missing, references),
    ...alike.proposals,
    ...collapsed.flatMap(({ proposals }) => proposals),
    ...distinct.filter((wording) => !inLists.has(wording)).map((wording) => replaceWord(scope, wording)),
  ]
}

/** A word for a tool that this agent lost does not help it where something else is. */
function offered(scope: PassScope, wording: Wording): Wording {
  const { reference, to } = wording
  const [tool = ''] = reference.entry.tools
  if (scope.isOffered(tool, to ?? '') || workaroundFor(scope.target, tool) === null) return wording
  return workaround(scope, wording) ?? wording
}

function workaround(scope: PassScope, wording: Wording): Wording | null {
  return resolutionOf(scope, wording.reference) === 'workaround'
    ? workaroundWording(scope.page, scope.target, wording)
    : null
}

function replaceWord(scope: PassScope, wording: Wording): ProposedEdit {
  const { page, target } = scope
  const { text, place } = wording
  const { entry } = wording.reference
  const about = toolEdit(scope, wording)
  const call = wording.role === 'call' && wording.runBy !== null ? commandFor(page.text, wording) : null
  if (text === null || (wording.role === 'call' && wording.runBy !== null && call === null)) {
    const todo = noEquivalent([entry.word], target, null)
    return { ...about, range: place, text: null, outcome: 'todo', todo }
  }
  const fitting = withArticle(page.text, place.start, entry.word, call?.text ?? text)
  const range = { start: fitting.start, end: call?.end ?? place.end }
  return { ...about, range, text: fitting.text === page.text.slice(range.start, range.end) ? null : fitting.text }
}

/** `Read: path` and `Read(path)` as a command; other arguments have no place in one. */
function commandFor(
  text: string,
  { reference: { end }, text: command }: Wording,
): { text: string; end: number } | null {
  const rest = text.slice(end, end + 200)
  const colon = /^:[ \t]*(?=\S)/.exec(rest)
  if (colon !== null) return { text: `${command} `, end: end + colon[0].length }
  const call = /^\((["'`]?)([\w./*~-]+)\1\)/.exec(rest)
  return call === null ? null : { text: `${command} ${call[2]}`, end: end + call[0].length }
}
