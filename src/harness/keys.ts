/** The keys that harnesses know, and unknown keys that restrict an agent. */

import { asSeen, rememberWords } from '../formats/text.ts'
import type { Agent, ExtraKey, Json } from '../model/agent.ts'
import { commonDialects } from './facts.ts'
import { promptKeys } from './in-carrier.ts'
import {
  consents,
  limitingAnswers,
  perhapsLimitingWords,
  powerWords,
  refusals,
  refusingWords,
  restrictingValues,
  restrictingWords,
  stateWords,
  switchKeys,
} from './limiting-words.ts'
import { builtInHarnesses, type Registry } from './registry.ts'
import type { Harness } from './schema/harness.ts'

export interface Vocabulary {
  readonly knownKeys: ReadonlySet<string>
  /** Keys whose values are lists of names, in every spelling. */
  readonly listKeys: ReadonlySet<string>
  /** Keys that define what an agent may do, in any dialect. */
  readonly accessKeys: ReadonlySet<string>
  /** Names of tools in any dialect, in lower case. */
  readonly toolNames: ReadonlySet<string>
}

const vocabularies = new WeakMap<Registry, Map<Harness | null, Vocabulary>>()

/** For a text of unknown dialect, or for one of a harness. */
export function vocabularyOf(registry: Registry, harness?: Harness): Vocabulary {
  const common = commonDialects(registry.all)
  const own = harness === undefined || common.includes(harness) ? null : harness
  const known = vocabularies.get(registry) ?? new Map<Harness | null, Vocabulary>()
  vocabularies.set(registry, known)
  let vocabulary = known.get(own)
  if (vocabulary === undefined) {
    vocabulary = collect(own === null ? common : [...common, own])
    known.set(own, vocabulary)
  }
  return vocabulary
}

function collect(all: readonly Harness[]): Vocabulary {
  const knownKeys = new Set<string>()
  const listKeys = new Set<string>()
  const accessKeys = new Set<string>()
  const toolNames = new Set<string>()
  for (const harness of all) {
    for (const name of Object.keys(harness.units)) toolNames.add(name.toLowerCase())
    for (const { key } of harness.access.layers) accessKeys.add(key.slice(key.lastIndexOf('.') + 1))
    // Keys of TOML and JSON files never occur in front matter, where many of them are ordinary words.
    if (!harness.carriers.some(({ format }) => format === 'markdown' || format === 'yaml')) continue
    for (const key of harnessKeys(harness)) knownKeys.add(key)
    for (const { key, codec } of harness.access.layers) if (codec.endsWith('-list')) listKeys.add(key)
  }
  return { knownKeys, listKeys, accessKeys, toolNames }
}

const keysOfHarness = new WeakMap<Harness, ReadonlySet<string>>()

/** Every top-level key that a harness understands, in any of its kinds of file. */
export function harnessKeys(harness: Harness): ReadonlySet<string> {
  let keys = keysOfHarness.get(harness)
  if (keys === undefined) {
    keys = collectKeys(harness)
    keysOfHarness.set(harness, keys)
  }
  return keys
}

function collectKeys(harness: Harness): Set<string> {
  const keys = new Set<string>(Object.keys(harness.nativeKeys).map(topLevel))
  const inKinds = harness.carriers.map(({ fields, nativeKeys, constants }) => ({ fields, ...nativeKeys, ...constants }))
  for (const { fields: _fields, ...own } of inKinds) for (const key of Object.keys(own)) keys.add(topLevel(key))
  const fields = [harness.fields, ...inKinds.map((one) => one.fields ?? {})].flatMap((one) => Object.values(one))
  for (const field of fields) {
    if (field?.key !== undefined) keys.add(topLevel(field.key))
    for (const alias of field?.aliases ?? []) keys.add(topLevel(alias))
  }
  for (const { key } of harness.access.layers) keys.add(topLevel(key))
  for (const carrier of harness.carriers) {
    if (carrier.name.key !== undefined) keys.add(carrier.name.key)
    for (const key of promptKeys(carrier)) keys.add(key)
  }
  return keys
}

const keysForPeople = new WeakMap<Registry, ReadonlySet<string>>()

/** Whether some harness shows the key to people: then it means the same wherever it is written. */
export function isForPeople(registry: Registry, key: string): boolean {
  let keys = keysForPeople.get(registry)
  if (keys === undefined) {
    const entries = registry.all.flatMap(({ nativeKeys }) => Object.entries(nativeKeys))
    keys = new Set(entries.flatMap(([name, { forPeople }]) => (forPeople === true ? [name] : [])))
    keysForPeople.set(registry, keys)
  }
  return keys.has(key)
}

/** The top-level key of a dotted key. */
export function topLevel(key: string): string {
  const dot = key.indexOf('.')
  return dot < 0 ? key : key.slice(0, dot)
}

/** `ignored`: keys that the user chose to ignore, in lower case. */
export function restrictingKeys({ extras }: Pick<Agent, 'extras'>, ignored: ReadonlySet<string> = noKeys): ExtraKey[] {
  return extras.filter(
    ({ key, value, fits }) => !fits && !ignored.has(key.toLowerCase()) && restricts(key, value, ignored),
  )
}

const noKeys: ReadonlySet<string> = new Set()

function restricts(key: string, value: Json, ignored: ReadonlySet<string>): boolean {
  if (isRestrictingKey(key) || isRestrictingValue(value)) return setsSomething(value) || isOdd(key)
  if (isPerhapsLimiting(key, value)) return true
  return within(value).some(([inner, one]) => !ignored.has(inner.toLowerCase()) && restricts(inner, one, ignored))
}

const answered: ReadonlySet<string> = new Set(perhapsLimitingWords.answered)
const named: ReadonlySet<string> = new Set(perhapsLimitingWords.named)

/** By a word that may limit, and a value that does. */
export function isPerhapsLimiting(key: string, value: Json): boolean {
  const words = wordsOf(key)
  if (words.some((word) => answered.has(word)) && isLimit(value, true)) return true
  if (takesPower(words, value) || switchesOff(key, value) || isLesserState(words, value)) return true
  return words.some((word) => named.has(word)) && isLimit(value, false)
}

const powers: ReadonlySet<string> = new Set(powerWords)
const refusing: ReadonlySet<string> = new Set(refusingWords)
const states: ReadonlySet<string> = new Set(stateWords.keys)

/** `bash: deny`, `network: false`, `noShell: true`. */
function takesPower(words: readonly string[], value: Json): boolean {
  if (!words.some((word) => powers.has(word) || isToolName(word))) return false
  return contains(value, words.some((word) => refusing.has(word)) ? consents : refusals)
}

/** `enabled: false`, `disabled: true`: the key alone, and not as a part of another. */
export function switchesOff(key: string, value: Json): boolean {
  const word = lettersOf(asSeen(key))
  if ((switchKeys.on as readonly string[]).includes(word)) return contains(value, refusals)
  return (switchKeys.off as readonly string[]).includes(word) && contains(value, consents)
}

/** `mode: plan`. */
function isLesserState(words: readonly string[], value: Json): boolean {
  return typeof value === 'string' && words.some((word) => states.has(word)) && contains(value, stateWords.values)
}

/** The answer itself, or one of those in a map. */
function contains(value: Json, answers: readonly string[]): boolean {
  if (typeof value === 'boolean' || typeof value === 'string') return answers.includes(lettersOf(asSeen(String(value))))
  return within(value).some(([, one]) => contains(one, answers))
}

/** `tools'` or `(tools`: a typing error, so what the value was meant to be is unknown too. */
function isOdd(key: string): boolean {
  return /[^\w.$ -]/.test(asSeen(key))
}

/** `false` removes a limit, and an empty value sets none. */
function setsSomething(value: Json): boolean {
  return value !== false && value !== null && value !== ''
}

/** The values below a key, with their own keys. */
function within(value: Json): (readonly [string, Json])[] {
  if (Array.isArray(value)) return value.flatMap(within)
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

export const isRestrictingKey = rememberWords((key) => wordsOf(key).some(isRestrictingWord))

function isRestrictingWord(word: string): boolean {
  const { begin, end } = restrictingWords
  return begin.some((one) => word.startsWith(one)) || end.some((one) => word.endsWith(one))
}

/** `read-only` counts as two words, and as one. */
const wordsOf = rememberWords((written): readonly string[] => {
  const key = asSeen(written)
  const words = key
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
  return [...words, lettersOf(key)]
})

function isRestrictingValue(value: Json): boolean {
  return typeof value === 'string' && restrictingValues.includes(lettersOf(asSeen(value)))
}

/** Only names of tools; or, if `mayAnswer`, yes or no, or a limiting answer. */
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
  return words.length > 0 && words.every((word) => (mayAnswer && answers.has(lettersOf(word))) || isToolName(word))
}

const answers: ReadonlySet<string> = new Set(limitingAnswers)
let names: ReadonlySet<string> | undefined

/** In any dialect, and in any case. */
export function isToolName(written: string): boolean {
  names ??= new Set(
    commonDialects(builtInHarnesses).flatMap(({ units }) => Object.keys(units).map((name) => name.toLowerCase())),
  )
  const name = asSeen(written).trim().toLowerCase()
  return names.has(name) || /^mcp_/.test(name)
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, '')
}
