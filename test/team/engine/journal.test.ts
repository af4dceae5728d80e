/** The journal: any prefix of it is a state that could be gone on from, and nothing on the disk can stop the reading. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { batchLine, JournalUnusable, parseJournal, requireFormat } from '../../../src/team/engine/journal-format.ts'
import { JournalReader, readJournal } from '../../../src/team/engine/journal-reader.ts'
import { Fenced, Journal } from '../../../src/team/engine/journal-writer.ts'
import type { JournalRecord } from '../../../src/team/state/records.ts'
import { emptyState, foldRecords, type State } from '../../../src/team/state/state.ts'
import { runs } from '../../chance.ts'

const ids = ['h1', 'h2', 'h3', 'h4']
const members = ['ada', 'ben', 'user']
const small = fc.integer({ min: 1, max: 3 })
const process = { pid: 4711, start: '12' }

const drawn = fc.record({
  id: fc.constantFrom(...ids),
  other: fc.constantFrom(...ids),
  from: fc.constantFrom(...members),
  to: fc.constantFrom(...members),
  attempt: small,
  at: fc.integer(),
  text: fc.string({ maxLength: 8 }),
  kind: fc.constantFrom('handoff', 'handoff', 'reply', 'note'),
  word: fc.constantFrom(
    ...(['seen', 'seen', 'claimed', 'started', 'nudged', 'completed', 'failed', 'dead', 'report'] as const),
    ...(['revived', 'ended', 'refused', 'posted', 'broken', 'epoch', 'stopped', 'cleared'] as const),
  ),
})
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never

function recordOf({ id, other, from, to, attempt, at, text, kind, word }: Drawn): JournalRecord {
  const run = `${id}.${attempt}`
  switch (word) {
    case 'seen':
      return {
        t: 'seen',
        id,
        at,
        kind,
        from,
        to,
        text,
        chain: other,
        post: true,
        ...(kind === 'reply' ? { answers: other } : {}),
      }
    case 'claimed':
      return { t: 'claimed', id, attempt, run, at, ...process }
    case 'started':
      return { t: 'started', id, attempt, at, ...process }
    case 'nudged':
      return { t: 'nudged', id, attempt, at, ms: 5, words: text }
    case 'completed':
      return { t: 'completed', id, attempt, at, ms: 5, answer: text }
    case 'failed':
      return { t: 'failed', id, attempt, at, ms: 5, why: text, wait: 10 }
    case 'dead':
      return { t: 'dead', id, at, why: text }
    case 'report':
      return { t: 'report', id, attempt, at, key: other, status: 'completed', text }
    case 'revived':
      return { t: 'revived', id, at }
    case 'ended':
      return { t: 'ended', chain: id, at }
    case 'refused':
      return { t: 'refused', id, run, at, why: text }
    case 'posted':
      return { t: 'posted', id, line: attempt }
    case 'broken':
      return { t: 'broken', at, line: attempt, text, why: 'x' }
    case 'epoch':
      return { t: 'epoch', host: 'here', boot: 'b', space: 's', at, ...process }
    case 'stopped':
      return { t: 'stopped', agent: to, at }
    case 'cleared':
      return { t: 'cleared', at }
  }
}

/** Any records in any order: also such as no orchestrator would write. */
const record = drawn.map(recordOf)
const history = fc.array(record, { maxLength: 60 })

/** What holds of every state that can be gone on from. */
function expectValid({ handoffs, open, chains, messages, outbox }: State): void {
  const isOpen = (status: string) => status !== 'completed' && status !== 'dead'
  for (const [id, handoff] of handoffs) {
    expect(open.has(id)).toBe(isOpen(handoff.status))
    expect(messages.has(id)).toBe(true)
    // A claim belongs to a run under way; without one there is nobody to wait for.
    expect(handoff.run === null).toBe(handoff.status !== 'claimed' && handoff.status !== 'started')
    expect(handoff.answer === null).toBe(handoff.status !== 'completed')
    if (handoff.status === 'dead') expect(handoff.why).not.toBe(null)
    expect(handoff.attempt).toBeGreaterThanOrEqual(handoff.firstAttempt)
  }
  for (const [id, chain] of chains) {
    const own = [...handoffs.values()].filter((one) => one.chain === id)
    expect(chain).toMatchObject({
      handoffs: own.length,
      open: own.filter(({ status }) => isOpen(status)).length,
      dead: own.filter(({ status }) => status === 'dead').length,
    })
    if (chain.ended) expect(chain.open).toBe(0)
  }
  for (const id of outbox.keys()) expect(messages.has(id)).toBe(true)
}

/** Each in a batch of its own. */
const bytesOf = (records: readonly JournalRecord[], first = 0) =>
  Buffer.from(records.map((one, index) => batchLine(first + index, [one])).join(''))

describe('properties', () => {
  test('every prefix of any history is a valid state, and going on from it leads to the same end', () => {
    fc.assert(
      fc.property(history, fc.nat(), (records, at) => {
        const cut = at % (records.length + 1)
        const state = foldRecords(records.slice(0, cut))
        expectValid(state)
        expect(foldRecords(records.slice(cut), state)).toEqual(foldRecords(records))
      }),
      runs(1000),
    )
  })

  test('every prefix in bytes is a prefix in records: what a killed writer left unfinished is none', () => {
    fc.assert(
      fc.property(history, fc.nat(), (records, at) => {
        const bytes = bytesOf(records)
        const cut = at % (bytes.length + 1)
        const read = parseJournal(bytes.subarray(0, cut))
        expect(read.damaged).toBe(0)
        expect(read.length).toBeLessThanOrEqual(cut)
        expect(read.records).toEqual(records.slice(0, read.records.length))
        expectValid(foldRecords(read.records))
      }),
      runs(500),
    )
  })

  test('a handoff that is completed stays so, whatever comes later: one accepted completion', () => {
    fc.assert(
      fc.property(history, (records) => {
        const state = emptyState()
        const answers = new Map<string, string | null>()
        for (const one of records) {
          foldRecords([one], state)
          for (const { id, status, answer } of state.handoffs.values()) {
            if (answers.has(id)) expect([status, answer]).toEqual(['completed', answers.get(id)])
            else if (status === 'completed') answers.set(id, answer)
          }
        }
      }),
      runs(1000),
    )
  })

  test('a step of an attempt that was given up changes nothing', () => {
    fc.assert(
      fc.property(history, record, (records, late) => {
        const state = foldRecords(records)
        const handoff = 'id' in late ? state.open.get(late.id) : undefined
        fc.pre('attempt' in late && handoff !== undefined && late.attempt !== handoff.attempt)
        const { lastEvent: _one, ...before } = structuredClone(state)
        const { lastEvent: _other, ...after } = foldRecords([late], state)
        expect(after).toEqual(before)
      }),
      runs(300),
    )
  })

  test('any bytes are read without an exception, and damage to one line costs no other', () => {
    fc.assert(
      fc.property(history, fc.uint8Array({ maxLength: 40 }), fc.nat(), (records, rubbish, at) => {
        const line = Buffer.concat([
          Buffer.from('x'),
          Buffer.from(rubbish.map((byte) => (byte === 10 ? 0 : byte))),
          Buffer.from('\n'),
        ])
        const where = at % (records.length + 1)
        const bytes = Buffer.concat([bytesOf(records.slice(0, where)), line, bytesOf(records.slice(where), where)])
        const read = parseJournal(bytes)
        expect(read.records).toEqual(records)
        expect(read.damaged).toBe(1)
      }),
      runs(500),
    )
  })

  test('single bytes that were turned never stop it', () => {
    fc.assert(
      fc.property(
        history,
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 5 }),
        (records, turns) => {
          const bytes = bytesOf(records)
          for (const [at, value] of turns) if (bytes.length > 0) bytes[at % bytes.length] = value
          foldRecords(parseJournal(bytes).records)
        },
      ),
      runs(1000),
    )
  })
})

describe('on the disk', () => {
  let root: string
  let path: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'troupe-journal-'))
    path = join(root, 'journal.jsonl')
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const first: JournalRecord = { t: 'open', format: 2, uuid: 'u', at: 1 }
  const second: JournalRecord = { t: 'ended', chain: 'c', at: 2 }
  const third: JournalRecord = { t: 'ended', chain: 'd', at: 3 }
  const open = () => new Journal({ number: 1, path }, readJournal(path))

  test('a torn end is passed over by the next writer, never becomes part of a record, and is no damage', () => {
    writeFileSync(path, bytesOf([first, second]))
    for (let size = readFileSync(path).length; size > 0; size--) {
      truncateSync(path, size)
      const { records } = readJournal(path)
      const journal = open()
      journal.append([second], journal.next)
      journal.append([third], journal.next)
      journal.close()
      expect(readJournal(path)).toMatchObject({ records: [...records, second, third], damaged: 0 })
      writeFileSync(path, bytesOf([first, second]))
    }
  })

  test('a batch is there whole or not at all', () => {
    const bytes = Buffer.concat([bytesOf([first]), Buffer.from(batchLine(1, [second, third]))])
    for (let size = bytes.length - 1; size > bytesOf([first]).length; size--)
      expect(parseJournal(bytes.subarray(0, size)).records).toEqual([first])
    expect(parseJournal(bytes).records).toEqual([first, second, third])
  })

  test('a writer whose number is taken was fenced, and nothing comes of its words, however often it tries', () => {
    writeFileSync(path, bytesOf([first]))
    const [old, present] = [open(), open()]
    old.append([second], 1)
    // One that opens the journal anew reads what was said last, and goes on behind it.
    expect(() => present.append([third], 1)).toThrow(Fenced)
    const next = open()
    next.append([third], 2)
    for (let tries = 0; tries < 3; tries++) expect(() => old.append([{ ...second, chain: 'late' }], 2)).toThrow(Fenced)
    next.append([second], 3)
    expect(readJournal(path)).toMatchObject({ records: [first, second, third, second], damaged: 0 })
    for (const one of [old, present, next]) one.close()
  })

  test('half of a line that another one writes does not spoil ours', () => {
    writeFileSync(path, bytesOf([first]))
    const journal = open()
    const late = batchLine(1, [third])
    appendFileSync(path, late.slice(0, 20))
    journal.append([second], 1)
    appendFileSync(path, late.slice(20))
    expect(readJournal(path).records).toEqual([first, second])
    journal.close()
  })

  test('rubbish that a stranger appends fences nobody', () => {
    writeFileSync(path, bytesOf([first]))
    const journal = open()
    appendFileSync(path, 'hello\n')
    journal.append([second], 1)
    appendFileSync(path, 'hello')
    journal.append([third], 2)
    expect(readJournal(path)).toMatchObject({ records: [first, second, third], damaged: 2 })
    journal.close()
  })

  test('those who watch never see half a record, and see each once', () => {
    const reader = new JournalReader(path)
    expect(reader.more()).toEqual([])
    const bytes = bytesOf([first, second])
    const seen: JournalRecord[] = []
    for (const byte of bytes) {
      appendFileSync(path, Buffer.from([byte]))
      seen.push(...reader.more())
    }
    expect(seen).toEqual([first, second])
  })

  test('a journal that was removed or replaced is not written into the void', () => {
    writeFileSync(path, bytesOf([first]))
    const journal = open()
    rmSync(path)
    expect(() => journal.append([second], 1)).toThrow(JournalUnusable)
    writeFileSync(path, bytesOf([first]))
    expect(() => journal.append([second], 1)).toThrow(JournalUnusable)
    journal.close()
    expect(readJournal(path).records).toEqual([first])
  })

  test('another format is not guessed at', () => {
    const refusal = (text: string) => () => requireFormat(parseJournal(Buffer.from(text)))
    expect(refusal(batchLine(0, [{ ...first, format: 3 }]))).toThrow(
      'has format 3; this version of Troupe reads format 2',
    )
    expect(refusal('{"t":"open","format":1,"uuid":"u","at":1}\n{"t":"new"}\n')).toThrow('has format 1')
    expect(refusal(batchLine(0, [second]))).toThrow('has no format')
    expect(refusal('')).not.toThrow()
  })
})
