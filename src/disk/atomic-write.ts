/** Writes files whole or not at all: into a draft beside the file, which is then renamed over it. */
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { describeError } from './errors.ts'
import { isRunning, ownNamespace } from './processes.ts'
import { isInside } from './roots.ts'

export interface NewFileOptions {
  /** Null: the system's default for new files. */
  readonly mode: number | null
  /** Whether the file must survive a power cut once this returns. */
  readonly durable: boolean
}

interface AtomicWriteOptions {
  /** 'keep': the mode of the replaced file. */
  readonly mode?: NewFileOptions['mode'] | 'keep'
  readonly durable?: boolean
  /** Where the draft is created; absent: beside the file. */
  readonly draft?: string
}

/** Readers see the old file or the new one, complete. A link is replaced by a file. Throws the system's error. */
export function writeAtomically(
  path: string,
  content: string | Uint8Array,
  { mode = null, durable = false, draft: place }: AtomicWriteOptions = {},
): void {
  const options = { mode: mode === 'keep' ? modeOf(path) : mode, durable }
  if (place !== undefined) writeNewFile(place, content, options)
  const draft = place ?? writeDraft(path, content, options)
  try {
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
  if (durable) syncFolder(dirname(path))
}

function modeOf(path: string): number | null {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? null : stat.mode & 0o7777
}

type WriteResult = { readonly written: true } | { readonly written: false; readonly why: string }

/** Replaces an existing file; a link stays a link and its target is written, unless links lead out of the project. */
export function replaceFile(path: string, bytes: Uint8Array, projectRoot: string): WriteResult {
  try {
    const target = realpathSync(path)
    const root = realpathSync(projectRoot)
    if (isInside(projectRoot, path) && !isInside(root, target)) {
      return { written: false, why: 'it links to a file outside the project' }
    }
    writeAtomically(target, bytes, { mode: 'keep', durable: true })
  } catch (error) {
    return { written: false, why: describeError(error, 'writing') }
  }
  return { written: true }
}

/** Fails if a file or a link exists already; an incomplete file is removed. */
export function writeNewFile(path: string, content: string | Uint8Array, { mode, durable }: NewFileOptions): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const file = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode === null ? 0o666 : 0o600)
  try {
    if (mode !== null) fchmodSync(file, mode)
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
    if (durable) fsyncSync(file)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}

/** A short text in the space that a file has already, so also on a full disk. A removed file does not come back. */
export function overwriteInPlace(path: string, text: string): boolean {
  const { O_RDWR, O_NOFOLLOW = 0 } = constants
  try {
    const file = openSync(path, O_RDWR | O_NOFOLLOW)
    try {
      ftruncateSync(file, writeSync(file, text, 0))
    } finally {
      closeSync(file)
    }
    return true
  } catch {
    return false
  }
}

/** Numbers drafts, because a process may write several at a time. */
let drafts = 0
/** How many names left behind by a process with the same id are skipped at most. */
const MOST_TAKEN = 1000
/** How much of the file's name goes into the draft's: a name has 255 bytes at most. */
const NAME_PART = 40

/** A finished file beside `path`, for the caller to rename, link or remove. */
export function writeDraft(path: string, content: string | Uint8Array, options: NewFileOptions): string {
  for (let taken = 0; ; taken++) {
    const draft = draftPath(path)
    try {
      writeNewFile(draft, content, options)
      return draft
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || taken === MOST_TAKEN) throw error
    }
  }
}

/** A new one each time. */
export function draftPath(path: string): string {
  const name = `.${basename(path).slice(0, NAME_PART)}.troupe-${process.pid}-${draftNamespace()}-${++drafts}`
  return join(dirname(path), name)
}

/** A draft of a process that cannot be probed counts as abandoned after this time (ms). */
const ABANDONED_AFTER = 60 * 60 * 1000

/** Removes the drafts that killed processes left in a folder. */
export function removeAbandonedDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, pid, namespace] = /^\..*\.troupe-(\d+)-(\w+)-\d+$/.exec(name) ?? []
    if (pid === undefined) continue
    const path = join(folder, name)
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    const isAbandoned =
      namespace === draftNamespace() ? !isRunning({ pid: Number(pid), start: '-' }) : age > ABANDONED_AFTER
    if (isAbandoned) rmSync(path, { force: true })
  }
}

/** Process ids are meaningful only within their namespace. */
function draftNamespace(): string {
  return ownNamespace().replace(/\W/g, '') || '0'
}

/** A name is durable once its folder is synced. Some systems cannot do that; the file itself is safe. */
export function syncFolder(folder: string): void {
  try {
    const file = openSync(folder, 'r')
    try {
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  } catch {
    // The file is complete in either case.
  }
}

/** Creates a folder and its parents. Node's `recursive` never ends if the system reports ENOENT, as below /proc. */
export function makeFolders(folder: string): void {
  const missing: string[] = []
  for (let at = resolve(folder); !isFolder(at); at = dirname(at)) missing.push(at)
  for (const one of missing.reverse()) {
    try {
      mkdirSync(one)
    } catch (error) {
      // Another process was faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(one)) throw error
    }
  }
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}
