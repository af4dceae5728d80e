/** The one way in which Troupe reads a file: a regular one, and not without end. No pipe is waited for, no device is read. */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { limits } from '../model/limits.ts'

/** Why a file that is there was not read. */
export class FileRefused extends Error {
  readonly why: 'no-file' | 'large'

  constructor(why: FileRefused['why'], message: string) {
    super(message)
    this.why = why
  }
}

/** Which bytes are wanted. */
export interface ReadLimit {
  /** At most so many. */
  readonly most?: number
  /** Of a file that has more, these are read; absent: such a file is refused. */
  readonly part?: 'start' | 'end'
}

export interface ReadOptions extends ReadLimit {
  /** Where the bytes are put; absent: into a buffer of their own. */
  readonly roomFor?: (size: number) => Buffer
}

/** Throws what the disk says, or `FileRefused`. */
export function readRegularFile(path: string, { roomFor = Buffer.allocUnsafe, ...limit }: ReadOptions = {}): Buffer {
  const file = openRegularFile(path)
  try {
    const { start, size } = wantedBytes(fstatSync(file), limit)
    const bytes = roomFor(size)
    let done = 0
    while (done < size) {
      const more = readSync(file, bytes, done, size - done, start + done)
      if (more === 0) break
      done += more
    }
    return bytes.subarray(0, done)
  } finally {
    closeSync(file)
  }
}

/** As text. */
export function readRegularText(path: string, options: ReadOptions = {}): string {
  return readRegularFile(path, options).toString('utf8')
}

/** The same, beside other work. */
export async function readRegularFileAsync(path: string, limit: ReadLimit = {}): Promise<Buffer> {
  const file = await open(path, READING)
  try {
    return await readWanted(file, requireRegular(await file.stat()), limit)
  } finally {
    await file.close()
  }
}

const READING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** Opens it for reading. A pipe or a device would be waited for, perhaps for ever. */
export function openRegularFile(path: string): number {
  const file = openSync(path, READING)
  try {
    requireRegular(fstatSync(file))
    return file
  } catch (error) {
    closeSync(file)
    throw error
  }
}

function requireRegular(stat: Stats): Stats {
  if (stat.isFile()) return stat
  if (stat.isDirectory()) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' })
  throw new FileRefused('no-file', 'it is not a regular file')
}

function wantedBytes(
  { size }: Stats,
  { most = limits.collection, part }: ReadLimit,
): { readonly start: number; readonly size: number } {
  if (size <= most) return { start: 0, size }
  if (part === undefined) throw new FileRefused('large', `it has ${(size / 1024 / 1024).toFixed(1)} MB`)
  return { start: part === 'start' ? 0 : size - most, size: most }
}

async function readWanted(file: FileHandle, stat: Stats, limit: ReadLimit): Promise<Buffer> {
  const { start, size } = wantedBytes(stat, limit)
  const bytes = Buffer.alloc(size)
  let done = 0
  while (done < size) {
    const { bytesRead } = await file.read(bytes, done, size - done, start + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return bytes.subarray(0, done)
}

/** More than this is not small (bytes). */
export const SMALL_FILE_LIMIT = 256 * 1024

/** Why a small file was not read. */
export type ReadFailure = 'away' | 'large' | 'no-file' | 'unreadable'
export type SmallFileRead<T> = { readonly value: T } | { readonly closed: ReadFailure }
export type SmallFileReader<T> = (path: string) => Promise<SmallFileRead<T>>

const MOST_KEPT = 1000

/** A way to read files of one kind again and again: what was made of one is kept for as long as the file stays as it is. */
export function smallFileReader<T>(make: (bytes: Buffer, path: string) => T): SmallFileReader<T> {
  const made = new Map<string, { readonly stamp: string; readonly value: T }>()
  const read = async (file: FileHandle, path: string): Promise<T> => {
    const stat = requireRegular(await file.stat())
    const stamp = [stat.dev, stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs].join()
    const known = made.get(path)
    if (known?.stamp === stamp) return known.value
    const value = make(await readWanted(file, stat, { most: SMALL_FILE_LIMIT }), path)
    if (made.size >= MOST_KEPT) made.clear()
    made.set(path, { stamp, value })
    return value
  }
  return async (path) => {
    try {
      const file = await open(path, READING)
      try {
        return { value: await read(file, path) }
      } finally {
        await file.close()
      }
    } catch (error) {
      return { closed: failureOf(error) }
    }
  }
}

function failureOf(error: unknown): ReadFailure {
  if (error instanceof FileRefused) return error.why
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' ? 'away' : code === 'EISDIR' ? 'no-file' : 'unreadable'
}
