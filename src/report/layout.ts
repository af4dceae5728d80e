/** Text for terminals and reports: cut and wrapped by display width, quoted, and without terminal control characters. */
import { eastAsianWidth } from 'get-east-asian-width'

/**
 * Characters that control a terminal or are invisible, the only list: control characters, bidirectional marks, zero-width
 * spaces and joiners, tags. In text they are shown as a sign, in JSON as an escape.
 */
const hiddenCharacters =
  '\\u007f-\\u009f\\u00ad\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb'
const tags = '\\udb40[\\udc00-\\uddef]'
/** Joiners belong in Persian words and in composed emoji; between other letters they only hide. */
const strayJoiners = '(?<![^\\u0000-\\u007f])[\\u200c\\u200d]'

const inText = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f${hiddenCharacters}]|${tags}|${strayJoiners}`, 'g')
const inJson = new RegExp(`[${hiddenCharacters}\\u200c\\u200d]|${tags}`, 'g')

/** Tabs and line ends are kept. */
export function maskHidden(text: string): string {
  return text.replace(inText, '\ufffd')
}

/** An equivalent document: outside its strings JSON has no such characters. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(inJson, (found) =>
    Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
      '',
    ),
  )
}

/** One line without cursor or bidirectional controls: files must not control the terminal. */
export function oneLine(text: string): string {
  return maskHidden(text.replace(/\s+/g, ' ')).trim()
}

export function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  if (width < 1) return ''
  let kept = ''
  let used = 0
  for (const grapheme of graphemes(text)) {
    used += graphemeWidth(grapheme)
    if (used > width - 1) break
    kept += grapheme
  }
  return `${kept.trimEnd()}…`
}

/** Ends at a word boundary, unless that would cut too much. */
export function cutAtWord(text: string, width: number): string {
  const short = cut(text, width)
  if (short === text || short === '') return short
  const kept = short.slice(0, -1)
  const end = text[kept.length] === ' ' ? kept.length : kept.lastIndexOf(' ')
  return end < kept.length * 0.6 ? short : `${kept.slice(0, end).replace(/[\s,;:]+$/, '')}…`
}

/** Keeps the end, as for paths. */
export function cutStart(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  const characters = [...graphemes(text)]
  while (characters.length > 0 && displayWidth(characters.join('')) > width - 1) characters.shift()
  return `…${characters.join('')}`
}

export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)))
}

/** Breaks at spaces; words longer than the width stay whole. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && displayWidth(line) + 1 + displayWidth(word) > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  lines.push(line)
  return lines
}

/** Breaks lines that are too long at spaces, each part below the beginning of its text. They may have colours. */
export function fitLines(lines: readonly string[], width: number): string[] {
  return lines.flatMap((line) => {
    if (displayWidth(line.replace(COLOR, '')) <= width) return [line]
    const indent = /^ */.exec(line)?.[0] ?? ''
    const parts: string[] = []
    let part = ''
    for (const word of line.slice(indent.length).split(' ')) {
      const longer = part === '' ? word : `${part} ${word}`
      const isTooLong = indent.length + displayWidth(longer.replace(COLOR, '')) > width
      if (isTooLong && part.trim() !== '') parts.push(part.trimEnd())
      part = isTooLong ? word : longer
    }
    return [...parts, part].map((one) => indent + one)
  })
}

const COLOR = /\u001b\[[0-9;]*m/g

/** Words longer than the width are broken: nothing is left out, and nothing exceeds the width. */
export function wrapWithin(text: string, width: number): string[] {
  return wrap(text, width).flatMap((line) => {
    const parts: string[] = []
    let part = ''
    let used = 0
    for (const grapheme of graphemes(line)) {
      const wide = graphemeWidth(grapheme)
      if (used + wide > width && part !== '') {
        parts.push(part)
        part = ''
        used = 0
      }
      part += grapheme
      used += wide
    }
    return [...parts, part]
  })
}

export function plural(count: number, one: string, many = `${one}s`): string {
  // By hand: the first use of a locale costs more than the rest of a command.
  const grouped = String(count).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${grouped} ${count === 1 ? one : many}`
}

interface ProsePiece {
  readonly text: string
  readonly isCode: boolean
}

/** Any file content, as a quotation that cannot end early. */
export function quote(value: string, width = 80): string {
  const line = cut(oneLine(value).replaceAll('`', "'"), width)
  return line === '' ? '(nothing)' : `\`${line}\``
}

/** A sentence split at its quotations; an unpaired backtick is an ordinary character. */
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

/** Created on first use: most text never needs it. */
let segmenter: Intl.Segmenter | undefined

/** A letter with its accents, a flag, a family emoji: each is one. */
function graphemes(text: string): Iterable<string> {
  // Proper segmentation is slow; most text has nothing that joins.
  if (!JOINING.test(text)) return text
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

export function displayWidth(text: string): number {
  if (!/[^ -~]/.test(text)) return text.length
  let width = 0
  for (const grapheme of graphemes(text)) width += graphemeWidth(grapheme)
  return width
}

/** Where terminals disagree, the wider count: a line one column short is better than one too long. */
function graphemeWidth(grapheme: string): number {
  const first = grapheme.codePointAt(0) ?? 0
  if (first < 0x300 && grapheme.length === 1) return first < 0x20 || (first >= 0x7f && first < 0xa0) ? 0 : 1
  if (EMOJI.test(grapheme)) return 2
  let width = 0
  for (const character of grapheme)
    if (!WITHOUT_WIDTH.test(character)) width += eastAsianWidth(character.codePointAt(0) ?? 0)
  return width
}

/** What joins several characters into one: marks, joiners, flags, skin colours, parts of Korean syllables. */
const JOINING = /[\p{M}\p{Cf}\p{Regional_Indicator}\p{Emoji_Modifier}\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/u
/** Shown as a picture by default, or by a variation selector. */
const EMOJI = /^\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u
/** Marks, joiners, and the later parts of a Korean syllable. */
const WITHOUT_WIDTH = /^[\p{Mn}\p{Me}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u1160-\u11ff\ud7b0-\ud7ff]$/u
