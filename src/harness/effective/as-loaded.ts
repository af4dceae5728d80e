/** Texts as the harness loads them: repaired, read as YAML 1.1, references replaced. */
import { type DataNode, type MapNode, resolveMergeKeys, type ScalarValue } from '../../formats/data.ts'
import { vocabularyOf } from '../keys.ts'
import { type Document, parseDocument } from '../read/document.ts'
import type { Surroundings } from '../read/prompt.ts'
import { parseOutcome, repairedText } from '../read/repairs.ts'
import type { Registry } from '../registry.ts'
import type { Harness } from '../schema/harness.ts'

interface LoadedDefinition {
  readonly map: MapNode | null
  readonly prompt: string
  /** Where the prompt begins in the file. */
  readonly promptStart: number
  /** Whether positions in the map are positions in the file. */
  readonly isInPlace: boolean
}

/** Null if the harness skips the file. */
export function loadDefinition(harness: Harness, registry: Registry, document: Document): LoadedDefinition | null {
  if (isUnclosed(document) && harness.frontMatter.unclosed === 'read-to-the-end') {
    const closed = parseDocument(`${document.text}\n---\n`, 'markdown', vocabularyOf(registry))
    if (parseOutcome(harness, closed) === 'read') return loadDefinition(harness, registry, closed)
  }
  const { frontMatter: cut, text, body } = document
  const { unparsable, beyondRepair = unparsable } = harness.frontMatter
  const reading = parseOutcome(harness, document)
  if (cut === null || cut.yaml === null || reading !== 'read') {
    const consequence = reading === 'beyond-repair' ? beyondRepair : unparsable
    return reading !== 'read' && consequence !== 'loads-raw'
      ? null
      : { map: null, ...promptFrom(text, 0), isInPlace: true }
  }
  const seen = repairedText(harness, document)
  const repaired = seen === null ? document : parseDocument(seen, 'markdown', vocabularyOf(registry))
  const root = repaired.root === null ? null : dataOf(harness, repaired.text, repaired.root)
  return { map: root, ...promptFrom(text, body?.start ?? 0), isInPlace: seen === null }
}

function isUnclosed({ findings }: Document): boolean {
  return findings.some(({ code }) => code === 'unclosed-front-matter')
}

function promptFrom(text: string, start: number): Pick<LoadedDefinition, 'prompt' | 'promptStart'> {
  const written = text.slice(start)
  return { prompt: written.trim(), promptStart: start + written.length - written.trimStart().length }
}

function dataOf({ frontMatter }: Harness, text: string, root: DataNode): MapNode | null {
  const merged = frontMatter.mergeKeys === true ? resolveMergeKeys(root) : root
  const data = frontMatter.oldYaml === true ? asYaml11(text, merged) : merged
  if (data.kind !== 'list') return data.kind === 'map' ? data : null
  // Spread into an object, a list becomes a map of its indices.
  const entries = data.items.map((value, index) => ({
    key: String(index),
    keyRange: value.range,
    value,
    range: value.range,
  }))
  return { kind: 'map', entries, range: data.range }
}

/** How YAML 1.1 reads plain scalars that YAML 1.2 reads differently: days are times, `010` is eight. */
export function asYaml11(text: string, node: DataNode): DataNode {
  if (node.kind === 'list') return { ...node, items: node.items.map((item) => asYaml11(text, item)) }
  if (node.kind === 'map') {
    return { ...node, entries: node.entries.map((one) => ({ ...one, value: asYaml11(text, one.value) })) }
  }
  return { ...node, value: yaml11Value(text.slice(node.range.start, node.range.end)) ?? node.value }
}

const DAY = /^\d{4}-\d\d-\d\d$/
const TIME = /^(\d{4}-\d\d?-\d\d?)(?:[Tt]|[ \t]+)(\d\d?):(\d\d):(\d\d)(\.\d*)?(?:[ \t]*(Z|[-+]\d\d?(?::?\d\d)?))?$/

/** Undefined if both read the same. */
function yaml11Value(plain: string): ScalarValue | undefined {
  if (DAY.test(plain)) return instant(`${plain}T00:00:00Z`)
  if (TIME.test(plain)) return instant(plain.replace(' ', 'T'))
  const [, sign = '', digits = ''] = /^([-+]?)([0-9][0-9a-fA-Fxb_:]*)$/.exec(plain) ?? []
  const value = wholeNumber(digits.replaceAll('_', ''))
  return value === undefined || Number.isNaN(value) ? undefined : sign === '-' ? -value : value
}

function wholeNumber(digits: string): number | undefined {
  if (/^0b[01]+$/.test(digits)) return Number.parseInt(digits.slice(2), 2)
  if (/^0x[0-9a-fA-F]+$/.test(digits)) return Number.parseInt(digits.slice(2), 16)
  if (/^0[0-7]+$/.test(digits)) return Number.parseInt(digits, 8)
  // Hours, minutes and seconds.
  if (/^[1-9]\d*(:[0-5]?\d)+$/.test(digits)) return digits.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return /^(0|[1-9]\d*)$/.test(digits) ? Number(digits) : undefined
}

function instant(text: string): string | undefined {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

/** References in the text of a configuration, replaced before parsing: `{env:NAME}`, then `{file:path}`. */
interface Substituted {
  readonly text: string
  /** References to files that cannot be read, as they are written. */
  readonly missing: readonly string[]
}

export function substituteReferences(
  text: string,
  kinds: readonly ('file' | 'env')[],
  surroundings: Surroundings,
): Substituted {
  const missing: string[] = []
  let filled = text
  if (kinds.includes('env')) {
    filled = filled.replace(/\{env:([^}]+)\}/g, (_all, name: string) => surroundings.environment(name) ?? '')
  }
  if (kinds.includes('file')) {
    const before = filled
    filled = filled.replace(/\{file:([^}]+)\}/g, (reference, path: string, offset: number) => {
      if (isCommented(before, offset)) return reference
      const content = surroundings.readBeside(path)
      if (content === null) missing.push(reference)
      // It is inserted between quotation marks.
      return content === null ? reference : JSON.stringify(content.trim()).slice(1, -1)
    })
  }
  return { text: filled, missing }
}

/** Only a line that begins with a comment marker counts. */
function isCommented(text: string, offset: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return line.trimStart().startsWith('//')
}
