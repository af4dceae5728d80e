/** The input of a check, and how it reports what a harness will do. */

import type { ReadAgent } from '../harness/read/agents.ts'
import type { Document } from '../harness/read/document.ts'
import type { Registry } from '../harness/registry.ts'
import type { Carrier, Consequence, Harness } from '../harness/schema/harness.ts'
import type { Agent } from '../model/agent.ts'
import type { DiagnosticCode, Finding, Severity } from '../model/findings.ts'
import type { Edit, Range } from '../model/range.ts'

/** The input of a check: one agent, as one harness reads it. */
export interface CheckedAgent extends ReadAgent {
  readonly registry: Registry
  readonly harness: Harness
  readonly carrier: Carrier
  readonly document: Document
  /** The agent built from this definition and others; null: another one is reported; absent: this is the only one. */
  readonly whole?: Agent | null | undefined
}

export type Check = (subject: CheckedAgent) => Finding[]

/** The position of findings about the agent as a whole. */
export function agentStart({ map, document }: CheckedAgent): Range {
  const start = map?.range.start ?? document.frontMatter?.open?.start ?? 0
  return { start, end: start }
}

const effects: Record<Consequence, { readonly severity: Severity; readonly sentence: (harness: string) => string }> = {
  'refuses-to-start': { severity: 'error', sentence: (h) => `${h} refuses to start.` },
  'not-loaded': { severity: 'error', sentence: (h) => `${h} does not load this agent.` },
  'not-loaded-silently': { severity: 'warning', sentence: (h) => `${h} silently skips this file.` },
  'loads-raw': {
    severity: 'error',
    sentence: (h) => `${h} takes the whole file as the prompt and loads the agent without any restrictions.`,
  },
  'field-dropped': { severity: 'warning', sentence: (h) => `${h} drops it and loads the agent without it.` },
  'fails-when-used': { severity: 'error', sentence: (h) => `${h} loads the agent but fails when it is used.` },
  'fails-for-all': { severity: 'error', sentence: (h) => `${h} loads it, and then no agent can be used.` },
  'sent-to-provider': {
    severity: 'warning',
    sentence: (h) => `${h} sends it to the model provider, which may reject the request.`,
  },
  ignored: { severity: 'info', sentence: (h) => `${h} ignores it.` },
  accepted: { severity: 'info', sentence: (h) => `${h} accepts it.` },
}

interface Predicted {
  readonly code: DiagnosticCode
  /** The problem, as a clause without a full stop. */
  readonly problem: string
  readonly range: Range
  readonly severity?: Severity
  readonly hint?: string | undefined
  readonly fix?: readonly Edit[] | undefined
}

/** A finding from reading, with its consequence in the harness. */
export function describeConsequence(harness: Harness, finding: Finding): Finding {
  const { consequence, message } = finding
  return consequence === undefined
    ? finding
    : { ...finding, message: `${message} ${effects[consequence as Consequence].sentence(harness.title)}` }
}

export function predict(harness: Harness, consequence: Consequence, predicted: Predicted): Finding {
  const { code, problem, range, hint, fix } = predicted
  const effect = effects[consequence]
  return {
    code,
    message: `${problem}: ${effect.sentence(harness.title)}`,
    severity: predicted.severity ?? effect.severity,
    range,
    harness: harness.id,
    consequence,
    ...(hint === undefined ? {} : { hint }),
    ...(fix === undefined ? {} : { fix }),
  }
}
