/** What this machine has read of sources that are unchanged since, so that they need not be read again. */

import { showPath } from '../../disk/roots.ts'
import type { Registry } from '../../harness/registry.ts'
import type { Carrier, Harness } from '../../harness/schema/harness.ts'
import type { BuildKey, LockEntry, LockFile } from '../../workbench/lock-file.ts'
import type { BuildCache } from '../build-cache.ts'
import { hasReadKey } from './cache-key.ts'

export interface UnchangedSource {
  readonly harness: Harness
  readonly carrier: Carrier
  /** The file's path in the lock file. */
  readonly source: string
  /** Of its one agent. */
  readonly name: string
  readonly hash: string
}

/** By absolute path; null: it must be read. */
export type FindUnchanged = (path: string) => UnchangedSource | null

export const nothingUnchanged: FindUnchanged = () => null

/** `reading`: the rules by which files are read now; under other rules a file may read differently. */
export function openUnchangedSources(
  registry: Registry,
  root: string,
  reading: string,
  owned: LockFile,
  memory: BuildCache,
): FindUnchanged {
  const bySource = new Map<string, ReadSource>()
  const below = showPath(root)
  // A lock file is part of the repository, and anyone can write to it.
  for (const [path, entry] of owned)
    if (isMade(entry) && hasReadKey(reading, entry.made.rules) && memory.hasMade(path, entry))
      bySource.set(entry.source, entry)
  for (const result of memory.results.all())
    if (hasReadKey(reading, result.made.rules)) bySource.set(result.source, result)
  const find: FindUnchanged = (path) => {
    const entry = bySource.get(below(path))
    if (entry === undefined) return null
    const harness = registry.byId(entry.from ?? '')
    const carrier = harness?.carriers.find(({ id }) => id === entry.made.carrier)
    const hash = memory.hashOf(path)
    if (harness === undefined || carrier === undefined || hash === null || hash !== entry.sourceHash) return null
    return { harness, carrier, source: entry.source, name: entry.made.agent, hash }
  }
  // Asked where files are looked for, and again where their agents are listed.
  const known = new Map<string, UnchangedSource | null>()
  return (path) => {
    let found = known.get(path)
    if (found === undefined) {
      found = find(path)
      known.set(path, found)
    }
    return found
  }
}

interface ReadSource extends Pick<LockEntry, 'from' | 'sourceHash'> {
  readonly source: string
  readonly made: BuildKey
}

function isMade(entry: LockEntry): entry is LockEntry & ReadSource {
  return entry.made !== undefined && entry.source !== null
}
