/** What takes the place of a tool word in the target: its name, a phrase, or the word that keeps it apart from others. */
import type { Harness } from '../../../harness/schema/harness.ts'
import { workaroundFor } from '../../gaps.ts'
import type { Page } from '../page.ts'
import { lexiconOf, type ToolWord } from './lexicon.ts'
import type { ToolReference } from './references.ts'
import { beginsSentence, capitalised, roleOf, type WordRole } from './role.ts'
import { closestName, translate } from './translate.ts'

export interface Wording {
  readonly reference: ToolReference
  readonly role: WordRole
  /** What the target calls it; null: it has nothing like it. */
  readonly to: string | null
  /** The new text, without the marks around it; null: no form of it fits here. */
  readonly text: string | null
  /** The target has no such tool, and this helps. */
  readonly isInstead: boolean
  /** It is a phrase, which replaces the marks and the article around the word too. */
  readonly isPhrase: boolean
  /** It is a command that is run with this tool. */
  readonly runBy: string | null
  readonly outcome: 'direct' | 'workaround'
  readonly note?: string
}

interface Pair {
  readonly source: Harness
  readonly target: Harness
}

/** The wording of every reference; words that become one are kept apart throughout the prompt, where the target can. */
export function wordingsFor(page: Page, pair: Pair, references: readonly ToolReference[]): Map<ToolReference, Wording> {
  const shared = sharedNames(pair, references)
  return new Map(references.map((reference) => [reference, wordingOf(page, pair, reference, shared)]))
}

/** The names of the target that stand for more than one of the tools that the prompt mentions. */
function sharedNames({ source, target }: Pair, references: readonly ToolReference[]): ReadonlySet<string> {
  const meant = new Map<string, string>()
  const shared = new Set<string>()
  for (const { entry } of references) {
    const { to } = translate(source, target, entry)
    if (to === null) continue
    const tool = entry.tools[0] ?? ''
    if ((meant.get(to) ?? tool) !== tool) shared.add(to)
    meant.set(to, tool)
  }
  return shared
}

function wordingOf(page: Page, pair: Pair, reference: ToolReference, shared: ReadonlySet<string>): Wording {
  const { source, target } = pair
  const { entry, code, start, end } = reference
  const { to, outcome, note, isNoCall } = translate(source, target, entry)
  const role = roleOf(page, reference)
  const said = {
    reference,
    role,
    to,
    outcome,
    isPhrase: false,
    isInstead: false,
    runBy: null,
    ...(note === undefined ? {} : { note }),
  }
  if (to === null) return { ...said, text: null }
  const apart = apartFrom(target, entry, to, shared, reference)
  if (apart !== null && (role !== 'call' || apart.isCommand)) {
    if (apart.isCommand) return { ...said, text: apart.word, runBy: to }
    return { ...said, text: inSentence(page, pair, start, role, apart.word) }
  }
  // What is not a tool name cannot be called.
  if (role === 'call' && (isNoCall === true || !/^\w[\w/*-]*$/.test(to))) return { ...said, text: null }
  const isQuoted = code?.start === start && code.end === end
  if (isQuoted) return { ...said, text: to.replaceAll(' and ', '` and `') }
  return { ...said, text: role === 'phrase' ? inSentence(page, pair, start, role, to) : to }
}

interface Apart {
  readonly word: string
  readonly isCommand: boolean
}

function apartFrom(
  target: Harness,
  { tools: [tool = ''] }: ToolWord,
  to: string,
  shared: ReadonlySet<string>,
  { right, left, code }: ToolReference,
): Apart | null {
  const apart = shared.has(to) ? target.apart[tool as keyof Harness['apart']] : undefined
  if (apart === undefined) return null
  // Only names have a place in code.
  if (typeof apart === 'string') return code !== null && apart.includes(' ') ? null : { word: apart, isCommand: false }
  // A command is not called a tool.
  const isToolHere = /^(?:\s+tools?\b|(?:,| and| or|\/).{0,60}\btools?\b)/i.test(right) || /\btools?\W*$/i.test(left)
  return isToolHere ? null : { word: apart.command, isCommand: true }
}

function inSentence({ text }: Page, { target }: Pair, start: number, role: WordRole, name: string): string {
  const phrase = role === 'phrase' && isEnglish(target, name) ? `the ${name} tool` : name
  return beginsSentence(text, start) && phrase.includes(' ') ? capitalised(phrase) : phrase
}

/** "use question to ask" reads like a mistake; "use the question tool to ask" does not. */
function isEnglish(target: Harness, name: string): boolean {
  const kind = lexiconOf(target).find(name)?.kind
  return name === name.toLowerCase() && (kind === 'verb' || kind === 'noun')
}

/** What an agent is asked to do or to use where the target has no such tool; null where no form of it fits. */
export function workaroundWording(page: Page, target: Harness, wording: Wording): Wording | null {
  const { reference, role } = wording
  const { entry, start } = reference
  const [tool = ''] = entry.tools
  const phrase = workaroundFor(target, tool)
  if (phrase === null) return null
  const name = nameOf(target, entry)
  const isFree = role === 'phrase' || role === 'list' || isPlainlyUsed(page, reference)
  const said = { ...wording, to: phrase, outcome: 'workaround', isInstead: true } as const
  if (name !== null && (!isFree || name === phrase)) return { ...said, to: name, text: name }
  if (!isFree || role === 'call') return null
  return {
    ...said,
    isPhrase: true,
    text: beginsSentence(page.text, phraseStart(page.text, start)) ? capitalised(phrase) : phrase,
  }
}

function nameOf(target: Harness, { word, tools: [tool = ''] }: ToolWord): string | null {
  const known = target.workarounds[tool]
  const names = known !== undefined && 'say' in known ? (known.names ?? []) : []
  return names.length === 1 ? (names[0] ?? null) : closestName(word, names)
}

/** "use the `X` tool": the whole of it can be replaced. */
function isPlainlyUsed({ text }: Page, { start, end, code, left, isCall }: ToolReference): boolean {
  if (isCall || (code !== null && (code.start !== start || code.end !== end))) return false
  const before = text.slice(Math.max(0, start - 3), start)
  const after = text.slice(end, end + 8)
  if (/[*_"“[]$/.test(before) || /^`?[*_"”\]'’-]/.test(after)) return false
  const isUsed = /\b(?:use|using|via|with|through|by|without|call|invoke)\s+(?:the\s+)?$/i.test(left)
  return (
    isUsed &&
    !/^`?\s+(?:calls?|outputs?|results?|tool\s+(?:calls?|outputs?|results?))\b/.test(text.slice(end, end + 24))
  )
}

function phraseStart(text: string, start: number): number {
  return start - (/(?:\b[Tt]he\s+)?`?$/.exec(text.slice(Math.max(0, start - 12), start))?.[0].length ?? 0)
}

/** "the `X` tool" as a whole, so that a phrase can take its place. */
export function phraseRange(
  text: string,
  { start, end }: ToolReference,
): { readonly start: number; readonly end: number } {
  const after = /^`?(?:\s+tool\b)?/.exec(text.slice(end, end + 12))?.[0].length ?? 0
  return { start: phraseStart(text, start), end: end + after }
}
