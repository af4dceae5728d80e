/** Finds what each member runs as, with which access, and whether it has a login; starts no turn. */
import { resolve } from 'node:path'
import { findProgram, programAt } from '../../disk/run-program.ts'
import { loginHint } from '../../harness/facts.ts'
import type { Registry } from '../../harness/registry.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import { type Action, statedAccess, writtenAccess } from '../../model/access/rules.ts'
import { type AccessSummary, generalActions, summarizeAccess } from '../../model/access/summary.ts'
import type { Agent } from '../../model/agent.ts'
import { createIsolatedProject } from '../../verify/isolate.ts'
import { readProgramVersion } from '../../verify/loader.ts'
import type { FoundAgent } from '../../workbench/inventory.ts'
import type { WorkplacePaths } from '../engine/paths.ts'
import { teamAgents } from '../runtime/read-team.ts'
import { KERNEL } from '../state/message.ts'
import { type Member, type Player, permissionsText, type Roster } from '../state/roster.ts'
import { excludedTools } from './launch.ts'
import { findLogin, type LoginEnvironment, memberTools, notInstalledText, renderForHarness } from './prepare-member.ts'

/** How long a program may take to print its version (ms). */
const LIMIT = 20_000

interface TeamToPlay {
  readonly places: WorkplacePaths
  readonly registry: Registry
  readonly roster: Roster
  /** The user's own model replaces all others: no login is needed. */
  readonly standIn: boolean
}

export async function findPlayers(team: TeamToPlay): Promise<Player[]> {
  const { registry, roster, places } = team
  const members = [...roster.values()].filter(({ name }) => name !== KERNEL)
  const ids = [...new Set(members.flatMap(({ playedIn }) => playedIn ?? []))]
  const versions = new Map(await Promise.all(ids.map(async (id) => [id, await versionOf(registry.byId(id))] as const)))
  const agents = teamAgents(places.root, registry)
  return members.map((member) => {
    const harness = member.playedIn === null ? undefined : registry.byId(member.playedIn)
    if (harness === undefined) return programPlayer(member, places.root)
    return harnessPlayer(member, harness, versions.get(harness.id) ?? null, agents.get(member.name), team)
  })
}

/** Programs given as a list are looked up; a shell command is left to the shell. */
function programPlayer({ name, command }: Member, root: string): Player {
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
    may: 'has your permissions: Troupe does not restrict ordinary programs',
    login: null,
    problem: isMissing ? { code: 'no-program', message: `there is no program ${word}` } : null,
  }
}

function harnessPlayer(
  member: Member,
  harness: Harness,
  version: string | null,
  found: FoundAgent | undefined,
  { places, registry, standIn }: TeamToPlay,
): Player {
  const { id, title, oracle, login: ways } = harness
  const machine: LoginEnvironment = { root: places.root, environment: process.env, platform: process.platform }
  const program = oracle === undefined ? null : findProgram(oracle.program.name)
  const login = standIn || ways === undefined ? null : findLogin(ways, machine)
  const rendered =
    found === undefined ? null : renderForHarness(places, registry, found, harness, memberTools(member), places.root)
  const summary = rendered === null || 'problem' in rendered ? null : accessOf(harness, rendered.agent)
  return {
    member: member.name,
    harness: { id, title, version, checked: harness.checked.version },
    command: null,
    program,
    access: summary?.general ?? null,
    may: summary === null ? 'its access is unknown' : permissionsText(summary, (one) => nativeName(harness, one)),
    login,
    problem: problemOf(),
  }

  function problemOf(): Player['problem'] {
    if (program === null) return { code: 'no-program', ...notInstalledText(harness) }
    if (rendered !== null && 'problem' in rendered) return { code: 'not-playable', message: rendered.problem }
    if (login?.state !== 'none' || ways === undefined) return null
    return {
      code: 'no-login',
      message: `${title} has neither a login nor a key (${login.where}).`,
      hint: loginHint(ways),
    }
  }
}

/** Its access as a member: some tools are withheld from all of them. The harness's own defaults are not rules of the agent. */
function accessOf(harness: Harness, agent: Agent): AccessSummary {
  const { embody } = harness
  const role = embody?.role ?? 'main'
  const general = generalActions(writtenAccess(agent.access, role))
  const taken = embody === undefined ? [] : excludedTools(embody, agent)
  const held = Object.entries(general).map(([capability, action]): [string, Action] => [
    capability,
    taken.includes(nativeName(harness, capability) ?? '') ? 'deny' : action,
  ])
  const { exceptions } = summarizeAccess(statedAccess(agent.access, role))
  return { general: Object.fromEntries(held), exceptions }
}

function nativeName({ words }: Harness, capability: string): string | null {
  const word = words[capability]
  if (word === undefined || word === null || typeof word === 'string') return word ?? null
  return 'partial' in word ? word.partial : (word.composite[0] ?? null)
}

/** In a separate home: files that a program writes at start must not go into the user's. */
export async function versionOf(harness: Harness | undefined): Promise<string | null> {
  const { oracle } = harness ?? {}
  const program = oracle === undefined ? null : findProgram(oracle.program.name)
  if (harness === undefined || oracle === undefined || program === null) return null
  const place = createIsolatedProject({})
  try {
    return (await readProgramVersion({ harness, oracle, program, limit: LIMIT }, place)).version
  } finally {
    place.remove()
  }
}
