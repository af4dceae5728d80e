/** The one way in which Troupe reads a file: a regular one, and not without end. No pipe is waited for, no device is read. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { limits } from '../model/limits.ts'

/** Why a file that is there was not read. */
export class FileRefused extends Error {
  readonly why: 'no-file' | 'large'

  constructor(why: FileRefused['why'], message: string) {
    super(message)
    this.why = why
  }
}

export interface ReadOptions {
  /** The most bytes it may have. */
  readonly most?: number
  /** Where the bytes are put; absent: into a room of their own. */
  readonly roomFor?: (size: number) => Buffer
}

/** Throws what the disk says, or `NotRead`. */
export function readRegularFile(path: string, { most = limits.collection, roomFor = own }: ReadOptions = {}): Buffer {
  const file = openRegularFile(path)
  try {
    const stat = fstatSync(file)
    if (stat.size > most) throw new FileRefused('large', `it has ${(stat.size / 1024 / 1024).toFixed(1)} MB`)
    const bytes = roomFor(stat.size)
    let size = 0
    while (size < stat.size) {
      const more = readSync(file, bytes, size, stat.size - size, size)
      if (more === 0) break
      size += more
    }
    return bytes.subarray(0, size)
  } finally {
    closeSync(file)
  }
}

/** As text. */
export function readRegularText(path: string, options: ReadOptions = {}): string {
  return readRegularFile(path, options).toString('utf8')
}

/** Opens it for reading. A pipe or a device would be waited for, perhaps for ever. */
export function openRegularFile(path: string): number {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  const stat = fstatSync(file)
  if (stat.isFile()) return file
  closeSync(file)
  if (stat.isDirectory()) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' })
  throw new FileRefused('no-file', 'it is not a regular file')
}

function own(size: number): Buffer {
  return Buffer.allocUnsafe(size)
}
