/** Files inside one folder, in the order in which harnesses come upon them: near ones before those in deeper folders. */
import { baseOf, expandBraces } from '../../harness/glob.ts'
import { findByGlob, type Show } from '../walk.ts'

export interface FoundFile {
  readonly path: string
  /** Below the folder that its kind of file lives in. */
  readonly relativePath: string
}

export function findFiles(folder: string, patterns: readonly string[], show: Show): FoundFile[] {
  const found = patterns.flatMap(expandBraces).flatMap((pattern) => {
    const base = [folder, baseOf(pattern)].filter((part) => part !== '').join('/')
    return findByGlob(folder, pattern, show).files.map((path) => ({ path, relativePath: path.slice(base.length + 1) }))
  })
  const depth = ({ path }: FoundFile) => path.split('/').length
  return found.sort((a, b) => depth(a) - depth(b))
}
