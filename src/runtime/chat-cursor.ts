/** Places in the chat: its beginning, its end, and whether a file still continues one. */
import { hash } from 'node:crypto'
import { closeSync } from 'node:fs'
import { openRegular } from '../project/regular-file.ts'
import { type ChatLine, mayStart } from '../workplace/chat.ts'
import type { Cursor } from '../workplace/records.ts'
import { anchorAt, isContinued, scanLines } from './chat-file.ts'
import { ChatMemory } from './chat-memory.ts'
import { notesIn } from './chat-notes.ts'
import type { Places } from './places.ts'
import { allFinished, type Held, openHeld } from './rotated-chats.ts'

export type ChatPlaces = Pick<Places, 'chat' | 'folder' | 'chatLines'>

export const startOfChat: Cursor = {
  generation: 0,
  inode: 0,
  born: 0,
  offset: 0,
  line: 0,
  anchor: { length: 0, hash: '' },
  memory: { size: 0, lines: 0 },
  rotated: 0,
}

/** A new line of somebody else's: what follows is no longer what was there before. */
export function trust(cursor: Cursor, lines: readonly ChatLine[]): Cursor {
  const { wary, ...trusted } = cursor
  return wary !== undefined && lines.some(({ text }) => mayStart(text)) ? trusted : cursor
}

/** As far as there is anything by now: what stands there already is history. */
export function endOfChat(places: ChatPlaces): Cursor {
  const looked = allFinished(places)
  let held: Held
  try {
    held = openHeld(places, places.chat)
  } catch {
    return { ...startOfChat, ...looked }
  }
  const memory = new ChatMemory(places.chatLines)
  try {
    const { inode, born, file } = held
    const found = scanLines(file)
    const { hashes, lines, length: offset } = found
    const kept = { size: memory.append(memory.size, hashes), lines: hashes.length }
    const anchor = anchorAt(file, offset)
    const notes = notesIn(found, hashes.length, offset)
    const place = { generation: 0, inode, born, offset, line: lines, anchor, memory: kept, ...looked }
    return notes === undefined ? place : { ...place, notes }
  } finally {
    closeSync(held.file)
    memory.close()
  }
}

/** The same line at the same place has the same id, also when it is read again after a crash. */
export function chatId(generation: number, end: number, line: string): string {
  return hash('sha256', `${generation}\n${end}\n${line}`, 'hex').slice(0, 16)
}

/** Whether the file at a path still holds what was read, where it was read. */
export function isContinuedChat(path: string, cursor: Cursor): boolean {
  const file = openRegular(path)
  try {
    return isContinued(file, cursor)
  } finally {
    closeSync(file)
  }
}
