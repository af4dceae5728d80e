/** Rewrites the models that a prompt assigns or claims to use. */
import type { Harness } from '../../../harness/schema/harness.ts'
import type { Range } from '../../../model/range.ts'
import { escapeForPattern, matchesAt, type Page } from '../page.ts'
import type { Pass, PassScope, ProposedEdit } from '../pass.ts'
import { sentenceAt } from '../words/role.ts'

export const rewriteModels: Pass = {
  words: modelWords,
  run: (scope) =>
    scope.source === scope.target ? [] : mentionsIn(scope).map((mention) => rewriteMention(scope, mention)),
}

const NO_NAME = 'the configured model'

function rewriteMention(scope: PassScope, { range, words, inSentence, isTier }: Mention): ProposedEdit {
  const { target, model, page } = scope
  const said = { range, rule: 'model-reference', feature: `model: ${words.toLowerCase()}`, from: words } as const
  const id = model(words)
  const isNamed = id !== null && id !== target.models.inherit
  if (isNamed) {
    const text = inSentence && isTier !== true ? inWords(page.text, range, target, id) : id
    return { ...said, text: text === words ? null : text, outcome: 'direct', to: id }
  }
  if (!canName(target)) noteGap(scope, said.feature, words)
  // A sentence needs a model, and the word for "inherit" does not name one.
  if (inSentence && isTier !== true && (id !== null || !canName(target)))
    return { ...said, text: NO_NAME, outcome: 'workaround', to: NO_NAME }
  if (id !== null) return { ...said, text: id, outcome: 'direct', to: id }
  return { ...said, text: null, outcome: canName(target) ? 'todo' : 'omitted', to: null }
}

/** "the pro model": a short name of a setting is not the name of a model. */
function inWords(text: string, { start, end }: Range, { models }: Harness, id: string): string {
  if (!/^[a-z]+$/.test(id) || models.tiers[id] === id) return id
  const hasArticle = /\b(?:the|an?)\s+[`*]*$/i.test(text.slice(Math.max(0, start - 8), start))
  const hasNoun = /^[`*]*\s+models?\b/.test(text.slice(end, end + 12))
  const isOneOf =
    /[`*]/.test(text[end] ?? '') || /\bmodels? (?:like|such as)\s+$/i.test(text.slice(Math.max(0, start - 20), start))
  return isOneOf ? id : `${hasArticle ? '' : 'the '}${id}${hasNoun ? '' : ' model'}`
}

function noteGap({ target, decide }: PassScope, feature: string, words: string): void {
  const reason = `Model tier '${words}' cannot be specified on ${target.title}`
  decide({ type: 'model-unconfigurable', feature, severity: 'low', reason, workaround: NO_NAME })
}

/** Whether an agent of the harness can have a model of its own. */
function canName({ fields, models }: Harness): boolean {
  return fields.model !== null && fields.model?.inert === undefined && Object.keys(models.tiers).length > 0
}

/** Finds the models that a prompt assigns or claims to use, and ignores statements about models. */
interface Mention {
  readonly range: Range
  readonly words: string
  /** In a sentence, where an id is possible but a word like `inherit` is not. */
  readonly inSentence: boolean
  /** "opus-level": only the first part of a word. */
  readonly isTier?: boolean
}

/** The word and what may directly follow it in an assignment. */
const ASSIGNED = ['model:', 'Model:', 'model=', 'model"', "model'", 'model`', 'model =', 'model :']
/** `model: sonnet`, `model="opus"`, `"model": "..."`. */
const ASSIGNMENT = /(?<!\w)[Mm]odel["'`]?[ \t]*[:=][ \t]*["'`]?([A-Za-z][\w./:@-]*\w)/y
/** An id of one of the known families, with its version. */
const FAMILIES = ['claude', 'gpt', 'gemini']
const ID = /(?<![\w.@-])[a-z]+-(?=[\w.-]{0,40}\d)[\w.-]*\w/y
const PROVIDER = /(?<![\w./@-])[a-z][\w-]{0,40}\/$/
/** A sentence that compares models. */
const COMPARES = /\b(?:vs\.?|versus|than|compared?|comparison|benchmark\w*)\b/i
/** A sentence that describes a model, or how programs call it. */
const DESCRIBES = /\b(?:better|cheaper|faster|slower|pricing|costs?|formats?|examples?|e\.g|API|SDK|endpoints?)\b/i
const ASSIGNS = /\b(?:models?|use[sd]?|using|runs? on|running on|defaults? to)\b/i

function mentionsIn(scope: PassScope): Mention[] {
  const { spotted, source } = scope
  const all: Mention[] = []
  if (ASSIGNED.some((word) => spotted.has(word))) all.push(...assignments(scope))
  all.push(...ids(scope))
  if (tierNames(source).some((name) => spotted.has(name))) all.push(...sentences(scope))
  all.sort((a, b) => a.range.start - b.range.start)
  return all.filter(({ range }, i) => i === 0 || range.start >= all[i - 1]!.range.end)
}

function* assignments(scope: PassScope): Generator<Mention> {
  const { page, source } = scope
  for (const match of [...matchesAt(page.text, 'model', ASSIGNMENT), ...matchesAt(page.text, 'Model', ASSIGNMENT)]) {
    const words = match[1]!
    const end = match.index + match[0].length
    // Code calls programs, whose models are not the agent's; a tier in a call is.
    const isTier = source.models.aliases.includes(words)
    const place = isTier || looksLikeId(words) ? page.placeOf(match.index) : null
    if (place === 'text' || (place === 'fence' && isTier && isDelegation(scope, match.index))) {
      yield { range: { start: end - words.length, end }, words, inSentence: false }
    }
  }
}

function* ids(scope: PassScope): Generator<Mention> {
  const { text } = scope.page
  for (const family of FAMILIES) {
    if (!scope.spotted.has(`${family}-`)) continue
    for (const match of matchesAt(text, `${family}-`, ID)) {
      const provider = PROVIDER.exec(text.slice(Math.max(0, match.index - 42), match.index))?.[0].length ?? 0
      // A preceding slash without a provider belongs to a path.
      if (provider === 0 && text[match.index - 1] === '/') continue
      const range = { start: match.index - provider, end: match.index + match[0].length }
      const line = lineAt(scope.page, range.start)
      if (ASSIGNS.test(line) && !DESCRIBES.test(line) && isSaidOfAgent(scope, range.start)) {
        yield { range, words: text.slice(range.start, range.end), inSentence: true }
      }
    }
  }
}

function* sentences(scope: PassScope): Generator<Mention> {
  const { used, shared, begun, tier } = sentencePatterns(scope.source)
  for (const [pattern, isTier] of [
    [used, false],
    [shared, false],
    [tier, true],
  ] as const) {
    for (const match of scope.page.text.matchAll(pattern)) {
      const words = match[1]!
      const start = match.index + match[0].indexOf(words)
      const isMeant = isSaidOfAgent(scope, start) && (pattern !== shared || isShared(scope, start, begun))
      if (isMeant) yield { range: { start, end: start + words.length }, words, inSentence: true, isTier }
    }
  }
}

/** "Use the one for this and ...": the sentence has given work to a model already. */
function isShared({ page }: PassScope, offset: number, begun: RegExp): boolean {
  const before = page.text.slice(sentenceAt(page, offset).start, offset)
  return begun.test(before)
}

const names = new WeakMap<Harness, string[]>()

/** The tiers that the harness names, as sentences spell them. Other short names are also English. */
function tierNames(source: Harness): string[] {
  let found = names.get(source)
  if (found === undefined) {
    const tiers = Object.keys(source.models.tiers).filter((tier) => source.models.tiers[tier] === tier)
    found = tiers.flatMap((tier) => [tier, `${tier[0]?.toUpperCase()}${tier.slice(1)}`])
    names.set(source, found)
  }
  return found
}

interface SentencePatterns {
  /** "uses Sonnet for", "use Opus 4.5 when", "runs on Haiku.", "a model like Opus". */
  readonly used: RegExp
  /** "and Haiku for". */
  readonly shared: RegExp
  /** What is before that. */
  readonly begun: RegExp
  /** "sonnet-tier", "opus-level". */
  readonly tier: RegExp
}

const patterns = new WeakMap<Harness, SentencePatterns>()

function sentencePatterns(source: Harness): SentencePatterns {
  let found = patterns.get(source)
  if (found === undefined) {
    const tiers = tierNames(source).map(escapeForPattern).join('|')
    const name = `((?:Claude[ \\t]+)?(?:${tiers})(?:[ \\t]+\\d+(?:\\.\\d+)?)?)`
    const goesOn =
      '[ \\t\\n]+(?:for|to|when|as|and|or|because|since|by|if|models?|unless|only|instead|while|whereas)\\b'
    const before = '[Uu]ses?|[Uu]sing|[Rr]uns? on|[Rr]unning on|models? (?:like|such as)'
    found = {
      used: new RegExp(
        `\\b(?:${before})[ \\t]+(?:the[ \\t]+)?[\`*]*${name}(?=[\`*]*(?:[.,;)]|$|\\n\\s*\\n|${goesOn}))`,
        'g',
      ),
      shared: new RegExp(
        `(?:,|;|\\band|\\bor)[ \\t]+(?:and[ \\t]+)?[\`*]*${name}(?=[\`*]*[ \\t]+(?:for|to|when|if)\\b)`,
        'g',
      ),
      begun: new RegExp(`\\b(?:${before})[ \\t]+(?:the[ \\t]+)?[\`*]*(?:${name}|[\\w/]+-[\\w.-]*\\d)[\`*]*[ \\t]`),
      tier: new RegExp(`(?<![\\w/.-])(${tiers})(?=-(?:tier|level|class)\\b)`, 'g'),
    }
    patterns.set(source, found)
  }
  return found
}

function looksLikeId(words: string): boolean {
  return /^(?:[a-z][\w-]*\/)?(?:claude|gpt|gemini)-/.test(words) && /\d/.test(words)
}

/** Tables, comparisons, titles and links discuss models. */
function isSaidOfAgent({ page }: PassScope, offset: number): boolean {
  const line = lineAt(page, offset)
  const before = page.text.slice(Math.max(0, offset - 80), offset)
  if (/^[ \t>]*\|/.test(line) || COMPARES.test(line) || /(?:https?:\/\/|\]\()\S*$/.test(before)) return false
  return page.placeOf(offset) === 'text'
}

function lineAt(page: Page, offset: number): string {
  const start = Math.max(page.lineStart(offset), offset - 300)
  return page.text.slice(start, Math.min(page.lineStop(offset), start + 600))
}

/** Within a call that starts another agent. */
function isDelegation({ page }: PassScope, offset: number): boolean {
  return /subagent_type|\b(?:Task|Agent)\(/.test(page.text.slice(Math.max(0, offset - 300), offset + 300))
}

/** Words without which a prompt names no model. */
function modelWords(source: Harness): string[] {
  return [...ASSIGNED, ...FAMILIES.map((family) => `${family}-`), ...tierNames(source)]
}
