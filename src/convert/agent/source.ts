/** Stage 1, parse: the agent that was found, with what the other stages need to know about it. */

import type { Encoding } from '../../formats/decode.ts'
import { dominantLineEnd, indexLines, type LineEnd, type LineIndex, positionAt } from '../../formats/lines.ts'
import type { ReadAgent } from '../../harness/read/agents.ts'
import type { Document } from '../../harness/read/document.ts'
import type { Registry } from '../../harness/registry.ts'
import type { Carrier, Harness } from '../../harness/schema/harness.ts'
import type { Access, Rule } from '../../model/access/rules.ts'
import type { Json } from '../../model/agent.ts'
import type { Range } from '../../model/range.ts'

interface SourceFile {
  readonly registry: Registry
  readonly harness: Harness
  readonly carrier: Carrier
  /** As shown to people. */
  readonly path: string
  readonly text: string
  /** How the text was encoded, where it is not UTF-8. */
  readonly encoding?: Encoding | undefined
  readonly document: Document
}

/** One agent during its conversion. */
export interface Source extends SourceFile, ReadAgent {
  readonly lines: LineIndex
  readonly lineEnd: LineEnd
}

export function createSource(file: SourceFile, read: ReadAgent): Source {
  const { lines, lineEnd } = lineIndexOf(file)
  const { registry, harness, carrier, path, text, encoding, document } = file
  return { registry, harness, carrier, path, text, encoding, document, ...read, lines, lineEnd }
}

interface Lines extends Pick<Source, 'lines' | 'lineEnd'> {
  readonly document: Document
}

let last: Lines | null = null

/** For a file that holds many agents, computed once for all of them. */
function lineIndexOf({ document, text }: SourceFile): Lines {
  if (last?.document !== document) last = { document, lines: indexLines(text), lineEnd: dominantLineEnd(text) }
  return last
}

/** Keys are near the beginning, where counting is cheaper than an index of all lines. */
const NEAR = 4000

export function lineOf({ lines, text }: Source, range: Range | null): number | null {
  if (range === null) return null
  return (range.start < NEAR ? positionAt(text, range.start) : lines.positionAt(range.start)).line
}

/** Agents that are renamed in the target are renamed wherever this one mentions them, its own rules included. */
export function renameAgents(source: Source, renamed: ReadonlyMap<string, string>): Source {
  if (renamed.size === 0) return source
  const { agent } = source
  const isNamed = ({ subject, pattern }: Rule) => subject === 'agent' && pattern !== null && renamed.has(pattern)
  const handoffs = agent.fields.handoffs
  const targets = handoffs === undefined ? undefined : renameHandoffs(handoffs.value, renamed)
  const isRuled = agent.access.some(({ rules }) => rules.some(isNamed))
  if (!isRuled && targets === handoffs?.value) return source
  const access = agent.access.map((layer) => ({
    ...layer,
    rules: layer.rules.map((rule) => {
      const now = rule.pattern === null || !isNamed(rule) ? undefined : renamed.get(rule.pattern)
      return now === undefined ? rule : { ...rule, pattern: now }
    }),
  }))
  const fields =
    handoffs === undefined || targets === undefined
      ? agent.fields
      : { ...agent.fields, handoffs: { ...handoffs, value: targets } }
  return { ...source, agent: { ...agent, access: isRuled ? access : agent.access, fields } }
}

/** A list of names; other forms name agents in their own ways. */
function renameHandoffs(value: Json, renamed: ReadonlyMap<string, string>): Json {
  if (!Array.isArray(value) || !value.some((one) => typeof one === 'string' && renamed.has(one))) return value
  return value.map((one) => (typeof one === 'string' ? (renamed.get(one) ?? one) : one))
}

/** With further layers: the strictest answer counts. */
export function limitSource(source: Source, limits: Access): Source {
  if (limits.length === 0) return source
  return { ...source, agent: { ...source.agent, access: [...source.agent.access, ...limits] } }
}
