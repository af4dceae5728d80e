/** The repairs that harnesses themselves apply to front matter that is not valid YAML, to predict what they load. */
import { isMap, isScalar, isSeq, parse, stringify } from 'yaml'
import { sameData, toData } from '../../formats/data.ts'
import { composeYaml } from '../../formats/yaml/strict.ts'
import type { Harness } from '../schema/harness.ts'
import type { Document } from './document.ts'

type Repair = NonNullable<Harness['frontMatter']['repairs']>

/** How a harness handles front matter: it is read, it stays unparsable, or a repair does not help. */
type ParseOutcome = 'read' | 'unparsable' | 'beyond-repair'

export function parseOutcome(
  { frontMatter: { repairs: repair, tolerates, fences } }: Harness,
  { text, frontMatter, isUnread, findings }: Document,
): ParseOutcome {
  if (repair === 'anything' || isUnread) return 'read'
  if (frontMatter?.yaml === null || frontMatter === null) return 'read'
  // Harnesses look for the fence at the very start of the file, and for a closer of three dashes.
  // If the harness file defines more about fences, they do not affect what is between them.
  if (frontMatter.findings.length > 0 && fences === undefined) return 'unparsable'
  const written = text.slice(frontMatter.yaml.start, frontMatter.yaml.end)
  if (written.includes('\0') && !tolerates.includes('nul')) return 'unparsable'
  if (hasControls(written) && !tolerates.includes('control-characters')) return 'unparsable'
  // Without findings it is valid, and no key is repeated.
  if (findings.length === 0) return 'read'
  const yaml = withTolerances(tolerates, written)
  const uniqueKeys = !tolerates.includes('duplicate-keys')
  if (isStrict(yaml, uniqueKeys)) return 'read'
  if (repair === undefined || skipsRepair(repair, text)) return 'unparsable'
  const repaired = repairAll(repair, yaml)
  if (isStrict(repaired, uniqueKeys)) return 'read'
  return repaired !== yaml.split(/\r?\n/).join('\n') ? 'beyond-repair' : 'unparsable'
}

/** Whether the harness can read it only after repairing it. */
export function needsRepair(harness: Harness, document: Document): boolean {
  const { repairs: repair, tolerates } = harness.frontMatter
  const { text, frontMatter, isUnread } = document
  if (repair === undefined || repair === 'anything' || isUnread || frontMatter?.yaml == null) return false
  const yaml = withTolerances(tolerates, text.slice(frontMatter.yaml.start, frontMatter.yaml.end))
  return !isStrict(yaml, !tolerates.includes('duplicate-keys')) && parseOutcome(harness, document) === 'read'
}

/** A line-by-line repair looks for the fence at the very first character. */
function skipsRepair(repair: Repair | undefined, text: string): boolean {
  return repair !== 'by-lines' && text.startsWith('\uFEFF')
}

/** As seen by a parser that accepts more than YAML. */
function withTolerances(tolerates: Harness['frontMatter']['tolerates'], yaml: string): string {
  const spaced = tolerates.includes('tabs') ? yaml.replaceAll('\t', '  ') : yaml
  if (!tolerates.includes('flow-at-margin')) return spaced
  return spaced.replace(/\[[^[\]{}"'#:]*\]/g, (list) => list.replace(/\n(?=\S)/g, '\n '))
}

function repairAll(repair: Exclude<Repair, 'anything'>, yaml: string): string {
  return repair === 'by-lines' ? rewriteByLines(yaml) : yaml.split(/\r?\n/).map(repairLine[repair]).join('\n')
}

/** The whole file after the harness's own repair; null if that means the same as the original. */
export function repairedText(harness: Harness, document: Document): string | null {
  const repaired = repairFrontMatter(harness, document)
  return repaired === null || sameData(repaired.data, toData(document.root)) ? null : repaired.text
}

/** The whole file after the harness's own repair; null if it makes none, or none that helps. */
export function repairFrontMatter(
  { frontMatter: { repairs: repair, tolerates } }: Harness,
  { text, frontMatter, isUnread }: Document,
): { readonly text: string; readonly data: unknown } | null {
  if (isUnread) return null
  if (repair === 'anything' || frontMatter?.yaml == null || skipsRepair(repair, text)) return null
  const { start, end } = frontMatter.yaml
  const written = text.slice(start, end)
  if (isStrict(written, true)) return null
  const uniqueKeys = !tolerates.includes('duplicate-keys')
  const tidy = withTolerances(tolerates, written)
  const repaired = repair === undefined || isStrict(tidy, uniqueKeys) ? tidy : repairAll(repair, tidy)
  if (!isStrict(repaired, uniqueKeys)) return null
  const data: unknown = parse(repaired, { logLevel: 'silent', uniqueKeys: false })
  // The last one of repeated keys counts.
  const yaml = isStrict(repaired, true) ? repaired : stringify(data)
  return { text: text.slice(0, start) + yaml + text.slice(end), data }
}

/** Line by line, only keys at the start of a line: this is all that harnesses try. */
const repairLine: Record<Exclude<Repair, 'anything' | 'by-lines'>, (line: string) => string> = {
  'block-colons': (line) => {
    const match = /^([a-zA-Z_][a-zA-Z0-9_]*)\s*:\s*(.*)$/.exec(line)
    if (match === null) return line
    const [, key = '', value = ''] = match
    const left = value === '' || value === '>' || value === '|' || /^["']/.test(value) || !value.includes(':')
    return left ? line : `${key}: |-\n  ${value}`
  },
  'quote-special': (line) => {
    const match = /^([a-zA-Z_-]+):\s+(.+)$/.exec(line)
    if (match === null) return line
    const [, key = '', value = ''] = match
    // A valid list is left as it is.
    const isFine = /^".*"$|^'.*'$/.test(value) || isFlowList(value)
    return isFine || !/[{}[\]*&#!|>%@`]|: /.test(value) ? line : `${key}: ${JSON.stringify(value)}`
  },
}

/** A list of plain and quoted words on one line. */
function isFlowList(value: string): boolean {
  const line = value.trim()
  if (!line.startsWith('[') || !line.endsWith(']')) return false
  const items = line.slice(1, -1).split(',')
  if (items.at(-1)?.trim() === '') items.pop()
  return items.every((item) => /^(?:"[^"\\]*"|'[^']*'|[^"'[\]{}&*#!|>%@`:?-][^"'[\]{}#:]*)$/.test(item.trim()))
}

/** Characters that are not allowed in YAML: our parser is more lenient than most. */
function hasControls(yaml: string): boolean {
  return /[^\P{Cc}\t\n\r\u0085]/u.test(yaml)
}

interface Strictness {
  /** Valid except for repeated keys, and whether there are any. */
  readonly isValid: boolean
  readonly hasTwins: boolean
}

const invalid: Strictness = { isValid: false, hasTwins: false }

/** A cache: the same few texts are checked several times. */
const known = new Map<string, Strictness>()
const MOST_KNOWN = 8

function isStrict(yaml: string, uniqueKeys: boolean): boolean {
  let strictness = known.get(yaml)
  if (strictness === undefined) {
    strictness = strictnessOf(yaml)
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(yaml, strictness)
  }
  return strictness.isValid && !(uniqueKeys && strictness.hasTwins)
}

function strictnessOf(yaml: string): Strictness {
  // The library would compare every key with every other.
  const composed = composeYaml(yaml, { logLevel: 'silent', prettyErrors: false, uniqueKeys: false })
  if ('refusal' in composed) return invalid
  try {
    // An alias without an anchor is detected only now.
    composed.document.toJS()
    return { isValid: true, hasTwins: hasDuplicateKeys(composed.document.contents) }
  } catch {
    return invalid
  }
}

/** Whether some map has a repeated key, as the library would find it. */
function hasDuplicateKeys(node: unknown): boolean {
  if (isSeq(node)) return node.items.some(hasDuplicateKeys)
  if (!isMap(node)) return false
  const keys = new Set<unknown>()
  return node.items.some(({ key, value }) => {
    const known = keys.size
    const isTwin = isScalar(key) && !Number.isNaN(key.value) && keys.add(key.value).size === known
    return isTwin || hasDuplicateKeys(key) || hasDuplicateKeys(value)
  })
}

/** Front matter read line by line, as a harness may do if it is not valid YAML: much is lost. */
type Value = string | number | boolean | null

/** The same front matter as valid YAML, with only what such a reader sees. */
function rewriteByLines(yaml: string): string {
  const lines = yaml.split(/\r\n?|\n/).filter((line) => line.trim() !== '' && !line.trim().startsWith('#'))
  const seen = new Map<string, Value | Value[] | Record<string, Value>>()
  for (let at = 0; at < lines.length; ) {
    const [key, value] = cutAtColon(lines[at] ?? '')
    const stray = lines[at]?.startsWith('  - ') === true
    at++
    if (key === null || stray) continue
    if (value !== '') {
      seen.set(key, scalar(value))
      continue
    }
    // Only lines indented by two spaces belong to the key; any other list is skipped, and the key with it.
    const item = lines[at]?.startsWith('  - ') === true
    const below = takeWhile(lines, at, (line) => line.startsWith(item ? '  - ' : '  '))
    at += below.length
    if (below.length > 0) seen.set(key, item ? below.map((line) => scalar(line.slice(4).trim())) : nestedValues(below))
  }
  return stringify(Object.fromEntries(seen))
}

function cutAtColon(line: string): [key: string | null, value: string] {
  const colon = line.indexOf(':')
  return colon < 0 ? [null, ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
}

function takeWhile(lines: readonly string[], from: number, belongs: (line: string) => boolean): string[] {
  let end = from
  while (end < lines.length && belongs(lines[end] ?? '')) end++
  return lines.slice(from, end)
}

function nestedValues(lines: readonly string[]): Record<string, Value> {
  return Object.fromEntries(lines.map((line) => cutAtColon(line)).map(([key, value]) => [key ?? '', scalar(value)]))
}

/** Single quotes, lists and maps on one line stay text. */
function scalar(text: string): Value {
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null') return null
  if (/^".*"$/s.test(text) && text.length > 1) return text.slice(1, -1).replaceAll('\\"', '"').replaceAll('\\\\', '\\')
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}
