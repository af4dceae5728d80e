/**
 * Is a message a handoff, the answer to one, or only to be read? Whoever works for somebody and writes to them, answers;
 * a message to anybody else asks for work. `Handoff:` and `Note:` at the beginning say it outright.
 */
import { nearest } from '../text/nearest.ts'
import { type Handoff, SPENT } from './handoff.ts'
import type { Message } from './message.ts'
import { isPerson, SERVER } from './names.ts'
import type { Roster, Rules } from './roster.ts'
import type { State } from './state.ts'

export type Meaning =
  | { readonly kind: 'handoff'; readonly text: string; readonly chain: string | null; readonly parent: string | null }
  | { readonly kind: 'reply'; readonly answers: string; readonly chain: string }
  | { readonly kind: 'note'; readonly chain: string | null }
  /** It is a handoff, and can never be done. */
  | { readonly kind: 'dead'; readonly why: string; readonly chain: string | null; readonly parent: string | null }
  /** An earlier attempt has sent the very same. */
  | { readonly kind: 'repeated' }
  /** Its run was told already that there are no more handoffs to be had. */
  | { readonly kind: 'spent' }

/** `chain: null`: a new one begins. */
export function classify(message: Message, state: State, roster: Roster, rules: Rules): Meaning {
  const { from, to, text } = message
  const current = workOf(from, state)
  const chain = current?.chain ?? null
  if (/^note:/i.test(text) || from === SERVER) return { kind: 'note', chain }
  const isExplicit = /^handoff:/i.test(text)
  const wanted = isExplicit ? text.replace(/^handoff:\s*/i, '') : text
  if (!isExplicit && current !== null && isSame(current.from, to)) {
    return { kind: 'reply', answers: current.id, chain: current.chain }
  }
  if (isPerson(to)) return { kind: 'note', chain: chain ?? lastOf(from, state)?.chain ?? null }
  const parent = current?.id ?? null
  const dead = (why: string): Meaning => ({ kind: 'dead', why, chain, parent })
  if (current !== null && hasSent(current, `${to}\n${wanted}`)) return { kind: 'repeated' }
  const used = chain === null ? 0 : (state.chains.get(chain)?.handoffs ?? 0)
  if (used >= rules.budget.handoffs)
    return current !== null && current.spentIn === current.attempt
      ? { kind: 'spent' }
      : dead(`${SPENT} its ${rules.budget.handoffs} handoffs`)
  const sender = roster.get(from)
  if (sender === undefined && !isPerson(from)) return dead(`there is no agent "${from}" that could have sent it`)
  if (!roster.has(to)) return dead(unknownMember(to, roster))
  if (isPerson(from)) return { kind: 'handoff', text: wanted, chain: askedIn(to, state), parent: null }
  if (!isExplicit && current === null) {
    // A member at rest does not speak: this is a late answer to what it was asked last.
    const last = lastOf(from, state, to)
    if (last !== null) return { kind: 'note', chain: last.chain }
  }
  if (!sender?.handoffTo.includes(to)) {
    const allowed = sender?.handoffTo.length === 0 ? 'to nobody' : `only to ${sender?.handoffTo.join(', ')}`
    return dead(`${from} may not hand off to ${to}; handoff_to allows it ${allowed}`)
  }
  return { kind: 'handoff', text: wanted, chain, parent }
}

/** What each has sent, to be found at once: a program may print any number of handoffs. */
const found = new WeakMap<readonly string[], Set<string>>()

function hasSent({ sent }: Handoff, one: string): boolean {
  const known = found.get(sent) ?? new Set<string>()
  found.set(sent, known)
  // It only grows.
  for (let at = known.size; at < sent.length; at++) known.add(sent[at] ?? '')
  return known.has(one)
}

/** What a member is at work on: one thing at a time. */
function workOf(name: string, { open }: State): Handoff | null {
  for (const handoff of open.values()) {
    if (handoff.to === name && (handoff.status === 'claimed' || handoff.status === 'started')) return handoff
  }
  return null
}

/** The last handoff a member had, from anybody or from one. */
function lastOf(name: string, { handoffs }: State, giver?: string): Handoff | null {
  let last: Handoff | null = null
  for (const handoff of handoffs.values()) {
    if (handoff.to === name && (giver === undefined || isSame(handoff.from, giver))) last = handoff
  }
  return last
}

/** The person answering a member's question goes on with that member's chain. */
function askedIn(member: string, { attention, messages }: State): string | null {
  const asked = attention.findLast(({ kind, from }) => kind === 'message' && from === member)
  return asked?.id == null ? null : (messages.get(asked.id)?.chain ?? null)
}

function isSame(one: string, other: string): boolean {
  return one === other || (isPerson(one) && isPerson(other))
}

export function unknownMember(name: string, roster: Roster): string {
  const close = nearest(name, [...roster.keys()])
  return `there is no agent "${name}"${close === null ? '' : `; did you mean ${close}?`}`
}
