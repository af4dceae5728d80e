/**
 * The journal as text: one batch of records per line, each with its number. A number is taken once: a batch whose number
 * is taken already was written by a process that no longer had the right to, and counts for nothing.
 */
import { JOURNAL_FORMAT, type JournalRecord } from '../state/records.ts'

/** It holds what this program must not touch. */
export class JournalUnusable extends Error {}

interface Batch {
  readonly n: number
  readonly records: readonly JournalRecord[]
}

/** Cut off by a full disk or a kill; or none of ours. */
type JournalLine = Batch | 'cut' | 'strange'

export interface JournalText {
  readonly records: JournalRecord[]
  /** Bytes up to the end of the last whole line. */
  readonly length: number
  /** The number that the next batch must have. */
  readonly next: number
  /** Batches that are missing, and lines that nobody of us has written: a damaged disk, or another program's doing. */
  readonly damaged: number
  /** The journal goes on in the next file. */
  readonly isSealed: boolean
  /** How the text begins, whatever it is; and the bytes of its first line. */
  readonly head: string
  readonly firstLine: number
}

const BATCH_START = '{"n":'

/** Ends a line that was cut off, so that no reader can take it for a whole one. */
export const TORN_LINE_END = '#\n'

export function batchLine(n: number, records: readonly JournalRecord[]): string {
  return `${BATCH_START}${n},"records":[${records.map((record) => JSON.stringify(record)).join(',')}]}\n`
}

/**
 * Text behind the last line end was being written when the writer died. A line that was cut off earlier, by a full disk,
 * is passed over: what it was to say has the same number in a later line. `until`: numbers from there on do not count.
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
    // The first file begins with 0, a later one with its snapshot: whatever the first number is, nothing is missing before it.
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

/** Where numbers are missing, the line before the gap is gone, or the number behind it is damaged: then others go on before it. */
function isMisnumbered({ n }: Batch, following: JournalLine | undefined): boolean {
  return typeof following === 'object' && following.n <= n
}

function parseBatches(text: string): JournalLine[] {
  try {
    // All at once: a line end cannot stand inside of a record.
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

/** What others read of these records without looking twice. */
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

/** The format is in the first record; another one is not guessed at. */
export function requireFormat({ records, head }: Pick<JournalText, 'records' | 'head'>): void {
  const [first] = records
  if (head === '' || (first?.t === 'open' && first.format === JOURNAL_FORMAT)) return
  const format = first?.t === 'open' ? first.format : /^\{"t":"open","format":(\d+)/.exec(head)?.[1]
  const found = format === undefined ? 'no format' : `format ${format}`
  throw new JournalUnusable(
    `The journal of this workplace has ${found}; this Troupe understands format ${JOURNAL_FORMAT}.`,
  )
}
