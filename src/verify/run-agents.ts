/** Runs a harness: it loads the agents, and takes a turn as each of them. */

import type { Harness } from '../harness/schema/harness.ts'
import type { Role } from '../model/access/rules.ts'
import type { Agent } from '../model/agent.ts'
import { type AgentCase, isLoadedByHarness } from './cases.ts'
import { agentHashes, type IsolatedProject } from './isolate.ts'
import { askLoaderAndServer, type LoaderReport } from './loader.ts'
import type { Runnable } from './run-recipe.ts'
import { type ObservedTurn, runAsChildren, runAsMain } from './turns.ts'

export interface LoadedAgents {
  readonly loaded: LoaderReport
  readonly hashes: string
  readonly problems: readonly string[]
  /** Observed in the first run, with everything there: it does not start. */
  readonly refused: boolean
}

/** One definition can prevent a harness from starting at all; then the others are checked without it. */
export async function loadAgents(
  runnable: Runnable,
  place: IsolatedProject,
  parts: readonly AgentCase[],
): Promise<LoadedAgents> {
  const { title } = runnable.harness
  const hashes = agentHashes(
    place.project,
    parts.filter(({ predicted }) => predicted.loaded).map(({ agent, path }) => ({ name: agent.name, path })),
  )
  const ask = async () => withPlainPaths(await askLoaderAndServer(runnable, place, hashes), place)
  const first = await ask()
  const culprits = parts.filter(({ predicted }) => predicted.refused)
  const problems: string[] = []
  if (first.trouble !== null) problems.push(`${title}: ${first.trouble}.`)
  if (first.refused && culprits.length === 0) {
    problems.push(
      `${title} does not start with these agents, which Troupe did not predict: ${first.problems.join(' ')}`,
    )
  }
  if (!first.refused || culprits.length === 0) return { loaded: first, hashes, problems, refused: first.refused }
  for (const { path } of culprits) place.discard(path)
  const loaded = await ask()
  return { loaded: { ...loaded, problems: first.problems }, hashes, problems, refused: true }
}

/** Paths as in the project, not as in its copy. */
function withPlainPaths(loaded: LoaderReport, { cwd, project }: IsolatedProject): LoaderReport {
  const plain = (text: string) => text.replaceAll(`${cwd}/`, '').replaceAll(`${project}/`, '')
  return { ...loaded, problems: loaded.problems.map(plain) }
}

/** Every agent in its intended role. */
export async function runAgents(
  runnable: Runnable,
  place: IsolatedProject,
  parts: readonly AgentCase[],
  { loaded, hashes }: LoadedAgents,
  onStep: (step: string) => void,
): Promise<ObservedTurn[]> {
  const ready = parts.filter((part) => isLoadedByHarness(runnable.harness, part, loaded))
  const byRole: Record<Role, string[]> = { main: [], child: [] }
  for (const { agent, isTaken } of ready) if (!isTaken) byRole[usualRole(runnable.harness, agent)].push(agent.name)
  const turns: ObservedTurn[] = []
  if (byRole.child.length > 0) {
    onStep(`taking turns as ${byRole.child.length} of them, called by another agent`)
    turns.push(...(await runAsChildren(runnable, place, [...new Set(byRole.child)], hashes)))
  }
  if (byRole.main.length > 0) {
    onStep(`taking turns as ${byRole.main.length} of them, as the main session`)
    turns.push(...(await runAsMain(runnable, place, [...new Set(byRole.main)], hashes)))
  }
  return turns
}

/** The role in which an agent is checked: its intended one, where the harness can be made to run it. */
export function usualRole({ oracle, fields }: Harness, agent: Agent): Role {
  const mode = agent.fields.mode?.value ?? fields.mode?.default
  const wanted: Role = mode === 'primary' ? 'main' : 'child'
  const other: Role = wanted === 'main' ? 'child' : 'main'
  return (oracle?.[wanted] ?? null) === null ? other : wanted
}
