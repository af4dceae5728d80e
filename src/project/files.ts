/** Reads files as text without ever failing: a file that cannot be read is a diagnostic. */
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Surroundings } from '../harness/prompt.ts'
import { catalogue, type Diagnostic, type DiagnosticCode, type Finding } from '../model/diagnostics.ts'
import { decode, type Encoding } from '../text/decode.ts'
import { contentHash } from './hash.ts'
import { expandPlace } from './roots.ts'

/** Thirteen times the largest agent that was ever seen; and more for files that hold whole collections. */
const LARGEST = 1024 * 1024
const LARGEST_COLLECTION = 64 * LARGEST
const COLLECTION = /\.(?:prs|jsonc?)$/

export interface TextFile {
  readonly text: string
  readonly encoding: Encoding
  readonly findings: readonly Finding[]
}

export interface HashedFile {
  readonly file: TextFile
  readonly hash: string
}

export type FileRead = { readonly file: TextFile } | { readonly problem: Diagnostic }

/** `shown` is the path as people should see it. */
export function readTextFile(path: string, shown: string): FileRead {
  const read = readBytes(path, shown)
  return 'bytes' in read ? { file: decode(read.bytes) } : read
}

/** The text with a fingerprint of what is on the disk. */
export function readHashedFile(path: string, shown: string): HashedFile | { readonly problem: Diagnostic } {
  const read = readBytes(path, shown)
  return 'bytes' in read ? hashedFile(read.bytes) : read
}

export function hashedFile(bytes: Buffer): HashedFile {
  return { file: decode(bytes), hash: contentHash(bytes) }
}

/** The fingerprint alone; null where the file cannot be read. */
export function hashFile(path: string): string | null {
  const read = readBytes(path, path)
  return 'bytes' in read ? contentHash(read.bytes) : null
}

/** One for all files: thousands of them would wait for a long time to be given back. */
let room = Buffer.allocUnsafe(64 * 1024)

/** What is read into it is good until the next file is read. */
export function passingRoom(size: number): Buffer {
  if (size > room.length) room = Buffer.allocUnsafe(Math.max(LARGEST, size))
  return room
}

/** The file as it is on the disk, in the room that is given to so many bytes. */
export function readBytes(
  path: string,
  shown: string,
  roomFor: (size: number) => Buffer = passingRoom,
): { readonly bytes: Buffer } | { readonly problem: Diagnostic } {
  let file: number | null = null
  try {
    // A pipe or a device would be waited for, perhaps for ever.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const stat = fstatSync(file)
    if (!stat.isFile()) return { problem: fileProblem('unreadable-file', shown, 'It is not a regular file.') }
    if (stat.size > (COLLECTION.test(path) ? LARGEST_COLLECTION : LARGEST)) {
      const megabytes = (stat.size / 1024 / 1024).toFixed(1)
      return { problem: fileProblem('file-too-large', shown, `The file has ${megabytes} MB and was not read.`) }
    }
    const bytes = roomFor(stat.size)
    let size = 0
    while (size < stat.size) {
      const more = readSync(file, bytes, size, stat.size - size, size)
      if (more === 0) break
      size += more
    }
    return { bytes: bytes.subarray(0, size) }
  } catch (error) {
    return { problem: fileProblem('unreadable-file', shown, `The file cannot be read (${reason(error)}).`) }
  } finally {
    if (file !== null) closeSync(file)
  }
}

const head = Buffer.allocUnsafe(4096)

/** The beginning of a file, where that is all that is wanted; null where it cannot be had. */
export function readHead(path: string): string | null {
  let file: number | null = null
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    return head.toString('utf8', 0, readSync(file, head, 0, head.length, 0))
  } catch {
    return null
  } finally {
    if (file !== null) closeSync(file)
  }
}

/** The text of a regular file of reasonable size, or null: for looking at what nobody asked about. */
export function readQuietly(path: string): string | null {
  const read = readTextFile(path, path)
  return 'file' in read ? read.file.text : null
}

/** With every link followed; null where that leads nowhere. */
export function realOf(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

/** A diagnostic about a file or folder as a whole. */
export function fileProblem(code: DiagnosticCode, path: string, message: string): Diagnostic {
  const entry: { severity: Diagnostic['severity']; hint?: string } = catalogue[code]
  const hint = entry.hint === undefined ? {} : { hint: entry.hint }
  return { code, severity: entry.severity, message, path, line: 1, column: 1, ...hint }
}

export function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied'
  if (code === 'ENOENT') return 'it does not exist'
  if (code === 'EISDIR') return 'it is a folder'
  if (code === 'ELOOP') return 'its symbolic links lead in a circle'
  return code ?? message
}

/** What a definition may refer to, found as the harness would find it: files from its own folder on, and variables. */
export function surroundingsOf(path: string): Surroundings {
  return {
    environment: (name) => process.env[name],
    readBeside: (reference) => {
      return readQuietly(resolve(dirname(path), expandPlace(reference)))
    },
  }
}
