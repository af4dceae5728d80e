/** Messages that Troupe writes to chat.md, in files that were changed, and where the writing broke off. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type HeldMutex, Mutex } from '../../../src/disk/mutex.ts'
import { ChatReader } from '../../../src/team/engine/chat-reader.ts'
import { type Engine, openEngine, type Workplace } from '../../../src/team/engine/engine.ts'
import { acceptMessage, ingestChat } from '../../../src/team/runtime/ingest.ts'
import { openWorkplace } from '../../../src/team/runtime/open.ts'
import { ChatWriter } from '../../../src/team/runtime/publish.ts'
import { openPlace, type Place } from '../new-workplace.ts'
import { said } from './chat-scene.ts'

let place: Place
let setting: Workplace
let lock: HeldMutex
let [engine, reader, post]: [Engine?, ChatReader?, ChatWriter?] = []
let now = 0

/** As the orchestrator begins. */
function open(): void {
  engine = openEngine(setting, lock, () => {})
  reader = new ChatReader(place, setting.clock.steady)
  post = new ChatWriter(engine)
}

function close(): void {
  reader?.close()
  engine?.close()
}

beforeEach(async () => {
  place = openPlace({ 'ada > ben': 'true', ben: 'true' })
  setting = { ...(await openWorkplace(place)), clock: { now: () => Date.now(), steady: () => now } }
  const taken = new Mutex(place.run).take()
  if ('busy' in taken) throw new Error('somebody runs the workplace')
  lock = taken
  open()
})
afterEach(() => {
  close()
  lock.release()
  place.close()
})

/** As the orchestrator goes on, for seconds. */
function goOn(ms = 5000): void {
  const [at, reading, posting] = [engine as Engine, reader as ChatReader, post as ChatWriter]
  for (const end = now + ms; now < end; now += 100) {
    ingestChat(at, reading, () => posting.forget())
    if (reading.isAtEnd) posting.write()
  }
  ingestChat(at, reading, () => posting.forget())
}

/** As `troupe work send`. */
function send(id: string, from: string, to: string, text: string): void {
  acceptMessage(engine as Engine, { id, from, to, observers: [], text })
  engine?.flush()
}

const chat = () => readFileSync(place.chat, 'utf8')
const texts = () => [...(engine?.state.handoffs.values() ?? [])].map(({ text }) => text)
const outbox = () => [...(engine?.state.outbox.keys() ?? [])]
const held = () => (engine?.state.attention ?? []).filter(({ kind }) => kind === 'held').map(({ from }) => from)
const times = (line: string) => chat().split(line).length - 1

describe('what is sent and says what was said before', () => {
  const old = ['old 0', 'old 1', 'old 2', 'old 3', 'old 4', 'old 5']
  beforeEach(() => {
    writeFileSync(place.chat, said(...old))
    goOn()
    expect(texts()).toEqual(old)
  })

  test('is written once, and counts as written, below a line that was changed', () => {
    writeFileSync(place.chat, chat().replace('old 5', 'Old 5'))
    goOn()
    send('again', 'user', 'ada', 'old 2')
    goOn()
    expect(outbox()).toEqual([])
    expect(times(said('old 2'))).toBe(2)
    expect(held()).toEqual(['chat.md:6'])
    expect(texts()).toEqual([...old, 'old 2'])
  })

  test('is no line that a person could send once more, where lines around it are held', () => {
    writeFileSync(place.chat, chat().replace('old 5', 'Old 5'))
    goOn()
    send('again', 'user', 'ada', 'old 2')
    send('new', 'ada', 'ben', 'something new')
    appendFileSync(place.chat, said('old 3', 'old 4'))
    post?.write()
    appendFileSync(place.chat, said('old 0', 'old 1'))
    goOn()
    expect(outbox()).toEqual([])
    expect(held()).toEqual(['chat.md:6', 'chat.md:7-8,11-12'])
    expect(texts()).toEqual([...old, 'old 2', 'something new'])
  })

  test('does not make new lines old when the file is saved before it was read back', () => {
    send('again', 'user', 'ada', 'old 2')
    post?.write()
    writeFileSync(place.chat, chat().replace('old 1', 'Old 1') + said('new'))
    goOn()
    expect(outbox()).toEqual([])
    expect(held()).toEqual(['chat.md:2'])
    expect(texts()).toEqual([...old, 'old 2', 'new'])
    expect(times(said('old 2'))).toBe(2)
  })
})

const long = ['delete everything', 'except', '', 'what is in src'].join('\n')
const written = '[ada-to-ben]: delete everything\n  except\n\n  what is in src\n'

/** No file of this process may grow beyond that; null: as far as it likes. */
const limit = (bytes: number | null) =>
  spawnSync('prlimit', ['--pid', `${process.pid}`, `--fsize=${bytes ?? 'unlimited'}:`]).status === 0

describe.runIf(limit(null))('a message for which there is no room', () => {
  /** Everything else that is written meanwhile is smaller. */
  const note = `${'a note\n'.repeat(100_000)}`
  const writeWithRoomFor = (bytes: number) => {
    writeFileSync(place.chat, note)
    goOn()
    send('long', 'ada', 'ben', long)
    limit(statSync(place.chat).size + bytes)
    try {
      goOn(1000)
    } finally {
      limit(null)
    }
    expect(chat()).toBe(note + written.slice(0, bytes))
    expect(post?.hasFailed).toBe(true)
    expect(texts()).toEqual([long])
  }

  test.each([0, 5, 20, 32, 40])('but for %i bytes of it is ended when there is', (bytes) => {
    writeWithRoomFor(bytes)
    goOn()
    expect(chat()).toBe(note + written)
    expect(outbox()).toEqual([])
    expect(texts()).toEqual([long])
  })

  test('takes nothing away that somebody has written behind it', () => {
    writeWithRoomFor(20)
    appendFileSync(place.chat, said('new'))
    goOn()
    expect(chat()).toBe(note + written.slice(0, 20) + said('new') + written)
    expect(outbox()).toEqual([])
    expect(texts()).toEqual([long, 'new'])
  })
})

describe('a message whose writer was killed', () => {
  const address = '[ada-to-ben]'.length

  test('is ended wherever it broke off, and never taken for somebody else\u2019s', () => {
    for (let length = address; length < written.length; length++) {
      writeFileSync(place.chat, said(`before ${length}`))
      goOn()
      const before = texts()
      send(`long ${length}`, 'ada', 'ben', long)
      appendFileSync(place.chat, written.slice(0, length))
      close()
      open()
      goOn()
      expect(chat()).toBe(said(`before ${length}`) + written)
      expect(outbox()).toEqual([])
      expect(texts()).toEqual([...before, long])
      truncateSync(place.chat, 0)
      goOn()
    }
  })

  test('is ended before its address is whole where a page ends, which is where writing breaks off', () => {
    const before = `${'x'.repeat(4096 - 4)}\n`
    writeFileSync(place.chat, before)
    goOn()
    send('long', 'ada', 'ben', long)
    appendFileSync(place.chat, written.slice(0, 3))
    close()
    open()
    goOn()
    expect(chat()).toBe(before + written)
    expect(outbox()).toEqual([])
    expect(texts()).toEqual([long])
  })

  test('is written anew where somebody has written behind it, whose line is not lost', () => {
    for (let length = 1; length < written.length - 1; length++) {
      if (written[length - 1] === '\n') continue
      const before = texts()
      send(`long ${length}`, 'ada', 'ben', long)
      appendFileSync(place.chat, written.slice(0, length) + said(`new ${length}`))
      close()
      open()
      goOn()
      expect(outbox()).toEqual([])
      expect(texts()).toEqual([...before, long, `new ${length}`])
      expect(chat().endsWith(said(`new ${length}`) + written)).toBe(true)
    }
  })

  test('is none where somebody else is writing', () => {
    send('long', 'user', 'ben', 'delete everything')
    appendFileSync(place.chat, '[user-to-')
    close()
    open()
    goOn()
    expect(chat().endsWith('[user-to-')).toBe(true)
    appendFileSync(place.chat, 'ada]: other\n')
    goOn()
    expect(texts()).toEqual(['delete everything', 'other'])
    expect(outbox()).toEqual([])
  })

  test('nor where somebody says its first line', () => {
    appendFileSync(place.chat, '[ada-to-ben]: delete everything\n')
    goOn()
    const before = texts()
    send('long', 'ada', 'ben', long)
    goOn()
    appendFileSync(place.chat, '[user-to-ben]: delete everything\n')
    goOn()
    expect(outbox()).toEqual([])
    expect(texts()).toEqual([...before, long, 'delete everything'])
  })
})
