/** What harnesses do themselves to front matter that is not valid YAML, so that it can be told what they will see. */
import { parse, parseDocument } from 'yaml'
import { sameData, toData } from '../text/data.ts'
import type { Document } from './document.ts'
import { asReadByLines } from './line-reader.ts'
import type { Harness } from './schema/harness.ts'

type Repair = NonNullable<Harness['frontMatter']['repairs']>

/** What becomes of front matter in a harness: it is read, it stays unparsable, or a repair made it no better. */
export type Reading = 'read' | 'unparsable' | 'beyond-repair'

export function harnessReads(
  { frontMatter: { repairs: repair, tolerates, fences } }: Harness,
  { text, frontMatter }: Document,
): Reading {
  if (repair === 'anything') return 'read'
  if (frontMatter?.yaml === null || frontMatter === null) return 'read'
  // Harnesses look for the fence at the very start of the file, and for a closer of three dashes.
  // Where the harness file says more about fences, they are no question of what stands between them.
  if (frontMatter.findings.length > 0 && fences === undefined) return 'unparsable'
  const written = text.slice(frontMatter.yaml.start, frontMatter.yaml.end)
  if (written.includes('\0') && !tolerates.includes('nul')) return 'unparsable'
  if (hasControls(written) && !tolerates.includes('control-characters')) return 'unparsable'
  const yaml = tolerates.includes('tabs') ? written.replaceAll('\t', '  ') : written
  const uniqueKeys = !tolerates.includes('duplicate-keys')
  if (isStrict(yaml, uniqueKeys)) return 'read'
  if (repair === undefined || isBlindTo(repair, text)) return 'unparsable'
  const repaired = repairAll(repair, yaml)
  if (isStrict(repaired, uniqueKeys)) return 'read'
  return repaired !== yaml.split(/\r?\n/).join('\n') ? 'beyond-repair' : 'unparsable'
}

/** A repair of single lines looks for the fence at the very first character. */
function isBlindTo(repair: Repair, text: string): boolean {
  return repair !== 'by-lines' && text.startsWith('\uFEFF')
}

function repairAll(repair: Exclude<Repair, 'anything'>, yaml: string): string {
  return repair === 'by-lines' ? asReadByLines(yaml) : yaml.split(/\r?\n/).map(repairLine[repair]).join('\n')
}

/** The whole file as the harness sees it after its own repair; null where that means the same as what was written. */
export function harnessSees(
  { frontMatter: { repairs: repair } }: Harness,
  { text, frontMatter, root }: Document,
): string | null {
  if (repair === undefined || repair === 'anything' || frontMatter?.yaml == null || isBlindTo(repair, text)) return null
  const { start, end } = frontMatter.yaml
  const written = text.slice(start, end)
  if (frontMatter.findings.length > 0 || isStrict(written, true)) return null
  const repaired = repairAll(repair, written)
  if (!isStrict(repaired, true) || sameData(parse(repaired, { logLevel: 'silent' }), toData(root))) return null
  return text.slice(0, start) + repaired + text.slice(end)
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
    const quoted = /^".*"$|^'.*'$/.test(value)
    return quoted || !/[{}[\]*&#!|>%@`]|: /.test(value) ? line : `${key}: ${JSON.stringify(value)}`
  },
}

/** Characters that YAML does not have: our parser is more generous than most. */
function hasControls(yaml: string): boolean {
  return /[^\P{Cc}\t\n\r\u0085]/u.test(yaml)
}

function isStrict(yaml: string, uniqueKeys: boolean): boolean {
  const document = parseDocument(yaml, { logLevel: 'silent', uniqueKeys })
  if (document.errors.length > 0) return false
  try {
    // An alias without an anchor is found out only now.
    document.toJS()
    return true
  } catch {
    return false
  }
}
