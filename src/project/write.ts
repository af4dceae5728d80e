/** Writes files whole or not at all: into a temporary file beside the target, then renamed over it. */
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, isAbsolute, relative, resolve } from 'node:path'

export type WriteResult = { readonly written: true } | { readonly written: false; readonly why: string }

/** Replaces an existing file; a link stays a link and its target is written, unless links lead out of the project. */
export function replaceFile(path: string, bytes: Uint8Array, projectRoot: string): WriteResult {
  let temporary: string | null = null
  try {
    const target = realpathSync(path)
    const root = realpathSync(projectRoot)
    if (!isOutside(projectRoot, path) && isOutside(root, target)) {
      return { written: false, why: 'a link leads from it to a file outside the project' }
    }
    temporary = `${target}.troupe-${process.pid}`
    writeNewFile(temporary, bytes, { mode: statSync(target).mode & 0o7777, durable: true })
    renameSync(temporary, target)
  } catch (error) {
    if (temporary !== null) rmSync(temporary, { force: true })
    const { code, message } = error as NodeJS.ErrnoException
    return { written: false, why: code === 'EACCES' ? 'permission denied' : (code ?? message) }
  }
  return { written: true }
}

export interface NewFile {
  /** Null: as the system gives it to new files. */
  readonly mode: number | null
  /** Whether it must be on the disk, not only on its way there. */
  readonly durable: boolean
}

/** Fails where a file is already; what could not be finished is left for the caller to remove. */
export function writeNewFile(path: string, bytes: Uint8Array, { mode, durable }: NewFile): void {
  const file = openSync(path, 'wx', mode === null ? 0o666 : 0o600)
  try {
    if (mode !== null) fchmodSync(file, mode)
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
    if (durable) fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Makes a folder and those above it. Node's own `recursive` never ends where the system refuses with ENOENT, as below /proc. */
export function makeFolders(folder: string): void {
  const missing: string[] = []
  for (let at = resolve(folder); !isFolder(at); at = dirname(at)) missing.push(at)
  for (const one of missing.reverse()) {
    try {
      mkdirSync(one)
    } catch (error) {
      // Another process was quicker.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(one)) throw error
    }
  }
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}

export function isOutside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way.startsWith('..') || isAbsolute(way)
}
