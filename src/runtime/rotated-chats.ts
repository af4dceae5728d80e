/** Files that were chat.md once: rotated under another name or copied, perhaps several times while nobody read. */
import { closeSync, fstatSync, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { openRegular } from '../project/regular-file.ts'
import type { Cursor } from '../workplace/records.ts'
import { isContinued } from './chat-file.ts'
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

/** Rotated chats that may not have been read, the oldest first. A file that was there before the last rotation is none. */
export function archives(places: Folder, { rotated, origin }: Cursor): string[] {
  const current = statSync(places.chat, { throwIfNoEntry: false })?.ino
  return chatsIn(places)
    .map((path) => ({ path, stat: statSync(path, { throwIfNoEntry: false }) }))
    .flatMap(({ path, stat }) => (stat?.isFile() && stat.ino !== current ? [{ path, stat }] : []))
    .filter(({ stat }) => stat.birthtimeMs >= rotated || stat.ino === origin)
    .sort((one, other) => one.stat.mtimeMs - other.stat.mtimeMs)
    .map(({ path }) => path)
}

/** The moment at which the newest of them was made. */
export function newestRotated(places: Folder): number {
  const current = statSync(places.chat, { throwIfNoEntry: false })?.ino
  const stats = chatsIn(places).map((path) => statSync(path, { throwIfNoEntry: false }))
  return Math.max(0, ...stats.map((stat) => (stat === undefined || stat.ino === current ? 0 : stat.birthtimeMs)))
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
