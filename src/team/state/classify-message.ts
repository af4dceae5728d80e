/** What a message means: a handoff, the answer to one, or a note. */
import { type Handoff, SPENT } from './handoff.ts'
import { isPerson, type Message, SERVER } from './message.ts'
import { type Roster, unknownMemberText } from './roster.ts'
import type { State } from './state.ts'
import type { TeamRules } from './team-rules.ts'

/**
 * Whether a message is a handoff, the answer to one, or only to be read. A member's message to the sender of its work is an
 * answer; to any other, a request for work. `Handoff:` and `Note:` at the beginning make it explicit.
 */
type Meaning =
  | { readonly kind: 'handoff'; readonly text: string; readonly chain: string | null; readonly parent: string | null }
  | { readonly kind: 'reply'; readonly answers: string; readonly chain: string }
  | { readonly kind: 'note'; readonly chain: string | null }
  /** It is a handoff that can never be done. */
  | { readonly kind: 'dead'; readonly why: string; readonly chain: string | null; readonly parent: string | null }
  /** An earlier attempt has sent the same message. */
  | { readonly kind: 'repeated' }
  /** Its run was already informed that no handoffs are left. */
  | { readonly kind: 'spent' }

/** `chain: null`: a new one begins. */
export function classify(message: Message, state: State, roster: Roster, rules: TeamRules): Meaning {
  const { from, to, text } = message
  const current = currentHandoff(from, state)
  const chain = current?.chain ?? null
  if (/^note:/i.test(text) || from === SERVER) return { kind: 'note', chain }
  const isExplicit = /^handoff:/i.test(text)
  const wanted = isExplicit ? text.replace(/^handoff:\s*/i, '') : text
  if (!isExplicit && current !== null && isSameParty(current.from, to)) {
    return { kind: 'reply', answers: current.id, chain: current.chain }
  }
  if (isPerson(to)) return { kind: 'note', chain: chain ?? lastHandoff(from, state)?.chain ?? null }
  const parent = current?.id ?? null
  const dead = (why: string): Meaning => ({ kind: 'dead', why, chain, parent })
  if (current !== null && hasSent(current, `${to}\n${wanted}`)) return { kind: 'repeated' }
  const used = chain === null ? 0 : (state.chains.get(chain)?.handoffs ?? 0)
  if (used >= rules.budget.handoffs)
    return current !== null && current.spentIn === current.attempt
      ? { kind: 'spent' }
      : dead(`${SPENT} its ${rules.budget.handoffs} handoffs`)
  const sender = roster.get(from)
  if (sender === undefined && !isPerson(from)) return dead(`the sender "${from}" is not an agent`)
  if (!roster.has(to)) return dead(unknownMemberText(to, roster))
  if (isPerson(from)) return { kind: 'handoff', text: wanted, chain: chainOfQuestion(to, state), parent: null }
  if (!isExplicit && current === null) {
    // A member at rest sends nothing: this is a late answer to its last task.
    const last = lastHandoff(from, state, to)
    if (last !== null) return { kind: 'note', chain: last.chain }
  }
  if (!sender?.handoffTo.includes(to)) {
    const allowed = sender?.handoffTo.length === 0 ? 'no handoffs' : `only ${sender?.handoffTo.join(', ')}`
    return dead(`${from} may not hand off to ${to}; handoff_to allows ${allowed}`)
  }
  return { kind: 'handoff', text: wanted, chain, parent }
}

/** An index of what each has sent: a program may print any number of handoffs. */
const found = new WeakMap<readonly string[], Set<string>>()

function hasSent({ sent }: Handoff, one: string): boolean {
  const known = found.get(sent) ?? new Set<string>()
  found.set(sent, known)
  // It only grows.
  for (let at = known.size; at < sent.length; at++) known.add(sent[at] ?? '')
  return known.has(one)
}

/** A member's current work: one handoff at a time. */
function currentHandoff(name: string, { open }: State): Handoff | null {
  for (const handoff of open.values()) {
    if (handoff.to === name && (handoff.status === 'claimed' || handoff.status === 'started')) return handoff
  }
  return null
}

/** The last handoff of a member, from any sender or from one. */
function lastHandoff(name: string, { handoffs }: State, giver?: string): Handoff | null {
  let last: Handoff | null = null
  for (const handoff of handoffs.values()) {
    if (handoff.to === name && (giver === undefined || isSameParty(handoff.from, giver))) last = handoff
  }
  return last
}

/** The person's answer to a member's question continues that member's chain. */
function chainOfQuestion(member: string, { attention, messages }: State): string | null {
  const asked = attention.findLast(({ kind, from }) => kind === 'message' && from === member)
  return asked?.id == null ? null : (messages.get(asked.id)?.chain ?? null)
}

function isSameParty(one: string, other: string): boolean {
  return one === other || (isPerson(one) && isPerson(other))
}
