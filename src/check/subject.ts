/** What a check looks at: one agent, as one harness reads it. */
import type { Document } from '../harness/document.ts'
import type { ReadAgent } from '../harness/read.ts'
import type { Registry } from '../harness/registry.ts'
import type { Carrier, Harness } from '../harness/schema/harness.ts'
import type { Agent } from '../model/agent.ts'
import type { Finding } from '../model/diagnostics.ts'
import type { Range } from '../model/place.ts'

export interface Subject extends ReadAgent {
  readonly registry: Registry
  readonly harness: Harness
  readonly carrier: Carrier
  readonly document: Document
  /** The agent that comes of this definition and others; null: another of them speaks for it; absent: this is all. */
  readonly whole?: Agent | null | undefined
}

export type Check = (subject: Subject) => Finding[]

/** The place for what is said about the agent as a whole. */
export function wholeAgent({ map, document }: Subject): Range {
  const start = map?.range.start ?? document.frontMatter?.open?.start ?? 0
  return { start, end: start }
}
