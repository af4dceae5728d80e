/** Finds the places in a prompt that name a tool of the harness it was written for. */
import type { Harness } from '../../../harness/schema/harness.ts'
import type { Range } from '../../../model/place.ts'
import type { Page } from '../page/page.ts'
import { isCall } from './calls.ts'
import { type Candidate, candidateAt } from './candidate.ts'
import { isToolInCode } from './code-words.ts'
import { isInToolColumn } from './columns.ts'
import { findGroups, isToolGroup } from './groups.ts'
import { findToolLeads } from './leads.ts'
import { type Lexicon, lexiconOf, type ToolWord } from './lexicon.ts'
import { type Meanings, meaningsIn } from './meanings.ts'
import { isToolInProse } from './prose-words.ts'

export interface Reference extends Range {
  readonly entry: ToolWord
  /** What the backticks around it enclose. */
  readonly code: Range | null
  readonly isCall: boolean
  /** The list it stands in with others, if any. */
  readonly group: readonly Range[] | null
}

export type NamedTool = readonly [start: number, word: ToolWord]

/** `named`: where words of the harness stand, whatever they mean there. */
export function findReferences(page: Page, source: Harness, named: readonly NamedTool[]): Reference[] {
  const lexicon = lexiconOf(source)
  const all = named.map(([start, word]) => candidateAt(page, start, word))
  if (all.length === 0) return []
  const meanings = meaningsIn(page.text)
  const groups = new Map<Candidate, readonly Candidate[]>()
  for (const group of findGroups(page, all)) {
    if (isToolGroup(page, group, meanings)) for (const one of group) groups.set(one, group)
  }
  const leads = findToolLeads(page, all, meanings)
  return all.flatMap((candidate): Reference[] => {
    const inText = groups.has(candidate) || leads.has(candidate) || isToolAlone(page, candidate, lexicon, meanings)
    const asCall = isCall(page, candidate, true)
    // What kind of place it is costs more to find out, so it is asked only about what could be a tool.
    const place = inText || asCall ? page.placeOf(candidate.start) : null
    if (!(place === 'text' && inText) && !(place === 'fence' && asCall)) return []
    const { start, end, entry, code } = candidate
    const group = place === 'text' ? (groups.get(candidate) ?? null) : null
    const isInCall = place === 'fence' || page.text[end] === '('
    return [{ start, end, entry, code, group, isCall: isInCall }]
  })
}

function isToolAlone(page: Page, candidate: Candidate, lexicon: Lexicon, meanings: Meanings): boolean {
  const isTool =
    candidate.code === null
      ? isToolInProse(page, candidate, meanings)
      : isToolInCode(page, candidate, lexicon, meanings)
  return isTool || isInToolColumn(page, candidate, lexicon)
}
