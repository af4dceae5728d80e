/** What harnesses do themselves to front matter that is not valid YAML, so that it can be told what they will see. */
import { isMap, isScalar, isSeq, parse, stringify } from 'yaml'
import { sameData, toData } from '../text/data.ts'
import { composeYaml } from '../text/yaml-library.ts'
import type { Document } from './document.ts'
import { asReadByLines } from './line-reader.ts'
import type { Harness } from './schema/harness.ts'

type Repair = NonNullable<Harness['frontMatter']['repairs']>

/** What becomes of front matter in a harness: it is read, it stays unparsable, or a repair made it no better. */
export type Reading = 'read' | 'unparsable' | 'beyond-repair'

export function harnessReads(
  { frontMatter: { repairs: repair, tolerates, fences } }: Harness,
  { text, frontMatter, isUnread, findings }: Document,
): Reading {
  if (repair === 'anything' || isUnread) return 'read'
  if (frontMatter?.yaml === null || frontMatter === null) return 'read'
  // Harnesses look for the fence at the very start of the file, and for a closer of three dashes.
  // Where the harness file says more about fences, they are no question of what stands between them.
  if (frontMatter.findings.length > 0 && fences === undefined) return 'unparsable'
  const written = text.slice(frontMatter.yaml.start, frontMatter.yaml.end)
  if (written.includes('\0') && !tolerates.includes('nul')) return 'unparsable'
  if (hasControls(written) && !tolerates.includes('control-characters')) return 'unparsable'
  // Where the reader had nothing to say, it is valid, and each key stands there once.
  if (findings.length === 0) return 'read'
  const yaml = tidied(tolerates, written)
  const uniqueKeys = !tolerates.includes('duplicate-keys')
  if (isStrict(yaml, uniqueKeys)) return 'read'
  if (repair === undefined || isBlindTo(repair, text)) return 'unparsable'
  const repaired = repairAll(repair, yaml)
  if (isStrict(repaired, uniqueKeys)) return 'read'
  return repaired !== yaml.split(/\r?\n/).join('\n') ? 'beyond-repair' : 'unparsable'
}

/** Whether the harness reads it only because it repairs it first. */
export function isRepaired(harness: Harness, document: Document): boolean {
  const { repairs: repair, tolerates } = harness.frontMatter
  const { text, frontMatter, isUnread } = document
  if (repair === undefined || repair === 'anything' || isUnread || frontMatter?.yaml == null) return false
  const yaml = tidied(tolerates, text.slice(frontMatter.yaml.start, frontMatter.yaml.end))
  return !isStrict(yaml, !tolerates.includes('duplicate-keys')) && harnessReads(harness, document) === 'read'
}

/** A repair of single lines looks for the fence at the very first character. */
function isBlindTo(repair: Repair | undefined, text: string): boolean {
  return repair !== 'by-lines' && text.startsWith('\uFEFF')
}

/** As a parser sees it that accepts what YAML does not. */
function tidied(tolerates: Harness['frontMatter']['tolerates'], yaml: string): string {
  const spaced = tolerates.includes('tabs') ? yaml.replaceAll('\t', '  ') : yaml
  if (!tolerates.includes('flow-at-margin')) return spaced
  return spaced.replace(/\[[^[\]{}"'#:]*\]/g, (list) => list.replace(/\n(?=\S)/g, '\n '))
}

function repairAll(repair: Exclude<Repair, 'anything'>, yaml: string): string {
  return repair === 'by-lines' ? asReadByLines(yaml) : yaml.split(/\r?\n/).map(repairLine[repair]).join('\n')
}

/** The whole file as the harness sees it after its own repair; null where that means the same as what was written. */
export function harnessSees(harness: Harness, document: Document): string | null {
  const mended = mend(harness, document)
  return mended === null || sameData(mended.data, toData(document.root)) ? null : mended.text
}

/** The whole file as the harness sees it after its own repair; null where it makes none, or none that helps. */
export function mend(
  { frontMatter: { repairs: repair, tolerates } }: Harness,
  { text, frontMatter, isUnread }: Document,
): { readonly text: string; readonly data: unknown } | null {
  if (isUnread) return null
  if (repair === 'anything' || frontMatter?.yaml == null || isBlindTo(repair, text)) return null
  const { start, end } = frontMatter.yaml
  const written = text.slice(start, end)
  if (isStrict(written, true)) return null
  const uniqueKeys = !tolerates.includes('duplicate-keys')
  const tidy = tidied(tolerates, written)
  const repaired = repair === undefined || isStrict(tidy, uniqueKeys) ? tidy : repairAll(repair, tidy)
  if (!isStrict(repaired, uniqueKeys)) return null
  const data: unknown = parse(repaired, { logLevel: 'silent', uniqueKeys: false })
  // Of a key that stands there twice the last one counts.
  const yaml = isStrict(repaired, true) ? repaired : stringify(data)
  return { text: text.slice(0, start) + yaml + text.slice(end), data }
}

/** One line at a time, keys at the start of a line only: this is all that harnesses try. */
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
    // What is a list by itself is left as it is.
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

/** Characters that YAML does not have: our parser is more generous than most. */
function hasControls(yaml: string): boolean {
  return /[^\P{Cc}\t\n\r\u0085]/u.test(yaml)
}

interface Strictness {
  /** Valid but for keys that stand twice, and whether there are any. */
  readonly isValid: boolean
  readonly hasTwins: boolean
}

const invalid: Strictness = { isValid: false, hasTwins: false }

/** What was asked about last: the same few texts are asked about several times. */
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
    // An alias without an anchor is found out only now.
    composed.document.toJS()
    return { isValid: true, hasTwins: hasTwins(composed.document.contents) }
  } catch {
    return invalid
  }
}

/** Whether some map has a key twice, as the library would find it. */
function hasTwins(node: unknown): boolean {
  if (isSeq(node)) return node.items.some(hasTwins)
  if (!isMap(node)) return false
  const keys = new Set<unknown>()
  return node.items.some(({ key, value }) => {
    const known = keys.size
    const isTwin = isScalar(key) && !Number.isNaN(key.value) && keys.add(key.value).size === known
    return isTwin || hasTwins(key) || hasTwins(value)
  })
}
