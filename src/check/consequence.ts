/** What a harness will do, as a sentence and as a severity. */
import type { Consequence, Harness } from '../harness/schema/harness.ts'
import type { DiagnosticCode, Finding, Severity } from '../model/diagnostics.ts'
import type { Edit, Range } from '../model/place.ts'

const effects: Record<Consequence, { readonly severity: Severity; readonly sentence: (harness: string) => string }> = {
  'refuses-to-start': { severity: 'error', sentence: (h) => `${h} refuses to start, whichever agent is asked for.` },
  'not-loaded': { severity: 'error', sentence: (h) => `${h} does not load this agent.` },
  'not-loaded-silently': { severity: 'warning', sentence: (h) => `${h} leaves this file out without a word.` },
  'loads-raw': {
    severity: 'error',
    sentence: (h) => `${h} takes the whole file as the prompt and loads the agent with no restrictions at all.`,
  },
  'field-dropped': { severity: 'warning', sentence: (h) => `${h} drops it and loads the agent without it.` },
  'fails-when-used': { severity: 'error', sentence: (h) => `${h} loads the agent and fails when it is used.` },
  'fails-for-all': { severity: 'error', sentence: (h) => `${h} loads it, and then none of its agents can be used.` },
  'sent-to-provider': {
    severity: 'warning',
    sentence: (h) => `${h} sends it to the model provider, which may reject the request.`,
  },
  ignored: { severity: 'info', sentence: (h) => `${h} ignores it.` },
  accepted: { severity: 'info', sentence: (h) => `${h} accepts it.` },
}

export interface Predicted {
  readonly code: DiagnosticCode
  /** What is wrong, as a clause that ends without a full stop. */
  readonly problem: string
  readonly range: Range
  readonly severity?: Severity
  readonly hint?: string | undefined
  readonly fix?: readonly Edit[] | undefined
}

/** What was found while reading, with what the harness makes of it. */
export function withSentence(harness: Harness, finding: Finding): Finding {
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
