/** Where the reading of chat.md goes on after somebody rotated, cut, saved or copied it. */
import { appendFileSync, copyFileSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ChatReader, startOfChat } from '../../src/runtime/chat-reader.ts'
import type { Cursor } from '../../src/workplace/records.ts'

let folder: string
let chat: string
let now: number
let cursor: Cursor
let reader: ChatReader

const open = () => new ChatReader({ folder, chat }, () => now)
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'troupe-chat-'))
  chat = join(folder, 'chat.md')
  now = 0
  cursor = startOfChat
  reader = open()
})
afterEach(() => {
  reader.close()
  rmSync(folder, { recursive: true, force: true })
})

/** All there is to be read, as the orchestrator does it; a second passes between looks. */
function readAll(looks = 3): string[] {
  const lines: string[] = []
  for (let look = 0; look < looks; look++) {
    for (let batch = reader.read(cursor); batch !== null; batch = reader.read(cursor)) {
      lines.push(...batch.lines.map(({ text }) => text))
      cursor = batch.cursor
    }
    now += 1000
  }
  return lines
}
/** The orchestrator is killed; the next one knows the cursor. */
function restart(): void {
  reader.close()
  reader = open()
}
/** Files are told apart by the moment they were made, which the system measures in steps. */
const tick = () => new Promise((resolve) => setTimeout(resolve, 20))
const rotate = async (name: string) => {
  await tick()
  renameSync(chat, join(folder, name))
  writeFileSync(chat, '')
}

test('whole lines once, and half ones when they are whole', () => {
  writeFileSync(chat, 'one\ntwo\nthr')
  expect(readAll()).toEqual(['one', 'two'])
  appendFileSync(chat, 'ee\n')
  expect(readAll()).toEqual(['three'])
  restart()
  expect(readAll()).toEqual([])
})

describe.each([
  ['and somebody reads on', () => {}],
  ['while nobody reads', restart],
])('rotated %s', (_when, then) => {
  test('what nobody had read stands under another name', async () => {
    writeFileSync(chat, 'one\n')
    readAll()
    appendFileSync(chat, 'two\n')
    await rotate('chat.1.md')
    appendFileSync(chat, 'three\n')
    then()
    expect(readAll()).toEqual(['two', 'three'])
    then()
    expect(readAll()).toEqual([])
  })

  test('several times, into the memory folder too', async () => {
    writeFileSync(chat, 'one\n')
    readAll()
    appendFileSync(chat, 'two\n')
    await rotate('chat-a.md')
    appendFileSync(chat, 'three\n')
    await rotate('chat-b.md')
    appendFileSync(chat, 'four\n')
    then()
    expect(readAll()).toEqual(['two', 'three', 'four'])
    then()
    expect(readAll()).toEqual([])
  })

  test('and begun anew before', async () => {
    writeFileSync(chat, 'one\n')
    readAll()
    truncateSync(chat, 0)
    appendFileSync(chat, 'two\n')
    await rotate('chat.1.md')
    appendFileSync(chat, 'three\n')
    then()
    expect(readAll()).toEqual(['two', 'three'])
  })

  test('a copy that somebody made is no part of the chat', async () => {
    writeFileSync(chat, 'one\n')
    await tick()
    readAll()
    copyFileSync(chat, join(folder, 'chat-backup.md'))
    appendFileSync(chat, 'two\n')
    await rotate('chat.1.md')
    then()
    expect(readAll()).toEqual(['two'])
  })
})

describe('saved by an editor', () => {
  test('with lines added, only those are read; with others changed, all of it is new', () => {
    writeFileSync(chat, 'one\ntwo\n')
    readAll()
    writeFileSync(`${chat}~`, 'one, changed\ntwo\nthree\n')
    renameSync(`${chat}~`, chat)
    expect(readAll()).toEqual(['one, changed', 'two', 'three'])
    writeFileSync(chat, 'one, changed\ntwo\nthree\nfour\n')
    expect(readAll()).toEqual(['four'])
  })

  test('a file that is being saved is left alone until it rests', () => {
    writeFileSync(chat, 'one\ntwo\n')
    readAll()
    writeFileSync(chat, '')
    expect(readAll(1)).toEqual([])
    expect(reader.isAtEnd).toBe(false)
    writeFileSync(chat, 'one\ntwo\nthree\n')
    expect(readAll()).toEqual(['three'])
    expect(reader.isAtEnd).toBe(true)
  })
})

describe('cut', () => {
  test('to nothing, it begins anew; the same line is then another message', () => {
    writeFileSync(chat, 'one\n')
    readAll()
    const before = cursor.generation
    truncateSync(chat, 0)
    expect(readAll(4)).toEqual([])
    expect(reader.isAtEnd).toBe(true)
    appendFileSync(chat, 'one\n')
    expect(readAll()).toEqual(['one'])
    expect(cursor.generation).toBe(before + 1)
  })

  test('and written to all the time, it is still read', () => {
    writeFileSync(chat, 'one\n')
    readAll()
    truncateSync(chat, 0)
    const found: string[] = []
    for (let number = 0; number < 40; number++) {
      appendFileSync(chat, `${number}\n`)
      found.push(...readAll(0))
      const batch = reader.read(cursor)
      if (batch !== null) {
        found.push(...batch.lines.map(({ text }) => text))
        cursor = batch.cursor
      }
      now += 100
    }
    expect(found.slice(0, 5)).toEqual(['0', '1', '2', '3', '4'])
  })

  test('removed and made again', () => {
    writeFileSync(chat, 'one\n')
    readAll()
    rmSync(chat)
    expect(readAll()).toEqual([])
    writeFileSync(chat, 'two\n')
    expect(readAll()).toEqual(['two'])
  })
})

test('a line of megabytes is passed over, and what follows is read', () => {
  writeFileSync(chat, `${'x'.repeat(3 * 1024 * 1024)}\nnext\n`)
  expect(readAll()).toEqual(['next'])
})
