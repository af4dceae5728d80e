/** The performance itself: the harness loads the agents, and is each of them for a turn. */
import type { Role } from '../model/access.ts'
import { hashesOf, type Place } from './isolate.ts'
import { askEverything, type Loaded } from './loader.ts'
import { isThere, type Part } from './parts.ts'
import type { Runnable } from './perform.ts'
import { roleOf } from './roles.ts'
import { beChildren, beMains, type Turn } from './turns.ts'

export interface Stage {
  readonly loaded: Loaded
  readonly hashes: string
  readonly problems: readonly string[]
  /** Observed at first, with everything there: it does not start. */
  readonly refused: boolean
}

/** One definition can keep a harness from starting at all; then the others are looked at without it. */
export async function raise(runnable: Runnable, place: Place, parts: readonly Part[]): Promise<Stage> {
  const { title } = runnable.harness
  const hashes = hashesOf(
    place.project,
    parts.filter(({ predicted }) => predicted.loaded).map(({ agent, path }) => ({ name: agent.name, path })),
  )
  const ask = async () => withPlainPaths(await askEverything(runnable, place, hashes), place)
  const first = await ask()
  const culprits = parts.filter(({ predicted }) => predicted.refused)
  const problems: string[] = []
  if (first.trouble !== null) problems.push(`${title}: ${first.trouble}.`)
  if (first.refused && culprits.length === 0) {
    problems.push(
      `${title} does not start with these agents, which Troupe did not foresee: ${first.problems.join(' ')}`,
    )
  }
  if (!first.refused || culprits.length === 0) return { loaded: first, hashes, problems, refused: first.refused }
  for (const { path } of culprits) place.discard(path)
  const loaded = await ask()
  return { loaded: { ...loaded, problems: first.problems }, hashes, problems, refused: true }
}

/** Paths as in the project, and not as in its copy. */
function withPlainPaths(loaded: Loaded, { cwd, project }: Place): Loaded {
  const plain = (text: string) => text.replaceAll(`${cwd}/`, '').replaceAll(`${project}/`, '')
  return { ...loaded, problems: loaded.problems.map(plain) }
}

/** Every agent in the part that it is made for. */
export async function play(
  runnable: Runnable,
  place: Place,
  parts: readonly Part[],
  { loaded, hashes }: Stage,
  tell: (step: string) => void,
): Promise<Turn[]> {
  const ready = parts.filter((part) => isThere(runnable.harness, part, loaded))
  const cast: Record<Role, string[]> = { main: [], child: [] }
  for (const { agent, isTaken } of ready) if (!isTaken) cast[roleOf(runnable.harness, agent)].push(agent.name)
  const turns: Turn[] = []
  if (cast.child.length > 0) {
    tell(`being ${cast.child.length} of them, called by another agent`)
    turns.push(...(await beChildren(runnable, place, [...new Set(cast.child)], hashes)))
  }
  if (cast.main.length > 0) {
    tell(`being ${cast.main.length} of them as the main session`)
    turns.push(...(await beMains(runnable, place, [...new Set(cast.main)], hashes)))
  }
  return turns
}
