/** Stage 4, gaps: what the target cannot hold, how grave that is, and what is done about it. */
import { type Concept, concepts } from '../model/agent.ts'
import type { Gap, GapResolution, GapType, Severity } from '../model/conversion.ts'

/** A gap before anything was decided about it. */
export type OpenGap = Omit<Gap, 'resolution' | 'decidedBy'>

export interface Decision {
  readonly resolution: GapResolution
  readonly decidedBy: Gap['decidedBy']
}

/** Decides about a gap; the same class of gap always gets the same answer within a run. */
export type GapPolicy = (gap: OpenGap) => Decision

/** Gaps of one class are asked about once. */
export function gapClass({ type, feature }: Pick<Gap, 'type' | 'feature'>): string {
  return `${type}:${feature}`
}

const severityOf: Readonly<Record<Exclude<GapType, 'field-unsupported'>, Severity>> = {
  'tool-missing': 'medium',
  'skill-unassignable': 'medium',
  'composition-unavailable': 'high',
  'agent-type-mismatch': 'high',
  'model-unconfigurable': 'low',
  'grant-ignored': 'medium',
  'sandbox-missing': 'high',
  'limit-missing': 'medium',
}

export function severityOfGap(type: GapType, concept: Concept | null): Severity {
  if (type !== 'field-unsupported') return severityOf[type]
  if (concept === null) return 'low'
  const { weight } = concepts[concept]
  // To lose what limits an agent is never a trifle.
  return weight === 'guard' ? 'high' : weight === 'working' ? 'medium' : 'low'
}

/** What is done where nobody was asked: trifles are left out, the rest is marked for a person to finish. */
export function defaultDecision(gap: OpenGap): Decision {
  if (gap.type === 'grant-ignored') return { resolution: 'omit', decidedBy: 'auto' }
  if (gap.type === 'sandbox-missing') return { resolution: 'workaround', decidedBy: 'auto' }
  return { resolution: gap.severity === 'low' ? 'omit' : 'todo', decidedBy: 'auto' }
}

/** One answer for everything that does not resolve itself; a workaround needs one that the harness file knows. */
export function flagPolicy(wanted: GapResolution): GapPolicy {
  return (gap) => {
    if (gap.severity === 'low' || isAboutAccess(gap)) return defaultDecision(gap)
    const isPossible = wanted !== 'workaround' || gap.workaround !== null
    return isPossible ? { resolution: wanted, decidedBy: 'flag' } : { resolution: 'todo', decidedBy: 'flag' }
  }
}

/** What an agent may do is never decided in passing, by one word for everything. */
function isAboutAccess({ type }: OpenGap): boolean {
  return type === 'grant-ignored' || type === 'sandbox-missing'
}

/** `--revive`: grants that the source's harness ignored are meant. */
export function revivePolicy(isRevived: (name: string) => boolean, otherwise: GapPolicy): GapPolicy {
  return (gap) =>
    gap.type === 'grant-ignored' && isRevived(gap.feature)
      ? { resolution: 'revive', decidedBy: 'flag' }
      : otherwise(gap)
}

/** `--allow-widening`: what the target cannot limit is kept whole. */
export function widenPolicy(isAccepted: (capability: string) => boolean, otherwise: GapPolicy): GapPolicy {
  return (gap) =>
    gap.type === 'limit-missing' && isAccepted(gap.feature)
      ? { resolution: 'widen', decidedBy: 'flag' }
      : otherwise(gap)
}

/** Answers by class of gap, from a file or from questions; the others go on to the next policy. */
export function answersPolicy(
  answers: ReadonlyMap<string, GapResolution>,
  decidedBy: 'answers' | 'user',
  otherwise: GapPolicy,
): GapPolicy {
  return (gap) => {
    const resolution = answers.get(gapClass(gap))
    return resolution === undefined ? otherwise(gap) : { resolution, decidedBy }
  }
}
