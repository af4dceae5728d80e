/** Sentences that quote: words between backticks are code, in whatever form a report is written. */
import { cut, oneLine } from './layout.ts'

export interface Piece {
  readonly text: string
  readonly isCode: boolean
}

/** Whatever a file says, as a quotation that cannot end early. */
export function quote(value: string, width = 80): string {
  const line = cut(oneLine(value).replaceAll('`', "'"), width)
  return line === '' ? '(nothing)' : `\`${line}\``
}

/** A sentence cut at its quotations; a backtick without a partner is a character like any other. */
export function piecesOf(sentence: string): Piece[] {
  return oneLine(sentence)
    .split(/(`[^`]+`)/)
    .filter((part) => part !== '')
    .map((part) =>
      part.length > 2 && part.startsWith('`') && part.endsWith('`')
        ? { text: part.slice(1, -1), isCode: true }
        : { text: part, isCode: false },
    )
}

/** "`a`, `b`, `c` and 5 more" */
export function quoteSome(names: readonly string[], most = 3): string {
  const shown = names.slice(0, most).map((name) => quote(name, 60))
  const rest = names.length - shown.length
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : listed(shown)
}

/** "a, b and c" */
export function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? ''
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`
}

export function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

/** With a full stop. */
export function sentence(words: string): string {
  const line = oneLine(words)
  return line === '' || /[.!?:…]$/.test(line) ? line : `${line}.`
}
