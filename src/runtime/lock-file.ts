/**
 * A lock made of numbered files, for systems without sockets that have no file. The live owner of the highest number
 * holds it. A number is taken by linking a finished file to it, which only one can do; only the taker of a higher number
 * removes lower ones; whoever finds a higher number after taking his own steps back. So two can never both believe to
 * have it, which removing a stale lock file and making a new one cannot promise.
 */
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isRunning, thisProcess } from './processes.ts'

export interface HeldLock {
  readonly release: () => void
  /** Whether it is still ours. */
  readonly holds: () => boolean
}

export type Lock = HeldLock | { readonly busy: true }

/** How often an owner says that it is there, and how long others believe it who cannot ask (ms). */
const HEARTBEAT = 2000
const PATIENCE = 30_000

export function takeFileLock(folder: string): Lock {
  mkdirSync(folder, { recursive: true })
  const { pid, start } = thisProcess()
  const mine = `${pid} ${start} ${hostname()}`
  const draft = join(folder, `lock-draft.${pid}`)
  writeFileSync(draft, mine)
  try {
    for (;;) {
      const highest = numbersIn(folder).at(-1) ?? 0
      if (highest > 0 && isHeld(folder, highest, draft)) return { busy: true }
      const number = highest + 1
      if (!link(draft, fileOf(folder, number))) continue
      const numbers = numbersIn(folder)
      if (numbers.at(-1) !== number) {
        rmSync(fileOf(folder, number), { force: true })
        continue
      }
      for (const lower of numbers) if (lower < number) rmSync(fileOf(folder, lower), { force: true })
      return held(folder, number, mine)
    }
  } finally {
    rmSync(draft, { force: true })
  }
}

function held(folder: string, number: number, mine: string): Lock {
  const file = fileOf(folder, number)
  const holds = () => read(file) === mine && numbersIn(folder).at(-1) === number
  const beat = setInterval(() => {
    const now = new Date()
    try {
      utimesSync(file, now, now)
    } catch {
      // `holds` tells.
    }
  }, HEARTBEAT)
  beat.unref()
  return {
    holds,
    release: () => {
      clearInterval(beat)
      if (!holds()) return
      // The number stays taken, so that nobody who looked long ago can take it again.
      const free = `${file}.free`
      writeFileSync(free, 'free')
      renameSync(free, file)
    },
  }
}

/** Whether its owner lives. On another machine only the heartbeat tells; a file made now tells what time it is there. */
function isHeld(folder: string, number: number, draft: string): boolean {
  const file = fileOf(folder, number)
  const who = read(file)
  if (who === null || who === 'free') return false
  const [, pid, start = '-', host] = /^(\d+) (\S+) (\S+)$/.exec(who) ?? []
  if (pid === undefined) return false
  if (host === hostname()) return isRunning({ pid: Number(pid), start })
  try {
    const now = new Date()
    utimesSync(draft, now, now)
    return statSync(draft).mtimeMs - statSync(file).mtimeMs < PATIENCE
  } catch {
    return true
  }
}

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function numbersIn(folder: string): number[] {
  return readdirSync(folder)
    .map((name) => Number(/^lock\.(\d+)$/.exec(name)?.[1] ?? 0))
    .filter((number) => number > 0)
    .sort((a, b) => a - b)
}

function fileOf(folder: string, number: number): string {
  return join(folder, `lock.${number}`)
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
