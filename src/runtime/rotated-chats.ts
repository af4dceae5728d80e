/** Files that were chat.md once: whoever rotates it gives it another name, perhaps several times while nobody reads. */
import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Places } from './places.ts'

export interface Held {
  readonly file: number
  readonly inode: number
}

/** As much as is compared to know a copy. */
const COMPARED = 1024 * 1024

/** The file of that number under the name it has now; null where it is gone. */
export function findByInode({ folder }: Pick<Places, 'folder'>, inode: number): Held | null {
  for (const path of rotatedIn(folder)) {
    if (statSync(path, { throwIfNoEntry: false })?.ino === inode) return { file: openSync(path, 'r'), inode }
  }
  return null
}

/**
 * The next one after `held` that was made and rotated away before the present chat.md was made: nobody has read it. A copy
 * that somebody made of the chat is no part of it.
 */
export function findMissed({ folder, chat }: Pick<Places, 'folder' | 'chat'>, held: Held): Held | null {
  const from = fstatSync(held.file, { bigint: true }).birthtimeNs
  const until = statSync(chat, { throwIfNoEntry: false, bigint: true })
  const found = rotatedIn(folder)
    .map((path) => ({ path, stat: statSync(path, { throwIfNoEntry: false, bigint: true }) }))
    .filter(({ stat }) => stat?.isFile() && stat.ino !== BigInt(held.inode) && stat.ino !== until?.ino)
    .map(({ path, stat }) => ({ path, inode: Number(stat?.ino ?? 0n), birth: stat?.birthtimeNs ?? 0n }))
    .filter(({ birth }) => birth > from && (until === undefined || birth < until.birthtimeNs))
    .sort((a, b) => (a.birth < b.birth ? -1 : 1))
  for (const { path, inode } of found) {
    const file = openSync(path, 'r')
    if (!isCopy(file, held.file)) return { file, inode }
    closeSync(file)
  }
  return null
}

function rotatedIn(folder: string): string[] {
  return [folder, join(folder, 'memory')].flatMap((place) =>
    namesIn(place)
      .filter((name) => /^chat.*\.md$/.test(name))
      .map((name) => join(place, name)),
  )
}

/** One begins with all of the other. */
function isCopy(one: number, other: number): boolean {
  const length = Math.min(fstatSync(one).size, fstatSync(other).size, COMPARED)
  return length > 0 && headOf(one, length).equals(headOf(other, length))
}

function headOf(file: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, 0))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
