/** Sentences that tell two tools apart which are one in the target: converted, they would contradict themselves. */
import { promptTodo } from '../../gaps.ts'
import type { Page } from '../page.ts'
import type { PassScope, ProposedEdit } from '../pass.ts'
import { sentenceAt } from '../words/role.ts'
import type { Wording } from '../words/wording.ts'

interface Undistinguished {
  readonly wordings: ReadonlySet<Wording>
  readonly proposals: readonly ProposedEdit[]
}

/** A sentence that prefers, forbids or excludes something, or shares out the work. */
const CONTRAST =
  /\b(?:never|not|no|cannot|without|instead|rather|over|than|prefer\w*|only|avoid|reserve\w*|but|unless|except|versus|vs|else|whereas|while|own|(?:is|are) for)\b|n['’]t\b/i
/** A list that shares out everything: "A for this, B for everything else". */
const THE_REST = /\b(?:else|other|others|otherwise|rest|remaining)\b/i
/** Before a word: it is forbidden. */
const FORBIDDEN = /\b(?:never|not|n['’]t|avoid)\s+(?:(?:use|using|call|calling|reach for|rely on)\s+)?(?:the\s+)?$/i
/** Behind it: not for everything. */
const STILL_USED =
  /^\s*(?:tool\s+|calls?\s+)?(?:without|before|unless|until|more than|twice|again|in parallel|at once)\b/i

/** They stay as they are, with a TODO. */
export function undistinguished(scope: PassScope, wordings: readonly Wording[]): Undistinguished {
  const left = new Set<Wording>()
  const proposals: ProposedEdit[] = []
  const shared = sharedTexts(wordings)
  for (const { said, members } of sentencesOf(scope, wordings)) {
    const pair = clash(scope.page, said, members) ?? forbidden(shared, members)
    if (pair === null) continue
    const [one, other] = pair
    const words = `${one.reference.entry.word} and ${other.reference.entry.word}`
    const feature = `difference: ${words}`
    const reason = `On ${scope.target.title}, both ${words} are ${one.runBy ?? one.to}.`
    scope.decide({ type: 'tool-missing', feature, severity: 'medium', reason, workaround: null })
    const short = said.length > 90 ? `${said.slice(0, 88).trimEnd()} ...` : said
    const todo = promptTodo(`${reason} Rewrite: "${short}"`)
    for (const wording of members) {
      left.add(wording)
      const { start, end, entry } = wording.reference
      const noted = { rule: 'tool-reference', from: entry.word, to: null, outcome: 'todo', todo, note: reason } as const
      proposals.push({ ...noted, range: { start, end }, text: null, feature: `tool: ${entry.word}` })
    }
    proposals.push({
      rule: 'tool-reference',
      range: { start: one.reference.start, end: one.reference.end },
      text: null,
      feature,
      outcome: 'todo',
      from: words,
      to: null,
      note: reason,
    })
  }
  return { wordings: left, proposals }
}

interface Sentence {
  readonly said: string
  readonly members: readonly Wording[]
}

/** By what they become: the words whose tools become one. */
type Shared = ReadonlyMap<string, readonly Wording[]>

function sharedTexts(wordings: readonly Wording[]): Shared {
  const shared = new Map<string, Wording[]>()
  for (const wording of wordings) {
    if (wording.text === null) continue
    const text = bare(wording.text)
    const known = shared.get(text) ?? []
    if (!known.some((one) => toolOf(one) === toolOf(wording))) shared.set(text, [...known, wording])
  }
  return shared
}

function toolOf({ reference: { entry } }: Wording): string | undefined {
  return entry.tools[0]
}

/** A sentence that forbids one of them would forbid another, which the rest of the prompt asks for. */
function forbidden(shared: Shared, members: readonly Wording[]): readonly [Wording, Wording] | null {
  const here = new Set(members.map(toolOf))
  for (const one of members) {
    const { left, right } = one.reference
    if (one.text === null || one.isPhrase || !FORBIDDEN.test(left) || STILL_USED.test(right)) continue
    const other = shared.get(bare(one.text))?.find((another) => !here.has(toolOf(another)))
    if (other !== undefined) return [one, other]
  }
  return null
}

function sentencesOf({ page }: PassScope, wordings: readonly Wording[]): Sentence[] {
  const sentences: { said: string; members: Wording[]; end: number }[] = []
  for (const wording of [...wordings].sort((a, b) => a.reference.start - b.reference.start)) {
    const { start } = wording.reference
    const last = sentences.at(-1)
    if (last !== undefined && start < last.end) last.members.push(wording)
    else {
      const sentence = sentenceAt(page, start)
      const said = page.text
        .slice(sentence.start, sentence.end)
        .replace(/\s+/g, ' ')
        .replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s/, '')
        .trim()
      sentences.push({ said, members: [wording], end: sentence.end })
    }
  }
  return sentences
}

/** Two words of the source for which the sentence would say the same. */
function clash(page: Page, said: string, members: readonly Wording[]): readonly [Wording, Wording] | null {
  const isContrast = CONTRAST.test(said)
  for (const [i, one] of members.entries()) {
    for (const other of members.slice(i + 1)) {
      if (one.reference.entry.word === other.reference.entry.word) continue
      // A phrase that is said twice does not even read like one sentence.
      const isTwice = one.isPhrase && other.isPhrase && one.text === other.text && !isOneList(page, one, other)
      if (isTwice) return [one, other]
      if (isSame(one, other) && (isOneList(page, one, other) ? isSharedOut(said, one) : isContrast)) return [one, other]
    }
  }
  return null
}

/** "A to change cells, and B for everything else". */
function isSharedOut(said: string, { reference: { group } }: Wording): boolean {
  return group !== null && THE_REST.test(said) && /^[`*_"']*\s+(?:to|for)\s/.test(group[0]?.right ?? '')
}

function isOneList({ text }: Page, { reference: one }: Wording, { reference: other }: Wording): boolean {
  if (one.group === null || one.group !== other.group) return false
  return !/\b(?:over|instead|rather|vs)\b/.test(text.slice(one.end, other.start))
}

function isSame(one: Wording, other: Wording): boolean {
  if (one.text === null || other.text === null) return false
  if (bare(one.text) === bare(other.text)) return true
  // A command says nothing against the tool that runs it.
  if (one.runBy !== null || other.runBy !== null) return one.runBy === other.text || other.runBy === one.text
  return includesWord(one.text, bare(other.text)) || includesWord(other.text, bare(one.text))
}

function bare(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('`', '')
    .replace(/^(?:the (.*) tool|use (.*) on|(.*) call)$/, '$1$2$3')
}

function includesWord(text: string, word: string): boolean {
  return ` ${text.toLowerCase().replace(/[^\w-]+/g, ' ')} `.includes(` ${word} `)
}
