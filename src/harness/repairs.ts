/** What harnesses do themselves to front matter that is not valid YAML, so that it can be told what they will see. */
import { parseDocument } from 'yaml'
import type { Document } from './document.ts'
import type { Harness } from './schema.ts'

type Repair = NonNullable<Harness['frontMatter']['repairs']>

/** What becomes of front matter in a harness: it is read, it stays unparsable, or a repair made it no better. */
export type Reading = 'read' | 'unparsable' | 'beyond-repair'

export function harnessReads(
  { frontMatter: { repairs: repair, tolerates } }: Harness,
  { text, frontMatter }: Document,
): Reading {
  if (repair === 'anything') return 'read'
  if (frontMatter?.yaml === null || frontMatter === null) return 'read'
  // Harnesses look for the fence at the very start of the file, and for a closer of three dashes.
  if (frontMatter.findings.length > 0) return 'unparsable'
  const written = text.slice(frontMatter.yaml.start, frontMatter.yaml.end)
  const yaml = tolerates.includes('tabs') ? written.replaceAll('\t', '  ') : written
  const uniqueKeys = !tolerates.includes('duplicate-keys')
  if (isStrict(yaml, uniqueKeys)) return 'read'
  if (repair === undefined) return 'unparsable'
  const lines = yaml.split(/\r?\n/)
  const repaired = lines.map(repairLine[repair])
  if (isStrict(repaired.join('\n'), uniqueKeys)) return 'read'
  return repaired.some((line, index) => line !== lines[index]) ? 'beyond-repair' : 'unparsable'
}

/** One line at a time, keys at the start of a line only: this is all that harnesses try. */
const repairLine: Record<Exclude<Repair, 'anything'>, (line: string) => string> = {
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

function isStrict(yaml: string, uniqueKeys: boolean): boolean {
  return parseDocument(yaml, { logLevel: 'silent', uniqueKeys }).errors.length === 0
}
