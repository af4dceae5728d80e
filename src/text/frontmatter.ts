/** Cuts a Markdown file into front matter and body, by rules that read every agent file we have met. */
import type { Finding } from '../model/diagnostics.ts'
import type { Edit, Range } from '../model/place.ts'
import { lineStop, nextLine } from './lines.ts'

export interface Cut {
  /** What stands between the fences, last line end included; null when there is no front matter. */
  readonly yaml: Range | null
  /** Everything after the closing fence's line; the whole text (but for a byte order mark) when there is no front matter. */
  readonly body: Range
  /** The fences themselves: their dashes or dots, without the white space around them. */
  readonly open: Range | null
  readonly close: Range | null
  /** White space before the opener: it belongs to no line of the front matter. */
  readonly indent: string
  readonly findings: readonly Finding[]
}

interface Line {
  readonly start: number
  /** Before the line end. */
  readonly stop: number
  readonly next: number
}

// White space after a fence is allowed, and any before it, a byte order mark included; a lone CR at the end of a file counts as such.
const OPENER = /^([^\S\r]*)---[ \t\r]*$/
/** A person means the same by more or fewer dashes, or by long ones, where keys follow. */
const ODD_OPENER = /^([^\S\r]*)([-\u2010-\u2015]{1,20})[ \t\r]*$/
const TELLING_KEY = /^[ \t]*["']?(?:name|description)["']?[ \t]*:/m

export function cutFrontMatter(text: string): Cut {
  const begin = text.startsWith('\uFEFF') ? 1 : 0
  const opener = findOpener(text, begin)
  if (!opener) return none(text, begin, [])
  const { line, indent, word } = opener
  const open = { start: line.start + indent.length, end: line.start + indent.length + word.length }
  const close = findCloser(text, line.next, indent)
  if (word !== '---' && !isFollowedByKey(text, line.next)) return none(text, begin, [])
  if (!close) {
    const message = 'The front matter opens here and is never closed; the whole file was read as its body.'
    return none(text, begin, [{ code: 'unclosed-front-matter', message, range: open }])
  }
  const { fence } = close
  const findings = describeFences(text, begin, line, { open, close: fence, indent }, close.line)
  const yaml = { start: line.next, end: close.line.start }
  const body = { start: close.line.next, end: text.length }
  return { yaml, body, open, close: fence, indent, findings }
}

function none(text: string, begin: number, findings: Finding[]): Cut {
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

/** The first exact fence closes. Only when there is none does the first odd one count. */
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

/** After an odd opener a person sees front matter where the next line is a key. */
function isFollowedByKey(text: string, from: number): boolean {
  return /^\s*["']?[A-Za-z][\w.-]*["']?[ \t]*:(?:\s|$)/.test(text.slice(from, from + 200))
}

/** Dashes without a key above them are a rule or an underlined heading. */
function firstTellingKey(text: string, from: number): number {
  const found = text.slice(from).search(TELLING_KEY)
  return found < 0 ? text.length : from + found
}

/** A line may be indented less than the opener; then all of its indent goes. */
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
  cut: Pick<Cut, 'open' | 'close' | 'indent'>,
  closing: Line,
): Finding[] {
  const findings: Finding[] = []
  const opener = text.slice(cut.open!.start, cut.open!.end)
  if (opener !== '---') {
    findings.push({
      code: 'odd-fence',
      message: `The front matter starts with "${opener}" instead of "---"; most harnesses will not see it.`,
      range: cut.open!,
      fix: [{ range: cut.open!, text: '---' }],
    })
  }
  if (opening.start > begin || cut.indent !== '') {
    const where = cut.indent === '' ? 'after blank lines' : 'indented'
    findings.push({
      code: 'odd-fence',
      message: `The front matter starts ${where}; most harnesses will not see it.`,
      range: cut.open!,
      fix: straighten(text, begin, opening, cut.indent, closing),
    })
  }
  const word = text.slice(cut.close!.start, cut.close!.end)
  if (word !== '---') {
    findings.push({
      code: 'odd-fence',
      message: `The front matter is closed by "${word.length > 12 ? `${word.slice(0, 12)}…` : word}" instead of "---".`,
      range: cut.close!,
      fix: [{ range: cut.close!, text: '---' }],
    })
  }
  return findings
}

/** Removes the blank lines above and the indent of every line of the front matter; the body stays as it is. */
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
