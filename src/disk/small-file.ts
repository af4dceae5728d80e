/** Reads small regular files and nothing else: no pipe is waited for, no device is opened, no giant is loaded. */
import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, readdir, realpath } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { decode } from '../formats/decode.ts'

export const SMALL_FILE_LIMIT = 256 * 1024

/** Null where there is nothing to read. `from: 'end'`: of a long file its end. */
export async function readSmallFile(path: string, from: 'whole' | 'end' = 'whole'): Promise<string | null> {
  const read = await withFile(path, async (file, stat) => {
    return from === 'whole' && stat.size > SMALL_FILE_LIMIT ? { closed: 'large' } : { value: await textOf(file, stat) }
  })
  return 'value' in read ? read.value : null
}

/** Why a file was not read. */
export type ReadFailure = 'away' | 'large' | 'no-file' | 'unreadable'
export type SmallFileRead<T> = { readonly value: T } | { readonly closed: ReadFailure }

/** A way to read files of one kind: what was made of one is kept for as long as the file stays as it is. */
export function smallFileReader<T>(
  make: (text: string, path: string) => T,
  most = SMALL_FILE_LIMIT,
): SmallFileReader<T> {
  const made = new Map<string, { readonly stamp: string; readonly value: T }>()
  return (path) =>
    withFile<T>(path, async (file, stat) => {
      if (stat.size > most) return { closed: 'large' }
      const stamp = [stat.dev, stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs].join()
      const known = made.get(path)
      if (known?.stamp === stamp) return { value: known.value }
      const value = make(await textOf(file, stat), path)
      if (made.size >= MOST_KEPT) made.clear()
      made.set(path, { stamp, value })
      return { value }
    })
}

export type SmallFileReader<T> = (path: string) => Promise<SmallFileRead<T>>

const MOST_KEPT = 1000

async function withFile<T>(
  path: string,
  read: (file: FileHandle, stat: Stats) => Promise<SmallFileRead<T>>,
): Promise<SmallFileRead<T>> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stat = await file.stat()
      return stat.isFile() ? await read(file, stat) : { closed: 'no-file' }
    } finally {
      await file.close()
    }
  } catch (error) {
    return { closed: (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'away' : 'unreadable' }
  }
}

/** All of it, or the end of it where it is long. */
async function textOf(file: FileHandle, stat: Stats): Promise<string> {
  const size = Math.min(stat.size, SMALL_FILE_LIMIT)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, stat.size - size)
  return decode(buffer.subarray(0, bytesRead)).text
}

export interface MarkdownFolder {
  /** Names, in their order. */
  readonly names: readonly string[]
  /** Links that lead out of the project: their files belong to somebody else, and a prompt goes far. */
  readonly outside: readonly string[]
  /** How many more there are than anybody reads. */
  readonly more: number
}

const nothing: MarkdownFolder = { names: [], outside: [], more: 0 }

/** The Markdown files in a folder, none where there is no such folder. `root`: the project that they must lie in. */
export async function listMarkdown(folder: string, most: number, root: string | null): Promise<MarkdownFolder> {
  try {
    const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => name.endsWith('.md'))
    const all = entries.map(({ name }) => name).sort()
    if (root !== null && all.length > 0 && (await resolveInside(root, folder)) === null)
      return { ...nothing, outside: all }
    const links = root === null ? [] : entries.filter((entry) => entry.isSymbolicLink())
    const ends = await Promise.all(
      links.map(async ({ name }) => [name, await leadsOut(root ?? '', join(folder, name))]),
    )
    const outside = new Set(ends.flatMap(([name, isOut]) => (isOut ? [name] : [])))
    const inside = all.filter((name) => !outside.has(name))
    return {
      names: inside.slice(0, most),
      outside: all.filter((name) => outside.has(name)),
      more: Math.max(0, inside.length - most),
    }
  } catch {
    return nothing
  }
}

/** A link that leads nowhere leads nowhere bad. */
async function leadsOut(root: string, path: string): Promise<boolean> {
  const isThere = await realpath(path).then(
    () => true,
    () => false,
  )
  return isThere && (await resolveInside(root, path)) === null
}

/** The real place of a file below a folder; null where it is not there, or where a link or `..` leads outside. */
export async function resolveInside(folder: string, path: string): Promise<string | null> {
  try {
    const [root, real] = await Promise.all([realpath(folder), realpath(resolve(folder, path))])
    const way = relative(root, real)
    return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? null : real
  } catch {
    return null
  }
}
