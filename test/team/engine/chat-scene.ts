/** A chat.md with its reader, read as the orchestrator does it, under a clock that the test turns. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chatEnd, clearWariness } from '../../../src/team/engine/chat-cursor.ts'
import { ChatReader } from '../../../src/team/engine/chat-reader.ts'
import type { ChatCursor, HeldLines } from '../../../src/team/state/records.ts'

export interface ChatScene {
  readonly folder: string
  readonly chat: string
  /** What the journal says; a test may put it back, as a crash does. */
  cursor: ChatCursor
  readonly reader: ChatReader
  /** Lines that were not run, so far. */
  readonly held: HeldLines[]
  /** The texts of all lines that there are to be read: until nothing has come for seconds. */
  read(): string[]
  /** One look, and so many milliseconds later. */
  look(ms?: number): string[]
  /** The orchestrator is killed; the next one knows what is in the journal. */
  restart(): void
  close(): void
}

/** A line of the chat with that text. */
export const said = (...texts: string[]) => texts.map((text) => `[user-to-ada]: ${text}\n`).join('')

export function openChatScene(): ChatScene {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-chat-'))
  const chat = join(folder, 'chat.md')
  const chatLines = join(folder, 'chat-lines')
  writeFileSync(chat, '')
  let now = 0
  const open = () => new ChatReader({ folder, chat, chatLines }, () => now)
  let reader = open()
  const held: HeldLines[] = []
  const scene: ChatScene = {
    folder,
    chat,
    held,
    cursor: chatEnd({ folder, chat, chatLines }),
    get reader() {
      return reader
    },
    read: () => {
      const found: string[] = []
      for (let quiet = 0; quiet < 3; quiet++) {
        const before = scene.cursor
        found.push(...scene.look(1000))
        if (scene.cursor !== before) quiet = 0
      }
      return found
    },
    look: (ms = 0) => {
      const found: string[] = []
      for (;;) {
        const batch = reader.read(scene.cursor)
        if (batch === null) break
        found.push(...batch.lines.map(({ text }) => text.replace('[user-to-ada]: ', '')))
        held.push(...batch.held)
        scene.cursor = batch.aside === undefined ? clearWariness(batch.cursor, batch.lines) : batch.cursor
      }
      now += ms
      return found
    },
    restart: () => {
      reader.close()
      reader = open()
    },
    close: () => {
      reader.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return scene
}
