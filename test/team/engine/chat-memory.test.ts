/** What is remembered of the chat belongs to whoever holds the lock: one that has lost it changes nothing, and nothing is lost between two. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { afterEach, describe, expect, test } from 'vitest'
import { type HeldMutex, Mutex } from '../../../src/disk/mutex.ts'
import { ownIdentity } from '../../../src/disk/processes.ts'
import { lineHash } from '../../../src/team/engine/chat-file.ts'
import { ownChatLines, ReadLines } from '../../../src/team/engine/chat-memory.ts'
import { ChatReader } from '../../../src/team/engine/chat-reader.ts'
import { openPlace, type Place } from '../new-workplace.ts'

let place: Place | null = null
afterEach(() => place?.close())

const memories = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('chat-lines'))
const line = (text: string) => `[user-to-ada]: ${text}`

/** Takes the lock from whoever gives no sign of life. */
async function take(contender: Mutex): Promise<HeldMutex> {
  for (;;) {
    const lock = contender.take()
    if (!('busy' in lock)) return lock
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describe('a process that was stopped', () => {
  test.each([
    ['after it had read before', true],
    ['before it has read anything', false],
  ])(
    'and goes on %s, when another has taken over, changes nothing of what that one remembers',
    async (_when, hasRead) => {
      place = openPlace({ ada: 'true' })
      const { chat, run } = place
      const read = (lock: HeldMutex) =>
        new ChatReader({ ...place!, chatLines: ownChatLines(place!, lock.number) }, () => 0)
      const start = place.state().cursor
      if (start === null) throw new Error('nothing was read')
      appendFileSync(chat, `${line('first')}\n`)
      const old = await take(new Mutex(place.run, { patience: 20, me: { ...ownIdentity(), space: 'pid:[1]' } }))
      const stopped = read(old)
      const before = (hasRead ? stopped.read(start)?.cursor : null) ?? start
      const lock = await take(new Mutex(place.run, { patience: 20 }))
      const reader = read(lock)
      appendFileSync(chat, `${line('second')}\n${line('third')}\n`)
      const after = reader.read(before)?.cursor
      if (after === undefined) throw new Error('nothing was read')
      // It is about to remember what it reads, and that is something else by now.
      writeFileSync(chat, readFileSync(chat, 'utf8').replace('second', 'SECOND').replace('third', 'THIRD'))
      expect(stopped.read(before)?.lines.at(-1)?.text).toBe(line('THIRD'))
      appendFileSync(chat, `${line('fourth')}\n`)
      for (const one of [stopped, reader]) one.close()
      lock.release()
      const next = await take(new Mutex(place.run))
      const memory = new ReadLines(ownChatLines(place, next.number))
      const isKnown = memory.isKnown(after.memory.size)
      expect(['second', 'third', 'SECOND', 'THIRD'].map((text) => isKnown(lineHash(line(text))))).toEqual([
        true,
        true,
        false,
        false,
      ])
      expect(memories(run)).toEqual([`chat-lines.${next.number}`])
      memory.close()
      next.release()
    },
  )
})

test('each process goes on with what the one before remembered, in a file of its own', () => {
  place = openPlace({ ada: 'cat > /dev/null; echo done' })
  for (let round = 1; round <= 3; round++) {
    appendFileSync(place.chat, `${line(`task ${round}`)}\n`)
    expect(place.troupe('resume').code).toBe(0)
    const [lock = ''] = readdirSync(place.run).filter((name) => name.startsWith('lock.'))
    expect(memories(place.run)).toEqual([lock.replace('lock', 'chat-lines')])
    const memory = new ReadLines(join(place.run, memories(place.run)[0] ?? ''))
    const isKnown = memory.isKnown(place.state().cursor?.memory.size ?? 0)
    for (let task = 1; task <= round; task++) expect(isKnown(lineHash(line(`task ${task}`)))).toBe(true)
    memory.close()
  }
  expect(place.state().handoffs.size).toBe(3)
})

/** Goes on with what the one before remembered; killed before the step whose number is given. */
const program = `
  import { ReadLines } from './chat-memory.ts'
  const [path, step] = process.argv.slice(2)
  const real = require('node:fs')
  let steps = 0
  for (const name of ['openSync', 'writeFileSync', 'renameSync', 'writeSync', 'fsyncSync', 'fdatasyncSync', 'rmSync', 'closeSync']) {
    const call = real[name]
    real[name] = (...words) => {
      if (++steps === Number(step)) process.kill(process.pid, 'SIGKILL')
      return call(...words)
    }
  }
  new ReadLines(path).append(3, [4, 5])
`

test('killed between any two steps, the next one finds all that was remembered', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-memory-'))
  try {
    const outfile = join(folder, 'program.cjs')
    const stdin = { contents: program, resolveDir: resolve('src/team/engine'), loader: 'ts' } as const
    await build({ stdin, outfile, bundle: true, platform: 'node', target: 'node20', logLevel: 'error' })
    for (let step = 1; ; step++) {
      for (const name of readdirSync(folder)) if (name !== 'program.cjs') rmSync(join(folder, name))
      const first = new ReadLines(join(folder, 'chat-lines.4'))
      first.append(0, [1, 2, 3])
      first.close()
      const { signal } = spawnSync(process.execPath, [outfile, join(folder, 'chat-lines.9'), `${step}`])
      const memory = new ReadLines(join(folder, 'chat-lines.12'))
      expect(memory.tail(3, 3)).toEqual([1, 2, 3])
      if (signal === null) expect(memory.tail(5, 5)).toEqual([1, 2, 3, 4, 5])
      memory.close()
      expect(existsSync(join(folder, 'chat-lines.9'))).toBe(false)
      expect(existsSync(join(folder, 'chat-lines.4'))).toBe(false)
      if (signal === null) break
      expect(signal).toBe('SIGKILL')
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
