/** Files by an absolute path whose last part may hold stars: all that recipes need. */
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { segmentPattern } from '../harness/glob.ts'

export function globSync(path: string): string[] {
  const folder = dirname(path)
  if (!existsSync(folder)) return []
  const pattern = segmentPattern(basename(path))
  return readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => join(folder, name))
}
