/** Reads regular files up to a limit, for all of Troupe. Pipes are not waited for, devices not read. */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { limits } from '../model/limits.ts'

/** Why an existing file was not read. */
export class FileRefused extends Error {
  readonly why: 'no-file' | 'large'

  constructor(why: FileRefused['why'], message: string) {
    super(message)
    this.why = why
  }
}

/** Which bytes are wanted. */
export interface ReadLimit {
  /** The maximum. */
  readonly most?: number
  /** Which part of a larger file is read; absent: such a file is refused. */
  readonly part?: 'start' | 'end'
}

export interface ReadOptions extends ReadLimit {
  /** Allocates the buffer; absent: a new buffer of its own. */
  readonly roomFor?: (size: number) => Buffer
}

/** Throws the system's error, or `FileRefused`. */
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

export function readRegularText(path: string, options: ReadOptions = {}): string {
  return readRegularFile(path, options).toString('utf8')
}

/** The same, asynchronously. */
export async function readRegularFileAsync(path: string, limit: ReadLimit = {}): Promise<Buffer> {
  const file = await open(path, READING)
  try {
    return await readWanted(file, requireRegular(await file.stat()), limit)
  } finally {
    await file.close()
  }
}

const READING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** Opens a file for reading. Opening a pipe or a device could block forever. */
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

/** The largest small file (bytes). */
export const SMALL_FILE_LIMIT = 256 * 1024

/** Why a small file was not read. */
export type ReadFailure = 'away' | 'large' | 'no-file' | 'unreadable'
export type SmallFileRead<T> = { readonly value: T } | { readonly closed: ReadFailure }
export type SmallFileReader<T> = (path: string) => Promise<SmallFileRead<T>>

const MOST_KEPT = 1000

/** Reads files of one kind repeatedly: the result for a file is cached for as long as the file is unchanged. */
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
