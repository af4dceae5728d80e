/** A journal that goes on in a new file: killed between any two steps it is the old one or the new one, and nothing is lost. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { batchLine } from '../../../src/team/engine/journal-format.ts'
import { JournalReader, journalFiles, readJournal, readWholeJournal } from '../../../src/team/engine/journal-reader.ts'
import { Fenced } from '../../../src/team/engine/journal-writer.ts'
import { compactJournal, openJournal, openSuccessor } from '../../../src/team/engine/open-journal.ts'
import type { JournalRecord } from '../../../src/team/state/records.ts'
import { foldRecords } from '../../../src/team/state/state.ts'

let root: string
let path: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'troupe-compaction-'))
  path = join(root, 'journal.jsonl')
  writeFileSync(path, batchLine(0, [{ t: 'open', format: 2, uuid: 'u', at: 1 }]))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const handoff = (number: number): JournalRecord[] => [
  { t: 'seen', id: `h${number}`, at: 1, kind: 'handoff', from: 'user', to: 'ada', text: 'x', chain: `h${number}` },
  { t: 'claimed', id: `h${number}`, attempt: 1, run: `h${number}.1`, at: 2, pid: 1, start: '1' },
  { t: 'completed', id: `h${number}`, attempt: 1, at: 3, ms: 4, answer: 'done' },
  { t: 'ended', chain: `h${number}`, at: 5 },
]
const isEvent = ({ t }: JournalRecord) => t !== 'open' && t !== 'snapshot' && t !== 'sealed'
const events = () => [...readWholeJournal(path)].filter(isEvent)
const state = () => foldRecords(readJournal(path).records)

describe('going on in a new file', () => {
  test('the state is the same, the history is whole, and those who watch see everything once', () => {
    const watcher = new JournalReader(path)
    const historian = new JournalReader(path, 'beginning')
    const watched: JournalRecord[] = []
    let opened = openJournal(path, 'u')
    for (let number = 0; number < 6; number++) {
      opened.journal.append(handoff(number), opened.journal.next)
      if (number % 2 === 0) watched.push(...watcher.more())
      if (number % 3 === 2) {
        compactJournal(path, opened.journal, state(), 'u')
        opened = openSuccessor(path, opened.journal, 'u')
      }
    }
    opened.journal.close()
    watched.push(...watcher.more())
    const all = Array.from({ length: 6 }, (_, number) => handoff(number)).flat()
    expect(journalFiles(path).map(({ number }) => number)).toEqual([1, 2, 3])
    expect(events()).toEqual(all)
    expect(watched.filter(isEvent)).toEqual(all)
    expect(historian.more().filter(isEvent)).toEqual(all)
    expect(new JournalReader(path, 'beginning').more().filter(isEvent)).toEqual(all)
    expect(state()).toEqual(foldRecords(all))
    expect(readJournal(path)).toMatchObject({ damaged: 0, isSealed: false })
  })

  test('a journal whose first file is gone is still read, from its snapshot', () => {
    const { journal } = openJournal(path, 'u')
    journal.append(handoff(1), 1)
    compactJournal(path, journal, state(), 'u')
    openSuccessor(path, journal, 'u').journal.close()
    const before = state()
    rmSync(path)
    expect(state()).toEqual(before)
    expect(foldRecords(readWholeJournal(path))).toEqual(before)
    expect(openJournal(path, 'u').state).toEqual(before)
  })

  test('one that was stopped before, while or after another did it is fenced, and changes nothing', () => {
    const stale = openJournal(path, 'u').journal
    const other = openJournal(path, 'u').journal
    other.append(handoff(1), 1)
    // It cannot seal what has gone on.
    expect(() => compactJournal(path, stale, foldRecords([]), 'u')).toThrow(Fenced)
    expect(journalFiles(path)).toHaveLength(1)
    const late = openJournal(path, 'u').journal
    compactJournal(path, other, state(), 'u')
    expect(() => late.append(handoff(2), 2)).toThrow(Fenced)
    // Sealed by us, and then stopped; somebody else has come and gone on meanwhile.
    const next = openJournal(path, 'u').journal
    next.append(handoff(3), next.next)
    const back = openSuccessor(path, other, 'u')
    expect(() => back.journal.append(handoff(4), back.journal.next)).toThrow(Fenced)
    expect(events()).toEqual([...handoff(1), ...handoff(3)])
    expect(state().handoffs.size).toBe(2)
    for (const one of [stale, late, next, back.journal]) one.close()
  })
})

/** Appends, compacts, appends; killed before the step whose number is given. */
const program = `
  import { foldRecords } from '../state/state.ts'
  import { compactJournal, openJournal, openSuccessor } from './open-journal.ts'
  const [path, step, before, after] = process.argv.slice(2)
  const real = require('node:fs')
  const opened = openJournal(path, 'u')
  opened.journal.append(JSON.parse(before), opened.journal.next)
  let steps = 0
  for (const name of ['openSync', 'writeSync', 'fsyncSync', 'fdatasyncSync', 'linkSync', 'rmSync', 'closeSync']) {
    const call = real[name]
    real[name] = (...words) => {
      if (++steps === Number(step)) process.kill(process.pid, 'SIGKILL')
      return call(...words)
    }
  }
  compactJournal(path, opened.journal, foldRecords(JSON.parse(before), opened.state), 'u')
  const next = openSuccessor(path, opened.journal, 'u')
  next.journal.append(JSON.parse(after), next.journal.next)
`

test('killed between any two steps', async () => {
  const outfile = join(root, 'program.cjs')
  const stdin = { contents: program, resolveDir: resolve('src/team/engine'), loader: 'ts' } as const
  await build({ stdin, outfile, bundle: true, platform: 'node', target: 'node20', logLevel: 'error' })
  const start = readFileSync(path)
  const seen = new Set<string>()
  for (let step = 1; ; step++) {
    for (const name of readdirSync(root)) if (name !== 'program.cjs') rmSync(join(root, name))
    writeFileSync(path, start)
    const words = [outfile, path, String(step), JSON.stringify(handoff(1)), JSON.stringify(handoff(2))]
    const { signal, status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
    expect([signal, status, stderr]).toEqual(signal === 'SIGKILL' ? ['SIGKILL', null, ''] : [null, 0, ''])
    // Whoever comes next goes on, and everybody reads the same.
    const isWritten = events().length > handoff(1).length
    const { journal } = openJournal(path, 'u')
    journal.append(handoff(3), journal.next)
    journal.close()
    expect(events()).toEqual([...handoff(1), ...(isWritten ? handoff(2) : []), ...handoff(3)])
    expect(state()).toEqual(foldRecords(events()))
    expect(readJournal(path)).toMatchObject({ damaged: 0, isSealed: false })
    seen.add(readdirSync(root).join().replace(/\d/g, ''))
    if (signal === null) break
  }
  // With a draft left behind, and without.
  expect(seen.size).toBeGreaterThan(1)
})

/** The journal is sealed, and there is no room for the name of the next file; then there is, and records come. */
const noRoom = `
  import { Mutex } from '../../disk/mutex.ts'
  import { openEngine, systemClock } from './engine.ts'
  import { readJournal } from './journal-reader.ts'
  import { workplacePaths } from './paths.ts'
  import { foldRecords } from '../state/state.ts'
  const [root, before, after] = process.argv.slice(2)
  const places = workplacePaths(root)
  const setting = { places, config: { uuid: 'u' }, roster: new Map(), clock: systemClock }
  const engine = openEngine(setting, new Mutex(places.run).take(), () => {})
  engine.stage(...JSON.parse(before))
  const report = { t: 'report', id: 'h1', attempt: 1, at: 2, status: 'progress', text: 'and on '.repeat(10_000), files: [] }
  for (let key = 0; key < 40; key++) { engine.stage({ ...report, key }); engine.flush() }
  const real = require('node:fs')
  const link = real.linkSync
  real.linkSync = () => { throw Object.assign(new Error('no room'), { code: 'ENOSPC' }) }
  engine.compact()
  real.linkSync = link
  engine.stage(...JSON.parse(after))
  engine.flush()
  engine.stage({ t: 'refused', id: 'x', run: 'x', at: 9, why: 'x' })
  engine.flush()
  const state = foldRecords(readJournal(places.journal).records)
  const shown = (one) => [one.open.size, one.handoffs.get('h1').status, one.handoffs.get('h1').answer, one.refused]
  console.log(JSON.stringify([shown(engine.state), shown(state)]))
  process.exit()
`

test('what comes after a seal for whose next file there was no room counts in memory as on the disk', async () => {
  const outfile = join(root, 'no-room.cjs')
  const stdin = { contents: noRoom, resolveDir: resolve('src/team/engine'), loader: 'ts' } as const
  await build({ stdin, outfile, bundle: true, platform: 'node', target: 'node20', logLevel: 'error' })
  const [first, last] = [handoff(1).slice(0, 2), handoff(1).slice(2)]
  mkdirSync(join(root, 'place/.workplace'), { recursive: true })
  const words = [outfile, join(root, 'place'), JSON.stringify(first), JSON.stringify(last)]
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual([
    [0, 'completed', 'done', 1],
    [0, 'completed', 'done', 1],
  ])
})
