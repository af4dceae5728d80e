/** Finds outputs that were edited by hand since they were written. */
import { join } from 'node:path'
import { matchPlace, type PlaceMatch } from '../harness/recognise/places.ts'
import { readHashedFile, type TextFile } from '../project/read-text.ts'
import type { LockEntry, LockFile } from '../workbench/lock-file.ts'
import { openBuildCache } from './build-cache.ts'
import type { ConversionRequest } from './convert/request.ts'

export interface HandEdit {
  /** Below the root. */
  readonly path: string
  readonly entry: LockEntry
  /** Null: its dialect is unknown. */
  readonly place: PlaceMatch | null
  readonly file: TextFile
}

/** Only those of the targets being built; entries of shared files are not included. */
export function findHandEdits({ out, command, targets, registry }: ConversionRequest, owned: LockFile): HandEdit[] {
  const wanted = new Set(targets.map(({ harness }) => harness.id))
  const memory = openBuildCache(out)
  const edits: HandEdit[] = []
  for (const [path, entry] of owned) {
    if (entry.by !== command || path.includes('#') || entry.to === null || !wanted.has(entry.to)) continue
    const file = join(out, path)
    if (memory.hashOf(file) === entry.hash) continue
    const read = readHashedFile(file, path)
    if ('problem' in read || read.hash === entry.hash) continue
    edits.push({ path, entry, place: matchPlace(registry, path), file: read.file })
  }
  return edits
}
