/** Whether an output would be written over a source of the same run, by its name or through links. */
import { join } from 'node:path'
import { realOf } from '../files.ts'
import type { Enlisted } from './roster.ts'

/** `below`: paths below the root that is written to. */
export function sourceFinder(
  root: string,
  files: readonly Enlisted[],
  below: (path: string) => string,
): (path: string) => boolean {
  let names: Set<string> | null = null
  let real: Set<string | null> | null = null
  return (path) => {
    names ??= new Set(files.map(({ candidate }) => below(candidate.path)))
    if (names.has(path)) return true
    const file = realOf(join(root, path))
    // Where no link is on the way, the name is all there is to compare.
    if (file === null || file === join(realOf(root) ?? root, path)) return false
    real ??= new Set(files.map(({ candidate }) => realOf(candidate.path)))
    return real.has(file)
  }
}
