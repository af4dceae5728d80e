/** A Markdown definition as the harness loads it: after its own repairs, or as one raw text where those do not help. */
import { withMerges } from '../../text/data.ts'
import type { DataNode, MapNode } from '../../text/tree.ts'
import { type Document, parseDocument } from '../document.ts'
import type { Registry } from '../registry.ts'
import { harnessReads, harnessSees } from '../repairs.ts'
import type { Harness } from '../schema/harness.ts'
import { vocabularyOf } from '../vocabulary.ts'
import { asOldYaml } from './old-yaml.ts'

export interface AsLoaded {
  readonly map: MapNode | null
  readonly prompt: string
  /** Where the prompt begins in the file. */
  readonly promptStart: number
  /** Whether places in the map are places in the file. */
  readonly isInPlace: boolean
}

/** Null where the harness leaves the file out. */
export function asLoaded(harness: Harness, registry: Registry, document: Document): AsLoaded | null {
  if (isUnclosed(document) && harness.frontMatter.unclosed === 'read-to-the-end') {
    const closed = parseDocument(`${document.text}\n---\n`, 'markdown', vocabularyOf(registry))
    if (harnessReads(harness, closed) === 'read') return asLoaded(harness, registry, closed)
  }
  const { frontMatter: cut, text, body } = document
  const { unparsable, beyondRepair = unparsable } = harness.frontMatter
  const reading = harnessReads(harness, document)
  if (cut === null || cut.yaml === null || reading !== 'read') {
    const consequence = reading === 'beyond-repair' ? beyondRepair : unparsable
    return reading !== 'read' && consequence !== 'loads-raw'
      ? null
      : { map: null, ...promptFrom(text, 0), isInPlace: true }
  }
  const seen = harnessSees(harness, document)
  const mended = seen === null ? document : parseDocument(seen, 'markdown', vocabularyOf(registry))
  const root = mended.root === null ? null : dataOf(harness, mended.text, mended.root)
  return { map: root, ...promptFrom(text, body?.start ?? 0), isInPlace: seen === null }
}

function isUnclosed({ findings }: Document): boolean {
  return findings.some(({ code }) => code === 'unclosed-front-matter')
}

function promptFrom(text: string, start: number): Pick<AsLoaded, 'prompt' | 'promptStart'> {
  const written = text.slice(start)
  return { prompt: written.trim(), promptStart: start + written.length - written.trimStart().length }
}

function dataOf({ frontMatter }: Harness, text: string, root: DataNode): MapNode | null {
  const merged = frontMatter.mergeKeys === true ? withMerges(root) : root
  const data = frontMatter.oldYaml === true ? asOldYaml(text, merged) : merged
  if (data.kind !== 'list') return data.kind === 'map' ? data : null
  // Spread into an object, a list becomes its numbers.
  const entries = data.items.map((value, index) => ({
    key: String(index),
    keyRange: value.range,
    value,
    range: value.range,
  }))
  return { kind: 'map', entries, range: data.range }
}
