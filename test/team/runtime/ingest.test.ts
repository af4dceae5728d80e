/** A program writes every line of chat.md in two halves and rotates the file, while Troupe reads it and writes to it too. */
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { type HeldMutex, Mutex } from '../../../src/disk/mutex.ts'
import { ChatReader } from '../../../src/team/engine/chat-reader.ts'
import { openEngine } from '../../../src/team/engine/engine.ts'
import { acceptMessage, ingestChat } from '../../../src/team/runtime/ingest.ts'
import { openWorkplace } from '../../../src/team/runtime/open.ts'
import { ChatWriter } from '../../../src/team/runtime/publish.ts'
import { openPlace, type Place } from '../new-workplace.ts'

let place: Place
afterEach(() => place.close())

function lockOf(place: Place): HeldMutex {
  const lock = new Mutex(place.run).take()
  if ('busy' in lock) throw new Error('somebody runs the workplace')
  return lock
}

const LINES = 10_000
const ROTATED = 2000

/** Opens the file anew for each half, as `echo >>` does. It rotates between two lines. */
const writer = `
const { appendFileSync, renameSync, writeFileSync } = require('node:fs')
const [chat, lines, rotated] = [process.argv[1], Number(process.argv[2]), Number(process.argv[3])]
const pause = (ms) => { for (const end = performance.now() + ms; performance.now() < end; ); }
for (let number = 0; number < lines; number++) {
  const line = '[user-to-ada]: task ' + number + ' of many\\n'
  const half = 1 + Math.floor(Math.random() * (line.length - 1))
  appendFileSync(chat, line.slice(0, half))
  pause(Math.random() < 0.01 ? 3 : Math.random() * 0.2)
  appendFileSync(chat, line.slice(half))
  if (number % rotated === rotated - 1) {
    renameSync(chat, chat.replace('.md', '.' + number + '.md'))
    writeFileSync(chat, '', { flag: 'a' })
  }
}
`

test('none is lost, none is read twice, and none is spoilt by what Troupe writes', async () => {
  place = openPlace({ ada: 'true' })
  const setting = await openWorkplace(place)
  const lock = lockOf(place)
  const engine = openEngine(setting, lock, () => {})
  const reader = new ChatReader(place, setting.clock.steady)
  const post = new ChatWriter(engine)
  const child = spawn(process.execPath, ['-e', writer, place.chat, `${LINES}`, `${ROTATED}`], { stdio: 'inherit' })
  let isOver = false
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  void ended.then(() => {
    isOver = true
  })
  const texts = () => [...engine.state.handoffs.values()].map(({ text }) => text)
  let notes = 0
  const look = () => {
    ingestChat(engine, reader, () => post.forget())
    if (engine.state.outbox.size < 3) {
      const note = { id: `note${notes}`, from: 'ada', to: 'user', observers: [], text: `note ${notes}` }
      acceptMessage(engine, note)
      notes++
      engine.flush()
    }
    if (reader.isAtEnd) post.write()
  }
  for (let quiet = 0; !isOver || (quiet < 200 && engine.state.handoffs.size < LINES); quiet += isOver ? 1 : 0) {
    look()
    await new Promise((resolve) => setTimeout(resolve, isOver ? 10 : 0))
  }
  for (let more = 0; more < 20; more++) {
    look()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  reader.close()
  engine.close()
  lock.release()
  const all = Array.from({ length: LINES }, (_none, number) => `task ${number} of many`)
  const found = new Set(texts())
  expect(all.filter((text) => !found.has(text))).toEqual([])
  expect(texts().filter((text) => !/^task \d+ of many$/.test(text))).toEqual([])
  expect(texts()).toHaveLength(LINES)
  expect(engine.state.attention.filter(({ kind }) => kind !== 'message')).toEqual([])
  expect(notes).toBeGreaterThan(3)
}, 120_000)

test.each([
  ['at once', false],
  ['after a restart', true],
])('a line whose second half comes below our own message is whole again, %s', async (_when, isKilled) => {
  place = openPlace({ ada: 'true' })
  const setting = await openWorkplace(place)
  const lock = lockOf(place)
  let engine = openEngine(setting, lock, () => {})
  let reader = new ChatReader(place, setting.clock.steady)
  acceptMessage(engine, { id: 'note', from: 'ada', to: 'user', observers: [], text: 'two\nlines' })
  engine.flush()
  // What Post writes when the half appears just after it has looked.
  appendFileSync(place.chat, '[user-to-ada]: first ha[ada-to-user]: two\n  lines\n')
  ingestChat(engine, reader, () => {})
  expect(engine.state.outbox.size).toBe(0)
  if (isKilled) {
    reader.close()
    engine.close()
    engine = openEngine(setting, lock, () => {})
    reader = new ChatReader(place, setting.clock.steady)
  }
  appendFileSync(place.chat, 'lf and second\n[user-to-ada]: other\n')
  ingestChat(engine, reader, () => {})
  reader.close()
  engine.close()
  lock.release()
  expect([...engine.state.handoffs.values()].map(({ text }) => text)).toEqual(['first half and second', 'other'])
})
