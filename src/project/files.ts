/** Reads files as text without ever failing: a file that cannot be read is a diagnostic. */
import { closeSync, readSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Surroundings } from '../harness/prompt.ts'
import { catalogue, type Diagnostic, type DiagnosticCode, type Finding } from '../model/diagnostics.ts'
import { limits } from '../model/limits.ts'
import { decode, type Encoding } from '../text/decode.ts'
import { contentHash } from './hash.ts'
import { NotRead, openRegular, readRegular } from './regular-file.ts'
import { expandPlace } from './roots.ts'

/** Files that may hold whole collections. */
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
  if (size > room.length) room = Buffer.allocUnsafe(Math.max(limits.file, size))
  return room
}

/** The file as it is on the disk, in the room that is given to so many bytes. */
export function readBytes(
  path: string,
  shown: string,
  roomFor: (size: number) => Buffer = passingRoom,
): { readonly bytes: Buffer } | { readonly problem: Diagnostic } {
  const most = COLLECTION.test(path) ? limits.collection : limits.file
  try {
    return { bytes: readRegular(path, { most, roomFor }) }
  } catch (error) {
    if (error instanceof NotRead && error.why === 'large') {
      const message = `The file has${error.message.slice('it has'.length)} and was not read.`
      return { problem: fileProblem('file-too-large', shown, message) }
    }
    if (error instanceof NotRead) return { problem: fileProblem('unreadable-file', shown, 'It is not a regular file.') }
    return { problem: fileProblem('unreadable-file', shown, `The file cannot be read (${reason(error)}).`) }
  }
}

const head = Buffer.allocUnsafe(4096)

/** The beginning of a file, where that is all that is wanted; null where it cannot be had. */
export function readHead(path: string): string | null {
  let file: number | null = null
  try {
    file = openRegular(path)
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
