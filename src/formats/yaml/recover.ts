/** Recovers broken YAML entry by entry, and YAML that is indented with tabs. */
import type { Finding } from '../../model/findings.ts'
import type { Edit, Range } from '../../model/range.ts'
import { type DataNode, describeDuplicates, type MapEntry, type Parsed, withoutDuplicates } from '../data.ts'
import { dominantLineEnd, lineStart, nextLine } from '../lines.ts'
import { cutEntries, type RawEntry, type RawValue, readRaw, renderRaw, trimValue } from './raw.ts'
import { readStrictYaml, type StrictYaml } from './strict.ts'
import { MAX_RECOVERED_SIZE, replaceInView, type TextView } from './view.ts'

export interface RecoveryOptions {
  /** Keys that some harness knows: at the start of a line they always begin a new entry. */
  readonly knownKeys?: ReadonlySet<string>
  /** Keys whose values are lists of names. */
  readonly listKeys?: ReadonlySet<string>
  /** Keys that hold prose, in which a line such as `Context: …` is not an entry. */
  readonly proseKeys?: ReadonlySet<string>
}

export interface YamlAttempt {
  readonly text: string
  readonly range: Range
  readonly indent: string
  readonly view: TextView
  readonly strict: StrictYaml
  readonly options: RecoveryOptions
}

const DEFAULT_PROSE_KEYS: ReadonlySet<string> = new Set(['description', 'prompt', 'when_to_use'])
const NO_KEYS: ReadonlySet<string> = new Set()
// A text with more entries than this is not front matter; it gets only a cheap result.
const MAX_PARSED = 1000

interface YamlRecovery {
  readonly attempt: YamlAttempt
  readonly options: RecoveryOptions
  readonly lineEnd: string
  /** The indent of the least indented entry: the others are moved to it. */
  readonly base: number
  readonly findings: Finding[]
  readonly recovered: Set<string>
}

export function recoverEntries(attempt: YamlAttempt): Parsed {
  const { text, range, view, options } = attempt
  const known = options.knownKeys ?? NO_KEYS
  const prose = options.proseKeys ?? DEFAULT_PROSE_KEYS
  const isKnown = (key: string) => prose.has(key) || key === 'name' || known.has(key)
  const pieces = cutEntries(view.text, { isKnown, isProse: (key) => prose.has(key) })
  if (pieces.length === 0) return nothingToRead(range)
  const base = commonIndent(view.text, pieces)
  const lineEnd = dominantLineEnd(text, range)
  const reading: YamlRecovery = { attempt, options, lineEnd, base, findings: [], recovered: new Set() }
  reportStrayLines(reading, pieces[0]!.start)
  const last = new Map(pieces.map((piece) => [piece.key, piece]))
  const entries: MapEntry[] = []
  pieces.forEach((piece, index) => {
    if (last.get(piece.key) !== piece) reportRepeated(reading, piece)
    else entries.push(recoverEntry(reading, piece, index < MAX_PARSED && piece.end - piece.start < MAX_RECOVERED_SIZE))
  })
  const root: DataNode = {
    kind: 'map',
    entries,
    range: { start: entries[0]!.range.start, end: entries.at(-1)!.range.end },
  }
  return { root, findings: reading.findings, recovered: [...reading.recovered] }
}

/** Tabs must be removed, so if there are any the keys move to the start of their lines. */
function commonIndent(text: string, pieces: readonly RawEntry[]): number {
  let least = Number.POSITIVE_INFINITY
  for (const { start, keyStart } of pieces) {
    least = text.slice(start, keyStart).includes('\t') ? 0 : Math.min(least, keyStart - start)
  }
  return least
}

function nothingToRead(range: Range): Parsed {
  const message = 'No key can be read here.'
  return { root: null, findings: [{ code: 'front-matter-not-a-map', message, range }], recovered: [] }
}

/** Lines above the first key have no meaning; they become comments. */
function reportStrayLines({ attempt, findings }: YamlRecovery, end: number): void {
  const { text, view } = attempt
  const edits: Edit[] = []
  let first: number | undefined
  let stop = 0
  for (let line = 0; line < end; line = nextLine(view.text, line)) {
    const content = view.text.slice(line, Math.min(nextLine(view.text, line), end)).trimEnd()
    if (content === '' || content.trimStart().startsWith('#')) continue
    const start = view.toFile(line)
    edits.push({ range: { start, end: start }, text: '# ' })
    first ??= start
    stop = start + content.length
  }
  if (first === undefined) return
  const range = { start: first, end: stop }
  const more = text.slice(range.start, range.end).includes('\n')
    ? 'These lines do not belong'
    : 'This line does not belong'
  findings.push({ code: 'invalid-yaml', message: `${more} to a key.`, range, fix: edits })
}

function reportRepeated({ attempt, findings, recovered }: YamlRecovery, piece: RawEntry): void {
  const { text, view } = attempt
  const value = trimValue(view.text, piece.valueStart, piece.end)
  const start = lineStart(text, view.toFile(piece.start))
  const end = lineStart(text, view.toFile(piece.end))
  findings.push({
    code: 'duplicate-key',
    message: `The key "${piece.key}" appears again below. This one does not count.`,
    range: { start: view.toFile(piece.keyStart), end: view.toFile(value.end) },
    fix: [{ range: { start, end }, text: '' }],
  })
  recovered.add(piece.key)
}

function recoverEntry(reading: YamlRecovery, piece: RawEntry, parse: boolean): MapEntry {
  const { view, text } = reading.attempt
  const alone: TextView = {
    text: view.text.slice(piece.keyStart, piece.end),
    toFile: (offset) => view.toFile(offset + piece.keyStart),
  }
  const read = parse ? readAlone(alone) : null
  const entry = read && onlyEntry(read.strict, piece.key)
  if (!entry) return recoverRawEntry(reading, piece)
  const { duplicates } = read.strict
  const repairs = [...describeDuplicates(text, duplicates), ...read.findings]
  reading.findings.push(...repairs)
  if (repairs.length > 0) reading.recovered.add(piece.key)
  const edits = straightenKey(reading, piece)
  if (edits.length > 0) {
    const message = `The key "${piece.key}" is indented more than its neighbours.`
    reading.findings.push({ code: 'invalid-yaml', message, range: entry.range, fix: edits })
    reading.recovered.add(piece.key)
  }
  return { ...entry, value: withoutDuplicates(entry.value, duplicates)! }
}

function readAlone(alone: TextView): TabReading | null {
  const strict = readStrictYaml(alone)
  return strict.problems.length === 0 ? { strict, findings: [] } : readWithoutTabs(alone)
}

function onlyEntry({ root }: StrictYaml, key: string): MapEntry | null {
  if (root?.kind !== 'map' || root.entries.length !== 1) return null
  const entry = root.entries[0]!
  return entry.key === key ? entry : null
}

function recoverRawEntry(reading: YamlRecovery, piece: RawEntry): MapEntry {
  const { attempt, options, lineEnd, base } = reading
  const { view, indent } = attempt
  const place = trimValue(view.text, piece.valueStart, piece.end)
  const source = view.text.slice(place.start, place.end)
  const value = readRaw(source, options.listKeys?.has(piece.key) ?? false)
  const range = { start: view.toFile(place.start), end: view.toFile(place.end) }
  const keyRange = { start: view.toFile(piece.keyStart), end: view.toFile(piece.keyEnd) }
  // Trailing white space and blank lines would become part of a block.
  const blank = /^[ \t]*(?:\r?\n[ \t]+(?=\r?\n|$))*/.exec(attempt.text.slice(range.end, range.end + 1000))![0].length
  const behindColon = { start: view.toFile(piece.valueStart), end: range.end + blank }
  const rendered = renderRaw(value, indent + ' '.repeat(base), lineEnd)
  const whole = { start: keyRange.start, end: range.end }
  reading.findings.push({
    code: 'invalid-yaml',
    message: `The value of "${piece.key}" is not valid YAML${reason(source)}. It is read as ${value.kind === 'list' ? 'a list' : 'plain text'}.`,
    range: whole,
    fix: [...straightenKey(reading, piece), { range: behindColon, text: rendered }],
  })
  reading.recovered.add(piece.key)
  return { key: piece.key, keyRange, value: rawNode(value, range), range: whole }
}

function rawNode(value: RawValue, range: Range): DataNode {
  if (value.kind === 'text') return { kind: 'scalar', value: value.text, range }
  return { kind: 'list', items: value.items.map((item) => ({ kind: 'scalar', value: item, range })), range }
}

/** All entries must be at one column. */
function straightenKey({ attempt, base }: YamlRecovery, piece: RawEntry): Edit[] {
  if (piece.keyStart - piece.start === base) return []
  const range = { start: attempt.view.toFile(piece.start + base), end: attempt.view.toFile(piece.keyStart) }
  return [{ range, text: '' }]
}

function reason(source: string): string {
  if (/^\*/.test(source)) return ' (a "*" at the start means an alias)'
  if (/^[&!%@`]/.test(source)) return ` (it must not start with "${source[0]}")`
  if (/^["']/.test(source)) return ' (its quotes do not match)'
  if (/^[[{]/.test(source)) return ' (its brackets do not match)'
  if (/:(?:\s|$)/.test(source)) return ' (it contains ": " outside quotes)'
  return ''
}

/** YAML indented with tabs, read as if they were spaces. */
interface TabReading {
  readonly strict: StrictYaml
  readonly findings: readonly Finding[]
}

// Tabs that follow spaces may be the content of a block, so lines that begin with a tab are tried alone first.
const LEADING = [/^\t[ \t]*(?=\S)/gm, /^ *\t[ \t]*(?=\S)/gm]
const WIDTHS = [2, 4, 8]

/** Null if the tabs are not the error. */
export function readWithoutTabs(view: TextView): TabReading | null {
  if (view.text.length > MAX_RECOVERED_SIZE || !/^ *\t/m.test(view.text)) return null
  let before = 0
  for (const leading of LEADING) {
    const runs = [...view.text.matchAll(leading)]
    if (runs.length === before) continue
    before = runs.length
    for (const width of WIDTHS) {
      const pieces = runs.map(({ index, 0: run }) => {
        return { start: index, end: index + run.length, text: run.replaceAll('\t', ' '.repeat(width)) }
      })
      const strict = readStrictYaml(replaceInView(view, pieces))
      if (strict.problems.length === 0) return { strict, findings: pieces.map((piece) => describeTab(view, piece)) }
    }
  }
  return null
}

function describeTab(view: TextView, piece: { start: number; end: number; text: string }): Finding {
  const range = { start: view.toFile(piece.start), end: view.toFile(piece.end) }
  const message = 'This line is indented with a tab, which YAML does not allow. It is read as spaces.'
  return { code: 'tab-indentation', message, range, fix: [{ range, text: piece.text }] }
}
