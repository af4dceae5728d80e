/** Files that were chat.md once: rotated under another name or copied, perhaps several times while nobody read. */
import { closeSync, fstatSync, readdirSync, type Stats, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { openRegular } from '../project/regular-file.ts'
import type { Cursor, FileId } from '../workplace/records.ts'
import { CHUNK, isContinued, readAt } from './chat-file.ts'
import type { Places } from './places.ts'

/** A file that is being read. */
export interface Held {
  readonly file: number
  readonly inode: number
  readonly born: number
  /** Its name in the folder of the workplace when it was opened. */
  readonly name: string
}

type Folder = Pick<Places, 'folder' | 'chat'>

export function openHeld({ folder }: Folder, path: string): Held {
  const file = openRegular(path)
  const { ino, birthtimeMs } = fstatSync(file)
  return { file, inode: ino, born: birthtimeMs, name: relative(folder, path) }
}

/** The file that was being read, under the name it has now; null where it is gone. */
export function findFile(places: Folder, { inode, born }: Pick<Cursor, 'inode' | 'born'>): Held | null {
  for (const path of chatsIn(places)) {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat?.ino === inode && stat.birthtimeMs === born) return openQuietly(places, path)
  }
  return null
}

/** Null where it was removed meanwhile, or may not be read. */
export function openQuietly(places: Folder, path: string): Held | null {
  try {
    return openHeld(places, path)
  } catch {
    return null
  }
}

/** Editors keep what they have saved over under such names; that is no rotation. */
export function isBackup(name: string): boolean {
  return /~$|\.(bak|orig)$/.test(name)
}

/** What it is called now. */
export function nameOf(places: Folder, { inode, name }: Held): string {
  const path = chatsIn(places).find((path) => statSync(path, { throwIfNoEntry: false })?.ino === inode)
  return path === undefined ? name : relative(places.folder, path)
}

/** A copy of what was read, made before that was cut: perhaps with lines that nobody has read. */
export function findCopy(places: Folder, cursor: Cursor): Held | null {
  if (cursor.offset === 0) return null
  let found: Held | null = null
  for (const path of archives(places, cursor)) {
    const held = openQuietly(places, path)
    if (held === null) continue
    const isLonger = found === null || fstatSync(held.file).size > fstatSync(found.file).size
    if (isLonger && isContinued(held.file, cursor)) {
      if (found !== null) closeSync(found.file)
      found = held
    } else closeSync(held.file)
  }
  return found
}

/** So many files that were looked at are told from others by number; more are older than these. */
const MOST_FINISHED = 64
/** So far a clock is set back (ms). A file that is older than the last rotation by more was put there by somebody. */
const SET_BACK = 24 * 60 * 60 * 1000

/** Rotated chats that may not have been read, the oldest first. A file that was there before the last rotation is none. */
export function archives(places: Folder, cursor: Cursor): string[] {
  const isFinished = finishedBy(cursor)
  return rotatedIn(places)
    .filter(({ stat }) => stat.ino !== cursor.inode || stat.birthtimeMs !== cursor.born)
    .filter(({ stat }) => !isFinished(stat.ino, stat.birthtimeMs))
    .sort((one, other) => one.stat.mtimeMs - other.stat.mtimeMs)
    .map(({ path }) => path)
}

/** What is noted of rotated files when all that are there have been looked at. */
export function allFinished(places: Folder): Required<Pick<Cursor, 'rotated' | 'finished'>> {
  const stats = rotatedIn(places).map(({ stat }) => stat)
  const rotated = Math.max(0, ...stats.map(({ birthtimeMs }) => birthtimeMs))
  return { rotated, finished: newest(stats.map(({ ino, birthtimeMs }) => [ino, birthtimeMs])) }
}

/** These files were looked at, too. */
export function finish(cursor: Cursor, ...files: readonly Pick<Held, 'inode' | 'born'>[]): Cursor {
  const { finished = [] } = cursor
  const others = files.filter(({ inode, born }) => !finished.some(([ino, made]) => ino === inode && made === born))
  return { ...cursor, finished: newest([...finished, ...others.map(({ inode, born }): FileId => [inode, born])]) }
}

function newest(files: readonly FileId[]): FileId[] {
  return [...files].sort(([, one], [, other]) => one - other).slice(-MOST_FINISHED)
}

function finishedBy({ rotated, finished, origin }: Cursor): (inode: number, born: number) => boolean {
  const isListed = (inode: number, born: number) =>
    finished?.some(([ino, made]) => ino === inode && made === born) ?? false
  return (inode, born) => isListed(inode, born) || (inode !== origin && born < oldestOf(rotated, finished))
}

/** Files that were made before this moment were looked at; journals of older versions have no list. */
function oldestOf(rotated: number, finished: Cursor['finished']): number {
  if (finished === undefined) return rotated
  return finished.length < MOST_FINISHED ? rotated - SET_BACK : (finished[0]?.[1] ?? 0)
}

/** Whether all of a file is the beginning of another one that was read: somebody has made a copy of it. */
export function isCopy(places: Folder, { file, inode }: Held, cursor: Cursor): boolean {
  const { finished = [] } = cursor
  const isRead = (ino: number, born: number) =>
    ino === cursor.inode || finished.some(([one, made]) => one === ino && made === born)
  return chatsIn(places).some((path) => {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (!stat?.isFile() || stat.ino === inode || !isRead(stat.ino, stat.birthtimeMs)) return false
    const other = openQuietly(places, path)
    if (other === null) return false
    try {
      return beginsWith(other.file, file)
    } finally {
      closeSync(other.file)
    }
  })
}

function beginsWith(file: number, beginning: number): boolean {
  const { size } = fstatSync(beginning)
  for (let at = 0; at < size; at += CHUNK) {
    const length = Math.min(CHUNK, size - at)
    if (!readAt(file, at, length).equals(readAt(beginning, at, length))) return false
  }
  return true
}

function rotatedIn(places: Folder): { readonly path: string; readonly stat: Stats }[] {
  const current = statSync(places.chat, { throwIfNoEntry: false })?.ino
  return chatsIn(places)
    .map((path) => ({ path, stat: statSync(path, { throwIfNoEntry: false }) }))
    .flatMap(({ path, stat }) => (stat?.isFile() && stat.ino !== current ? [{ path, stat }] : []))
}

/** `chat.1.md`, `chat-2026.md`, `chat.md.1`, `memory/chat.old.md`. */
function chatsIn({ folder }: Folder): string[] {
  return [folder, join(folder, 'memory')].flatMap((place) =>
    namesIn(place)
      .filter((name) => /^chat.*\.md([.~-].*)?$/.test(name) && !/\.(gz|xz|bz2|zst)$/.test(name))
      .map((name) => join(place, name)),
  )
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
