/** `troupe undo` on the disk: undoes the last run in a root. */
import { existsSync, rmdirSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolders } from '../../disk/atomic-write.ts'
import { writeFailure } from '../../disk/errors.ts'
import { exactHash } from '../../disk/hash.ts'
import { readRegularFile } from '../../disk/read-file.ts'
import { LOCK_FILE } from '../../workbench/lock-file.ts'
import type { Destination, Destinations } from './destination.ts'
import {
  journalIn,
  type OldBytes,
  openOldBytes,
  type RecordedChange,
  type RunHistory,
  readRunHistory,
  removeRecord,
} from './history.ts'
import { awaitTurn, openRunFolder, placeFile, type RunRefusal, type TroupeFolder } from './troupe-folder.ts'

export interface Undone {
  /** The command whose run was undone. */
  readonly command: string
  /** False: that run was killed before it finished. */
  readonly finished: boolean
  readonly files: readonly UndoneFile[]
}

type UndoResult = { readonly undone: Undone | null } | { readonly refused: RunRefusal }

/** `undone: null`: there is nothing to undo. What was left or failed can be retried: it stays in the journal. */
export function undoLastRun(root: string, options: Partial<UndoOptions> = {}): UndoResult {
  const { force = false, dryRun = false } = options
  // Check first: where nothing was ever written, undo must not leave a trace either.
  const place = openRunFolder(root, null)
  if ('refused' in place || !existsSync(journalIn(place.own.undo))) return { undone: null }
  const workplace = dryRun ? place : openRunFolder(root, awaitTurn(root))
  if ('refused' in workplace) return workplace
  const { destinations, own, release } = workplace
  try {
    const history = readRunHistory(own.undo)
    if (history === null) return { undone: null }
    const files = undoChanges(destinations, own, history, { force, dryRun })
    if (!dryRun && isFullyUndone(files)) removeRecord(own.undo)
    const isNothing = files.length === 0 && history.lines.length === 0
    return { undone: isNothing ? null : { command: history.command, finished: history.done, files } }
  } finally {
    release()
  }
}

/** Undoes what a run changed: restores every file, except for those changed since. */
interface UndoneFile {
  readonly path: string
  /** Removed because it was not there before; restored to its old content; left as it is; or not possible. */
  readonly status: 'removed' | 'restored' | 'left' | 'failed'
  /** A sentence, for the last two. */
  readonly message?: string
  readonly code?: string | null
}

interface UndoOptions {
  /** Also undo what was changed since. */
  readonly force: boolean
  readonly dryRun: boolean
}

/** Files that are already restored are skipped, so this can be interrupted and repeated. */
export function undoChanges(
  destinations: Destinations,
  own: TroupeFolder,
  history: RunHistory,
  options: UndoOptions,
): UndoneFile[] {
  const old = openOldBytes(own.undo)
  const results: UndoneFile[] = []
  try {
    // Removing comes first because it frees space; the lock file comes last, as it does when writing.
    const changes = [...history.changes].sort((a, b) => rank(a) - rank(b))
    for (const [path, change] of changes) {
      // While something remains to be undone, it is still ours.
      if (path === LOCK_FILE && results.some(({ status }) => status === 'failed')) continue
      const result = undoFile(destinations, own, old, path, change, options)
      if (result !== null) results.push(result)
    }
  } finally {
    old.close()
  }
  if (!options.dryRun) removeFolders(destinations, history.folders)
  return results
}

/** Whether nothing is left to retry. */
export function isFullyUndone(files: readonly UndoneFile[]): boolean {
  return files.every(({ status }) => status === 'removed' || status === 'restored')
}

function rank([path, { before }]: readonly [string, RecordedChange]): number {
  return path === LOCK_FILE ? 2 : before === null ? 0 : 1
}

function undoFile(
  destinations: Destinations,
  own: TroupeFolder,
  old: OldBytes,
  path: string,
  { before, hashes }: RecordedChange,
  { force, dryRun }: UndoOptions,
): UndoneFile | null {
  const left = (why: string): UndoneFile => ({ path, status: 'left', message: `Left as it is: ${why}.` })
  const destination = path === LOCK_FILE ? destinations.locateLock() : destinations.locate(path)
  if (destination === null || destination.path !== path) return left('its path now leads through a link')
  if (destination.stat?.isFile() === false) return left('it is no longer a regular file')
  try {
    const current = destination.stat === undefined ? null : readRegularFile(destination.file)
    const wanted = before === null ? null : old.read(before)
    if (wanted === null ? current === null : current?.equals(wanted)) return null
    const asRunLeftIt = hashes.has(current === null ? null : exactHash(current))
    if (!asRunLeftIt && !force) return left(`it was ${current === null ? 'removed' : 'changed'} after the run`)
    if (!dryRun) restore(own, destination, wanted, before?.mode ?? null)
    return { path, status: wanted === null ? 'removed' : 'restored' }
  } catch (error) {
    return { path, status: 'failed', ...writeFailure(before === null ? 'removed' : 'restored', error) }
  }
}

function restore(
  own: TroupeFolder,
  { file, folder }: Destination,
  wanted: Uint8Array | null,
  mode: number | null,
): void {
  own.requireTurn()
  if (wanted === null) unlinkSync(file)
  else {
    if (!folder.exists) makeFolders(folder.file)
    placeFile(own, file, wanted, { mode, durable: false })
  }
}

/** Inner ones first; those that are not empty stay. */
function removeFolders(destinations: Destinations, folders: readonly string[]): void {
  for (const folder of [...folders].reverse()) {
    const destination = destinations.locate(folder)
    if (destination === null || destination.path !== folder) continue
    try {
      rmdirSync(join(destinations.root, folder))
    } catch {
      // It is not empty, or already gone.
    }
  }
}
