/** The words of a PromptScript file, each with its place. */
import type { Finding } from '../model/diagnostics.ts'
import type { Range } from '../model/place.ts'
import { lineStop } from './lines.ts'

export type TokenKind = 'block' | 'string' | 'number' | 'variable' | 'path' | 'word' | 'mark' | 'strange' | 'end'

export interface Token extends Range {
  readonly kind: TokenKind
  /** As it stands in the file. */
  readonly text: string
}

export interface Tokens {
  readonly tokens: readonly Token[]
  /** Where each comment begins and ends. */
  readonly comments: ReadonlyMap<number, number>
  readonly findings: readonly Finding[]
}

const SPACE = /[ \t\r\n]+/y
const COMMENT = /#[^\r\n]*/y
// In the order in which they are tried.
const WORDS: readonly (readonly [TokenKind, RegExp])[] = [
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

export function tokenize(text: string): Tokens {
  const tokens: Token[] = []
  const comments = new Map<number, number>()
  const findings: Finding[] = []
  let place = text.startsWith('\uFEFF') ? 1 : 0
  const matched = (pattern: RegExp) => {
    pattern.lastIndex = place
    return pattern.test(text) ? pattern.lastIndex : null
  }
  const add = (kind: TokenKind, end: number) => {
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

export function problem(message: string, range: Range): Finding {
  return { code: 'invalid-prs', message: `This is not valid PromptScript: ${message}.`, range }
}

function blockEnd(text: string, start: number, findings: Finding[]): number {
  const close = text.indexOf('"""', start + 3)
  if (close >= 0) return close + 3
  findings.push(problem('a text in """ is not closed', { start, end: start + 3 }))
  return text.length
}

/** A string may span lines. One whose end makes no sense was meant to end with its line. */
function stringEnd(text: string, start: number, findings: Finding[]): number {
  const close = closingQuote(text, start)
  const stop = lineStop(text, start)
  if (close !== null && (close <= stop || /^(?:$|[\s,\]}):?!=#])/.test(text.slice(close, close + 1)))) return close
  findings.push(problem('a text in quotes is not closed', { start, end: stop }))
  // What closes the brackets around it is not part of it.
  return stop - /[ \t,\]}]*$/.exec(text.slice(start + 1, stop))![0].length
}

function closingQuote(text: string, start: number): number | null {
  const quote = text[start]!
  for (let place = start + 1; place < text.length; place++) {
    if (text[place] === '\\') place++
    else if (text[place] === quote) return place + 1
  }
  return null
}
