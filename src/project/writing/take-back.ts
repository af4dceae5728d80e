/** Takes back what a run changed: every file as it was before, but for those that somebody changed since. */

import { rmdirSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { exactHash } from '../hash.ts'
import { LOCK } from '../lock.ts'
import { readRegular } from '../regular-file.ts'
import { makeFolders } from '../write.ts'
import type { Atlas, Destination } from './destination.ts'
import { type Change, type History, type OldBytes, openOldBytes } from './history.ts'
import { type OwnFolder, putFile } from './own-folder.ts'
import { failureOf } from './problem.ts'

export interface TakenBack {
  readonly path: string
  /** Removed because it was not there before; restored to its old content; left as it is; or not possible. */
  readonly status: 'removed' | 'restored' | 'left' | 'failed'
  /** A sentence, for the last two. */
  readonly message?: string
  readonly code?: string | null
}

export interface TakeBackOptions {
  /** Also what was changed since. */
  readonly force: boolean
  readonly dryRun: boolean
}

/** What is as it should be already is passed over, so this can be broken off and done again. */
export function takeBack(atlas: Atlas, own: OwnFolder, history: History, options: TakeBackOptions): TakenBack[] {
  const old = openOldBytes(own.undo)
  const results: TakenBack[] = []
  try {
    // Removing comes first because it makes room; the lock comes last, as it does when writing.
    const changes = [...history.changes].sort((a, b) => rank(a) - rank(b))
    for (const [path, change] of changes) {
      // While something is still to be taken back, it is still ours.
      if (path === LOCK && results.some(({ status }) => status === 'failed')) continue
      const result = takeBackFile(atlas, own, old, path, change, options)
      if (result !== null) results.push(result)
    }
  } finally {
    old.close()
  }
  if (!options.dryRun) removeFolders(atlas, history.folders)
  return results
}

/** Whether nothing is left that could be tried again. */
export function isComplete(files: readonly TakenBack[]): boolean {
  return files.every(({ status }) => status === 'removed' || status === 'restored')
}

function rank([path, { before }]: readonly [string, Change]): number {
  return path === LOCK ? 2 : before === null ? 0 : 1
}

function takeBackFile(
  atlas: Atlas,
  own: OwnFolder,
  old: OldBytes,
  path: string,
  { before, hashes }: Change,
  { force, dryRun }: TakeBackOptions,
): TakenBack | null {
  const left = (why: string): TakenBack => ({ path, status: 'left', message: `Left as it is: ${why}.` })
  const destination = path === LOCK ? atlas.locateLock() : atlas.locate(path)
  if (destination === null || destination.path !== path) return left('a link leads elsewhere from there now')
  if (destination.stat?.isFile() === false) return left('something else stands there now')
  try {
    const current = destination.stat === undefined ? null : readRegular(destination.file)
    const wanted = before === null ? null : old.read(before)
    if (wanted === null ? current === null : current?.equals(wanted)) return null
    const asRunLeftIt = hashes.has(current === null ? null : exactHash(current))
    if (!asRunLeftIt && !force) return left(`it was ${current === null ? 'removed' : 'changed'} after the run`)
    if (!dryRun) restore(own, destination, wanted, before?.mode ?? null)
    return { path, status: wanted === null ? 'removed' : 'restored' }
  } catch (error) {
    return { path, status: 'failed', ...failureOf(before === null ? 'removed' : 'restored', error) }
  }
}

function restore(own: OwnFolder, { file, folder }: Destination, wanted: Uint8Array | null, mode: number | null): void {
  if (wanted === null) unlinkSync(file)
  else {
    if (!folder.exists) makeFolders(folder.file)
    putFile(own, file, wanted, { mode, durable: false })
  }
}

/** Inner ones first; those that hold something stay. */
function removeFolders(atlas: Atlas, folders: readonly string[]): void {
  for (const folder of [...folders].reverse()) {
    const destination = atlas.locate(folder)
    if (destination === null || destination.path !== folder) continue
    try {
      rmdirSync(join(atlas.root, folder))
    } catch {
      // It holds something, or is gone already.
    }
  }
}
