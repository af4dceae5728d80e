/** The inbox, into which any program may write: any number of files of any kind, and nothing of it is lost or taken twice. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type HeldMutex, Mutex } from '../../../src/disk/mutex.ts'
import { type Engine, openEngine } from '../../../src/team/engine/engine.ts'
import { putInInbox } from '../../../src/team/engine/inbox.ts'
import { journalFiles } from '../../../src/team/engine/journal-reader.ts'
import { ingestInbox } from '../../../src/team/runtime/ingest-inbox.ts'
import { openWorkplace } from '../../../src/team/runtime/open.ts'
import { openPlace, type Place } from '../new-workplace.ts'

let place: Place
let engine: Engine
let lock: HeldMutex
beforeEach(() => {
  place = openPlace({ ada: 'cat > /dev/null; echo done' })
})
afterEach(() => place.close())

async function open(): Promise<void> {
  const taken = new Mutex(place.run).take()
  if ('busy' in taken) throw new Error('somebody runs the workplace')
  lock = taken
  engine = openEngine(await openWorkplace(place), lock, () => {})
}

function close(): void {
  engine.close()
  lock.release()
}

const put = (id: string, data: unknown) => place.put(`.workplace/run/inbox/${id}`, JSON.stringify(data))
const note = { kind: 'message', from: 'ada', to: 'user', text: 'Note: look' }
const left = () => readdirSync(place.inbox)
const nobody = { stop: () => {} }

/** The batches of the journal that are no snapshots, in bytes. */
const batches = () =>
  journalFiles(place.journal)
    .flatMap(({ path }) => readFileSync(path, 'utf8').split('\n'))
    .filter((line) => !line.includes('"t":"snapshot"'))
    .map(({ length }) => length)

describe('more than one write can hold', () => {
  test('many files are taken in by rounds, in their order', async () => {
    await open()
    for (let number = 100; number < 600; number++) put(`m${number}`, { ...note, text: `Note: ${number}` })
    expect(ingestInbox(engine, nobody)).toBe(true)
    expect(left()).toHaveLength(300)
    expect([...engine.state.messages.keys()].at(-1)).toBe('m299')
    expect(ingestInbox(engine, nobody)).toBe(true)
    expect(ingestInbox(engine, nobody)).toBe(false)
    expect(left()).toEqual([])
    expect(engine.state.messages.size).toBe(500)
    for (let number = 100; number < 600; number++) put(`n${number}`, note)
    expect(ingestInbox(engine, nobody, true)).toBe(false)
    expect([left().length, engine.state.messages.size]).toEqual([0, 1000])
    close()
  })

  test('large files are, and lists in them have an end', () => {
    const files = Array.from({ length: 14 }, (_, index) => `${'x'.repeat(60_000)}${index}`)
    const many = Array.from({ length: 90_000 }, (_, index) => `f${index}`)
    const [text, done] = ['y'.repeat(65_000), 'z'.repeat(65_000)]
    for (let number = 100; number < 140; number++)
      put(`m${number}`, { ...note, to: 'nobody', text, done, files: number % 2 ? files : many })
    expect(place.troupe('resume').code).toBe(1)
    expect(left()).toEqual([])
    const { handoffs, attention } = place.state()
    expect([...handoffs.values()].map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 'dead'))
    expect(attention).toHaveLength(40)
    expect([...handoffs.values()].map((one) => one.files?.length)).toEqual(
      Array.from({ length: 40 }, (_, index) => (index % 2 ? 1 : 500)),
    )
    expect(Math.max(...batches())).toBeLessThan(8 * 1024 * 1024)
    // In rounds of eight or nine.
    expect(batches().filter((size) => size > 100_000).length).toBeGreaterThan(3)
  })

  test('what a program has sent before its end counts, however much it is', () => {
    const one = `{"kind":"message","from":"ada","to":"user","text":"Note: $i","run":"'$TROUPE_RUN'"}`
    const send = `mkdir sent; i=0; while [ $i -lt 450 ]; do echo '${one.replaceAll('$i', "'$i'")}' > sent/m$i; i=$((i+1)); done; mv sent/* .workplace/run/inbox`
    place.close()
    place = openPlace({ ada: `${send}; echo done` })
    expect(place.troupe('start', 'ada', 'work').code).toBe(0)
    expect([...place.state().messages.values()].filter(({ text }) => text.startsWith('Note:'))).toHaveLength(450)
    expect(place.state().refused).toBe(0)
  })
})

describe('what is no message', () => {
  test('is told once for as long as it stands, however often it comes', async () => {
    await open()
    const told = () => place.records().filter(({ t }) => t === 'broken').length
    for (let round = 0; round < 30; round++) {
      put('filler', 'x')
      put(`other${round % 3}`, { kind: 'unheard of' })
      ingestInbox(engine, nobody)
    }
    expect([left().length, told()]).toEqual([0, 4])
    expect(engine.state.attention.map(({ from }) => from)).toEqual(['inbox', 'inbox', 'inbox', 'inbox'])
    put('all', { kind: 'clear' })
    ingestInbox(engine, nobody)
    put('filler', 'x')
    ingestInbox(engine, nobody)
    expect([engine.state.attention.length, told()]).toEqual([1, 5])
    close()
  })

  test('is listed up to a bound, and the rest is counted, also after a snapshot', () => {
    for (let number = 0; number < 1200; number++) put(`g${number}`, 'x')
    expect(place.troupe('resume').code).toBe(0)
    expect(place.state().attention).toHaveLength(500)
    const { stdout } = place.troupe('status')
    expect(stdout).toContain('Needs you (1200)')
    expect(stdout).toContain('700 earlier (unclear): not listed')
    expect(JSON.parse(place.troupe('status', '--json').stdout).unlisted).toEqual([{ kind: 'broken', count: 700 }])
    expect(place.troupe('status', '--clear').stdout).toContain('Nothing needs your attention.')
    place.troupe('resume')
    expect(place.troupe('status').stdout).toContain('Nothing needs your attention.')
    expect(place.state().unlisted.size).toBe(0)
  })

  test('a folder is left alone', () => {
    mkdirSync(join(place.inbox, 'folder'))
    put('z', { kind: 'message', from: 'user', to: 'ada', text: 'work' })
    expect(place.troupe('resume').code).toBe(0)
    expect([...place.state().handoffs.values()].map(({ status }) => status)).toEqual(['completed'])
    expect(left()).toEqual(['folder'])
  })
})

describe('an order to stop', () => {
  test('stays until it was followed', async () => {
    await open()
    const id = putInInbox(place, { kind: 'stop', agent: 'ada' })
    const full = () => {
      throw new Error('the disk is full')
    }
    expect(() => ingestInbox(engine, { stop: full })).toThrow('the disk is full')
    expect(existsSync(join(place.inbox, id))).toBe(true)
    const asked: unknown[] = []
    ingestInbox(engine, { stop: (...words) => asked.push(words) })
    expect(asked).toEqual([['ada', id]])
    expect(left()).toEqual([])
    close()
  })

  test('that was followed by one who died before it was removed is not followed again', () => {
    const id = putInInbox(place, { kind: 'stop', agent: null })
    const text = readFileSync(join(place.inbox, id), 'utf8')
    place.troupe('resume')
    expect(place.records().filter(({ t }) => t === 'stopped')).toMatchObject([{ agent: 'server', key: id }])
    // As it would be there still.
    put(id, JSON.parse(text))
    expect(place.troupe('start', 'ada', 'work').code).toBe(0)
    expect(left()).toEqual([])
    expect(place.records().filter(({ t }) => t === 'stopped')).toHaveLength(1)
  })
})
