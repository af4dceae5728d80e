/** Checks the handoff graph before anything runs, and plans a trial of it. */
import { nearestWord } from '../../formats/text.ts'
import { isName, isPerson, KERNEL, personNames, resolveAddress, SERVER } from './message.ts'
import { joinNames, type Member, type Roster, WORKPLACE_DIALECT } from './roster.ts'

export interface GraphProblem {
  readonly severity: 'error' | 'warning' | 'info'
  /** The member concerned; null if it is all of them. */
  readonly member: string | null
  readonly code:
    | 'no-members'
    | 'reserved-name'
    | 'invalid-name'
    | 'unusual-name'
    | 'no-role'
    | 'owes-nobody'
    | 'ambiguous-names'
    | 'unknown-target'
    | 'hands-to-person'
    | 'unreachable'
    | 'cycle'
    | 'no-program'
    | 'not-playable'
    | 'no-login'
    | 'invalid-setting'

  readonly message: string
  readonly hint?: string
}

/** `handoffs`: the maximum of a chain, which bounds every cycle. */
export function checkTeam(roster: Roster, handoffs: number): GraphProblem[] {
  const members = [...roster.values()]
  const working = members.filter(({ name }) => name !== KERNEL)
  if (working.length === 0) {
    const hint = 'Put one into .workplace/agents/, or use agents of another harness: `troupe list` shows them.'
    return [
      { severity: 'error', member: null, code: 'no-members', message: 'There is no agent to hand work to.', hint },
    ]
  }
  return [
    ...members.flatMap(nameProblems),
    ...working.flatMap(definitionProblems),
    ...ambiguousNames(members),
    ...working.flatMap((member) => targetProblems(member, roster)),
    ...programProblems(working),
    ...unreachableMembers(working),
    ...cycleProblems(working, roster, handoffs),
  ]
}

function nameProblems({ name }: Member): GraphProblem[] {
  if (name === SERVER || isPerson(name)) {
    const whose =
      name === SERVER
        ? 'the workplace itself, in process-status.json'
        : `the person, like ${personNames.filter((one) => one !== name).join(' and ')}`
    const message = `"${name}" is the name of ${whose}; an agent with that name is never started.`
    return [{ severity: 'error', member: name, code: 'reserved-name', message, hint: 'Give the agent another name.' }]
  }
  if (isName(name)) return []
  const message = `"${name}" cannot be used in an address: names may have only letters, digits, hyphens and underscores.`
  return [{ severity: 'error', member: name, code: 'invalid-name', message }]
}

/** The requirements of the workplace's own dialect; other dialects have their own rules. */
function definitionProblems({ name, role, harness, path, handoffTo, mustHandOff }: Member): GraphProblem[] {
  const problems: GraphProblem[] = []
  const isOwn = harness === WORKPLACE_DIALECT
  if (isOwn && isName(name) && !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) {
    const message = `The name "${name}" (${path}) should have only lowercase letters, digits and single hyphens.`
    problems.push({ severity: 'warning', member: name, code: 'unusual-name', message })
  }
  if (isOwn && (role === null || role.trim() === '')) {
    const message = `${path} has no role for ${name}; it is required.`
    const hint = 'Add a line to its front matter: role: "what it is, in one line".'
    problems.push({ severity: 'error', member: name, code: 'no-role', message, hint })
  }
  if (mustHandOff && handoffTo.length === 0) {
    const message = `${name} must hand its work on (handoff: required), but handoff_to names no agent: a plain answer is accepted.`
    problems.push({ severity: 'warning', member: name, code: 'owes-nobody', message })
  }
  return problems
}

/** Two pairs of names that share an address. */
function ambiguousNames(members: readonly Member[]): GraphProblem[] {
  if (!members.some(({ name }) => name.includes('-to-'))) return []
  const names = [...members.map(({ name }) => name), ...personNames, SERVER]
  const isKnown = (name: string) => names.includes(name)
  const addresses = new Set(names.flatMap((from) => names.map((to) => `${from}-to-${to}`)))
  return [...addresses].flatMap((address): GraphProblem[] => {
    const resolved = resolveAddress(address, isKnown)
    if (!('readings' in resolved)) return []
    const ways = resolved.readings.map(({ from, to }) => `${from} to ${to}`).join(', or ')
    const message = `In chat.md, [${address}] is ambiguous: ${ways}.`
    const hint = '`troupe work send` is never ambiguous; a name without -to- would help.'
    return [{ severity: 'warning', member: null, code: 'ambiguous-names', message, hint }]
  })
}

function targetProblems({ name, handoffTo }: Member, roster: Roster): GraphProblem[] {
  return handoffTo.flatMap((target): GraphProblem[] => {
    if (isPerson(target)) {
      const message = `${name} may hand off to "${target}", which is you: such a handoff waits for you.`
      return [{ severity: 'info', member: name, code: 'hands-to-person', message }]
    }
    if (roster.has(target)) return []
    const close = nearestWord(target, [...roster.keys()])
    const message = `${name} may hand off to "${target}", but there is no such agent.`
    const hint = close === null ? 'Add the agent, or remove it from handoff_to.' : `Did you mean ${close}?`
    return [{ severity: 'error', member: name, code: 'unknown-target', message, hint }]
  })
}

function programProblems(members: readonly Member[]): GraphProblem[] {
  const lacking = members.filter(({ command }) => command === null)
  if (lacking.length === members.length) {
    const hint = 'Set one in troupe.yaml: `work:`, and under it `harness: ID`, or `command: my-agent` for any program.'
    return [
      {
        severity: 'error',
        member: null,
        code: 'no-program',
        message: 'No harness or program is set for the agents.',
        hint,
      },
    ]
  }
  return lacking.map(({ name, harness }) => {
    const hint = `Set a harness or a program in troupe.yaml: for all (work: harness, or command) or for this one (work: members: ${name}).`
    return {
      severity: 'error',
      member: name,
      code: 'no-program',
      message: `No harness or program is set for ${name} (${harness}).`,
      hint,
    }
  })
}

/** Without trigger words or incoming handoffs, only a person can start them, by name: one note for all of them. */
function unreachableMembers(members: readonly Member[]): GraphProblem[] {
  const targets = new Set(members.flatMap(({ name, handoffTo }) => handoffTo.filter((target) => target !== name)))
  const names = members
    .filter(({ name, triggers, persistent }) => !targets.has(name) && triggers.length === 0 && !persistent)
    .map(({ name }) => name)
  const [first = null] = names
  if (first === null) return []
  const isOne = names.length === 1
  const message = `No agent hands off to ${joinNames(names, 'or')}, and ${isOne ? 'it has' : 'they have'} no trigger words. Only \`troupe work start ${isOne ? first : 'NAME'} ...\` reaches ${isOne ? 'it' : 'them'}.`
  return [{ severity: 'warning', member: isOne ? first : null, code: 'unreachable', message }]
}

/** A member that hands work on may get it back: one note for all of them, because cycles are common. */
function cycleProblems(members: readonly Member[], roster: Roster, handoffs: number): GraphProblem[] {
  const inCircle = members
    .filter(({ name, handoffTo }) => reachableFrom(handoffTo, roster).has(name))
    .map(({ name }) => name)
  if (inCircle.length === 0) return []
  const message = `Handoffs can go in a cycle among ${joinNames(inCircle, 'and')}; a chain ends after ${handoffs} handoffs.`
  return [{ severity: 'info', member: null, code: 'cycle', message }]
}

function reachableFrom(from: readonly string[], roster: Roster): Set<string> {
  const found = new Set(from)
  for (const name of found) for (const next of roster.get(name)?.handoffTo ?? []) found.add(next)
  return found
}

/** Maps a member to those it hands work to in the trial; each member gets work once, from a member or the person. */
export interface TrialPlan {
  readonly entries: readonly string[]
  readonly hands: ReadonlyMap<string, readonly string[]>
}

/** Along `handoff_to`, depth first, from the member with the largest reach; unreachable ones are asked one by one. */
export function planTrial(roster: Roster): TrialPlan {
  const members = [...roster.values()].filter(({ name }) => takesPart(roster, name))
  const reach = new Map(members.map(({ name }) => [name, reachableInTrial(name, roster).size]))
  const order = members.map(({ name }) => name).sort((a, b) => (reach.get(b) ?? 0) - (reach.get(a) ?? 0))
  const hands = new Map<string, string[]>()
  const visit = (name: string) => {
    const mine: string[] = []
    hands.set(name, mine)
    for (const next of roster.get(name)?.handoffTo ?? []) {
      if (hands.has(next) || !takesPart(roster, next)) continue
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

/** A persistent member has no end to wait for. */
function takesPart(roster: Roster, name: string): boolean {
  const member = roster.get(name)
  return member !== undefined && name !== KERNEL && !member.persistent && !isPerson(name)
}

function reachableInTrial(from: string, roster: Roster): Set<string> {
  const found = new Set([from])
  for (const name of found)
    for (const next of roster.get(name)?.handoffTo ?? []) if (takesPart(roster, next)) found.add(next)
  return found
}

export interface TrialRow {
  readonly member: string
  /** In its harness, by its program, or by a stand-in of Troupe; null: not at all. */
  readonly by: 'harness' | 'program' | 'stand-in' | null
  /** The harness and its version, or the program. */
  readonly as: string
  readonly started: boolean
  /** The prompt and the tools reached the model as predicted; null: unknown. */
  readonly asPredicted: boolean | null
  readonly handedTo: readonly string[]
  readonly answer: string | null
  /** What went wrong; null: nothing. */
  readonly problem: string | null
  /** Why its own harness or program was not tried, and what to do; null: it was. */
  readonly notTried: string | null
}

/** It did everything that the trial requires. */
export function hasPassed({ by, answer, problem }: TrialRow): boolean {
  return (by === 'harness' || by === 'program') && answer !== null && problem === null
}
