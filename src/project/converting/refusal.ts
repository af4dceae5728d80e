/** Why an agent was not written, in sentences. */
import type { Source } from '../../convert/parse.ts'
import type { Target } from '../../convert/read-back.ts'
import type { ConversionRecord } from '../../convert/record.ts'
import { scoreFidelity } from '../../fidelity/score.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import type { Conversion } from '../../model/conversion.ts'
import type { Diagnostic } from '../../model/diagnostics.ts'
import { fileProblem } from '../files.ts'
import type { AcceptedWidening } from './request.ts'

/** Null: the agent gains nothing, or nothing that was not accepted. */
export function refusalOf(target: Harness, record: ConversionRecord, accepted: AcceptedWidening): Diagnostic | null {
  if (accepted.all) return null
  const gained = record.access.widened.filter(({ capability }) => !accepted.capabilities.has(capability))
  const [first] = gained
  if (first === undefined) return null
  const capabilities = [...new Set(gained.map(({ capability }) => capability))]
  const why = first.why === undefined ? '' : ` ${first.why}.`
  const message = `In ${target.title} "${record.name}" could do more than its definition says: ${capabilities.join(', ')}.${why}`
  const problem = fileProblem('wider-access', record.source.path, message)
  const accept = howToAccept(target, capabilities, accepted)
  const { instead } = target.access
  return { ...problem, hint: instead === undefined ? `${accept}.` : `${accept}, or ${instead}.` }
}

export function howToAccept(target: Harness, capabilities: readonly string[], { only }: AcceptedWidening): string {
  if (only === undefined) return `Accept it with --allow-widening=${capabilities.join(',')}`
  return `Accept it in ${only} with a reason, under accept, ${target.id}: ${capabilities.join(', ')}`
}

export function notConverted(path: string, error: unknown): Diagnostic {
  const what = error instanceof Error ? error.message : String(error)
  return fileProblem('not-converted', path, `Troupe failed on this agent: ${what}.`)
}

/** A record for an agent of which nothing could be said. */
export function failedConversion(
  { agent, harness, path }: Source,
  target: Target,
  name: string,
  diagnostics: readonly Diagnostic[],
): Conversion {
  return {
    name: agent.name,
    source: { harness: harness.id, path },
    target: { harness: target.harness.id, name, files: [] },
    status: 'failed',
    fidelity: scoreFidelity([], []),
    features: [],
    access: { before: {}, after: {}, enforced: 'no', widened: [], unasked: [], narrowed: [] },
    gaps: [],
    edits: [],
    config: [],
    diagnostics,
  }
}
