/** Tool words that head a line: "- **Read**: examine files", "| Grep | search |", a list of one tool per line. */

import type { Page } from '../page/page.ts'
import type { Candidate } from './candidate.ts'
import { LANGUAGE_HEAD } from './english.ts'
import type { Meanings } from './meanings.ts'

type Form = 'bold' | 'plain' | 'cell'

interface Lead {
  readonly candidate: Candidate
  readonly form: Form
}

const LINE_HEAD = /^[ \t>]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?(\*\*|__|\*|_)?`?$/
const CELL_HEAD = /^[ \t]*\|[ \t]*[*_`]*$/
const SEPARATED = /^`?:?(?:\*\*|__|\*|_)?\s*(?::|--?\s|[–—(→]|$)/
/** How far apart the lines of one list may begin. */
const FAR = 800

/** The leads that are tools, told by the others of their list or by the line above it. */
export function findToolLeads(page: Page, candidates: readonly Candidate[], meanings: Meanings): Set<Candidate> {
  const tools = new Set<Candidate>()
  const leads = candidates.flatMap((candidate) => leadOf(page, candidate))
  for (const run of runsOf(page, leads)) {
    const first = run[0]!.candidate.start
    // Bash in a list of languages.
    if (LANGUAGE_HEAD.test(page.text.slice(Math.max(0, first - FAR / 2), run.at(-1)!.candidate.end + FAR / 2))) continue
    const anchors = run.filter(({ candidate }) => isAnchor(candidate, meanings)).length
    const isList = run.length > 1 && (anchors > 0 || isAnnounced(page, run[0]!.candidate))
    for (const { candidate, form } of run) {
      const isSure = isAnchor(candidate, meanings) && (form !== 'plain' || run.length > 1)
      if (isSure || (isList && (candidate.entry.kind !== 'noun' || anchors > 1))) tools.add(candidate)
    }
  }
  return tools
}

function isAnchor({ entry }: Candidate, meanings: Meanings): boolean {
  if (entry.small) return false
  return entry.kind === 'coined' || (entry.kind === 'program' && !meanings.hasOther(entry.key))
}

function leadOf({ text, lineStart, lineStop }: Page, candidate: Candidate): Lead[] {
  const { start, end, entry } = candidate
  if (entry.small || start - lineStart(start) > 40) return []
  const prefix = text.slice(lineStart(start), start)
  const suffix = text.slice(end, Math.min(end + 20, lineStop(start)))
  if (CELL_HEAD.test(prefix)) return /^[*_`]*\s*\|/.test(suffix) ? [{ candidate, form: 'cell' }] : []
  const head = LINE_HEAD.exec(prefix)
  if (head === null || !SEPARATED.test(suffix)) return []
  // A word alone on a line that is no list item is a title.
  if (head[1] === undefined && !/[-*+•.)]/.test(prefix)) return []
  return [{ candidate, form: head[1] === undefined ? 'plain' : 'bold' }]
}

function runsOf({ text }: Page, leads: readonly Lead[]): Lead[][] {
  const runs: Lead[][] = []
  for (const lead of leads) {
    const last = runs.at(-1)?.at(-1)
    const isNext =
      last !== undefined &&
      last.form === lead.form &&
      lead.candidate.start - last.candidate.end < FAR &&
      !/\n#{1,6}[ \t]/.test(text.slice(last.candidate.end, lead.candidate.start))
    if (isNext) runs.at(-1)!.push(lead)
    else runs.push([lead])
  }
  return runs
}

/** The line above the list speaks of tools. */
function isAnnounced({ text, lineStart }: Page, first: Candidate): boolean {
  const above = text.slice(Math.max(0, first.start - 300), lineStart(first.start)).trimEnd()
  return /\btools?\b/i.test(above.slice(above.lastIndexOf('\n') + 1))
}
