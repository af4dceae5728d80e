/** What each member runs as, with which access, and whether there is an account for it; no turn is started. */
import { resolve } from 'node:path'
import { loginHint } from '../harness/login-words.ts'
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import { type Action, saidAccess, writtenAccess } from '../model/access.ts'
import type { Agent } from '../model/agent.ts'
import { type AccessSummary, summarizeAccess } from '../model/capabilities.ts'
import type { FoundAgent } from '../project/inventory.ts'
import { findProgram, programAt } from '../proof/find-program.ts'
import { openPlace } from '../proof/isolate.ts'
import { readVersion } from '../proof/loader.ts'
import type { Places } from '../runtime/places.ts'
import { agentsIn } from '../runtime/roster.ts'
import { mayText } from '../workplace/may.ts'
import { KERNEL } from '../workplace/names.ts'
import type { Player } from '../workplace/player.ts'
import type { Member, Roster } from '../workplace/roster.ts'
import { notInstalled } from './installed.ts'
import { excludedFrom } from './launch.ts'
import { findLogin, type Machine } from './login.ts'
import { renderFor, toolsFor } from './member.ts'

/** How long a program may take to say its version (ms). */
const LIMIT = 20_000

interface Team {
  readonly places: Places
  readonly registry: Registry
  readonly roster: Roster
  /** A model of the user's own stands in for all: no login is needed. */
  readonly standIn: boolean
}

export async function findPlayers(team: Team): Promise<Player[]> {
  const { registry, roster, places } = team
  const members = [...roster.values()].filter(({ name }) => name !== KERNEL)
  const ids = [...new Set(members.flatMap(({ playedIn }) => playedIn ?? []))]
  const versions = new Map(await Promise.all(ids.map(async (id) => [id, await versionOf(registry.byId(id))] as const)))
  const agents = agentsIn(places.root, registry)
  return members.map((member) => {
    const harness = member.playedIn === null ? undefined : registry.byId(member.playedIn)
    if (harness === undefined) return ordinary(member, places.root)
    return inHarness(member, harness, versions.get(harness.id) ?? null, agents.get(member.name), team)
  })
}

/** Programs named by a list are looked for; a line for the shell is the shell's affair. */
function ordinary({ name, command }: Member, root: string): Player {
  const word = command?.[0]
  const isLine = word === '/bin/sh' && command?.[1] === '-c'
  const found = word === undefined ? null : word.includes('/') ? programAt(resolve(root, word)) : findProgram(word)
  const isMissing = word !== undefined && !isLine && found === null
  return {
    member: name,
    harness: null,
    command: isLine ? command.slice(2) : command,
    program: found,
    access: null,
    may: 'has your rights: Troupe does not limit an ordinary program',
    login: null,
    problem: isMissing ? { code: 'no-program', message: `the program ${word} is not there` } : null,
  }
}

function inHarness(
  member: Member,
  harness: Harness,
  version: string | null,
  found: FoundAgent | undefined,
  { places, registry, standIn }: Team,
): Player {
  const { id, title, oracle, login: ways } = harness
  const machine: Machine = { root: places.root, environment: process.env, platform: process.platform }
  const program = oracle === undefined ? null : findProgram(oracle.program.name)
  const login = standIn || ways === undefined ? null : findLogin(ways, machine)
  const rendered =
    found === undefined ? null : renderFor(places, registry, found, harness, toolsFor(member), places.root)
  const summary = rendered === null || 'problem' in rendered ? null : accessOf(harness, rendered.agent)
  return {
    member: member.name,
    harness: { id, title, version, checked: harness.checked.version },
    command: null,
    program,
    access: summary?.general ?? null,
    may: summary === null ? 'nothing can be said of its access' : mayText(summary, (one) => nativeName(harness, one)),
    login,
    problem: problemOf(),
  }

  function problemOf(): Player['problem'] {
    if (program === null) return { code: 'no-program', ...notInstalled(harness) }
    if (rendered !== null && 'problem' in rendered) return { code: 'not-playable', message: rendered.problem }
    if (login?.state !== 'none' || ways === undefined) return null
    return {
      code: 'no-login',
      message: `${title} has neither a login nor a key (${login.where}).`,
      hint: loginHint(ways),
    }
  }
}

/** What it has as a member: some tools are taken away from all of them. The harness's own defaults are no rules of the agent's. */
function accessOf(harness: Harness, agent: Agent): AccessSummary {
  const { embody } = harness
  const role = embody?.role ?? 'main'
  const { general } = summarizeAccess(writtenAccess(agent.access, role))
  const taken = embody === undefined ? [] : excludedFrom(embody, agent)
  const held = Object.entries(general).map(([capability, action]): [string, Action] => [
    capability,
    taken.includes(nativeName(harness, capability) ?? '') ? 'deny' : action,
  ])
  const { exceptions } = summarizeAccess(saidAccess(agent.access, role))
  return { general: Object.fromEntries(held), exceptions }
}

function nativeName({ words }: Harness, capability: string): string | null {
  const word = words[capability]
  if (word === undefined || word === null || typeof word === 'string') return word ?? null
  return 'partial' in word ? word.partial : (word.composite[0] ?? null)
}

/** In a home of its own: whatever a program writes when it is started is not written into the user's. */
export async function versionOf(harness: Harness | undefined): Promise<string | null> {
  const { oracle } = harness ?? {}
  const program = oracle === undefined ? null : findProgram(oracle.program.name)
  if (harness === undefined || oracle === undefined || program === null) return null
  const place = openPlace({})
  try {
    return (await readVersion({ harness, oracle, program, limit: LIMIT }, place)).version
  } finally {
    place.remove()
  }
}
