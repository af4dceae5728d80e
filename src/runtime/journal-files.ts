/**
 * The files of the journal: `journal.jsonl`, and after it `journal.2.jsonl` and so on. Each later one begins with a snapshot
 * of what came before it, so the last one is all that is needed to go on; the earlier ones are the history.
 */
import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { limits } from '../model/limits.ts'
import { readRegular } from '../project/regular-file.ts'
import type { JournalRecord } from '../workplace/records.ts'
import { type JournalText, parseJournal } from './journal-text.ts'

export interface JournalFile {
  readonly number: number
  readonly path: string
}

/** `path`: that of the first one. In order; the first one alone where there is none yet. */
export function journalFiles(path: string): JournalFile[] {
  const first = { number: 1, path }
  const stem = basename(path, '.jsonl')
  let names: string[]
  try {
    names = readdirSync(dirname(path))
  } catch {
    return [first]
  }
  const found = names.flatMap((name): JournalFile[] => {
    if (name === basename(path)) return [first]
    if (!name.startsWith(`${stem}.`)) return []
    const number = Number(/^([1-9]\d*)\.jsonl$/.exec(name.slice(stem.length + 1))?.[1] ?? 0)
    return number > 1 ? [{ number, path: join(dirname(path), name) }] : []
  })
  return found.length === 0 ? [first] : found.sort((a, b) => a.number - b.number)
}

export function lastJournalFile(path: string): JournalFile {
  return journalFiles(path).at(-1) ?? { number: 1, path }
}

export function nextJournalFile(path: string, { number }: JournalFile): JournalFile {
  return { number: number + 1, path: path.replace(/(\.jsonl)?$/, `.${number + 1}.jsonl`) }
}

/** What is needed to know how things are; an empty text where there is no journal. */
export function readJournal(path: string): JournalText {
  return readJournalFile(lastJournalFile(path).path)
}

/** `until`: batches from that number on do not count. */
export function readJournalFile(path: string, until?: number): JournalText {
  try {
    return parseJournal(readRegular(path, { most: limits.journal }), 0, until)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return parseJournal(Buffer.alloc(0))
    throw error
  }
}

/** Everything that ever happened; a snapshot stands for what is no longer there. */
export function* readHistory(path: string): Generator<JournalRecord> {
  let isFirst = true
  for (const file of journalFiles(path)) {
    for (const record of readJournalFile(file.path).records)
      if (isFirst || (record.t !== 'open' && record.t !== 'snapshot')) yield record
    isFirst = false
  }
}
