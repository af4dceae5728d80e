/** One agent converted to one target: features, gaps, access, and what was accepted. Plain data for reports, JSON and tests. */
import type { Action } from './access/rules.ts'
import type { Json } from './agent.ts'
import type { Diagnostic } from './findings.ts'

/** What became of one feature: kept, replaced by a workaround, left as a note to finish by hand, or removed. */
export const outcomes = ['direct', 'workaround', 'todo', 'omitted'] as const
export type Outcome = (typeof outcomes)[number]

/** The areas that are scored separately. */
export const areas = ['fields', 'tools', 'body', 'skills'] as const
export type Area = (typeof areas)[number]

/** One feature of the source: a field, an entry of a tool or skill list, a kind of reference in the prompt. */
export interface Feature {
  readonly area: Area
  /** Its name in the source: a key, a tool, `tool: Read`. */
  readonly feature: string
  readonly outcome: Outcome
  readonly from: string | null
  readonly to: string | null
  /** In the source file, from 1; null if it has no single position there. */
  readonly line: number | null
  /** How often it occurs, if that can be more than once. */
  readonly occurrences?: number
  readonly note?: string | undefined
}

export const gapTypes = [
  'field-unsupported',
  'tool-missing',
  'skill-unassignable',
  'composition-unavailable',
  'path-missing',
  'agent-type-mismatch',
  'model-unconfigurable',
  'grant-ignored',
  'sandbox-missing',
  'limit-missing',
] as const
export type GapType = (typeof gapTypes)[number]

export const gapSeverities = ['low', 'medium', 'high'] as const
export type GapSeverity = (typeof gapSeverities)[number]

/**
 * How a gap is resolved. `revive`: a grant that the source's harness ignored takes effect; `widen`: what the target
 * cannot limit is kept whole.
 */
export const gapResolutions = ['workaround', 'todo', 'omit', 'revive', 'widen'] as const
export type GapResolution = (typeof gapResolutions)[number]

/** Resolutions that can apply to all gaps at once. */
export const commonGapResolutions = ['workaround', 'todo', 'omit'] as const satisfies readonly GapResolution[]
export type CommonGapResolution = (typeof commonGapResolutions)[number]

/** A feature that has no equivalent in the target. */
export interface Gap {
  readonly type: GapType
  readonly feature: string
  readonly severity: GapSeverity
  /** What is lost, for people. */
  readonly reason: string
  /** What would help, if the harness file defines something. */
  readonly workaround: string | null
  readonly resolution: GapResolution
  /** Troupe's default, a person at the terminal, an answers file, or `--on-gap`. */
  readonly decidedBy: 'auto' | 'user' | 'answers' | 'flag'
  readonly line: number | null
}

/** A change in the prompt, by its position in the source file. */
export interface PromptEdit {
  readonly line: number
  readonly column: number
  readonly from: string
  readonly to: string
  readonly rule: string
}

/** A value that belongs into a configuration file of the target. */
export interface ConfigEntry {
  readonly path: string
  /** Dotted paths to values. */
  readonly set: Readonly<Record<string, Json>>
}

export interface CapabilityChange {
  readonly capability: string
  readonly pattern: string | null
  readonly before: Action
  readonly after: Action
  readonly why?: string
}

export interface AccessReport {
  /** Capability to what the definition declares, and to what the target will really do. */
  readonly before: Readonly<Record<string, Action>>
  readonly after: Readonly<Record<string, Action>>
  /** How it is known that the target enforces it: the weakest evidence of the restricting layers. */
  readonly enforced: 'observed' | 'claimed' | 'no'
  readonly widened: readonly CapabilityChange[]
  readonly unasked: readonly CapabilityChange[]
  readonly narrowed: readonly CapabilityChange[]
  /** What the source's harness ignored and the target grants, by a user's decision. */
  readonly revived: readonly CapabilityChange[]
  /** What ran in a sandbox and no longer does. */
  readonly unsandboxed: readonly CapabilityChange[]
}

export interface FidelityReport {
  readonly score: number
  readonly band: 'green' | 'yellow' | 'red'
  readonly label: string
  readonly counts: Readonly<Record<Outcome, number>>
  readonly total: number
  readonly areas: Readonly<Record<Area | 'gaps', number | null>>
}

export type ConversionStatus = 'written' | 'unchanged' | 'planned' | 'refused' | 'failed'

/** One agent and one target. */
export interface Conversion {
  readonly name: string
  readonly source: { readonly harness: string; readonly path: string }
  readonly target: { readonly harness: string; readonly name: string; readonly files: readonly string[] }
  readonly status: ConversionStatus
  readonly fidelity: FidelityReport
  readonly features: readonly Feature[]
  readonly access: AccessReport
  readonly gaps: readonly Gap[]
  readonly edits: readonly PromptEdit[]
  readonly config: readonly ConfigEntry[]
  readonly diagnostics: readonly Diagnostic[]
}

/** What an agent may do in a target beyond its definition, because a user accepted it. */
export interface Acceptance {
  readonly agent: string
  readonly target: string
  readonly capability: string
  /** Null: none was given. */
  readonly reason: string | null
}

/** `reasons`: by capability, or `*` for all. */
export function acceptancesOf(
  { name, target, status, access }: Conversion,
  reasons: ReadonlyMap<string, string | null>,
): Acceptance[] {
  if (status === 'refused' || status === 'failed') return []
  const gained = new Set(access.widened.map(({ capability }) => capability))
  return [...gained].map((capability) => {
    const reason = reasons.get(capability) ?? reasons.get('*') ?? null
    return { agent: name, target: target.harness, capability, reason }
  })
}
