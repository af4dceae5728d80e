/** Where a path below the root really leads: through links inside the root, never outside and never into git or Troupe's own files. */
import { existsSync, lstatSync, realpathSync, type Stats } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { contentHash } from '../../disk/hash.ts'
import { readRegularFile } from '../../disk/read-file.ts'
import { isInside, realPathOrNull } from '../../disk/roots.ts'
import { LOCK_FILE, type LockEntry } from '../../workbench/lock-file.ts'

export interface Destination {
  /** Absolute, with every link followed. */
  readonly file: string
  /** The same below the root, with forward slashes. */
  readonly path: string
  readonly folder: DestinationFolder
  /** What is there, if anything. */
  readonly stat: Stats | undefined
  /** Whether the path as given is a link to the file. */
  readonly linked: boolean
}

export interface DestinationFolder {
  readonly file: string
  readonly parent: DestinationFolder | null
  exists: boolean
  /** The entries of a folder that this run has created: no other program has put anything there yet. */
  made?: Set<string>
}

export interface Destinations {
  /** With every link followed. */
  readonly root: string
  /** Null: it must not be written. */
  readonly locate: (path: string) => Destination | null
  readonly locateLock: () => Destination | null
  readonly below: (absolute: string) => string
}

/** Each folder is checked once: folders are not expected to move while Troupe writes. */
export function openDestinations(givenRoot: string): Destinations {
  const exists = existsSync(givenRoot)
  const root = exists ? realpathSync(givenRoot) : resolve(givenRoot)
  const base = root === '/' ? '' : root
  const folders = new Map<string, DestinationFolder | null>([['', { file: root, parent: null, exists }]])
  const below = (absolute: string) => absolute.slice(base.length + 1)

  const enter = (path: string): DestinationFolder | null => {
    const known = folders.get(path)
    if (known !== undefined) return known
    const cut = path.lastIndexOf('/')
    const parent = enter(path.slice(0, Math.max(0, cut)))
    const folder = parent === null ? null : step(parent, path.slice(cut + 1))
    folders.set(path, folder)
    return folder
  }

  const step = (parent: DestinationFolder, name: string): DestinationFolder | null => {
    const file = `${parent.file === '/' ? '' : parent.file}/${name}`
    const stat = parent.exists ? statLink(file) : undefined
    if (stat?.isSymbolicLink() !== true) return { file, parent, exists: stat !== undefined }
    const real = follow(file)
    return real === null ? null : { file: real, parent: null, exists: true }
  }

  /** A dangling link could later lead anywhere, so it counts as leading outside. */
  const follow = (file: string): string | null => {
    const real = realPathOrNull(file)
    return real !== null && isInside(root, real) ? real : null
  }

  const find = (path: string): Destination | null => {
    const cut = path.lastIndexOf('/')
    const folder = enter(path.slice(0, Math.max(0, cut)))
    if (folder === null) return null
    const file = `${folder.file === '/' ? '' : folder.file}/${path.slice(cut + 1)}`
    const isNew = folder.made?.has(file) === false
    const stat = folder.exists && !isNew ? statLink(file) : undefined
    if (stat?.isSymbolicLink() !== true) return { file, path: below(file), folder, stat, linked: false }
    const real = follow(file)
    if (real === null) return null
    const home = { file: dirname(real), parent: null, exists: true }
    return { file: real, path: below(real), folder: home, stat: statLink(real), linked: true }
  }

  return {
    root,
    below,
    locate: (path) => {
      if (!isPlain(path)) return null
      const found = find(path)
      return found === null || reserved.test(found.path) ? null : found
    },
    locateLock: () => find(LOCK_FILE),
  }
}

/** What Troupe never writes as an output. */
const reserved = /(?:^|\/)\.git(?:\/|$)|^\.troupe(?:\/|$)|^troupe\.lock$/i

/** Relative, with forward slashes, and without `..`. */
function isPlain(path: string): boolean {
  return !/\0|(?:^|\/)\.{0,2}(?:\/|$)/.test(path)
}

/** Undefined also where lstat fails: then writing fails too, and reports why. */
export function statLink(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/**
 * Nothing; the same bytes; a file Troupe wrote; one it did not write; a path that leads outside the root or to nowhere;
 * a file Troupe wrote that was edited since.
 */
export type FileState = 'new' | 'same' | 'ours' | 'foreign' | 'outside' | 'hand-edited'

export interface InspectedFile {
  readonly state: FileState
  /** Null: it does not exist, or did not have to be read. */
  readonly before: Buffer | null
}

/** `bytes`: what is to be written, if anything. `owned`: the lock file entry of the path. */
export function inspectFile(
  destination: Destination | null,
  bytes: Uint8Array | null,
  owned: LockEntry | undefined,
): InspectedFile {
  if (destination === null) return { state: 'outside', before: null }
  const { stat } = destination
  if (stat === undefined) return { state: 'new', before: null }
  if (!stat.isFile()) return { state: 'foreign', before: null }
  // A file of another length that is not ours need not be read.
  if (owned === undefined && stat.size !== bytes?.length) return { state: 'foreign', before: null }
  let before: Buffer
  try {
    before = readRegularFile(destination.file)
  } catch {
    return { state: 'foreign', before: null }
  }
  if (bytes !== null && before.equals(bytes)) return { state: 'same', before }
  if (owned === undefined) return { state: 'foreign', before }
  return { state: contentHash(before) === owned.hash ? 'ours' : 'hand-edited', before }
}

/** Why a file must not be written or removed, as half a sentence; null: it may. */
export function whyForbidden(state: FileState, force: boolean | undefined): string | null {
  if (state === 'outside') return 'its path leads outside the folder, or to a place where Troupe writes no outputs'
  if (force === true) return null
  if (state === 'foreign') return 'the existing file was not written by Troupe'
  if (state === 'hand-edited') return 'it was edited by hand since Troupe wrote it'
  return null
}
