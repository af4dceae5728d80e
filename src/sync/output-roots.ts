/** Where the outputs of a build go: the project, another folder, or a harness's user folder. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Target } from '../convert/plan.ts'
import { isInside } from '../disk/roots.ts'
import { readLockFile } from '../project/read-text.ts'
import type { TroupeFile } from '../project/troupe-file.ts'
import type { LockEntry } from '../workbench/lock-file.ts'

export interface OutputRoot {
  /** The root that is written below. */
  readonly out: string
  /** As `troupe.yaml` says it; null: the project itself. */
  readonly said: string | null
  readonly targets: readonly Target[]
}

/** Null where a harness has no such place. */
export function outputRootsOf(
  root: string,
  { targets, outs }: Pick<TroupeFile, 'targets' | 'outs'>,
  findTarget: (word: string) => Target,
): { readonly destinations: readonly OutputRoot[]; readonly problem: string | null } {
  const groups = new Map<string, { said: string | null; targets: Target[] }>()
  for (const word of targets) {
    const said = outs.get(word) ?? null
    const target = findTarget(word)
    const isHome = said === '~' || said === '~/'
    const placed = isHome ? forUser(target) : target
    if (placed === null)
      return { destinations: [], problem: `${target.harness.title} has no place for agents of all projects.` }
    const out = isHome ? homedir() : resolve(root, (said ?? '.').replace(/^~(?=\/)/, homedir()))
    const group = groups.get(out) ?? { said, targets: [] }
    group.targets.push(placed)
    groups.set(out, group)
  }
  return { destinations: [...groups].map(([out, group]) => ({ out, ...group })), problem: null }
}

/** What earlier builds of this project left in the home, where it is no destination any more: nothing is wanted there. */
export function formerOutputRoots(root: string, destinations: readonly OutputRoot[]): OutputRoot[] {
  const home = homedir()
  if (home === root || destinations.some(({ out }) => out === home)) return []
  const isOurs = ({ by, source }: LockEntry) => by === 'build' && source !== null && isInside(root, join(home, source))
  return [...readLockFile(home).lock.values()].some(isOurs) ? [{ out: home, said: '~', targets: [] }] : []
}

/** The same kind of file at its place in a home. */
function forUser({ harness, carrier }: Target): Target | null {
  const write = carrier.user?.write?.replace(/^~\//, '')
  if (write === undefined || carrier.project === undefined) return null
  return { harness, carrier: { ...carrier, project: { ...carrier.project, write } } }
}
