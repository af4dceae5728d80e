/** Splits a Markdown file into front matter and body, and finds keys where the fences are broken. */
import type { Finding } from '../model/findings.ts'
import type { Edit, Range } from '../model/range.ts'
import { lineStop, nextLine } from './lines.ts'
import { asSeen } from './text.ts'

export interface FrontMatterSplit {
  /** The text between the fences, including its last line end; null if there is no front matter. */
  readonly yaml: Range | null
  /** Everything after the closing fence's line; the whole text (except a byte order mark) without front matter. */
  readonly body: Range
  /** The fences themselves: their dashes or dots, without the white space around them. */
  readonly open: Range | null
  readonly close: Range | null
  /** White space before the opener, which is not part of the front matter's lines. */
  readonly indent: string
  readonly findings: readonly Finding[]
}

interface Line {
  readonly start: number
  /** Before the line end. */
  readonly stop: number
  readonly next: number
}

// White space after a fence is allowed, and any before it, including a byte order mark; a lone CR at the end of a file
// counts as white space.
const OPENER = /^([^\S\r]*)---[ \t\r]*$/
/** More or fewer dashes, or long ones, mean the same to a person if keys follow. */
const ODD_OPENER = /^([^\S\r]*)([-\u2010-\u2015]{1,20})[ \t\r]*$/
const TELLING_KEY = /^[ \t]*["']?(?:name|description)["']?[ \t]*:/m

export function splitFrontMatter(text: string): FrontMatterSplit {
  const begin = text.startsWith('\uFEFF') ? 1 : 0
  const opener = findOpener(text, begin)
  if (!opener) return withoutFrontMatter(text, begin, [])
  const { line, indent, word } = opener
  const open = { start: line.start + indent.length, end: line.start + indent.length + word.length }
  const close = findCloser(text, line.next, indent)
  if (word !== '---' && !isFollowedByKey(text, line.next)) return withoutFrontMatter(text, begin, [])
  if (!close) {
    const message = 'The front matter starts here but never ends. The whole file is read as the body.'
    return withoutFrontMatter(text, begin, [{ code: 'unclosed-front-matter', message, range: open }])
  }
  const { fence } = close
  const findings = describeFences(text, begin, line, { open, close: fence, indent }, close.line)
  const yaml = { start: line.next, end: close.line.start }
  const body = { start: close.line.next, end: text.length }
  return { yaml, body, open, close: fence, indent, findings }
}

function withoutFrontMatter(text: string, begin: number, findings: Finding[]): FrontMatterSplit {
  return { yaml: null, body: { start: begin, end: text.length }, open: null, close: null, indent: '', findings }
}

function findOpener(text: string, begin: number): { line: Line; indent: string; word: string } | null {
  let start = begin
  while (start < text.length) {
    const line = lineAt(text, start)
    const content = text.slice(line.start, line.stop)
    if (content.trim() !== '') {
      const match = OPENER.exec(content) ?? ODD_OPENER.exec(content)
      return match ? { line, indent: match[1]!, word: match[2] ?? '---' } : null
    }
    start = line.next
  }
  return null
}

interface Closer {
  readonly line: Line
  readonly fence: Range
}

/** The first exact fence closes. Only if there is none, the first odd one counts. */
function findCloser(text: string, from: number, indent: string): Closer | null {
  let odd: Closer | null = null
  let telling: number | undefined
  let start = from
  while (start < text.length) {
    const first = skipIndent(text, start, indent)
    if (text.startsWith('---', first) || text.startsWith('...', first)) {
      const line = lineAt(text, start)
      const fence = { start: first, end: first + text.slice(first, line.stop).trimEnd().length }
      const word = text.slice(fence.start, fence.end)
      if (word === '---') return { line, fence }
      if (odd === null && word === '...') odd = { line, fence }
      if (odd === null && /^-+$/.test(word)) {
        telling ??= firstTellingKey(text, from)
        if (telling < start) odd = { line, fence }
      }
    }
    start = nextLine(text, start)
  }
  return odd
}

/** After an odd opener it is front matter if the next line is a key. */
function isFollowedByKey(text: string, from: number): boolean {
  return /^\s*["']?[A-Za-z][\w.-]*["']?[ \t]*:(?:\s|$)/.test(text.slice(from, from + 200))
}

/** Dashes without a key above them are a thematic break or an underlined heading. */
function firstTellingKey(text: string, from: number): number {
  const found = text.slice(from).search(TELLING_KEY)
  return found < 0 ? text.length : from + found
}

/** A line may be indented less than the opener; then its whole indent is removed. */
function skipIndent(text: string, start: number, indent: string): number {
  let count = 0
  while (count < indent.length && text[start + count] === indent[count]) count++
  return start + count
}

function lineAt(text: string, start: number): Line {
  return { start, stop: lineStop(text, start), next: nextLine(text, start) }
}

function describeFences(
  text: string,
  begin: number,
  opening: Line,
  cut: Pick<FrontMatterSplit, 'open' | 'close' | 'indent'>,
  closing: Line,
): Finding[] {
  const findings: Finding[] = []
  const opener = text.slice(cut.open!.start, cut.open!.end)
  if (opener !== '---') {
    findings.push({
      code: 'odd-fence',
      message: `The front matter starts with "${opener}" instead of "---". Most harnesses do not recognise it.`,
      range: cut.open!,
      fix: [{ range: cut.open!, text: '---' }],
    })
  }
  if (opening.start > begin || cut.indent !== '') {
    const where = cut.indent === '' ? 'after blank lines' : 'indented'
    findings.push({
      code: 'odd-fence',
      message: `The front matter starts ${where}. Most harnesses do not recognise it.`,
      range: cut.open!,
      fix: straighten(text, begin, opening, cut.indent, closing),
    })
  }
  const word = text.slice(cut.close!.start, cut.close!.end)
  if (word !== '---') {
    findings.push({
      code: 'odd-fence',
      message: `The front matter ends with "${word.length > 12 ? `${word.slice(0, 12)}…` : word}" instead of "---".`,
      range: cut.close!,
      fix: [{ range: cut.close!, text: '---' }],
    })
  }
  return findings
}

/** Removes the blank lines above and the indent of every line of the front matter; the body is unchanged. */
function straighten(text: string, begin: number, opening: Line, indent: string, closing: Line): Edit[] {
  const edits: Edit[] = []
  const remove = (start: number, end: number) => {
    if (end > start) edits.push({ range: { start, end }, text: '' })
  }
  remove(begin, skipIndent(text, opening.start, indent))
  if (indent === '') return edits
  for (let start = opening.next; start <= closing.start && start < text.length; start = nextLine(text, start)) {
    remove(start, skipIndent(text, start, indent))
  }
  return edits
}

/** Keys in the head of a file that looks like front matter but cannot be split off as such. */
export interface HeadKey {
  readonly key: string
  /** The rest of its line. */
  readonly value: string
  readonly isIndented: boolean
  readonly range: Range
}

interface HeadLine {
  /** Without invisible characters at either end. */
  readonly word: string
  readonly isIndented: boolean
  readonly range: Range
}

// From the first visible character to the last: looking for white space at the end would be quadratic in a long run of it.
const VISIBLE = /[^\s\u200B-\u200F\u2060\uFEFF](?:.*[^\s\u200B-\u200F\u2060\uFEFF])?/s
const DASHES = /^[-\u2010-\u2015\u2212]/
/** Punctuation only, as `----`, `---)` or `+++`; or dashes with text attached. */
const FENCE = /^(?:[^\p{L}\p{N}]{2,}|[-\u2010-\u2015\u2212]+|[-\u2010-\u2015\u2212]{3}.*)$/u
/** The start of a code block, in which some editors put the whole file. */
const CODE = /^(?:`{3,}|~{3,})[\w-]*$/
const INNER_KEY = /[{,][\s"']*([A-Za-z_][\w.-]*)["']?[ \t]*:/g
const KEY = /^[-\u2010-\u2015\u2212\s"']*([A-Za-z_][\w.-]*)["']?[ \t]*[:=]/

/** Dashes, and the name of the language of the keys. */
const LANGUAGE =
  /^-{3,}(?:([A-Za-z][\w+.#-]*)|[ \t]+(ya?ml|json[c5]?|hjson|javascript|[jt]s|toml|ini|xml|coffee|cson))$/i
/** A line of front matter that is not a key: empty, a comment, an item, or indented. */
const BETWEEN_KEYS = /^(?:\s*(?:#.*)?|\s.*|-\s.*|[\]}],?)$/

/** A head whose opening fence names a language: some programs read it, and most do not. */
export function headInLanguage(text: string, from: number): { readonly opener: string; readonly range: Range } | null {
  const first = nextWord(linesFrom(text, from))
  return first !== null && LANGUAGE.test(first.word) ? { opener: first.word, range: first.range } : null
}

/** Blank lines and headings, and then a line that begins with a word that is not a key: how nearly every text begins. */
const PROSE = /(?:[ \t]*(?:#[^\n]*|\r)?\n)*[A-Za-z][\w.-]*["']?(?:[ \t]+[\x21-\x39;<\x3e-\x7e]|[!#-&(-,/;<>?@[-^`{-~])/y

/** The keys of a second head, directly behind the first: only keys and what belongs to them, up to a fence. */
export function keysOfSecondHead(text: string, from: number): HeadKey[] {
  PROSE.lastIndex = from
  if (PROSE.test(text)) return []
  const keys: HeadKey[] = []
  for (const line of linesFrom(text, from)) {
    const { word, range } = line
    const isFence = /^(?:-{3,}|\.{3})$/.test(word)
    if (isFence && keys.length > 0) return keys
    const own = keysOf(line)
    const isRest = isFence || BETWEEN_KEYS.test(text.slice(range.start, range.end))
    if (own.length === 0 && !isRest) return []
    keys.push(...own)
  }
  return []
}

/** All lines from `from` on that look like keys. */
export function keysBehind(text: string, from: number): HeadKey[] {
  return [...linesFrom(text, from)].flatMap(keysOf)
}

/** The first line with anything in it, if it is an item of a list, or indented. */
export function itemBehind(text: string, from: number): { readonly text: string; readonly range: Range } | null {
  const first = nextWord(linesFrom(text, from))
  if (first === null) return null
  const item = /^-\s+(?=\S)/.exec(first.word)?.[0]
  return item !== undefined || first.isIndented
    ? { text: first.word.slice(item?.length ?? 0), range: first.range }
    : null
}

/** The keys, from `from` on, between what a person treats as the fences of front matter. */
export function keysInHead(text: string, from: number): HeadKey[] {
  const lines = linesFrom(text, from)
  const first = nextWord(lines)
  const opener = CODE.test(first?.word ?? '') ? nextWord(lines) : first
  if (opener === null) return []
  if (DASHES.test(opener.word) && FENCE.test(opener.word)) return [...keysOf(opener), ...toThreeDashes(lines)]
  const isFence = FENCE.test(opener.word)
  // Without an opener it begins with a key, and not inside a code block.
  if (!isFence && (opener !== first || !KEY.test(opener.word))) return []
  return toAnyFence(lines, isFence ? [] : keysOf(opener))
}

/** Without a line of three dashes the end is unknown: the whole text may be meant. */
function* toThreeDashes(lines: Iterable<HeadLine>): Generator<HeadKey> {
  let hasBegun = false
  for (const line of lines) {
    if (hasBegun && line.word === '---') return
    hasBegun ||= line.word !== '' && !FENCE.test(line.word)
    yield* keysOf(line)
  }
}

/** A head without opening dashes is front matter only if it ends with a fence, and not like a paragraph. */
function toAnyFence(lines: Iterable<HeadLine>, keys: HeadKey[]): HeadKey[] {
  for (const line of lines) {
    if (line.word === '') return []
    if (FENCE.test(line.word)) return keys
    keys.push(...keysOf(line))
  }
  return []
}

/** The key at the start of the line, and those inside its braces. */
function keysOf({ word, range, isIndented }: HeadLine): HeadKey[] {
  const [head = '', key] = KEY.exec(word) ?? []
  if (key === undefined) return []
  const value = word.slice(head.length)
  const inner = word.includes('{') ? [...word.matchAll(INNER_KEY)].map((match) => match[1] ?? '') : []
  return [key, ...inner].map((one) => ({ key: one, value, range, isIndented }))
}

function nextWord(lines: Iterator<HeadLine>): HeadLine | null {
  for (let next = lines.next(); next.done !== true; next = lines.next()) if (next.value.word !== '') return next.value
  return null
}

function* linesFrom(text: string, from: number): Generator<HeadLine> {
  for (let start = from; start < text.length; start = nextLine(text, start)) {
    const range = { start, end: lineStop(text, start) }
    const line = asSeen(text.slice(range.start, range.end))
    yield { word: VISIBLE.exec(line)?.[0] ?? '', range, isIndented: /^[ \t]/.test(line) }
  }
}
