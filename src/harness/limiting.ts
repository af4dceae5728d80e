/** Keys that no harness data explains and that limit what an agent may do: nobody can say what they mean elsewhere. */
import type { Agent, ExtraKey, Json } from '../model/agent.ts'
import { asSeen } from '../text/as-seen.ts'
import { builtInHarnesses } from './registry.ts'
import { limitingAnswers, limitingValues, limitingWords, perhapsLimitingWords } from './signs.ts'

/** `ignored`: keys that somebody has decided to pass over, in any case. */
export function limitingKeys({ extras }: Pick<Agent, 'extras'>, ignored: ReadonlySet<string> = none): ExtraKey[] {
  return extras.filter(
    ({ key, value, fits }) => !fits && !ignored.has(key.toLowerCase()) && limits(key, value, ignored),
  )
}

const none: ReadonlySet<string> = new Set()

function limits(key: string, value: Json, ignored: ReadonlySet<string>): boolean {
  if (isLimitingKey(key) || saysSo(value)) return setsSomething(value)
  if (isPerhapsLimiting(key, value)) return true
  return within(value).some(([inner, one]) => !ignored.has(inner.toLowerCase()) && limits(inner, one, ignored))
}

const answered: ReadonlySet<string> = new Set(perhapsLimitingWords.answered)
const named: ReadonlySet<string> = new Set(perhapsLimitingWords.named)

/** By a word that may limit, and a value that does. */
export function isPerhapsLimiting(key: string, value: Json): boolean {
  const words = wordsOf(key)
  if (words.some((word) => answered.has(word))) return isLimit(value, true)
  return words.some((word) => named.has(word)) && isLimit(value, false)
}

/** `false` takes a limit away, and nothing at all sets none. */
function setsSomething(value: Json): boolean {
  return value !== false && value !== null && value !== ''
}

/** What stands below a key, with its own keys. */
function within(value: Json): (readonly [string, Json])[] {
  if (Array.isArray(value)) return value.flatMap(within)
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

export function isLimitingKey(key: string): boolean {
  return wordsOf(key).some(isLimiting)
}

function isLimiting(word: string): boolean {
  const { begin, end } = limitingWords
  return begin.some((one) => word.startsWith(one)) || end.some((one) => word.endsWith(one))
}

/** `read-only` is two words, and one. */
function wordsOf(written: string): string[] {
  const key = asSeen(written)
  const words = key
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
  return [...words, plain(key)]
}

function saysSo(value: Json): boolean {
  return typeof value === 'string' && limitingValues.includes(plain(asSeen(value)))
}

/** Names of tools and nothing else; or, where that may be said, yes or no, or an answer that limits. */
function isLimit(value: Json, mayAnswer: boolean): boolean {
  if (typeof value === 'boolean') return mayAnswer
  if (typeof value === 'string') return isLimitingText(value, mayAnswer)
  if (!Array.isArray(value)) return within(value).some(([key, one]) => isToolName(key) && isLimit(one, true))
  return value.length > 0 && value.every((one) => typeof one === 'string' && isLimitingText(one, mayAnswer))
}

function isLimitingText(value: string, mayAnswer: boolean): boolean {
  const words = asSeen(value)
    .replace(/\([^()]*\)/g, '')
    .split(/[\s,;]+/)
    .filter((word) => word !== '')
  return words.length > 0 && words.every((word) => (mayAnswer && answers.has(plain(word))) || isToolName(word))
}

const answers: ReadonlySet<string> = new Set(limitingAnswers)
let names: ReadonlySet<string> | undefined

/** In any dialect, and in any case. */
export function isToolName(written: string): boolean {
  names ??= new Set(builtInHarnesses.flatMap(({ units }) => Object.keys(units).map((name) => name.toLowerCase())))
  const name = asSeen(written).trim().toLowerCase()
  return names.has(name) || /^mcp_/.test(name)
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, '')
}
