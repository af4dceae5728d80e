/** What harnesses do themselves to front matter that is not valid YAML, so that it can be told what they will see. */
import { parseDocument } from 'yaml'
import type { Document } from './document.ts'
import type { Harness } from './schema.ts'

type Repair = NonNullable<Harness['frontMatter']['repairs']>

/** Whether a harness with this repair ends up with the keys and values that the text means. */
export function harnessReads(repair: Repair | undefined, { text, frontMatter }: Document): boolean {
  if (repair === 'anything') return true
  if (frontMatter?.yaml === null || frontMatter === null) return true
  // Harnesses look for the fence at the very start of the file, and for a closer of three dashes.
  if (frontMatter.findings.length > 0) return false
  const yaml = text.slice(frontMatter.yaml.start, frontMatter.yaml.end)
  if (isStrict(yaml)) return true
  if (repair === undefined) return false
  return isStrict(yaml.split(/\r?\n/).map(repairLine[repair]).join('\n'))
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
  'quote-colons': (line) => {
    const match = /^([a-zA-Z_][\w-]*)\s*:\s+(.*)$/.exec(line)
    if (match === null) return line
    const [, key = '', value = ''] = match
    return /^["'>|[{]/.test(value) || !/:\s/.test(value) ? line : `${key}: ${JSON.stringify(value)}`
  },
}

function isStrict(yaml: string): boolean {
  return parseDocument(yaml, { logLevel: 'silent' }).errors.length === 0
}
