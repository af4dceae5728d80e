/** Rewrites tool words, alone or in lists. */
import type { Range } from '../../../model/range.ts'
import { noEquivalent } from '../../gaps.ts'
import type { Pass, PassScope, ProposedEdit } from '../pass.ts'
import type { ToolReference } from '../words/references.ts'
import { withArticle } from '../words/role.ts'
import { phraseRange, type Wording, wordingsFor, workaroundWording } from '../words/wording.ts'
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
    const instead = to !== null ? wording : workaround(scope, wording)
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

function workaround(scope: PassScope, wording: Wording): Wording | null {
  return resolutionOf(scope, wording.reference) === 'workaround'
    ? workaroundWording(scope.page, scope.target, wording)
    : null
}

function replaceWord(scope: PassScope, wording: Wording): ProposedEdit {
  const { page, target, isOffered } = scope
  const { reference, to, note, text, isPhrase } = wording
  const { entry } = reference
  const said = { rule: 'tool-reference', feature: `tool: ${entry.word}`, from: entry.word, to } as const
  const noted = note === undefined ? said : { ...said, note }
  const place = isPhrase ? phraseRange(page.text, reference) : nameRange(page.text, reference)
  const call = wording.role === 'call' && wording.runBy !== null ? commandFor(page.text, wording) : null
  if (text === null || (wording.role === 'call' && wording.runBy !== null && call === null)) {
    const todo = noEquivalent([entry.word], target, null)
    return { ...noted, range: place, text: null, outcome: 'todo', todo }
  }
  const fitting = withArticle(page.text, place.start, entry.word, call?.text ?? text)
  const range = { start: fitting.start, end: call?.end ?? place.end }
  const change = {
    ...noted,
    range,
    text: fitting.text === page.text.slice(range.start, range.end) ? null : fitting.text,
  }
  if (wording.isInstead || isOffered(entry.tools[0] ?? '', to ?? '')) return { ...change, outcome: wording.outcome }
  const todo = noEquivalent([entry.word], target, `${target.title} does not offer it to this agent`)
  return { ...change, outcome: 'todo', todo }
}

/** The mark of a tool reference is replaced with the name, because another harness would not know it. */
function nameRange(text: string, { start, end }: ToolReference): Range {
  const mark = text.startsWith('#tool:', start - 6) ? 6 : text[start - 1] === '#' ? 1 : 0
  return { start: start - mark, end }
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
