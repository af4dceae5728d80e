/** What takes the place of a tool word in the target: its name, a phrase, or the word that keeps it apart from others. */
import type { Harness } from '../../../harness/schema/harness.ts'
import type { Range } from '../../../model/range.ts'
import type { Page } from '../page.ts'
import { withMark } from './candidate.ts'
import { lexiconOf, STANDS_ALONE, type ToolWord } from './lexicon.ts'
import { phrasePlace, wayToSayInstead } from './phrase.ts'
import type { ToolReference } from './references.ts'
import { beginsSentence, capitalised, isCounted, roleOf, sentenceAt, type WordRole } from './role.ts'
import { closestName, translate } from './translate.ts'

export interface Wording {
  readonly reference: ToolReference
  readonly role: WordRole
  /** What the target calls it; null: it has nothing like it. */
  readonly to: string | null
  /** The new text; null: no form of it fits here. */
  readonly text: string | null
  /** What it takes the place of: the word, or for a phrase also the marks, the article and the verb around it. */
  readonly place: Range
  /** The target has no such tool, and this helps. */
  readonly isInstead: boolean
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
    place: withMark(page.text, reference),
    isPhrase: false,
    isInstead: false,
    runBy: null,
    ...(note === undefined ? {} : { note }),
  }
  if (to === null) return { ...said, text: null }
  const isSlashed =
    /\w[*_]*\s?\/\s?[*_]*$/.test(page.text.slice(Math.max(0, start - 8), start)) ||
    /^[*_]*\s?\/\s?[*_]*\w/.test(page.text.slice(end, end + 8))
  const apart = apartFrom(target, entry, to, shared, reference, isSlashed)
  if (apart !== null && (role !== 'call' || apart.isCommand)) {
    const word = apart.isCommand && isBare(page, reference) ? `\`${apart.word}\`` : apart.word
    const text = inSentence(page, target, reference, role, word)
    return { ...said, text, runBy: apart.isCommand ? to : null }
  }
  // What is not a tool name cannot be called.
  const isUsed = role === 'call' || (reference.group === null && role !== 'list')
  if ((isUsed && isNoCall === true) || (role === 'call' && !/^\w[\w/*-]*$/.test(to))) return { ...said, text: null }
  const subagent = /^\s+subagents?\b/.exec(code === null ? reference.right : '')?.[0]
  // "a Task subagent": the tool need not be named.
  if (entry.tools[0] === 'delegate' && subagent !== undefined && page.text.startsWith(subagent, end)) {
    return { ...said, place: { start, end: end + subagent.length }, text: subagent.trim() }
  }
  const isQuoted = code?.start === start && code.end === end
  if (isQuoted) return { ...said, text: to.replaceAll(' and ', '` and `') }
  return { ...said, text: inSentence(page, target, reference, role, to) }
}

/** In prose, without marks around it: a command gets those of code. */
function isBare(page: Page, { start, end, code, isCall }: ToolReference): boolean {
  if (isCall || code !== null || page.languageAt(start) !== null) return false
  return !/["“[]/.test(page.text[start - 1] ?? '') && !/["”\]]/.test(page.text[end] ?? '')
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
  isSlashed: boolean,
): Apart | null {
  const apart = shared.has(to) ? target.apart[tool as keyof Harness['apart']] : undefined
  if (apart === undefined) return null
  // Only names have a place in code.
  if (typeof apart === 'string') {
    const hasPlace = !apart.includes(' ') || (code === null && !isSlashed)
    return hasPlace ? { word: apart, isCommand: false } : null
  }
  // A command is not called a tool.
  const isToolHere =
    /^(?:\s+tools?\b|(?:,| and| or|\/).{0,60}\btools?\b)/i.test(right) ||
    /\btools?\W*$/i.test(left.replace(/#tool:$/, ''))
  return isToolHere ? null : { word: apart.command, isCommand: true }
}

/** The name as the sentence needs it: as a noun, in a count, as an order, with a capital. */
function inSentence(page: Page, target: Harness, reference: ToolReference, role: WordRole, name: string): string {
  const { text } = page
  const { start, end, code, group, right } = reference
  if (code !== null || role === 'call') return name
  const isWords = /^\w+ \w/.test(name)
  const isNoun = isWords || isEnglish(target, name)
  const after = text.slice(end, end + 24)
  const form = () => {
    if (isNoun && /^[*_]*['’]s\b/.test(after)) return `the ${name} tool`
    if (isWords && isSaidAgain(name, text, group ?? [reference])) return name.replace(/ \w+$/, '')
    if (role === 'name') return isNoun && isCounted(page, reference) && STANDS_ALONE.test(right) ? `${name} call` : name
    if (role === 'order') return ordered(target, reference, isNoun && !isWords ? `the ${name} tool` : name, name)
    if (role !== 'phrase' || isWords) return name
    return isNoun || isCodeNearby(page, start, name) ? `the ${name} tool` : name
  }
  const said = form()
  return beginsSentence(text, start) && /^\w+ /.test(said) ? capitalised(said) : said
}

/** "Grep the sources", "WebSearch for it": a name of a tool is not a verb, but a command is one. */
function ordered(target: Harness, { right }: ToolReference, noun: string, name: string): string {
  const isTool = noun !== name || /\s/.test(name) || lexiconOf(target).find(name) !== null
  if (!isTool) return name
  if (/^\s+for\b/.test(right)) return `use ${noun}`
  return BEFORE_OBJECT.test(right) ? `use ${noun} on` : name
}

/** What follows is the object. */
const BEFORE_OBJECT = /^\s+(?:the|an?|all|every|each|your|this|these|those|that|its|their|both|any|only)\b/

/** "text search and file search searches": the last noun is there already. */
function isSaidAgain(name: string, text: string, group: readonly Range[]): boolean {
  const noun = /(\w+)$/.exec(name)?.[1] ?? ''
  const end = group.at(-1)?.end ?? 0
  return new RegExp(`^[*_]*\\s+${noun}(?:e?s)?\\b`).test(text.slice(end, end + 30))
}

/** "use question to ask" reads like a mistake; "use the question tool to ask" does not. */
function isEnglish(target: Harness, name: string): boolean {
  const kind = lexiconOf(target).find(name)?.kind
  return name === name.toLowerCase() && (kind === 'verb' || kind === 'noun')
}

/** The sentence has the same word as code, and means the program. */
function isCodeNearby(page: Page, start: number, name: string): boolean {
  const sentence = sentenceAt(page, start)
  return page.text.slice(sentence.start, sentence.end).includes(`\`${name}`)
}

/** What an agent is asked to do or to use where the target has no such tool; null where no form of it fits. */
export function workaroundWording(page: Page, target: Harness, wording: Wording): Wording | null {
  const { reference, role } = wording
  const { entry } = reference
  const way = wayToSayInstead(target, entry)
  if (way === null) return null
  const name = nameOf(entry, way.names)
  const said = { ...wording, to: way.say, outcome: 'workaround', isInstead: true } as const
  const place = phrasePlace(page, reference, role, way)
  if (name !== null && (place === null || name === way.say)) {
    // A name has a place wherever the word had one, but not where the word is forbidden for something else.
    const isSame = name === way.say || way.say === `the ${name} tool`
    const text = inSentence(page, target, reference, role, name)
    return place === 'forbidden' && !isSame ? null : { ...said, to: name, text }
  }
  if (place === null || place === 'forbidden') return null
  return { ...said, isPhrase: true, ...place }
}

function nameOf({ word }: ToolWord, names: readonly string[]): string | null {
  return names.length === 1 ? (names[0] ?? null) : closestName(word, names)
}
