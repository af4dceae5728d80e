/** Which files of a project are outputs of Troupe, and of what they were made. */
import type { Carrier } from '../harness/schema/harness.ts'
import { type Lock, type LockEntry, partKey, splitKey } from './lock.ts'

/** The source of what stands at a place below the root; null: it is no output. */
export type OutputOf = (place: string) => string | null

/** `sources`: what the project builds from, below its root; an output of a conversion can be one of them. */
export function outputsIn(lock: Lock, sources: readonly string[]): OutputOf {
  const isSource = (path: string) => sources.some((one) => one === '.' || path === one || path.startsWith(`${one}/`))
  const isOutput = (place: string, { by, source }: LockEntry) =>
    source !== null && (!isSource(splitKey(place)?.file ?? place) || (by === 'build' && isSource(source)))
  return (place) => {
    const entry = lock.get(place)
    return entry !== undefined && isOutput(place, entry) ? entry.source : null
  }
}

/** What the lock knows an agent by: its file, or its place in one that holds several. */
export function placeInLock(path: string, { agents }: Carrier, name: string): string {
  if (agents === undefined) return path
  return partKey(path, [...agents.at.split('.').filter((step) => step !== ''), name])
}
