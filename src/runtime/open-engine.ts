/** Opens the journal for writing, and says who writes from now on. Only for whoever holds the lock. */
import { mkdirSync } from 'node:fs'
import { hostname } from 'node:os'
import type { JournalRecord } from '../workplace/records.ts'
import { emptyState, fold } from '../workplace/state.ts'
import { endOfChat } from './chat-reader.ts'
import { Engine, type Setting } from './engine.ts'
import { Journal, readJournal, requireFormat } from './journal-file.ts'
import { thisProcess } from './processes.ts'
import { putWhole } from './put-whole.ts'

export function openEngine(setting: Setting, told: (records: readonly JournalRecord[]) => void): Engine {
  const { places, config } = setting
  for (const folder of [places.run, places.inbox, places.claims, places.runs]) mkdirSync(folder, { recursive: true })
  const { records, length } = readJournal(places.journal)
  requireFormat(records)
  const engine = new Engine(setting, new Journal(places.journal, length), fold(records, emptyState()), told)
  const { at } = engine
  if (records.length === 0)
    engine.stage({ t: 'open', format: 1, uuid: config.uuid, at }, { t: 'read', cursor: endOfChat(places.chat) })
  engine.stage({ t: 'epoch', host: hostname(), at, ...thisProcess() })
  engine.flush()
  putWhole(places.owner, `${JSON.stringify({ ...thisProcess(), host: hostname() })}\n`)
  return engine
}
