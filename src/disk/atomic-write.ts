/** Writes files whole or not at all: into a temporary file beside the target, then renamed over it. */
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ownIdentity } from './processes.ts'
import { isOutside } from './roots.ts'

type WriteResult = { readonly written: true } | { readonly written: false; readonly why: string }

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

export interface NewFileOptions {
  /** Null: as the system gives it to new files. */
  readonly mode: number | null
  /** Whether it must be on the disk, not only on its way there. */
  readonly durable: boolean
}

/** Fails where a file is already; what could not be finished is left for the caller to remove. */
export function writeNewFile(path: string, bytes: Uint8Array, { mode, durable }: NewFileOptions): void {
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

/** Files for others to read: whole at every moment, the old one or the new one. */
const DRAFT = '.draft-'

export function writeAtomically(path: string, text: string | Uint8Array): void {
  const draft = draftPathIn(dirname(path))
  try {
    writeFileSync(draft, text)
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** On the disk when it returns, also after a power cut. */
export function putSynced(path: string, bytes: Uint8Array): void {
  const draft = draftPathIn(dirname(path))
  try {
    writeFileSync(draft, bytes, { flush: true })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
  syncFolder(dirname(path))
}

/** A name is on the disk when its folder is. */
export function syncFolder(folder: string): void {
  const file = openSync(folder, 'r')
  try {
    fsyncSync(file)
  } catch {
    // Some systems cannot; the file itself is safe.
  } finally {
    closeSync(file)
  }
}

/** One at a time for each process, which its name tells. */
export function draftPathIn(folder: string): string {
  const { pid } = ownIdentity()
  return join(folder, `${DRAFT}${pid}-${ownSpace()}`)
}

/** A draft of a process that cannot be asked is believed to be forgotten after so long (ms). */
const ABANDONED_AFTER = 60 * 60 * 1000

/** What killed processes left behind. */
export function removeAbandonedDrafts(folder: string, isRunning: (pid: number) => boolean): void {
  for (const name of readdirSync(folder)) {
    const [, pid, space] = name.startsWith(DRAFT) ? (/^(\d+)-(\w+)$/.exec(name.slice(DRAFT.length)) ?? []) : []
    if (pid === undefined) continue
    const path = join(folder, name)
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (space === ownSpace() ? !isRunning(Number(pid)) : age > ABANDONED_AFTER) rmSync(path, { force: true })
  }
}

function ownSpace(): string {
  return ownIdentity().space.replace(/\W/g, '') || '0'
}
