/** Sentences that quote: words between backticks are code, in whatever form a report is written. */

import type { Json } from '../model/agent.ts'
import { cut, oneLine } from './layout.ts'

interface ProsePiece {
  readonly text: string
  readonly isCode: boolean
}

/** Whatever a file says, as a quotation that cannot end early. */
export function quote(value: string, width = 80): string {
  const line = cut(oneLine(value).replaceAll('`', "'"), width)
  return line === '' ? '(nothing)' : `\`${line}\``
}

/** A sentence cut at its quotations; a backtick without a partner is a character like any other. */
export function splitQuotes(sentence: string): ProsePiece[] {
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
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : joinList(shown)
}

/** "a, b and c" */
export function joinList(parts: readonly string[]): string {
  const last = parts.at(-1) ?? ''
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`
}

export function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

/** With a full stop. */
export function sentence(words: string): string {
  const line = oneLine(words)
  return line === '' || /[.!?:…]$/.test(line) ? line : `${line}.`
}

/** Values that must not travel with a report: whatever a configuration keeps in an environment or a header. */
const SECRET =
  /^(?:env|environment|headers|[a-z_]*_headers|oauth|auth|authorization|.*(?:token|secret|password|api[_-]?key).*)$/i
const REDACTED = '(not shown)'

/** The value with its shape, long texts cut, and no secrets. */
export function redactValue(value: Json, isSecret = false): Json {
  if (typeof value === 'string') return isSecret && !isReference(value) ? REDACTED : cut(oneLine(value), 160)
  if (typeof value !== 'object' || value === null) return isSecret && value !== null ? REDACTED : value
  if (Array.isArray(value)) return value.map((one: Json) => redactValue(one, isSecret))
  const entries = Object.entries(value).map(([key, inner]): [string, Json] => [
    cut(oneLine(key), 80),
    redactValue(inner, isSecret || SECRET.test(key)),
  ])
  return Object.fromEntries(entries)
}

/** `${TOKEN}`, `{env:TOKEN}`, `$TOKEN`: the name of a secret is none. */
function isReference(value: string): boolean {
  return /^(?:Bearer )?(?:\$\w+|\$?\{[\w:]+\})$/.test(value)
}

const TEXT = '"(?:[^"\\\\]|\\\\.)*(?:"|$)'
const FLAT = `\\{(?:[^"{}]|${TEXT})*\\}?`
/** A value of JSON, two objects deep, or what is left of one that was cut. */
const VALUE = new RegExp(`\\{(?:[^"{}]|${TEXT}|${FLAT})*\\}?|\\[(?:[^"\\]]|${TEXT})*\\]?|${TEXT}|[^,}\\]]*`, 'y')

/** The same in a text that may be the beginning of JSON. */
export function redactText(text: string): string {
  let shown = ''
  let at = 0
  for (const { 0: lead, 1: key = '', index } of text.matchAll(/"([\w-]+)"\s*:\s*/g)) {
    if (index < at || !SECRET.test(key)) continue
    VALUE.lastIndex = index + lead.length
    const value = VALUE.exec(text)?.[0] ?? ''
    shown += text.slice(at, index) + lead + REDACTED
    at = index + lead.length + value.length
  }
  return shown + text.slice(at)
}
