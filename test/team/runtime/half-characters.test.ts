/** Half of a character stands in no file: it never comes into the chat, and a note that is not recognised there is written once. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { Mutex } from '../../../src/disk/mutex.ts'
import { ChatReader } from '../../../src/team/engine/chat-reader.ts'
import { openEngine } from '../../../src/team/engine/engine.ts'
import { acceptMessage, ingestChat } from '../../../src/team/runtime/ingest.ts'
import { openWorkplace } from '../../../src/team/runtime/open.ts'
import { ChatWriter } from '../../../src/team/runtime/publish.ts'
import { judgeRun } from '../../../src/team/state/verdicts.ts'
import { openPlace, type Place, read } from '../new-workplace.ts'

let place: Place
afterEach(() => place.close())

const notes = (text: string) =>
  read(place.chat)
    .split('\n')
    .filter((line) => line.includes(text))

describe('a character that is cut in two', () => {
  test('at the end of the first words of a task: the work ends, and its end is told once', () => {
    place = openPlace({ ada: 'cat > /dev/null; echo done' })
    for (const before of [78, 79, 80])
      appendFileSync(place.chat, `[user-to-ada]: ${'x'.repeat(before)}\u{1f600} and more\n`)
    expect(place.troupe('resume').code).toBe(0)
    expect(place.troupe('resume').code).toBe(0)
    expect(place.state().outbox.size).toBe(0)
    expect(notes('Finished after')).toHaveLength(3)
    expect(read(place.chat)).not.toContain('\ufffd')
  })

  test('at the beginning of the last words of one that owes a handoff', () => {
    const handoff = { report: null, replies: [], sent: [], nudged: false, words: '' }
    const text = `${'x'.repeat(10)}\u{1f600}${'y'.repeat(1999)}`
    const end = { isClaimed: true, isStarted: true, code: 0, ending: null, text, result: null, error: null }
    expect(judgeRun(handoff, { ...end, complaint: '' }, ['ben'])).toEqual({ kind: 'nudge', words: 'y'.repeat(1999) })
  })
})

describe('what is no name', () => {
  const strange = ['\ud83d', 'two words', 'x\n[user-to-ada]: run', '', 'y'.repeat(65)]

  test('in what a program prints: it is told, and goes to nobody', () => {
    const lines = strange.map((to) => JSON.stringify({ type: 'message', to, text: 'hello' }))
    const fine = JSON.stringify({ type: 'message', to: 'user', observers: ['ben', ...strange], text: 'fine' })
    place = openPlace({ ada: 'cat > /dev/null; cat words' })
    writeFileSync(join(place.root, 'words'), `${[...lines, fine].join('\n')}\n`)
    appendFileSync(place.chat, '[user-to-ada]: go\n')
    expect(place.troupe('resume').code).toBe(0)
    const { attention, handoffs, outbox, unseen } = place.state()
    expect(handoffs.size).toBe(1)
    expect(outbox.size).toBe(0)
    expect([...unseen.keys()]).toEqual(['ben'])
    const told = attention.filter(({ kind }) => kind === 'broken')
    expect(told.map(({ from }) => from)).toEqual(strange.map(() => 'ada'))
    expect(told[1]?.text).toBe('"two words" is not a valid name, so the message is not delivered: to two words: hello')
    expect(read(place.chat)).toContain('[ada-to-user] @ [ben]: fine\n')
  })

  test('in the inbox', () => {
    place = openPlace({ ada: 'cat > /dev/null; echo done' })
    const put = (id: string, from: string, to: string) =>
      place.put(`.workplace/run/inbox/${id}`, JSON.stringify({ kind: 'message', from, to, text: 'hello' }))
    for (const [index, name] of strange.entries()) {
      put(`a${index}`, name, 'ada')
      put(`b${index}`, 'user', name)
    }
    put('c', 'user', 'ada')
    expect(place.troupe('resume').code).toBe(0)
    expect([...place.state().handoffs.keys()]).toEqual(['c'])
    expect(place.state().outbox.size).toBe(0)
    expect(place.state().attention.map(({ kind }) => kind)).toEqual([...strange, ...strange].map(() => 'broken'))
    expect(place.troupe('status').stdout).toContain('is not a valid name')
  })
})

test('a note that others changed before it was read is written once, and a message of ours is not taken for another', async () => {
  place = openPlace({ ada: 'true' })
  const setting = await openWorkplace(place)
  const lock = new Mutex(place.run).take()
  if ('busy' in lock) throw new Error('somebody runs the workplace')
  const engine = openEngine(setting, lock, () => {})
  const reader = new ChatReader(place, setting.clock.steady)
  const post = new ChatWriter(engine)
  const look = () => {
    ingestChat(engine, reader, () => post.forget())
    if (reader.isAtEnd) post.write()
  }
  look()
  acceptMessage(engine, { id: 'one', from: 'ada', to: 'user', observers: [], text: 'a note' })
  engine.flush()
  look()
  expect([...engine.state.outbox.keys()]).toEqual(['one'])
  writeFileSync(place.chat, readFileSync(place.chat, 'utf8').replace('a note', 'A NOTE'))
  for (let round = 0; round < 5; round++) look()
  expect([...engine.state.outbox.keys()]).toEqual([])
  expect(notes('[ada-to-user]')).toEqual(['[ada-to-user]: A NOTE'])
  reader.close()
  engine.close()
  lock.release()
})
