/** Keys in the head of a file that looks like front matter and cannot be cut out as such. */
import type { Range } from '../model/place.ts'
import { asSeen } from './as-seen.ts'
import { lineStop, nextLine } from './lines.ts'

export interface HeadKey {
  readonly key: string
  readonly range: Range
}

interface Line {
  /** Without what a person does not see at either end. */
  readonly word: string
  readonly range: Range
}

const INVISIBLE = /^[\s\u200B-\u200F\u2060\uFEFF]+|[\s\u200B-\u200F\u2060\uFEFF]+$/g
const DASHES = /^[-\u2010-\u2015\u2212]/
/** Signs only, as `----`, `---)` or `+++`; or dashes to which something is glued. */
const FENCE = /^(?:[^\p{L}\p{N}]{2,}|[-\u2010-\u2015\u2212]+|[-\u2010-\u2015\u2212]{3,}.*)$/u
/** The beginning of a block of code, in which some editors put the whole file. */
const CODE = /^(?:`{3,}|~{3,})[\w-]*$/
const INNER_KEY = /[{,][\s"']*([A-Za-z_][\w.-]*)["']?[ \t]*:/g
const KEY = /^[-\u2010-\u2015\u2212\s"']*([A-Za-z_][\w.-]*)["']?[ \t]*[:=]/

/** Dashes, and the name of the language that the keys are written in. */
const LANGUAGE =
  /^-{3,}(?:([A-Za-z][\w+.#-]*)|[ \t]+(ya?ml|json[c5]?|hjson|javascript|[jt]s|toml|ini|xml|coffee|cson))$/i
/** A line that front matter can have beside its keys: nothing, a comment, an item, or something indented. */
const BETWEEN_KEYS = /^(?:\s*(?:#.*)?|\s+.*|-\s.*|[\]}],?)$/

/** A head whose opening fence names a language: some programs read it, and most do not. */
export function headInLanguage(text: string, from: number): { readonly opener: string; readonly range: Range } | null {
  const first = nextWord(linesFrom(text, from))
  return first !== null && LANGUAGE.test(first.word) ? { opener: first.word, range: first.range } : null
}

/** The keys of a second head, right behind the first: nothing but keys, and what belongs to them, up to a fence. */
export function keysOfSecondHead(text: string, from: number): HeadKey[] {
  const keys: HeadKey[] = []
  for (const { word, range } of linesFrom(text, from)) {
    const isFence = /^(?:-{3,}|\.{3})$/.test(word)
    if (isFence && keys.length > 0) return keys
    const own = keysOf({ word, range })
    const isRest = isFence || BETWEEN_KEYS.test(text.slice(range.start, range.end))
    if (own.length === 0 && !isRest) return []
    keys.push(...own)
  }
  return []
}

/** The keys, from `from` on, between what a person takes for the fences of front matter. */
export function keysInHead(text: string, from: number): HeadKey[] {
  const lines = linesFrom(text, from)
  const first = nextWord(lines)
  const opener = CODE.test(first?.word ?? '') ? nextWord(lines) : first
  if (opener === null) return []
  if (DASHES.test(opener.word) && FENCE.test(opener.word)) return [...keysOf(opener), ...toThreeDashes(lines)]
  const isFence = FENCE.test(opener.word)
  // Without an opener it begins with a key, and not inside of a block of code.
  if (!isFence && (opener !== first || !KEY.test(opener.word))) return []
  return toAnyFence(lines, isFence ? [] : keysOf(opener))
}

/** Where no line of three dashes follows nobody can say where it ends: all of the text may be meant. */
function* toThreeDashes(lines: Iterable<Line>): Generator<HeadKey> {
  let hasBegun = false
  for (const line of lines) {
    if (hasBegun && line.word === '---') return
    hasBegun ||= line.word !== '' && !FENCE.test(line.word)
    yield* keysOf(line)
  }
}

/** What no dashes open is front matter only if it ends like that, and not like a paragraph. */
function toAnyFence(lines: Iterable<Line>, keys: HeadKey[]): HeadKey[] {
  for (const line of lines) {
    if (line.word === '') return []
    if (FENCE.test(line.word)) return keys
    keys.push(...keysOf(line))
  }
  return []
}

/** The key that the line begins with, and those inside of its braces. */
function keysOf({ word, range }: Line): HeadKey[] {
  const key = KEY.exec(word)?.[1]
  if (key === undefined) return []
  const inner = word.includes('{') ? [...word.matchAll(INNER_KEY)].map((match) => match[1] ?? '') : []
  return [key, ...inner].map((one) => ({ key: one, range }))
}

function nextWord(lines: Iterator<Line>): Line | null {
  for (let next = lines.next(); next.done !== true; next = lines.next()) if (next.value.word !== '') return next.value
  return null
}

function* linesFrom(text: string, from: number): Generator<Line> {
  for (let start = from; start < text.length; start = nextLine(text, start)) {
    const range = { start, end: lineStop(text, start) }
    yield { word: asSeen(text.slice(range.start, range.end)).replace(INVISIBLE, ''), range }
  }
}
