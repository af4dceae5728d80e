/** Reads files as text without ever throwing: a file that cannot be read is a diagnostic. */
import { dirname, join, resolve } from 'node:path'
import { describeError } from '../disk/errors.ts'
import { contentHash } from '../disk/hash.ts'
import { FileRefused, readRegularFile, readRegularText } from '../disk/read-file.ts'
import { expandPlace } from '../disk/roots.ts'
import { decode, type Encoding } from '../formats/decode.ts'
import type { Surroundings } from '../harness/read/prompt.ts'
import type { Registry } from '../harness/registry.ts'
import { type Diagnostic, type Finding, fileProblem } from '../model/findings.ts'
import { limits } from '../model/limits.ts'
import { type Candidate, type LoadedFile, readFileText } from '../workbench/file.ts'
import { LOCK_FILE, type LockFile, parseLock } from '../workbench/lock-file.ts'

/** Files that may hold whole collections. */
const COLLECTION = /\.(?:prs|jsonc?)$/

export interface TextFile {
  readonly text: string
  readonly encoding: Encoding
  readonly findings: readonly Finding[]
}

interface HashedFile {
  readonly file: TextFile
  readonly hash: string
}

type TextFileRead = { readonly file: TextFile } | { readonly problem: Diagnostic }

/** `shown` is the path as shown to people. */
export function readTextFile(path: string, shown: string): TextFileRead {
  const read = readBytes(path, shown)
  return 'bytes' in read ? { file: decode(read.bytes) } : read
}

/** The text with a hash of the bytes on disk. */
export function readHashedFile(path: string, shown: string): HashedFile | { readonly problem: Diagnostic } {
  const read = readBytes(path, shown)
  return 'bytes' in read ? hashedFile(read.bytes) : read
}

export function hashedFile(bytes: Buffer): HashedFile {
  return { file: decode(bytes), hash: contentHash(bytes) }
}

/** The hash alone; null where the file cannot be read. */
export function hashFile(path: string): string | null {
  const read = readBytes(path, path)
  return 'bytes' in read ? contentHash(read.bytes) : null
}

/** One buffer for all files: thousands of them would not be freed for a long time. */
let room = Buffer.allocUnsafe(64 * 1024)

/** Its contents are valid until the next file is read. */
export function sharedBuffer(size: number): Buffer {
  if (size > room.length) room = Buffer.allocUnsafe(Math.max(limits.file, size))
  return room
}

/** The bytes of the file, in the buffer that `roomFor` returns for their number. */
export function readBytes(
  path: string,
  shown: string,
  roomFor: (size: number) => Buffer = sharedBuffer,
): { readonly bytes: Buffer } | { readonly problem: Diagnostic } {
  const most = COLLECTION.test(path) ? limits.collection : limits.file
  try {
    return { bytes: readRegularFile(path, { most, roomFor }) }
  } catch (error) {
    if (error instanceof FileRefused && error.why === 'large') {
      const message = `The file has${error.message.slice('it has'.length)} and is not read.`
      return { problem: fileProblem('file-too-large', shown, message) }
    }
    if (error instanceof FileRefused)
      return { problem: fileProblem('unreadable-file', shown, 'It is not a regular file.') }
    return { problem: fileProblem('unreadable-file', shown, `The file cannot be read (${describeError(error)}).`) }
  }
}

const head = Buffer.allocUnsafe(4096)

/** The beginning of a file, where that is all that is needed; null where it cannot be read. */
export function readHead(path: string): string | null {
  try {
    return readRegularText(path, { most: head.length, part: 'start', roomFor: () => head })
  } catch {
    return null
  }
}

/** The text of a regular file of reasonable size, or null: for files that the user did not ask about. */
export function readTextOrNull(path: string): string | null {
  const read = readTextFile(path, path)
  return 'file' in read ? read.file.text : null
}

/** What a definition may refer to, resolved as the harness does: files relative to its own folder, and variables. */
export function surroundingsOnDisk(path: string): Surroundings {
  return {
    environment: (name) => process.env[name],
    readBeside: (reference) => {
      return readTextOrNull(resolve(dirname(path), expandPlace(reference)))
    },
  }
}

export function loadFile(
  registry: Registry,
  candidate: Candidate,
  path: string,
): LoadedFile | { readonly problem: Diagnostic } {
  const result = readTextFile(candidate.path, path)
  return 'problem' in result
    ? result
    : readFileText(registry, candidate, path, result.file, surroundingsOnDisk(candidate.path))
}

/** `troupe.lock`: which files are ours, by which command and from which source; committed, so it must merge well. */
interface LockRead {
  readonly lock: LockFile
  /** Null: there is no lock file, or it cannot be read. */
  readonly bytes: Buffer | null
  /** Then the lock file is ignored: no file counts as ours. */
  readonly problem?: Diagnostic
}

const nothing: LockFile = new Map()

export function readLockFile(root: string): LockRead {
  let bytes: Buffer
  try {
    bytes = readRegularFile(join(root, LOCK_FILE))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { lock: nothing, bytes: null }
    const problem = {
      ...fileProblem('unreadable-file', LOCK_FILE, `The lock file cannot be read (${describeError(error)}).`),
      hint: 'Remove it; `troupe build` writes a new one.',
    }
    return { lock: nothing, bytes: null, problem }
  }
  const parsed = parseLock(bytes.toString())
  return 'problem' in parsed ? { lock: nothing, bytes, problem: parsed.problem } : { lock: parsed.lock, bytes }
}
