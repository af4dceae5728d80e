/** What a workplace costs: handoffs per second against a bare loop, with a long history, and when idle. */
import { spawn } from 'node:child_process'
import {
  closeSync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { putInInbox } from '../src/team/engine/inbox.ts'
import { readWholeJournal } from '../src/team/engine/journal-reader.ts'
import { compactJournal, isWorthCompacting, openJournal, openSuccessor } from '../src/team/engine/open-journal.ts'
import type { WorkplacePaths } from '../src/team/engine/paths.ts'
import { startWrapper } from '../src/team/engine/wrapper.ts'
import type { JournalRecord } from '../src/team/state/records.ts'
import { foldRecords } from '../src/team/state/state.ts'
import { end, makeBenchPlace, pause, startStaying } from './workplace.ts'

const members = ['ada', 'ben', 'cleo', 'dan', 'eve', 'finn', 'gus', 'hal']

/** Handoffs per second to eight members, and runs of the wrapper with one fdatasync each, eight at a time. */
export async function measureRate(root: string, cli: string, count: number): Promise<{ rate: number; bare: number }> {
  const places = makeBenchPlace(root, members, 'true')
  const bareBefore = await bareRate(join(root, 'bare-1'), count)
  for (let number = 0; number < count; number++)
    putInInbox(places, {
      kind: 'message',
      from: 'user',
      to: members[number % members.length] ?? '',
      observers: [],
      text: `task ${number}`,
      run: null,
      worktree: false,
    })
  const child = await startStaying(root, cli)
  try {
    while (finished(places) < count) await pause(200)
  } finally {
    await end(child)
  }
  const times = [...readWholeJournal(places.journal)].flatMap((record) =>
    record.t === 'claimed' || record.t === 'completed' ? [record.at] : [],
  )
  const rate = (count / (Math.max(...times) - Math.min(...times))) * 1000
  return { rate, bare: (bareBefore + (await bareRate(join(root, 'bare-2'), count))) / 2 }
}

function finished({ journal }: WorkplacePaths): number {
  return [...readWholeJournal(journal)].filter(({ t }) => t === 'completed').length
}

async function bareRate(folder: string, count: number): Promise<number> {
  mkdirSync(folder)
  const log = openSync(join(folder, 'log'), 'a')
  const began = performance.now()
  let next = 0
  const lane = async () => {
    while (next < count) {
      const run = `run-${next++}`
      mkdirSync(join(folder, run))
      writeFileSync(join(folder, run, 'prompt.md'), 'work')
      const child = startWrapper({
        claim: join(folder, `${run}.claim`),
        folder: join(folder, run),
        most: 1024 * 1024,
        command: ['/bin/sh', '-c', 'true'],
        cwd: folder,
        lease: folder,
        mark: '7',
        environment: { PATH: process.env.PATH ?? '', TROUPE_RUN: run },
      })
      child.ref()
      await new Promise((resolve) => child.on('exit', resolve))
      writeSync(log, `${run}\n`)
      fdatasyncSync(log)
    }
  }
  await Promise.all(members.map(lane))
  closeSync(log)
  return (count / (performance.now() - began)) * 1000
}

/** A workplace with so many finished handoffs, as its orchestrator would have left it. */
export function makeHistory(root: string, handoffs: number): WorkplacePaths {
  const places = makeBenchPlace(root, members, 'true')
  let opened = openJournal(places.journal, 'bench')
  let { state } = opened
  for (let number = 0; number < handoffs; number++) {
    const [id, at, to] = [`handoff${number}`, 1_700_000_000_000 + number, members[number % members.length] ?? '']
    const text = `Review the change number ${number}, and everything that it touches`
    const records: JournalRecord[] = [
      { t: 'seen', id, at, kind: 'handoff', from: 'user', to, text, chain: id, post: true },
      { t: 'claimed', id, attempt: 1, run: `${id}.1`, at, since: 1, pid: 4711, start: '123456' },
      { t: 'started', id, attempt: 1, at, pid: 4712, start: '123457' },
      { t: 'seen', id: `${id}a`, at, kind: 'reply', from: to, to: 'user', text: 'Approved', chain: id, answers: id },
      { t: 'completed', id, attempt: 1, at, ms: 5000, answer: 'Approved' },
      { t: 'ended', chain: id, at },
      { t: 'posted', id, line: number },
    ]
    opened.journal.append(records, opened.journal.next)
    foldRecords(records, state)
    if (!isWorthCompacting(opened.journal, opened.snapshot)) continue
    compactJournal(places.journal, opened.journal, state, 'bench')
    opened = openSuccessor(places.journal, opened.journal, 'bench')
    state = opened.state
  }
  opened.journal.close()
  return places
}

/** An idle orchestrator compared with an idle Node: additional megabytes, and ms of CPU per minute. */
export async function measureIdle(root: string, cli: string): Promise<{ memory: number; cpu: number }> {
  makeBenchPlace(root, members, 'true')
  const bare = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)'], { stdio: 'ignore' })
  const child = await startStaying(root, cli)
  try {
    // By then it has read its agents and written its files.
    await pause(20_000)
    const before = cpuOf(child.pid)
    const seconds = 30
    await pause(seconds * 1000)
    const cpu = ((cpuOf(child.pid) - before) * 60) / seconds
    return { memory: memoryOf(child.pid) - memoryOf(bare.pid), cpu }
  } finally {
    bare.kill('SIGKILL')
    await end(child)
  }
}

/** Of all its threads, in ms; from the scheduler's nanoseconds, because times in hundredths of a second are too coarse. */
function cpuOf(pid = 0): number {
  const tasks = readdirSync(`/proc/${pid}/task`).map((task) =>
    readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8'),
  )
  return tasks.reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1e6, 0)
}

function memoryOf(pid = 0): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}
