/** Why an agent was not written, in sentences, and what would have to be accepted. */
import { whyNotLoaded } from '../check/check.ts'
import type { CheckedAgent } from '../check/predict.ts'
import type { Source } from '../convert/agent/source.ts'
import type { Converted } from '../convert/convert.ts'
import type { GapDecisions } from '../convert/gaps.ts'
import type { Target } from '../convert/plan.ts'
import { restrictingKeys } from '../harness/keys.ts'
import type { ReadAgent } from '../harness/read/agents.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { Agent } from '../model/agent.ts'
import type { Conversion } from '../model/conversion.ts'
import { type Diagnostic, fileProblem } from '../model/findings.ts'
import { scoreFidelity } from '../model/score.ts'

/** Null: the agent gains nothing, or nothing that was not accepted. */
export function wideningRefusal(
  target: Harness,
  { record, refusal }: Pick<Converted, 'record' | 'refusal'>,
  accepted: AcceptedWidening,
): Diagnostic | null {
  if (refusal !== null) return fileProblem(refusal.code, record.source.path, refusal.message)
  const kept = record.gaps.filter(({ resolution }) => resolution === 'widen').map(({ feature }) => feature)
  const isOpen = (capability: string) => !isAccepted(accepted, capability) && !kept.includes(capability)
  const gained = record.access.widened.filter(({ capability }) => isOpen(capability))
  const [first] = gained
  if (first === undefined) return null
  const capabilities = [...new Set(gained.map(({ capability }) => capability))]
  const why = first.why === undefined ? '' : ` ${first.why}.`
  const message = `"${record.name}" could do more in ${target.title} than its definition allows: ${capabilities.join(', ')}.${why}`
  const problem = fileProblem('wider-access', record.source.path, message)
  const accept = howToAccept(target, capabilities, accepted)
  const { instead } = target.access
  return { ...problem, hint: instead === undefined ? `${accept}.` : `${accept}, or ${instead}.` }
}

export function isAccepted({ all, capabilities }: AcceptedWidening, capability: string): boolean {
  return all || capabilities.has(capability)
}

/** What is accepted for a target takes precedence. */
export function decisionsFor(
  {
    decisions,
    accepted,
  }: { decisions: (target: Harness) => GapDecisions; accepted: (target: Harness) => AcceptedWidening },
  target: Harness,
): GapDecisions {
  const { all, capabilities } = accepted(target)
  return { ...decisions(target), widen: all ? ['*'] : [...capabilities.keys()] }
}

export function howToAccept(target: Harness, capabilities: readonly string[], { only }: AcceptedWidening): string {
  if (only === undefined) return `Accept it with --allow-widening=${capabilities.join(',')}`
  return `Accept it in ${only}, under \`accept.${target.id}\`, with a reason for each: ${capabilities.join(', ')}`
}

export function conversionFailed(path: string, error: unknown): Diagnostic {
  const what = error instanceof Error ? error.message : String(error)
  return fileProblem('not-converted', path, `Troupe failed on this agent: ${what}.`)
}

/** Why an agent is not converted at all; null: it is. */
export function whyNotConvertible(
  path: string,
  name: string,
  agent: Agent,
  isUnclear: boolean,
  ignored: ReadonlyMap<string, string | null> | undefined,
): Diagnostic | null {
  if (isUnclear) {
    const message = `"${name}" may not be an agent: nothing in the file says that it is, and its harness would allow it everything.`
    return { ...fileProblem('not-an-agent', path, message), severity: 'error' }
  }
  const keys = restrictingKeys(agent, new Set([...(ignored?.keys() ?? [])].map((key) => key.toLowerCase())))
  if (keys.length === 0) return null
  const words = keys.map(({ key }) => `\`${key}\``).join(', ')
  const [verb, they, mean] = keys.length === 1 ? ['seems', 'it', 'means'] : ['seem', 'they', 'mean']
  const message = `${words} ${verb} to limit "${name}", but Troupe does not know what ${they} ${mean}.`
  const hint = `Write the limit with keys that the harness knows, or ignore ${keys.length === 1 ? 'this one' : 'these'} with --ignore-key ${keys.map(({ key }) => key).join(',')} or \`ignoreKeys\` in troupe.yaml.`
  return { ...fileProblem('limiting-key', path, message), hint }
}

/** What an agent may do is unclear, although its definition declares something about it. */
export function unclearAccess(path: string, { unreadAccess }: Pick<ReadAgent, 'unreadAccess'>): Diagnostic | null {
  const [first] = unreadAccess ?? []
  return first === undefined ? null : fileProblem(first.code, path, first.message)
}

export function declaredTwice(path: string, name: string, by: string): Diagnostic {
  return fileProblem(
    'declared-twice',
    path,
    `This file is ignored: ${by} also declares "${name}" and takes precedence.`,
  )
}

export function switchedOffNote(
  path: string,
  name: string,
  by: { readonly key: string; readonly file: string } | null = null,
): Diagnostic {
  const where = by === null ? '' : ` by \`${by.key}\` in ${by.file}`
  return fileProblem('disabled-agent', path, `"${name}" is disabled${where}, so it is not converted.`)
}

/** A file that its harness does not load never ran; its conversion will. */
export function revivedFileNotes(subject: CheckedAgent, path: string, name: string): Diagnostic[] {
  const leftOut = whyNotLoaded(subject)
  if (leftOut === undefined) return []
  return [
    fileProblem('revived-file', path, `"${name}" does not run today, but its conversion will. ${leftOut.message}`),
  ]
}

/** A record for an agent about which nothing is known. */
export function failedConversion(
  { agent, harness, path }: Source,
  target: Target,
  name: string,
  diagnostics: readonly Diagnostic[],
  status: 'failed' | 'refused' = 'failed',
): Conversion {
  return {
    name: agent.name,
    source: { harness: harness.id, path },
    target: { harness: target.harness.id, name, files: [] },
    status,
    fidelity: scoreFidelity([], []),
    features: [],
    access: {
      before: {},
      after: {},
      enforced: 'no',
      widened: [],
      unasked: [],
      narrowed: [],
      revived: [],
      unsandboxed: [],
    },
    gaps: [],
    edits: [],
    config: [],
    diagnostics,
  }
}

export interface AcceptedWidening {
  readonly all: boolean
  readonly capabilities: ReadonlyMap<string, string | null>
  /** More can be accepted in this file only, not by a flag. */
  readonly only?: string
}
