/** How long a workplace takes: from a line in the chat to a started program, and to know where it was after a crash. */
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { initWorkplace } from '../src/runtime/init.ts'
import { readJournal } from '../src/runtime/journal-file.ts'
import { placesOf } from '../src/runtime/places.ts'
import type { JournalRecord } from '../src/workplace/records.ts'
import { fold } from '../src/workplace/state.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const middle = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Milliseconds of CPU to read and replay the journal of so many handoffs; the least of all runs. */
export function measureReplay(folder: string, handoffs: number): number {
  const path = join(folder, 'journal.jsonl')
  const records: JournalRecord[] = [{ t: 'open', format: 1, uuid: 'bench', at: 0 }]
  for (let number = 0; number < handoffs; number++) {
    const [id, at] = [`handoff${number}`, number]
    const text = `Review the change number ${number}, and everything that it touches`
    records.push(
      { t: 'seen', id, at, kind: 'handoff', from: 'coder', to: 'reviewer', text, chain: id, post: true },
      { t: 'claimed', id, attempt: 1, run: `${id}.1`, at, pid: 4711, start: '123456' },
      { t: 'started', id, attempt: 1, at, pid: 4712, start: '123457' },
      { t: 'completed', id, attempt: 1, at, ms: 5000, answer: 'Approved' },
      { t: 'ended', chain: id, at },
    )
  }
  writeFileSync(path, `${records.map((record) => JSON.stringify(record)).join('\n')}\n`)
  const runs = Array.from({ length: 9 }, () => {
    const before = process.cpuUsage()
    const state = fold(readJournal(path).records)
    const { user, system } = process.cpuUsage(before)
    if (state.handoffs.size !== handoffs || state.open.size !== 0) throw new Error('the replay is wrong')
    return (user + system) / 1000
  })
  return Math.min(...runs)
}

/**
 * Milliseconds on the clock, the middle of so many: a line is appended to chat.md, and the program has begun. Beside it
 * the floor on which that stands, by turns, because what else the machine does changes by the minute: the same program
 * started by Node alone.
 */
export async function measureStart(
  root: string,
  cli: string,
  times: number,
): Promise<{ readonly started: number; readonly floor: number }> {
  mkdirSync(join(root, '.workplace/agents'), { recursive: true })
  writeFileSync(join(root, '.workplace/agents/ada.md'), '---\nname: ada\nrole: "Worker"\n---\nYou work.\n')
  writeFileSync(join(root, 'troupe.yaml'), "work:\n  command: [/bin/sh, -c, ': > mark']\n")
  initWorkplace(root, { name: 'bench', description: '', others: ['ada'] })
  const { chat, owner, claims } = placesOf(root)
  const child = spawn(process.execPath, [cli, '-C', root, 'work', 'resume', '--stay', '--quiet'], { stdio: 'ignore' })
  try {
    for (let waited = 0; !existsSync(owner); waited++) {
      if (waited > 500) throw new Error('the workplace did not start')
      await pause(20)
    }
    const mark = join(root, 'mark')
    /** Woken by the system: whoever looked all the time would take one of few cores from what is measured. */
    const until = (begin: () => void) => {
      rmSync(mark, { force: true })
      return new Promise<number>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error('the program did not start')), 10_000)
        const watcher = watch(root, (_event, name) => {
          if (name !== 'mark' || !existsSync(mark)) return
          resolve(performance.now() - began)
          clearTimeout(late)
          watcher.close()
        })
        const began = performance.now()
        begin()
      })
    }
    const samples: number[] = []
    const bare: number[] = []
    for (let number = 0; number < times; number++) {
      bare.push(
        await until(() => spawn('/bin/sh', ['-c', `: > "${mark}"`], { detached: true, stdio: 'ignore' }).unref()),
      )
      for (let waited = 0; readdirSync(claims).length > 0 && waited < 500; waited++) await pause(10)
      await pause(150)
      samples.push(await until(() => appendFileSync(chat, `[user-to-ada]: task ${number}\n`)))
    }
    return { started: middle(samples), floor: middle(bare) }
  } finally {
    child.kill('SIGTERM')
    await new Promise((resolve) => child.on('exit', resolve))
  }
}
