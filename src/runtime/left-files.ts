/** Rotated files that were read to their end: a program that has one open may still write to it. */
import { closeSync, fstatSync } from 'node:fs'
import type { Cursor, LeftFile } from '../workplace/records.ts'
import { anchorAt, beforeLastMessage, CHUNK, isContinued, linesIn, type ReadLine, readAt } from './chat-file.ts'
import type { Places } from './places.ts'
import { findFile, finish, type Held } from './rotated-chats.ts'

/** So many are looked at. */
const MOST = 2

/** The file has been read up to `offset`, and another one is read from now on. */
export function leave({ file, inode, born }: Held, cursor: Cursor, offset: number): Cursor {
  const next = finish(cursor, { inode, born })
  if (fstatSync(file).nlink === 0) return next
  const { generation, line, left = [] } = cursor
  const others = left.filter((one) => one.inode !== inode || one.born !== born)
  const here = { generation, inode, born, offset, line, anchor: anchorAt(file, offset) }
  return { ...next, left: [...others, here].slice(-MOST) }
}

/** Those that are open. */
export class LeftFiles {
  #open: { readonly file: Held | null; readonly id: string }[] = []

  /** Null where it is gone. */
  find(places: Pick<Places, 'folder' | 'chat'>, file: LeftFile): Held | null {
    const id = `${file.inode} ${file.born}`
    const known = this.#open.find((one) => one.id === id)
    if (known !== undefined) return known.file !== null && fstatSync(known.file.file).nlink > 0 ? known.file : null
    const found = findFile(places, file)
    this.#open.push({ file: found, id })
    for (const old of this.#open.splice(0, this.#open.length - MOST)) close(old.file)
    return found
  }

  close(): void {
    for (const { file } of this.#open.splice(0)) close(file)
  }
}

function close(held: Held | null): void {
  if (held !== null) closeSync(held.file)
}

/** Lines below what was read, and the place behind them; null: there are none, or it is not what was read. */
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
