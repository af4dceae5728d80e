/** Lists in which several words become the same one: "`TaskCreate` and `TaskUpdate`" must not become the same word twice. */
import type { Proposal, Scope } from '../proposal.ts'
import type { Reference } from '../words/references.ts'
import { translate } from '../words/translate.ts'

export interface Collapsed {
  readonly members: readonly Reference[]
  readonly proposals: readonly Proposal[]
}

/** Only lists that have such a repetition, and that are plain enough to be written anew. */
export function collapseLists(scope: Scope, references: readonly Reference[]): Collapsed[] {
  const lists = new Map<Reference['group'], Reference[]>()
  for (const reference of references) {
    if (reference.group === null) continue
    const list = lists.get(reference.group)
    if (list === undefined) lists.set(reference.group, [reference])
    else list.push(reference)
  }
  return [...lists].flatMap(([group, list]) => (group?.length === list.length ? collapse(scope, list) : []))
}

const PLAIN_GAP = /^[`*_"']*\s*(?:,|\/|\+|&|and|or|,\s*(?:and|or))\s*[`*_"']*$/

function collapse(scope: Scope, list: readonly Reference[]): Collapsed[] {
  const { text } = scope.page
  const names = list.map(({ entry }) => translate(scope.source, scope.target, entry))
  const unique = [...new Set(names.map(({ to }) => to))]
  const gaps = list.slice(1).map(({ start }, i) => text.slice(list[i]!.end, start))
  if (unique.length === list.length || !gaps.every((gap) => PLAIN_GAP.test(gap))) return []
  const kept = unique.map((to) => list[names.findIndex((name) => name.to === to)]!)
  // The first member keeps its place; the others that stay follow it, joined as the list was.
  const joint = gaps.at(-1)!.replace(/[`*_"']/g, '')
  const isSlash = /[/+&]/.test(joint)
  const proposals = list.map((reference, i): Proposal => {
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

function markupOf(text: string, { start, end }: Reference): [string, string] {
  let from = start
  while (from > 0 && /[`*_"']/.test(text[from - 1]!)) from--
  return [text.slice(from, start), text.slice(end, markupEnd(text, end))]
}
