/** A trial of the team: who hands to whom once, so that each member plays its part, and what came of it. */
import { isPerson, KERNEL } from './names.ts'
import type { Roster } from './roster.ts'

/** Member to those that it hands work to in the trial; each member is handed work once, or is asked by the person. */
export interface TrialPlan {
  readonly entries: readonly string[]
  readonly hands: ReadonlyMap<string, readonly string[]>
}

/** Along `handoff_to`, deepest first, from whoever reaches most; those whom nobody reaches are asked one by one. */
export function planTrial(roster: Roster): TrialPlan {
  const members = [...roster.values()].filter(({ name }) => isTried(roster, name))
  const reach = new Map(members.map(({ name }) => [name, reached(name, roster).size]))
  const order = members.map(({ name }) => name).sort((a, b) => (reach.get(b) ?? 0) - (reach.get(a) ?? 0))
  const hands = new Map<string, string[]>()
  const visit = (name: string) => {
    const mine: string[] = []
    hands.set(name, mine)
    for (const next of roster.get(name)?.handoffTo ?? []) {
      if (hands.has(next) || !isTried(roster, next)) continue
      mine.push(next)
      visit(next)
    }
  }
  const entries = order.filter((name) => {
    if (hands.has(name)) return false
    visit(name)
    return true
  })
  return { entries, hands }
}

/** One that is always up has no end to wait for. */
function isTried(roster: Roster, name: string): boolean {
  const member = roster.get(name)
  return member !== undefined && name !== KERNEL && !member.persistent && !isPerson(name)
}

function reached(from: string, roster: Roster): Set<string> {
  const found = new Set([from])
  for (const name of found)
    for (const next of roster.get(name)?.handoffTo ?? []) if (isTried(roster, next)) found.add(next)
  return found
}

export interface TrialRow {
  readonly member: string
  /** In its harness, by its program, or by a stand-in of Troupe's; null: not at all. */
  readonly by: 'harness' | 'program' | 'stand-in' | null
  /** The harness and its version, or the program. */
  readonly as: string
  readonly started: boolean
  /** The prompt and the tools reached the model as predicted; null: nobody can tell. */
  readonly asPredicted: boolean | null
  readonly handedTo: readonly string[]
  readonly answer: string | null
  /** What went wrong; null: nothing did. */
  readonly problem: string | null
  /** Why its own harness or program was not tried, and what to do; null: it was. */
  readonly notTried: string | null
}

/** It did all that the trial asks of it. */
export function isSeenToWork({ by, answer, problem }: TrialRow): boolean {
  return (by === 'harness' || by === 'program') && answer !== null && problem === null
}
