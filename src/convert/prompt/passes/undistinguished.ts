/** Sentences that tell two tools apart which are one in the target: converted, they would contradict themselves. */
import { promptTodo } from '../../gaps.ts'
import type { PassScope, ProposedEdit } from '../pass.ts'
import { sentenceAt } from '../words/role.ts'
import type { Wording } from '../words/wording.ts'

interface Undistinguished {
  readonly wordings: ReadonlySet<Wording>
  readonly proposals: readonly ProposedEdit[]
}

/** A sentence that prefers, forbids or excludes something. */
const CONTRAST =
  /\b(?:never|not|no|cannot|without|instead|rather|over|than|prefer\w*|only|avoid|reserve\w*|but|unless|except|versus|vs)\b|n['’]t\b/i

/** They stay as they are, with a TODO. */
export function undistinguished(scope: PassScope, wordings: readonly Wording[]): Undistinguished {
  const left = new Set<Wording>()
  const proposals: ProposedEdit[] = []
  for (const { said, members } of sentencesOf(scope, wordings)) {
    const pair = clash(said, members)
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

/** Those with more than one tool. */
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
  return sentences.filter(({ members }) => members.length > 1)
}

/** Two words of the source for which the sentence would say the same. */
function clash(said: string, members: readonly Wording[]): readonly [Wording, Wording] | null {
  const isContrast = CONTRAST.test(said)
  for (const [i, one] of members.entries()) {
    for (const other of members.slice(i + 1)) {
      if (one.reference.entry.word === other.reference.entry.word) continue
      // A phrase that is said twice does not even read like one sentence.
      const isTwice = one.isPhrase && other.isPhrase && one.text === other.text && !isOneList(one, other)
      if (isTwice || (isContrast && isSame(one, other) && !isOneList(one, other))) return [one, other]
    }
  }
  return null
}

function isOneList(one: Wording, other: Wording): boolean {
  return one.reference.group !== null && one.reference.group === other.reference.group
}

function isSame(one: Wording, other: Wording): boolean {
  if (one.text === null || other.text === null) return false
  if (bare(one.text) === bare(other.text)) return true
  // A command says nothing against the tool that runs it.
  if (one.runBy !== null || other.runBy !== null) return one.runBy === other.text || other.runBy === one.text
  return includesWord(one.text, bare(other.text)) || includesWord(other.text, bare(one.text))
}

function bare(text: string): string {
  return text.toLowerCase().replace(/^the (.*) tool$/, '$1')
}

function includesWord(text: string, word: string): boolean {
  return ` ${text.toLowerCase().replace(/[^\w-]+/g, ' ')} `.includes(` ${word} `)
}
