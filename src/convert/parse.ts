/** Stage 1, parse: what was found, with what the other stages need to know about it. */
import type { Document } from '../harness/document.ts'
import type { ReadAgent } from '../harness/read.ts'
import type { Registry } from '../harness/registry.ts'
import type { Carrier, Harness } from '../harness/schema/harness.ts'
import type { Range } from '../model/place.ts'
import type { Encoding } from '../text/decode.ts'
import { dominantLineEnd, indexLines, type LineEnd, type LineIndex, positionAt } from '../text/lines.ts'

export interface SourceFile {
  readonly registry: Registry
  readonly harness: Harness
  readonly carrier: Carrier
  /** As people see it. */
  readonly path: string
  readonly text: string
  /** How the text was encoded, where it is not UTF-8. */
  readonly encoding?: Encoding | undefined
  readonly document: Document
}

/** One agent on its way. */
export interface Source extends SourceFile, ReadAgent {
  readonly lines: LineIndex
  readonly lineEnd: LineEnd
}

export function parseSource(file: SourceFile, read: ReadAgent): Source {
  const { lines, lineEnd } = linesOf(file)
  const { registry, harness, carrier, path, text, encoding, document } = file
  return { registry, harness, carrier, path, text, encoding, document, ...read, lines, lineEnd }
}

interface Lines extends Pick<Source, 'lines' | 'lineEnd'> {
  readonly document: Document
}

let last: Lines | null = null

/** Of a file that holds many agents, once for all of them. */
function linesOf({ document, text }: SourceFile): Lines {
  if (last?.document !== document) last = { document, lines: indexLines(text), lineEnd: dominantLineEnd(text) }
  return last
}

/** Keys stand near the beginning, where counting is cheaper than an index of all lines. */
const NEAR = 4000

export function lineOf({ lines, text }: Source, range: Range | null): number | null {
  if (range === null) return null
  return (range.start < NEAR ? positionAt(text, range.start) : lines.positionAt(range.start)).line
}
