/** Keys that no harness data explains and that limit what an agent may do: nobody can say what they mean elsewhere. */
import type { Agent, ExtraKey, Json } from '../model/agent.ts'
import { limitingValues, limitingWords } from './signs.ts'

/** `ignored`: keys that somebody has decided to pass over, in any case. */
export function limitingKeys({ extras }: Pick<Agent, 'extras'>, ignored: ReadonlySet<string> = none): ExtraKey[] {
  return extras.filter(({ key, value, fits }) => !fits && limits(key, value) && !ignored.has(key.toLowerCase()))
}

const none: ReadonlySet<string> = new Set()

function limits(key: string, value: Json): boolean {
  // `false` takes a limit away, and nothing at all sets none.
  if (value === false || value === null || value === '') return false
  return isLimitingKey(key) || saysSo(value)
}

export function isLimitingKey(key: string): boolean {
  return wordsOf(key).some(isLimiting)
}

function isLimiting(word: string): boolean {
  const { begin, end } = limitingWords
  return begin.some((one) => word.startsWith(one)) || end.some((one) => word.endsWith(one))
}

/** `read-only` is two words, and one. */
function wordsOf(key: string): string[] {
  const words = key
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
  return [...words, plain(key)]
}

function saysSo(value: Json): boolean {
  return typeof value === 'string' && limitingValues.includes(plain(value))
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, '')
}
