/** Real agent files, when they are at hand: they are for running against and never part of the repository. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = process.env.TROUPE_CORPUS ?? '../shared/corpus/files'

export const hasCorpus = existsSync(FOLDER)

export function corpusFiles(extension: string): { path: string; bytes: Uint8Array }[] {
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(extension))
    .sort()
    .map((path) => ({ path, bytes: new Uint8Array(readFileSync(join(FOLDER, path))) }))
}
