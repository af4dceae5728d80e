/** Lists in which several words become the same one: "`TaskCreate` and `TaskUpdate`" must not become the same word twice. */
import type { Range } from '../../../model/range.ts'
import type { PassScope, ProposedEdit } from '../pass.ts'
import { toolEdit } from '../words/tool-edit.ts'
import type { Wording } from '../words/wording.ts'

interface Collapsed {
  readonly members: readonly Wording[]
  readonly proposals: readonly ProposedEdit[]
}

/** Only lists that have such a repetition and are plain enough to be rewritten. */
export function collapseLists(scope: PassScope, wordings: readonly Wording[]): Collapsed[] {
  const lists = new Map<readonly Range[], Wording[]>()
  for (const wording of wordings) {
    const { group } = wording.reference
    if (group === null) continue
    const list = lists.get(group)
    if (list === undefined) lists.set(group, [wording])
    else list.push(wording)
  }
  return [...lists].flatMap(([group, list]) => (group.length === list.length ? collapse(scope, list) : []))
}

const PLAIN_GAP = /^[`*_"']*\s*(?:,|\/|\+|&|and|or|,\s*(?:and|or))\s*[`*_"']*$/
/** "X to find files, X to read them": the second name can go. */
const SHARE_GAP = /^\s+(?:to|for)\s[^`*_]*(?:,|\band\b|\bor\b|\bthen\b)\s+$/

function collapse(scope: PassScope, list: readonly Wording[]): Collapsed[] {
  const { text } = scope.page
  const about = (one: Wording) => toolEdit(scope, one)
  const unique = [...new Set(list.map(saidOf))]
  const gaps = list.slice(1).map(({ reference }, i) => text.slice(list[i]!.reference.end, reference.start))
  if (unique.length === list.length || unique.includes(null)) return []
  if (gaps.every((gap) => SHARE_GAP.test(gap))) return [{ members: list, proposals: withoutRepetition(scope, list) }]
  if (!gaps.every((gap) => PLAIN_GAP.test(gap))) return []
  const kept = unique.map((said) => list.find((one) => saidOf(one) === said)!)
  // The first member keeps its place; the remaining ones follow it, joined as the list was.
  const joint = gaps.at(-1)!.replace(/[`*_"']/g, '')
  const isSlash = /[/+&]/.test(joint)
  const proposals = list.map((one, i): ProposedEdit => {
    const { reference } = one
    const place = kept.indexOf(one)
    const from =
      i === 0 ? one.place.start : Math.max(markupEnd(text, list[i - 1]!.reference.end), list[i - 1]!.place.end)
    const [open, close] = one.isPhrase ? ['', ''] : markupOf(text, reference)
    // A mark that only closes belongs to the whole list.
    const own = open === '' && !one.isPhrase ? reference.end : markupEnd(text, reference.end)
    const end = i === 0 ? one.place.end : Math.max(own, one.place.end)
    const joined =
      place === kept.length - 1 && !isSlash ? (kept.length === 2 ? lastWord(joint) : joint) : isSlash ? joint : ', '
    const said = i === 0 ? one.text : place < 0 ? '' : `${joined}${open}${one.text}${open === '' ? '' : close}`
    const plural =
      i === list.length - 1 && kept.length === 1
        ? (/^\s+tools\b(?:\s+(?:are|were|have)\b)?/.exec(text.slice(end, end + 24))?.[0] ?? '')
        : ''
    const verb = singular[/\w+$/.exec(plural)?.[0] ?? ''] ?? ''
    const noun = plural === '' || !/\bthe\s+$/i.test(list[0]!.reference.left) ? verb : ` tool${verb}`
    return { ...about(one), range: { start: from, end: end + plural.length }, text: `${said}${noun}` }
  })
  return [{ members: list, proposals }]
}

/** A phrase without the verb that goes with it. */
function saidOf({ isPhrase, to, text }: Wording): string | null {
  return isPhrase ? to : text
}

const singular: Readonly<Record<string, string>> = { are: ' is', were: ' was', have: ' has' }

function withoutRepetition(scope: PassScope, list: readonly Wording[]): ProposedEdit[] {
  const { text } = scope.page
  const about = (one: Wording) => toolEdit(scope, one)
  return list.map((one, i): ProposedEdit => {
    const { start, end } = one.reference
    const isRepeated = list.slice(0, i).some((other) => saidOf(other) === saidOf(one))
    if (!isRepeated) return { ...about(one), range: one.place, text: one.text }
    return { ...about(one), range: { start, end: text[end] === ' ' ? end + 1 : end }, text: '' }
  })
}

/** ", and" between two is " and ". */
function lastWord(joint: string): string {
  const word = /and|or/.exec(joint)?.[0]
  return word === undefined ? ' and ' : ` ${word} `
}

function markupEnd(text: string, end: number): number {
  let at = end
  while (/[`*_"']/.test(text[at] ?? '')) at++
  return at
}

function markupOf(text: string, { start, end }: Range): [string, string] {
  let from = start
  while (from > 0 && /[`*_"']/.test(text[from - 1]!)) from--
  return [text.slice(from, start), text.slice(end, markupEnd(text, end))]
}
