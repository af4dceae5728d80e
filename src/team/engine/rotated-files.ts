/** Former chat.md files: rotated or copied under other names, perhaps several times since the last read. */
import { closeSync, fstatSync, readdirSync, type Stats, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { openRegularFile } from '../../disk/read-file.ts'
import type { ChatCursor, FileId, LeftFile } from '../state/records.ts'
import { anchorAt, beforeLastMessage, CHUNK, isContinued, linesIn, type ReadLine, readAt } from './chat-file.ts'
import type { WorkplacePaths } from './paths.ts'

/** A file that is being read. */
export interface OpenChat {
  readonly file: number
  readonly inode: number
  readonly born: number
  /** Its name in the workplace's folder when it was opened. */
  readonly name: string
}

type ChatFolder = Pick<WorkplacePaths, 'folder' | 'chat'>

export function openChat({ folder }: ChatFolder, path: string): OpenChat {
  const file = openRegularFile(path)
  const { ino, birthtimeMs } = fstatSync(file)
  return { file, inode: ino, born: birthtimeMs, name: relative(folder, path) }
}

/** The file that was being read, under its current name; null if it is gone. */
export function findReadChat(places: ChatFolder, { inode, born }: Pick<ChatCursor, 'inode' | 'born'>): OpenChat | null {
  for (const path of chatsIn(places)) {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat?.ino === inode && stat.birthtimeMs === born) return tryOpenChat(places, path)
  }
  return null
}

/** Null if it was removed meanwhile, or is not readable. */
export function tryOpenChat(places: ChatFolder, path: string): OpenChat | null {
  try {
    return openChat(places, path)
  } catch {
    return null
  }
}

/** Editors keep the previous version under such names; that is not a rotation. */
export function isBackup(name: string): boolean {
  return /~$|\.(bak|orig)$/.test(name)
}

/** Its current name. */
export function currentNameOf(places: ChatFolder, { inode, name }: OpenChat): string {
  const path = chatsIn(places).find((path) => statSync(path, { throwIfNoEntry: false })?.ino === inode)
  return path === undefined ? name : relative(places.folder, path)
}

/** A copy of what was read, made before that was truncated: perhaps with unread lines. */
export function findChatCopy(places: ChatFolder, cursor: ChatCursor): OpenChat | null {
  if (cursor.offset === 0) return null
  let found: OpenChat | null = null
  for (const path of unreadRotations(places, cursor)) {
    const held = tryOpenChat(places, path)
    if (held === null) continue
    const isLonger = found === null || fstatSync(held.file).size > fstatSync(found.file).size
    if (isLonger && isContinued(held.file, cursor)) {
      if (found !== null) closeSync(found.file)
      found = held
    } else closeSync(held.file)
  }
  return found
}

/** This many checked files are identified by inode; others are older than these. */
const MOST_FINISHED = 64
/** How far a clock may be set back (ms). A file older than the last rotation by more than this was put there later. */
const SET_BACK = 24 * 60 * 60 * 1000

/** Rotated chats that may be unread, the oldest first. Files from before the last rotation are excluded. */
export function unreadRotations(places: ChatFolder, cursor: ChatCursor): string[] {
  const isFinished = finishedBy(cursor)
  return rotatedIn(places)
    .filter(({ stat }) => stat.ino !== cursor.inode || stat.birthtimeMs !== cursor.born)
    .filter(({ stat }) => !isFinished(stat.ino, stat.birthtimeMs))
    .sort((one, other) => one.stat.mtimeMs - other.stat.mtimeMs)
    .map(({ path }) => path)
}

/** What is recorded of rotated files once all existing ones were checked. */
export function allFinished(places: ChatFolder): Required<Pick<ChatCursor, 'rotated' | 'finished'>> {
  const stats = rotatedIn(places).map(({ stat }) => stat)
  const rotated = Math.max(0, ...stats.map(({ birthtimeMs }) => birthtimeMs))
  return { rotated, finished: newest(stats.map(({ ino, birthtimeMs }) => [ino, birthtimeMs])) }
}

/** Marks these files as checked, too. */
export function finish(cursor: ChatCursor, ...files: readonly Pick<OpenChat, 'inode' | 'born'>[]): ChatCursor {
  const { finished = [] } = cursor
  const others = files.filter(({ inode, born }) => !finished.some(([ino, made]) => ino === inode && made === born))
  return { ...cursor, finished: newest([...finished, ...others.map(({ inode, born }): FileId => [inode, born])]) }
}

function newest(files: readonly FileId[]): FileId[] {
  return [...files].sort(([, one], [, other]) => one - other).slice(-MOST_FINISHED)
}

function finishedBy({ rotated, finished, origin }: ChatCursor): (inode: number, born: number) => boolean {
  const isListed = (inode: number, born: number) =>
    finished?.some(([ino, made]) => ino === inode && made === born) ?? false
  return (inode, born) => isListed(inode, born) || (inode !== origin && born < oldestOf(rotated, finished))
}

/** Files created before this time were checked; journals of older versions have no list. */
function oldestOf(rotated: number, finished: ChatCursor['finished']): number {
  if (finished === undefined) return rotated
  return finished.length < MOST_FINISHED ? rotated - SET_BACK : (finished[0]?.[1] ?? 0)
}

/** Whether a whole file is the beginning of another one that was read: it is a copy. */
export function isCopy(places: ChatFolder, { file, inode }: OpenChat, cursor: ChatCursor): boolean {
  const { finished = [] } = cursor
  const isRead = (ino: number, born: number) =>
    ino === cursor.inode || finished.some(([one, made]) => one === ino && made === born)
  return chatsIn(places).some((path) => {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (!stat?.isFile() || stat.ino === inode || !isRead(stat.ino, stat.birthtimeMs)) return false
    const other = tryOpenChat(places, path)
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

function rotatedIn(places: ChatFolder): { readonly path: string; readonly stat: Stats }[] {
  const current = statSync(places.chat, { throwIfNoEntry: false })?.ino
  return chatsIn(places)
    .map((path) => ({ path, stat: statSync(path, { throwIfNoEntry: false }) }))
    .flatMap(({ path, stat }) => (stat?.isFile() && stat.ino !== current ? [{ path, stat }] : []))
}

/** `chat.1.md`, `chat-2026.md`, `chat.md.1`, `memory/chat.old.md`. */
function chatsIn({ folder }: ChatFolder): string[] {
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

/** How many left files are checked. */
const MOST = 2

/** The file has been read up to `offset`, and another one is read next. */
export function leave({ file, inode, born }: OpenChat, cursor: ChatCursor, offset: number): ChatCursor {
  const next = finish(cursor, { inode, born })
  if (fstatSync(file).nlink === 0) return next
  const { generation, line, left = [] } = cursor
  const others = left.filter((one) => one.inode !== inode || one.born !== born)
  const here = { generation, inode, born, offset, line, anchor: anchorAt(file, offset) }
  return { ...next, left: [...others, here].slice(-MOST) }
}

/** Those that are open. */
export class LeftFiles {
  #open: { readonly file: OpenChat | null; readonly id: string }[] = []

  /** Null if it is gone. */
  find(places: Pick<WorkplacePaths, 'folder' | 'chat'>, file: LeftFile): OpenChat | null {
    const id = `${file.inode} ${file.born}`
    const known = this.#open.find((one) => one.id === id)
    if (known !== undefined) return known.file !== null && fstatSync(known.file.file).nlink > 0 ? known.file : null
    const found = findReadChat(places, file)
    this.#open.push({ file: found, id })
    for (const old of this.#open.splice(0, this.#open.length - MOST)) close(old.file)
    return found
  }

  close(): void {
    for (const { file } of this.#open.splice(0)) close(file)
  }
}

function close(held: OpenChat | null): void {
  if (held !== null) closeSync(held.file)
}

/** Lines below what was read, and the position after them; null: there are none, or the file is another one. */
export function linesBelow(
  file: number,
  place: LeftFile,
): { readonly lines: readonly ReadLine[]; readonly place: Pick<LeftFile, 'offset' | 'line' | 'anchor'> } | null {
  const { size } = fstatSync(file)
  if (size <= place.offset || !isContinued(file, place)) return null
  const bytes = readAt(file, place.offset, Math.min(size - place.offset, CHUNK))
  const whole = bytes.lastIndexOf(10) + 1
  if (whole === 0) return null
  const last = place.offset + bytes.length < size ? beforeLastMessage(bytes, whole) : whole
  const lines = linesIn(bytes.subarray(0, last), place)
  const offset = place.offset + last
  return { lines, place: { offset, line: place.line + lines.length, anchor: anchorAt(file, offset) } }
}
