/** Where a path below the root really leads: through links inside the root, never outside and never into git or Troupe's own files. */
import { existsSync, lstatSync, realpathSync, type Stats } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { LOCK } from '../lock.ts'
import { isOutside } from '../write.ts'

export interface Destination {
  /** Absolute, with every link followed. */
  readonly file: string
  /** The same below the root, with forward slashes. */
  readonly path: string
  readonly folder: Folder
  /** What is there, if anything. */
  readonly stat: Stats | undefined
  /** Whether the path as given is a link to the file. */
  readonly linked: boolean
}

export interface Folder {
  readonly file: string
  readonly parent: Folder | null
  exists: boolean
  /** What stands in a folder that this very run has made: nobody else has put anything there yet. */
  made?: Set<string>
}

export interface Atlas {
  /** With every link followed. */
  readonly root: string
  /** Null: it must not be written. */
  readonly locate: (path: string) => Destination | null
  readonly locateLock: () => Destination | null
  readonly below: (absolute: string) => string
}

/** Each folder is looked at once: nobody is expected to move folders about while Troupe writes. */
export function openAtlas(givenRoot: string): Atlas {
  const exists = existsSync(givenRoot)
  const root = exists ? realpathSync(givenRoot) : resolve(givenRoot)
  const base = root === '/' ? '' : root
  const folders = new Map<string, Folder | null>([['', { file: root, parent: null, exists }]])
  const below = (absolute: string) => absolute.slice(base.length + 1)

  const enter = (path: string): Folder | null => {
    const known = folders.get(path)
    if (known !== undefined) return known
    const cut = path.lastIndexOf('/')
    const parent = enter(path.slice(0, Math.max(0, cut)))
    const folder = parent === null ? null : step(parent, path.slice(cut + 1))
    folders.set(path, folder)
    return folder
  }

  const step = (parent: Folder, name: string): Folder | null => {
    const file = `${parent.file === '/' ? '' : parent.file}/${name}`
    const stat = parent.exists ? look(file) : undefined
    if (stat?.isSymbolicLink() !== true) return { file, parent, exists: stat !== undefined }
    const real = follow(file)
    return real === null ? null : { file: real, parent: null, exists: true }
  }

  /** A link to nowhere could come to lead anywhere, so it counts as leading outside. */
  const follow = (file: string): string | null => {
    try {
      const real = realpathSync(file)
      return isOutside(root, real) ? null : real
    } catch {
      return null
    }
  }

  const find = (path: string): Destination | null => {
    const cut = path.lastIndexOf('/')
    const folder = enter(path.slice(0, Math.max(0, cut)))
    if (folder === null) return null
    const file = `${folder.file === '/' ? '' : folder.file}/${path.slice(cut + 1)}`
    const isNew = folder.made?.has(file) === false
    const stat = folder.exists && !isNew ? look(file) : undefined
    if (stat?.isSymbolicLink() !== true) return { file, path: below(file), folder, stat, linked: false }
    const real = follow(file)
    if (real === null) return null
    const home = { file: dirname(real), parent: null, exists: true }
    return { file: real, path: below(real), folder: home, stat: look(real), linked: true }
  }

  return {
    root,
    below,
    locate: (path) => {
      if (!isPlain(path)) return null
      const found = find(path)
      return found === null || kept.test(found.path) ? null : found
    },
    locateLock: () => find(LOCK),
  }
}

/** What Troupe never writes as the output of anything. */
const kept = /(?:^|\/)\.git(?:\/|$)|^\.troupe(?:\/|$)|^troupe\.lock$/i

/** Relative, with forward slashes, and without any way up. */
function isPlain(path: string): boolean {
  return !/\0|(?:^|\/)\.{0,2}(?:\/|$)/.test(path)
}

/** Undefined also where looking fails: then writing fails too, and says why. */
export function look(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
