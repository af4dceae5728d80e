/** PromptScript tokens, and a cursor over them. */
import type { Finding, Severity } from '../../model/findings.ts'
import type { Edit, Range } from '../../model/range.ts'
import { beginsLine } from '../edit/context.ts'
import { lineStop } from '../lines.ts'
import { withoutTrailing } from '../text.ts'
import { quotePrs } from './strings.ts'

type PrsTokenKind = 'block' | 'string' | 'number' | 'variable' | 'path' | 'word' | 'mark' | 'strange' | 'end'

export interface PrsToken extends Range {
  readonly kind: PrsTokenKind
  /** As it is in the file. */
  readonly text: string
}

interface PrsTokens {
  readonly tokens: readonly PrsToken[]
  /** Where each comment begins and ends. */
  readonly comments: ReadonlyMap<number, number>
  readonly findings: readonly Finding[]
}

const SPACE = /[ \t\r\n]+/y
const COMMENT = /#[^\r\n]*/y
// In the order in which they are tried.
const WORDS: readonly (readonly [PrsTokenKind, RegExp])[] = [
  ['path', /git@[a-zA-Z0-9.-]+:[a-zA-Z0-9_.-]+\/[a-zA-Z0-9_./@^~-]+/y],
  ['path', /@[a-zA-Z_][a-zA-Z0-9_-]*\/[a-zA-Z0-9_./@^~-]*/y],
  ['path', /\.\.?\/[a-zA-Z0-9_/.-]+/y],
  ['path', /[a-zA-Z][a-zA-Z0-9-]*\.[a-zA-Z]{2,}\/[a-zA-Z0-9_./@^~-]+/y],
  ['number', /-?\d+(?:\.\d+)?/y],
  ['variable', /\$\{[A-Za-z_]\w*(?::-[^}]*)?\}/y],
  ['word', /[a-zA-Z_][a-zA-Z0-9_-]*/y],
  ['mark', /\{\{|\}\}|\.\.|[@{}[\]():,=?!.-]/y],
  ['strange', /[^\s"'#@{}[\]():,=?!.\w-]+|[\s\S]/y],
]

export function tokenizePrs(text: string): PrsTokens {
  const tokens: PrsToken[] = []
  const comments = new Map<number, number>()
  const findings: Finding[] = []
  let place = text.startsWith('\uFEFF') ? 1 : 0
  const matched = (pattern: RegExp) => {
    pattern.lastIndex = place
    return pattern.test(text) ? pattern.lastIndex : null
  }
  const add = (kind: PrsTokenKind, end: number) => {
    tokens.push({ kind, text: text.slice(place, end), start: place, end })
    place = end
  }
  while (place < text.length) {
    const space = matched(SPACE)
    const comment = space ?? matched(COMMENT)
    if (comment !== null) {
      if (space === null) comments.set(place, comment)
      place = comment
    } else if (text.startsWith('"""', place)) add('block', blockEnd(text, place, findings))
    else if (text[place] === '"' || text[place] === "'") add('string', stringEnd(text, place, findings))
    else {
      const [kind, pattern] = WORDS.find((one) => matched(one[1]) !== null)!
      add(kind, pattern.lastIndex)
    }
  }
  tokens.push({ kind: 'end', text: '', start: text.length, end: text.length })
  return { tokens, comments, findings }
}

function invalidPrs(message: string, range: Range): Finding {
  return { code: 'invalid-prs', message: `This is not valid PromptScript: ${message}.`, range }
}

function blockEnd(text: string, start: number, findings: Finding[]): number {
  const close = text.indexOf('"""', start + 3)
  if (close >= 0) return close + 3
  findings.push(invalidPrs('a """ string is not closed', { start, end: start + 3 }))
  return text.length
}

/** A string may span lines. One whose end makes no sense was meant to end on its line. */
function stringEnd(text: string, start: number, findings: Finding[]): number {
  const close = closingQuote(text, start)
  const stop = lineStop(text, start)
  if (close !== null && (close <= stop || /^(?:$|[\s,\]}):?!=#])/.test(text.slice(close, close + 1)))) return close
  findings.push(invalidPrs('a string is not closed', { start, end: stop }))
  // Closing brackets around it are not part of it.
  return start + 1 + withoutTrailing(text.slice(start + 1, stop), ' \t,]}').length
}

function closingQuote(text: string, start: number): number | null {
  const quote = text[start]!
  for (let place = start + 1; place < text.length; place++) {
    if (text[place] === '\\') place++
    else if (text[place] === quote) return place + 1
  }
  return null
}

/** A position among the tokens of a PromptScript file, with lookahead and error reporting. */
export interface PrsCursor {
  readonly now: () => PrsToken
  /** The token this many places later. */
  readonly ahead: (count: number) => PrsToken
  /** The token taken last. */
  readonly last: () => Range
  readonly take: () => PrsToken
  /** Whether this mark comes next. */
  readonly is: (mark: string) => boolean
  /** Takes the mark, or reports that it is missing. */
  readonly expect: (mark: string, otherwise: string) => void
  readonly skipUntil: (isThere: () => boolean) => void
  readonly text: (range: Range) => string
  /** Whether a line begins here. */
  readonly beginsLine: () => boolean
  readonly complain: (message: string, about?: Range, severity?: Severity) => void
  /** It is understood, but PromptScript wants quotes around it. */
  readonly wantsQuotes: (range: Range) => void
  /** The same for a colon. */
  readonly wantsColon: (key: PrsToken) => void
}

export function createPrsCursor(text: string, given: readonly PrsToken[], findings: Finding[]): PrsCursor {
  const tokens = [...given]
  let place = 0
  const end = tokens.at(-1)!
  const now = () => tokens[place] ?? end
  const add = (message: string, range: Range, severity: Severity = 'error', fix?: Edit[]) =>
    findings.push({ ...invalidPrs(message, range), severity, ...(fix === undefined ? {} : { fix }) })
  const complain: PrsCursor['complain'] = (message, { start, end } = now(), severity) =>
    add(message, { start, end }, severity)
  /** Two braces in a row close a placeholder; if none is open, each closes a bracket of its own. */
  const splitBraces = () => {
    const { start, end, kind } = now()
    const range = { start, end }
    add('}} has no matching {{', range, 'warning', [{ range, text: text[end] === '}' ? '} } ' : '} }' }])
    tokens.splice(place, 1, { kind, text: '}', start, end: start + 1 }, { kind, text: '}', start: start + 1, end })
  }
  const is = (mark: string) => {
    if (now().kind !== 'mark') return false
    if (mark === '}' && now().text === '}}') splitBraces()
    return now().text === mark
  }
  return {
    now,
    is,
    complain,
    ahead: (count) => tokens[place + count] ?? end,
    last: () => tokens[place - 1] ?? { start: 0, end: 0 },
    take: () => {
      const token = now()
      if (token !== end) place++
      return token
    },
    expect: (mark, otherwise) => {
      if (is(mark)) place++
      else complain(otherwise)
    },
    skipUntil: (isThere) => {
      while (now() !== end && !isThere()) place++
    },
    text: (range) => text.slice(range.start, range.end),
    beginsLine: () => beginsLine(text, now().start),
    wantsQuotes: ({ start, end }) => {
      const word = text.slice(start, end)
      add(`${word} needs quotes here`, { start, end }, 'warning', [{ range: { start, end }, text: quotePrs(word) }])
    },
    wantsColon: ({ start, end, text: key }) =>
      add(`a colon is missing after ${key}`, { start, end }, 'warning', [{ range: { start: end, end }, text: ':' }]),
  }
}
