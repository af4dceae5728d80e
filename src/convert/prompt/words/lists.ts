/** Finds lists of tool words in running text: "Glob, Grep and Read", "Write/Edit", "Grep for text, Glob for names". */
import type { Page } from '../page.ts'
import { namesATool, type ToolCandidate } from './candidate.ts'
import { isExact } from './code-words.ts'
import {
  ENGLISH_HEAD,
  LANGUAGE_HEAD,
  type Lexicon,
  type Meanings,
  STANDS_ALONE,
  STRONG_CUE,
  TOOL_LABEL,
} from './lexicon.ts'

/** Between two names of a list, without the markup around the names. */
const CONNECTOR =
  /^\s*(?:,|\/|\+|&|→|->|=>|;)\s*(?:(?:and|or|then|plus|not|nor|no)\s+)?$|^\s+(?:and|or|then|plus|vs\.?|nor|before|over|instead of|rather than|and\/or)\s+$/
const GLOSS = /^\s*\([^()\n]{1,80}\)\s*,?\s*(?:(?:and|or)\s+)?$/
/** "Glob to map files, Grep to ..." */
const SHARE = /^\s+(?:to|for)\s[^.;:()\n]{2,70},\s+(?:(?:and|or|then)\s+)?$/
const TAKES_SHARE = /^\s+(?:to|for|once|when|if)\s/
const LIST_CUE =
  /\b(?:tools?|have|with|only|no|not|without|through|when|that|for|from|between|like|including|e\.g\.,?|both|either|permits?|forbids?|allows?|denies|deny)\s*[:(]*\s*$/i
const TOOLS_AFTER = /^(?:\s+tools?\b|\s*工具)/

/** The longest gap that can still be a connector. */
const MAX_CONNECTOR = 120

/** Runs of two or more candidates that form one list. */
export function findGroups(page: Page, candidates: readonly ToolCandidate[]): ToolCandidate[][] {
  const groups: ToolCandidate[][] = []
  let group: ToolCandidate[] = []
  for (const candidate of candidates) {
    const last = group.at(-1)
    if (last !== undefined && isConnected(page, last, candidate)) group.push(candidate)
    else {
      groups.push(trimmed(group))
      group = isAloneOrExact(candidate) ? [candidate] : []
    }
  }
  groups.push(trimmed(group))
  return groups.filter(({ length }) => length > 1)
}

/** "use `Grep`, then Read the file": the last word may be a separate instruction. */
function trimmed(group: ToolCandidate[]): ToolCandidate[] {
  const last = group.at(-1)
  if (last === undefined || last.code !== null || last.entry.kind === 'coined' || last.entry.kind === 'program')
    return group
  return STANDS_ALONE.test(last.right) || ENGLISH_HEAD.test(last.right) ? group : trimmed(group.slice(0, -1))
}

function isAloneOrExact(candidate: ToolCandidate): boolean {
  return candidate.code === null || isExact(candidate)
}

function isConnected({ text }: Page, a: ToolCandidate, b: ToolCandidate): boolean {
  if (b.start - a.end > MAX_CONNECTOR || !isAloneOrExact(b)) return false
  // A small word outside of code is English beside one in code.
  if ((a.code === null) !== (b.code === null) && (isSmallEnglish(a) || isSmallEnglish(b))) return false
  const gap = text.slice(a.end, b.start)
  if (/\n[ \t]*\n|\n[ \t>]*(?:[-*+•|#]|\d+[.)])\s/.test(gap)) return false
  const bare = gap.replace(/^[*_`"'”’]+|[*_`"'“‘]+$/g, '').replace(/\s*\r?\n[ \t>]*/g, ' ')
  if (CONNECTOR.test(bare) || GLOSS.test(bare)) return true
  return SHARE.test(bare) && TAKES_SHARE.test(b.right)
}

function isSmallEnglish({ entry, code }: ToolCandidate): boolean {
  return code === null && entry.small && entry.kind !== 'coined'
}

export function isToolGroup(page: Page, group: readonly ToolCandidate[], meanings: Meanings): boolean {
  const first = group[0]!
  const last = group.at(-1)!
  if (isPath(page, first, last)) return false
  if (TOOLS_AFTER.test(last.right)) {
    return !isOrder(page, group) || namesATool({ ...last, starts: true })
  }
  if (TOOL_LABEL.test(first.left)) return STANDS_ALONE.test(last.right)
  if (group.every(({ entry }) => entry.small)) {
    if (group.every(isClear)) return hasSense(group)
    // "using webfetch and grep": the coined word shows what the others are.
    const isNamed =
      group.some(({ entry }) => entry.kind === 'coined') && group.every(({ entry }) => entry.kind !== 'noun')
    return isNamed && STRONG_CUE.test(first.left) && STANDS_ALONE.test(last.right)
  }
  if (group.some((one) => isGroupAnchor(one, meanings))) return !isOrder(page, group)
  if (ENGLISH_HEAD.test(last.right)) return false
  if (group.every(isExact)) return true
  const isUsed = STRONG_CUE.test(first.left) && STANDS_ALONE.test(last.right)
  // "- Read/Write for documents", but not "Read/Write to disk".
  if (first.starts && isSlashed(page, group) && /^\s+for\s/.test(last.right)) return true
  return isUsed || (isWriters(page, group) && STANDS_ALONE.test(last.right) && !isOrder(page, group))
}

function isClear(candidate: ToolCandidate): boolean {
  return isExact(candidate) || candidate.entry.kind === 'coined'
}

/** "lib/Grep/Read" is a path, not a list. */
function isPath({ text }: Page, first: ToolCandidate, last: ToolCandidate): boolean {
  return (
    /[\w.~}>-]\/$/.test(text.slice(Math.max(0, first.start - 2), first.start)) ||
    /^\/[\w.]/.test(text.slice(last.end, last.end + 2))
  )
}

/** Lower-case words in backticks: at least one of them must be more than a program or a thing. */
function hasSense(group: readonly ToolCandidate[]): boolean {
  return group.some(({ entry }) => entry.kind === 'coined' || entry.kind === 'verb')
}

/** A word that makes the words next to it a list of tools. */
function isGroupAnchor(candidate: ToolCandidate, meanings: Meanings): boolean {
  const { entry } = candidate
  if (entry.kind === 'coined') return !entry.small || isExact(candidate)
  return entry.kind === 'program' && !entry.small && !meanings.hasOther(entry.key)
}

function isSlashed({ text }: Page, group: readonly ToolCandidate[]): boolean {
  return group.slice(1).every(({ start }, i) => text.slice(group[i]!.end, start) === '/')
}

/** "Read and Grep the files": an instruction that begins with a verb, unless the list is complete in itself. */
function isOrder({ text }: Page, group: readonly ToolCandidate[]): boolean {
  const first = group[0]!
  const last = group.at(-1)!
  if (!first.starts || first.entry.kind === 'coined' || first.entry.kind === 'program') return false
  return !/[/→]/.test(text.slice(first.end, group[1]!.start)) && !STANDS_ALONE.test(last.right)
}

/** Write and Edit next to each other are the tools; Read and Write are English. */
function isWriters({ text }: Page, group: readonly ToolCandidate[]): boolean {
  const keys = new Set(group.map(({ entry }) => entry.key))
  const isPair = keys.has('write') && keys.has('edit')
  return isPair && (/\//.test(text.slice(group[0]!.end, group[1]!.start)) || LIST_CUE.test(group[0]!.left))
}

/** Tool words that lead a line: "- **Read**: examine files", "| Grep | search |", a list of one tool per line. */
type Form = 'bold' | 'plain' | 'cell'

interface Lead {
  readonly candidate: ToolCandidate
  readonly form: Form
}

const LINE_HEAD = /^[ \t>]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?(\*\*|__|\*|_)?`?$/
const CELL_HEAD = /^[ \t]*\|[ \t]*[*_`]*$/
const SEPARATED = /^`?:?(?:\*\*|__|\*|_)?\s*(?::|--?\s|[–—(→]|$)/
/** How far apart the lines of one list may begin. */
const MAX_LEAD_GAP = 800

/** The leads that are tools, judged by the others in their list or by the line above it. */
export function findToolLeads(
  page: Page,
  candidates: readonly ToolCandidate[],
  meanings: Meanings,
): Set<ToolCandidate> {
  const tools = new Set<ToolCandidate>()
  const leads = candidates.flatMap((candidate) => leadOf(page, candidate))
  for (const run of runsOf(page, leads)) {
    const first = run[0]!.candidate.start
    // Bash in a list of languages.
    if (
      LANGUAGE_HEAD.test(
        page.text.slice(Math.max(0, first - MAX_LEAD_GAP / 2), run.at(-1)!.candidate.end + MAX_LEAD_GAP / 2),
      )
    )
      continue
    const anchors = run.filter(({ candidate }) => isLeadAnchor(candidate, meanings)).length
    const isList = run.length > 1 && (anchors > 0 || isAnnounced(page, run[0]!.candidate))
    for (const { candidate, form } of run) {
      const isSure = isLeadAnchor(candidate, meanings) && (form !== 'plain' || run.length > 1)
      const isNamed = candidate.entry.small ? anchors > 0 : candidate.entry.kind !== 'noun' || anchors > 1
      if (isSure || (isList && isNamed)) tools.add(candidate)
    }
  }
  return tools
}

function isLeadAnchor(candidate: ToolCandidate, meanings: Meanings): boolean {
  const { entry } = candidate
  // `search/codebase`
  if (entry.small) return entry.kind === 'coined' && /[/_]/.test(entry.word) && isExact(candidate)
  return entry.kind === 'coined' || (entry.kind === 'program' && !meanings.hasOther(entry.key))
}

function leadOf({ text, lineStart, lineStop }: Page, candidate: ToolCandidate): Lead[] {
  const { start, end, entry } = candidate
  if ((entry.small && !isExact(candidate)) || start - lineStart(start) > 40) return []
  const prefix = text.slice(lineStart(start), start)
  const suffix = text.slice(end, Math.min(end + 20, lineStop(start)))
  if (CELL_HEAD.test(prefix)) return /^[*_`]*\s*\|/.test(suffix) ? [{ candidate, form: 'cell' }] : []
  const head = LINE_HEAD.exec(prefix)
  if (head === null || !SEPARATED.test(suffix)) return []
  // A word alone on a line that is not a list item is a title.
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
      lead.candidate.start - last.candidate.end < MAX_LEAD_GAP &&
      !/\n#{1,6}[ \t]/.test(text.slice(last.candidate.end, lead.candidate.start))
    if (isNext) runs.at(-1)!.push(lead)
    else runs.push([lead])
  }
  return runs
}

/** The line above the list mentions tools. */
function isAnnounced({ text, lineStart }: Page, first: ToolCandidate): boolean {
  const above = text.slice(Math.max(0, first.start - 300), lineStart(first.start)).trimEnd()
  return /\btools?\b/i.test(above.slice(above.lastIndexOf('\n') + 1))
}

/** Tool words in a table, under a title that announces them: "| Agent | Tools |". */
const ROW = /^[ \t>]*\|/
const DASHES = /^[ \t>]*\|[\s:|-]+$/
const TITLE =
  /^(?:(?:allowed|available|key|main|primary|required) )?tools?(?: (?:access|available|names?|needed|required|used))?$/i
/** Between two names of a cell. */
const BETWEEN = /\s*(?:[,/+&;]|<br\s*\/?>)\s*|\s+(?:and|or)\s+/
/** Maximum rows between a cell and its title, and characters of a row; tables for people are smaller. */
const MAX_ROWS = 60
const MAX_ROW_LENGTH = 2000

/** Only where the cell holds names of tools and nothing else. */
export function isInToolColumn(page: Page, { start, prefix }: ToolCandidate, lexicon: Lexicon): boolean {
  if (!prefix.includes('|')) return false
  const lineStart = page.lineStart(start)
  const row = lineAt(page, lineStart)
  if (row.length > MAX_ROW_LENGTH || !ROW.test(row)) return false
  const column = cellsOf(row.slice(0, start - lineStart)).length - 1
  const names = plain(cellsOf(row)[column] ?? '').split(BETWEEN)
  if (!names.every((name) => lexicon.find(name) !== null)) return false
  const titles = titlesAbove(page, lineStart)
  return titles !== null && TITLE.test(plain(titles[column] ?? ''))
}

/** The first row of the table, if a line of dashes follows it. */
function titlesAbove(page: Page, lineStart: number): string[] | null {
  let below = ''
  let at = lineStart
  for (let rows = 0; rows <= MAX_ROWS && at > 0; rows++) {
    const above = page.lineStart(at - 1)
    const row = lineAt(page, above)
    if (row.length > MAX_ROW_LENGTH || !ROW.test(row)) return null
    if (DASHES.test(below)) return cellsOf(row)
    below = row
    at = above
  }
  return null
}

function lineAt({ text, lineStop }: Page, start: number): string {
  return text.slice(start, lineStop(start))
}

function cellsOf(row: string): string[] {
  return row.split(/(?<!\\)\|/)
}

/** Without emphasis and code marks; an underscore is mostly part of a name. */
function plain(cell: string): string {
  return cell.replace(/[*`]/g, '').trim()
}
