/** Gaps: what the target cannot hold, how severe that is, what is done about it, and how it is reported. */

import type { Harness } from '../harness/schema/harness.ts'
import { type Concept, concepts } from '../model/agent.ts'
import type { Feature, Gap, GapResolution, GapSeverity, GapType } from '../model/conversion.ts'
import type { ConvertedPrompt } from './prompt/pass.ts'

/** A gap before it is decided. */
export type OpenGap = Omit<Gap, 'resolution' | 'decidedBy'>

interface GapDecision {
  readonly resolution: GapResolution
  readonly decidedBy: Gap['decidedBy']
}

/** Decides about a gap; the same class of gap always gets the same answer within a run. */
export type GapPolicy = (gap: OpenGap) => GapDecision

/** Each class of gaps is asked about once. */
export function gapClass({ type, feature }: Pick<Gap, 'type' | 'feature'>): string {
  return `${type}:${feature}`
}

const severityOf: Readonly<Record<Exclude<GapType, 'field-unsupported'>, GapSeverity>> = {
  'tool-missing': 'medium',
  'skill-unassignable': 'medium',
  'composition-unavailable': 'high',
  'path-missing': 'medium',
  'agent-type-mismatch': 'high',
  'model-unconfigurable': 'low',
  'grant-ignored': 'medium',
  'sandbox-missing': 'high',
  'limit-missing': 'medium',
}

export function severityOfGap(type: GapType, concept: Concept | null): GapSeverity {
  if (type !== 'field-unsupported') return severityOf[type]
  if (concept === null) return 'low'
  const { weight } = concepts[concept]
  // Losing a limit on an agent is never a minor gap.
  return weight === 'guard' ? 'high' : weight === 'working' ? 'medium' : 'low'
}

/** The decision where the user was not asked: minor gaps are left out, the rest is marked for the user to finish. */
export function defaultDecision(gap: OpenGap): GapDecision {
  if (gap.type === 'grant-ignored') return { resolution: 'omit', decidedBy: 'auto' }
  if (gap.type === 'sandbox-missing') return { resolution: 'workaround', decidedBy: 'auto' }
  return { resolution: gap.severity === 'low' ? 'omit' : 'todo', decidedBy: 'auto' }
}

/** Decisions about gaps made before a run, as plain data: they are passed to other threads. */
export interface GapDecisions {
  /** One answer for everything that does not resolve itself. */
  readonly onGap?: GapResolution | null
  /** By gap class: from a file, and from questions. */
  readonly answers?: ReadonlyMap<string, GapResolution>
  readonly asked?: ReadonlyMap<string, GapResolution>
  /** Names that the source's harness ignores and that are granted anyway, or `*`. */
  readonly revive?: readonly string[]
  /** Capabilities that are kept whole where the target cannot limit them, or `*`. */
  readonly widen?: readonly string[]
}

/** Access is decided by name alone; then answers count, then the one answer for everything. */
export function policyOf({ onGap, answers, asked, revive, widen }: GapDecisions): GapPolicy {
  return (gap) => {
    if (gap.type === 'limit-missing' && isNamed(widen, gap.feature)) return { resolution: 'widen', decidedBy: 'flag' }
    if (gap.type === 'grant-ignored' && isNamed(revive, gap.feature)) return { resolution: 'revive', decidedBy: 'flag' }
    const name = gapClass(gap)
    const answered = answers?.get(name)
    if (answered !== undefined) return { resolution: answered, decidedBy: 'answers' }
    const said = asked?.get(name)
    if (said !== undefined) return { resolution: said, decidedBy: 'user' }
    return onGap === undefined || onGap === null ? defaultDecision(gap) : decideAlike(onGap, gap)
  }
}

function isNamed(words: readonly string[] = [], name: string): boolean {
  return words.includes('*') || words.includes(name)
}

/** A workaround must be one that the harness file defines. */
function decideAlike(wanted: GapResolution, gap: OpenGap): GapDecision {
  if (gap.severity === 'low' || isAboutAccess(gap)) return defaultDecision(gap)
  const isPossible = wanted !== 'workaround' || gap.workaround !== null
  return isPossible ? { resolution: wanted, decidedBy: 'flag' } : { resolution: 'todo', decidedBy: 'flag' }
}

/** Access is never decided implicitly, by one answer for everything. */
function isAboutAccess({ type }: OpenGap): boolean {
  return type === 'grant-ignored' || type === 'sandbox-missing'
}

/** The ledger of one conversion: every feature with its outcome, every gap with its decision. */
export interface Ledger {
  readonly features: Feature[]
  readonly gaps: Gap[]
  /** Comments for the end of the file, one for each thing left to do. */
  readonly todos: string[]
  /** Records a gap and returns its resolution; a repeated gap counts once. */
  decide(gap: OpenGap): GapResolution
}

export function openLedger(policy: GapPolicy): Ledger {
  const gaps: Gap[] = []
  const decided = new Map<string, GapResolution>()
  return {
    features: [],
    gaps,
    todos: [],
    decide: (gap) => {
      const known = decided.get(gapClass(gap))
      if (known !== undefined) return known
      const decision = policy(gap)
      gaps.push({ ...gap, ...decision })
      decided.set(gapClass(gap), decision.resolution)
      return decision.resolution
    },
  }
}

/** As a comment in the target's prompt. */
export function todoComment(what: string): string {
  return `<!-- TODO: ${what.replaceAll('-->', '-- >')} -->`
}

/** The wording for what is missing and left to do by hand. */
export function noEquivalent(names: readonly string[], target: Harness, reason: string | null): string {
  return promptTodo(
    `No equivalent for ${names.join(', ')} on ${target.title}.${reason === null ? '' : ` ${sentence(reason)}`}`,
  )
}

export function promptTodo(text: string): string {
  // Two dashes would end the comment, or be refused in one.
  return `<!-- TODO: ${text.replace(/--+/g, '-')} -->`
}

/** Why something is missing, or what the harness file notes about a workaround. */
export function whyMissing(target: Harness, subject: string): string | null {
  const known = target.workarounds[subject]
  if (known === undefined) return null
  return 'none' in known ? known.none : known.note
}

/** What an agent can do instead. */
export function workaroundFor(target: Harness, subject: string): string | null {
  const known = target.workarounds[subject]
  return known !== undefined && 'say' in known ? known.say : null
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** What the prompt notes in place is not repeated at its end. */
export function distinctTodos(body: ConvertedPrompt, others: readonly string[]): readonly string[] {
  if (others.length === 0 && body.todos.length < 2) return body.todos
  const subject = (todo: string) => /^<!-- TODO: No equivalent for (\S+) /.exec(todo)?.[1] ?? todo
  const said = new Set([...body.todos, ...body.changes.map(({ text }) => text)].map(subject))
  return [...new Set([...body.todos, ...others.filter((todo) => !said.has(subject(todo)))])]
}
