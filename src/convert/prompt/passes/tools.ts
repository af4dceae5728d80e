/** Rewrites tool words, alone or in lists. */
import type { Pass, PassScope, ProposedEdit } from '../pass.ts'
import type { ToolReference } from '../words/references.ts'
import { translate } from '../words/translate.ts'
import { missingTools } from './missing-tools.ts'

export const rewriteTools: Pass = { words: null, run: rewriteReferences }

function rewriteReferences(scope: PassScope): ProposedEdit[] {
  if (scope.source === scope.target) return []
  const references = scope.references()
  if (references.length === 0) return []
  const missing: ToolReference[] = []
  const known: ToolReference[] = []
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

function replaceWord(
  { page, source, target }: PassScope,
  { start, end, entry, code, isCall }: ToolReference,
): ProposedEdit {
  const { to, outcome, note } = translate(source, target, entry)
  const range = { start: start - markLength(page.text, start), end }
  // What is not a tool name cannot be called.
  const isLost = isCall && to !== null && !/^\w[\w/*-]*$/.test(to)
  const isQuoted = code?.start === start && code.end === end
  const text = isLost || to === entry.word ? null : isQuoted ? (to?.replaceAll(' and ', '` and `') ?? null) : to
  const feature = `tool: ${entry.word}`
  const change: ProposedEdit = {
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

/** The mark of a tool reference is replaced with the name, because another harness would not know it. */
function markLength(text: string, start: number): number {
  if (text.startsWith('#tool:', start - 6)) return 6
  return text[start - 1] === '#' ? 1 : 0
}

/** Lists in which several words become the same one: "`TaskCreate` and `TaskUpdate`" must not become the same word twice. */
interface Collapsed {
  readonly members: readonly ToolReference[]
  readonly proposals: readonly ProposedEdit[]
}

/** Only lists that have such a repetition and are plain enough to be rewritten. */
function collapseLists(scope: PassScope, references: readonly ToolReference[]): Collapsed[] {
  const lists = new Map<ToolReference['group'], ToolReference[]>()
  for (const reference of references) {
    if (reference.group === null) continue
    const list = lists.get(reference.group)
    if (list === undefined) lists.set(reference.group, [reference])
    else list.push(reference)
  }
  return [...lists].flatMap(([group, list]) => (group?.length === list.length ? collapse(scope, list) : []))
}

const PLAIN_GAP = /^[`*_"']*\s*(?:,|\/|\+|&|and|or|,\s*(?:and|or))\s*[`*_"']*$/

function collapse(scope: PassScope, list: readonly ToolReference[]): Collapsed[] {
  const { text } = scope.page
  const names = list.map(({ entry }) => translate(scope.source, scope.target, entry))
  const unique = [...new Set(names.map(({ to }) => to))]
  const gaps = list.slice(1).map(({ start }, i) => text.slice(list[i]!.end, start))
  if (unique.length === list.length || !gaps.every((gap) => PLAIN_GAP.test(gap))) return []
  const kept = unique.map((to) => list[names.findIndex((name) => name.to === to)]!)
  // The first member keeps its place; the remaining ones follow it, joined as the list was.
  const joint = gaps.at(-1)!.replace(/[`*_"']/g, '')
  const isSlash = /[/+&]/.test(joint)
  const proposals = list.map((reference, i): ProposedEdit => {
    const { to, outcome, note } = names[i]!
    const place = kept.indexOf(reference)
    const from = i === 0 ? reference.start : markupEnd(text, list[i - 1]!.end)
    const end = i === 0 ? reference.end : markupEnd(text, reference.end)
    const [open, close] = markupOf(text, reference)
    const joined =
      place === kept.length - 1 && !isSlash ? (kept.length === 2 ? lastWord(joint) : joint) : isSlash ? joint : ', '
    return {
      range: { start: from, end },
      text: i === 0 ? to : place < 0 ? '' : `${joined}${open}${to}${close}`,
      rule: 'tool-reference',
      feature: `tool: ${reference.entry.word}`,
      outcome,
      from: reference.entry.word,
      to,
      ...(note === undefined ? {} : { note }),
    }
  })
  return [{ members: list, proposals }]
}

/** ", and " between two is " and ". */
function lastWord(joint: string): string {
  const word = /and|or/.exec(joint)?.[0]
  return word === undefined ? ' and ' : ` ${word} `
}

function markupEnd(text: string, end: number): number {
  let at = end
  while (/[`*_"']/.test(text[at] ?? '')) at++
  return at
}

function markupOf(text: string, { start, end }: ToolReference): [string, string] {
  let from = start
  while (from > 0 && /[`*_"']/.test(text[from - 1]!)) from--
  return [text.slice(from, start), text.slice(end, markupEnd(text, end))]
}
