/** The handoff graph, judged before anything runs. */
import { nearest } from '../text/nearest.ts'
import { joined } from './may.ts'
import { isName, isPerson, KERNEL, persons, resolveAddress, SERVER } from './names.ts'
import { DIALECT, type Member, type Roster } from './roster.ts'

export interface GraphProblem {
  readonly severity: 'error' | 'warning' | 'info'
  /** The member concerned; null where it is all of them. */
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

/** `handoffs`: how many a chain may have, which bounds every cycle. */
export function checkGraph(roster: Roster, handoffs: number): GraphProblem[] {
  const members = [...roster.values()]
  const working = members.filter(({ name }) => name !== KERNEL)
  if (working.length === 0) {
    const hint = 'Put one into .workplace/agents/, or use those of another harness: `troupe list` shows what is found.'
    return [
      { severity: 'error', member: null, code: 'no-members', message: 'There is no agent to hand work to.', hint },
    ]
  }
  return [
    ...members.flatMap(namesOf),
    ...working.flatMap(definitionOf),
    ...ambiguous(members),
    ...working.flatMap((member) => targetsOf(member, roster)),
    ...programsOf(working),
    ...unreached(working),
    ...cyclesIn(working, roster, handoffs),
  ]
}

function namesOf({ name }: Member): GraphProblem[] {
  if (name === SERVER || isPerson(name)) {
    const whose =
      name === SERVER
        ? 'the workplace itself, in process-status.json'
        : `the person, like ${persons.filter((one) => one !== name).join(' and ')}`
    const message = `"${name}" is the name of ${whose}; an agent of that name is never started.`
    return [{ severity: 'error', member: name, code: 'reserved-name', message, hint: 'Give the agent another name.' }]
  }
  if (isName(name)) return []
  const message = `"${name}" cannot be used in an address: names have letters, digits, hyphens and underscores only.`
  return [{ severity: 'error', member: name, code: 'invalid-name', message }]
}

/** What a definition of the workplace's own dialect must say; those of other dialects have rules of their own. */
function definitionOf({ name, role, harness, path, handoffTo, mustHandOff }: Member): GraphProblem[] {
  const problems: GraphProblem[] = []
  const isOwn = harness === DIALECT
  if (isOwn && isName(name) && !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) {
    const message = `The name "${name}" (${path}) should have only lowercase letters, digits and single hyphens.`
    problems.push({ severity: 'warning', member: name, code: 'unusual-name', message })
  }
  if (isOwn && (role === null || role.trim() === '')) {
    const message = `${path} does not say the role of ${name}, which is required.`
    const hint = 'Add a line to its front matter: role: "what it is, in one line".'
    problems.push({ severity: 'error', member: name, code: 'no-role', message, hint })
  }
  if (mustHandOff && handoffTo.length === 0) {
    const message = `${name} must hand its work on (handoff: required), but handoff_to names no agent: a plain answer is taken.`
    problems.push({ severity: 'warning', member: name, code: 'owes-nobody', message })
  }
  return problems
}

/** Two pairs of names that share an address. */
function ambiguous(members: readonly Member[]): GraphProblem[] {
  if (!members.some(({ name }) => name.includes('-to-'))) return []
  const names = [...members.map(({ name }) => name), ...persons, SERVER]
  const isKnown = (name: string) => names.includes(name)
  const addresses = new Set(names.flatMap((from) => names.map((to) => `${from}-to-${to}`)))
  return [...addresses].flatMap((address): GraphProblem[] => {
    const resolved = resolveAddress(address, isKnown)
    if (!('readings' in resolved)) return []
    const ways = resolved.readings.map(({ from, to }) => `${from} to ${to}`).join(', or ')
    const message = `In chat.md, [${address}] can be read in several ways: ${ways}.`
    const hint = '`troupe work send` always says which; a name without -to- would help.'
    return [{ severity: 'warning', member: null, code: 'ambiguous-names', message, hint }]
  })
}

function targetsOf({ name, handoffTo }: Member, roster: Roster): GraphProblem[] {
  return handoffTo.flatMap((target): GraphProblem[] => {
    if (isPerson(target)) {
      const message = `${name} may hand off to "${target}", who is the person: such a handoff waits for you.`
      return [{ severity: 'info', member: name, code: 'hands-to-person', message }]
    }
    if (roster.has(target)) return []
    const close = nearest(target, [...roster.keys()])
    const message = `${name} may hand off to "${target}", and there is no such agent.`
    const hint = close === null ? 'Add the agent, or take it out of handoff_to.' : `Did you mean ${close}?`
    return [{ severity: 'error', member: name, code: 'unknown-target', message, hint }]
  })
}

function programsOf(members: readonly Member[]): GraphProblem[] {
  const lacking = members.filter(({ command }) => command === null)
  if (lacking.length === members.length) {
    const hint = 'Say it in troupe.yaml: `work:`, and under it `harness: ID`, or `command: my-agent` for any program.'
    return [
      { severity: 'error', member: null, code: 'no-program', message: 'Nothing says how to run the agents.', hint },
    ]
  }
  return lacking.map(({ name, harness }) => {
    const hint = `Name a harness or a program in troupe.yaml: for all (work: harness, or command) or for this one (work: members: ${name}).`
    return {
      severity: 'error',
      member: name,
      code: 'no-program',
      message: `Nothing says how to run ${name} (${harness}).`,
      hint,
    }
  })
}

/** Whom no words and no handoff lead to: only a person can start them, by name. */
function unreached(members: readonly Member[]): GraphProblem[] {
  const targets = new Set(members.flatMap(({ name, handoffTo }) => handoffTo.filter((target) => target !== name)))
  return members
    .filter(({ name, triggers, persistent }) => !targets.has(name) && triggers.length === 0 && !persistent)
    .map(({ name }) => ({
      severity: 'warning',
      member: name,
      code: 'unreachable',
      message: `No agent hands off to ${name}, and no words trigger it: only \`troupe work start ${name} ...\` reaches it.`,
    }))
}

/** Whoever hands work on may get it back: one note for all of them, because circles are usual. */
function cyclesIn(members: readonly Member[], roster: Roster, handoffs: number): GraphProblem[] {
  const inCircle = members
    .filter(({ name, handoffTo }) => reachable(handoffTo, roster).has(name))
    .map(({ name }) => name)
  if (inCircle.length === 0) return []
  const message = `Work can go in circles among ${joined(inCircle, 'and')}: a chain ends after ${handoffs} handoffs.`
  return [{ severity: 'info', member: null, code: 'cycle', message }]
}

function reachable(from: readonly string[], roster: Roster): Set<string> {
  const found = new Set(from)
  for (const name of found) for (const next of roster.get(name)?.handoffTo ?? []) found.add(next)
  return found
}
