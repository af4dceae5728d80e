/**
 * The journal as text: one numbered batch of records per line. A number is used once: a batch whose number is already taken
 * was written by a process that had lost the right to, and is ignored.
 */
import { JOURNAL_FORMAT, type JournalRecord } from '../state/records.ts'

/** It has content that this program must not touch. */
export class JournalUnusable extends Error {}

interface Batch {
  readonly n: number
  readonly records: readonly JournalRecord[]
}

/** Cut off by a full disk or a kill; or not ours. */
type JournalLine = Batch | 'cut' | 'strange'

export interface JournalText {
  readonly records: JournalRecord[]
  /** Bytes up to the end of the last complete line. */
  readonly length: number
  /** The number of the next batch. */
  readonly next: number
  /** Missing batches, and lines not written by us: a damaged disk, or another program. */
  readonly damaged: number
  /** The journal continues in the next file. */
  readonly isSealed: boolean
  /** The beginning of the text, of any kind; and the size of its first line in bytes. */
  readonly head: string
  readonly firstLine: number
}

const BATCH_START = '{"n":'

/** Ends a line that was cut off, so that no reader treats it as complete. */
export const TORN_LINE_END = '#\n'

export function batchLine(n: number, records: readonly JournalRecord[]): string {
  return `${BATCH_START}${n},"records":[${records.map((record) => JSON.stringify(record)).join(',')}]}\n`
}

/**
 * Text after the last line end was being written when the writer died. A line that was cut off earlier, by a full disk, is
 * skipped: a later line has the same number and content. `until`: numbers from there on do not count.
 */
export function parseJournal(bytes: Buffer, next = 0, until = Number.POSITIVE_INFINITY): JournalText {
  const length = bytes.lastIndexOf(10) + 1
  const text = {
    records: [] as JournalRecord[],
    length,
    next,
    damaged: 0,
    isSealed: false,
    head: '',
    firstLine: bytes.indexOf(10) + 1,
  }
  if (length === 0) return text
  text.head = bytes.toString('utf8', 0, Math.min(length, 400))
  const batches = parseBatches(bytes.toString('utf8', 0, length - 1))
  let isFirst = next === 0
  for (const [index, batch] of batches.entries()) {
    if (batch === 'cut' || (batch !== 'strange' && batch.n >= until)) continue
    const missing = batch === 'strange' ? 1 : batch.n - text.next
    // The first file begins with 0, a later one with its snapshot: nothing is missing before the first number.
    if (missing > 0 && (batch === 'strange' || !isFirst)) text.damaged++
    if (batch === 'strange' || missing < 0 || (missing > 0 && !isFirst && isMisnumbered(batch, batches[index + 1])))
      continue
    isFirst = false
    text.next = batch.n + 1
    for (const record of batch.records) text.records.push(record)
    text.isSealed = batch.records.at(-1)?.t === 'sealed'
    if (text.isSealed) break
  }
  return text
}

/** At a gap, either the line before is missing, or the number after it is damaged: then the next line has a lower one. */
function isMisnumbered({ n }: Batch, following: JournalLine | undefined): boolean {
  return typeof following === 'object' && following.n <= n
}

function parseBatches(text: string): JournalLine[] {
  try {
    // All at once: a record contains no line end.
    const batches = JSON.parse(`[${text.replaceAll('\n', ',')}]`) as unknown[]
    if (batches.every(isBatch)) return batches
  } catch {
    // Line by line, to save the others.
  }
  return text.split('\n').flatMap((line): JournalLine[] => {
    if (line === '') return []
    try {
      const batch = JSON.parse(line)
      if (isBatch(batch)) return [batch]
    } catch {
      // As below.
    }
    return [BATCH_START.startsWith(line.replace(/#$/, '').slice(0, BATCH_START.length)) ? 'cut' : 'strange']
  })
}

function isBatch(data: unknown): data is Batch {
  if (typeof data !== 'object' || data === null) return false
  const { n, records } = data as { n?: unknown; records?: unknown }
  return Number.isSafeInteger(n) && Array.isArray(records) && records.every(isRecord)
}

/** Fields that other code reads unchecked. */
const requiredFields: Readonly<Record<string, Readonly<Record<string, 'string' | 'object'>>>> = {
  seen: { id: 'string', from: 'string', to: 'string', text: 'string', chain: 'string' },
  snapshot: { state: 'object' },
  read: { cursor: 'object' },
  broken: { text: 'string', why: 'string' },
  held: { file: 'string', lines: 'string', why: 'string' },
  unfinished: { text: 'string' },
  asked: { id: 'string', run: 'string', agent: 'string', text: 'string' },
}

function isRecord(data: unknown): data is JournalRecord {
  if (typeof data !== 'object' || data === null) return false
  const record = data as Record<string, unknown>
  if (typeof record.t !== 'string') return false
  const keys = Object.hasOwn(requiredFields, record.t) ? requiredFields[record.t] : {}
  for (const key in keys) if (record[key] === null || typeof record[key] !== keys[key]) return false
  return true
}

/** The format is in the first record; another one is not guessed. */
export function requireFormat({ records, head }: Pick<JournalText, 'records' | 'head'>): void {
  const [first] = records
  if (head === '' || (first?.t === 'open' && first.format === JOURNAL_FORMAT)) return
  const format = first?.t === 'open' ? first.format : /^\{"t":"open","format":(\d+)/.exec(head)?.[1]
  const found = format === undefined ? 'no format' : `format ${format}`
  throw new JournalUnusable(
    `The journal of this workplace has ${found}; this version of Troupe reads format ${JOURNAL_FORMAT}.`,
  )
}
