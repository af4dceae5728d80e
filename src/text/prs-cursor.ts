/** A place among the words of a PromptScript file, with what can be asked and complained about there. */
import type { Finding, Severity } from '../model/diagnostics.ts'
import type { Edit, Range } from '../model/place.ts'
import { beginsLine } from './edit-surroundings.ts'
import { quoted } from './prs-text.ts'
import { problem, type Token } from './prs-tokens.ts'

export interface PrsCursor {
  readonly now: () => Token
  /** What comes so many words later. */
  readonly ahead: (count: number) => Token
  /** What was taken last. */
  readonly last: () => Range
  readonly take: () => Token
  /** Whether this mark comes next. */
  readonly is: (mark: string) => boolean
  /** Takes the mark, or complains that it is not there. */
  readonly expect: (mark: string, otherwise: string) => void
  readonly skipUntil: (isThere: () => boolean) => void
  readonly text: (range: Range) => string
  /** Whether a line begins here. */
  readonly beginsLine: () => boolean
  readonly complain: (message: string, about?: Range, severity?: Severity) => void
  /** It can be understood, but PromptScript wants quotes around it. */
  readonly wantsQuotes: (range: Range) => void
  /** The same for a colon. */
  readonly wantsColon: (key: Token) => void
}

export function openCursor(text: string, given: readonly Token[], findings: Finding[]): PrsCursor {
  const tokens = [...given]
  let place = 0
  const end = tokens.at(-1)!
  const now = () => tokens[place] ?? end
  const add = (message: string, range: Range, severity: Severity = 'error', fix?: Edit[]) =>
    findings.push({ ...problem(message, range), severity, ...(fix === undefined ? {} : { fix }) })
  const complain: PrsCursor['complain'] = (message, { start, end } = now(), severity) =>
    add(message, { start, end }, severity)
  /** Two braces in a row close a placeholder; where none is open, each closes something of its own. */
  const splitBraces = () => {
    const { start, end, kind } = now()
    const range = { start, end }
    add('}} closes only what {{ opened', range, 'warning', [{ range, text: text[end] === '}' ? '} } ' : '} }' }])
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
      add(`${word} needs quotes here`, { start, end }, 'warning', [{ range: { start, end }, text: quoted(word) }])
    },
    wantsColon: ({ start, end, text: key }) =>
      add(`behind ${key} a colon is missing`, { start, end }, 'warning', [{ range: { start: end, end }, text: ':' }]),
  }
}
