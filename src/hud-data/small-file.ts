/** Reads small regular files and nothing else: no pipe is waited for, no device is opened, no giant is loaded. */
import { constants } from 'node:fs'
import { open, readdir, realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve } from 'node:path'
import { decode } from '../text/decode.ts'

const LARGEST = 256 * 1024

/** Null where there is nothing to read. `from: 'end'`: of a long file its end. */
export async function readSmallFile(path: string, from: 'whole' | 'end' = 'whole'): Promise<string | null> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stat = await file.stat()
      if (!stat.isFile() || (from === 'whole' && stat.size > LARGEST)) return null
      const size = Math.min(stat.size, LARGEST)
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, stat.size - size)
      return decode(buffer.subarray(0, bytesRead)).text
    } finally {
      await file.close()
    }
  } catch {
    return null
  }
}

/** Names of Markdown files in a folder, in their order; none where there is no such folder. */
export async function markdownIn(folder: string, most: number): Promise<string[]> {
  try {
    const names = await readdir(folder)
    return names
      .filter((name) => name.endsWith('.md'))
      .sort()
      .slice(0, most)
  } catch {
    return []
  }
}

/** The real place of a file below a folder; null where it is not there, or where a link or `..` leads outside. */
export async function placeInside(folder: string, path: string): Promise<string | null> {
  try {
    const [root, real] = await Promise.all([realpath(folder), realpath(resolve(folder, path))])
    const way = relative(root, real)
    return isAbsolute(path) || way.startsWith('..') || isAbsolute(way) ? null : real
  } catch {
    return null
  }
}
