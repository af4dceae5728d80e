/** Opens the journal for writing, and says who writes from now on. Only for whoever holds the lock. */
import { mkdirSync } from 'node:fs'
import type { JournalRecord } from '../workplace/records.ts'
import { FORMAT } from '../workplace/records.ts'
import { endOfChat } from './chat-cursor.ts'
import { ownChatLines } from './chat-memory.ts'
import { Engine, type Setting } from './engine.ts'
import { thisIdentity } from './identity.ts'
import { Fenced } from './journal-file.ts'
import type { HeldLock } from './lock.ts'
import { openJournal } from './open-journal.ts'

export function openEngine(
  setting: Setting,
  lock: HeldLock,
  told: (records: readonly JournalRecord[]) => void,
): Engine {
  const { places, config } = setting
  const chatPlaces = { ...places, chatLines: ownChatLines(places, lock.number) }
  for (const folder of [places.run, places.inbox, places.claims, places.runs]) mkdirSync(folder, { recursive: true })
  for (;;) {
    const opened = openJournal(places.journal, config.uuid)
    const engine = new Engine(setting, lock, opened, told)
    const { at } = engine
    if (opened.journal.next === 0)
      engine.stage({ t: 'open', format: FORMAT, uuid: config.uuid, at }, { t: 'read', cursor: endOfChat(chatPlaces) })
    engine.stage({ t: 'epoch', at, ...thisIdentity() })
    try {
      engine.flush()
      return engine
    } catch (error) {
      // One that has just lost the lock has had the last word: it is read, and nothing can follow it.
      engine.close()
      if (!(error instanceof Fenced) || !lock.holds()) throw error
    }
  }
}
