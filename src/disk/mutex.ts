/**
 * One process at a time runs a workplace: a lock built from numbered files, because link(2) is the one primitive that
 * every system, every namespace and every container that shares the folder agrees on. (An abstract socket belongs to a
 * network namespace, and Node has no flock.) The live owner of the highest number holds the lock. A number is taken by
 * linking a finished file to it, which only one process can do; only the owner of a higher number removes lower ones; a
 * process that finds a higher number after taking its own backs off.
 *
 * Whether an owner is alive is asked of the system where possible. Elsewhere its heartbeat decides, and a stopped owner
 * can be mistaken for a dead one; so the journal does not rely on the lock (journal-writer.ts).
 */
import {
  accessSync,
  closeSync,
  constants,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { writeAtomically, writeDraft } from './atomic-write.ts'
import { formatIdentity, isAlive, ownIdentity, type ProcessIdentity, parseIdentity } from './processes.ts'
import { readRegularText } from './read-file.ts'

export interface HeldMutex {
  readonly release: () => void
  /** Whether we still hold it. */
  readonly holds: () => boolean
  /** A file that exists for as long as no other process has taken the lock. */
  readonly proof: string
  /** Higher than that of every previous owner, and never reused. */
  readonly number: number
}

/** Larger file numbers are not exact; they are never reached (paths.ts). */
export const LAST = Number.MAX_SAFE_INTEGER

export type MutexAttempt = HeldMutex | { readonly busy: true }

/** How often an owner refreshes its file, and how long it is trusted by processes that cannot probe it (ms). */
const HEARTBEAT = 3000
export const SILENCE_LIMIT = 15_000

/** For a process that may wait long for the lock: it records since when an owner has shown no sign of life. */
export class Mutex {
  readonly #folder: string
  readonly #me: ProcessIdentity
  readonly #patience: number
  #silent: { readonly sign: string; readonly since: number } | null = null

  constructor({ run }: { readonly run: string }, patience = SILENCE_LIMIT, me = ownIdentity()) {
    this.#folder = run
    this.#me = me
    this.#patience = patience
  }

  take(): MutexAttempt {
    const folder = this.#folder
    makeRunFolder(folder)
    const mine = formatIdentity(this.#me)
    const highest = numbersIn(folder).at(-1) ?? 0
    if (highest > 0 && this.#isHeld(highest)) return { busy: true }
    const draft = writeDraft(join(folder, 'lock'), mine, { mode: null, durable: false })
    try {
      for (;;) {
        const highest = numbersIn(folder).at(-1) ?? 0
        if (highest > 0 && this.#isHeld(highest)) return { busy: true }
        const number = highest + 1
        if (number > LAST) throw new Error(`${fileOf(folder, highest)} has a number that none can follow`)
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

  /**
   * An owner that cannot be probed is trusted until it was silent for the limit while we watched, on a monotonic clock:
   * file times of two machines cannot be compared.
   */
  #isHeld(number: number): boolean {
    const file = fileOf(this.#folder, number)
    const who = ownerIn(file)
    // An unreadable file of another user is treated like an owner that cannot be probed.
    if (who === null && !isUnreadable(file)) return false
    const alive = who === null ? null : isAlive(who)
    if (alive !== null) return alive
    const sign = `${number} ${statSync(file, { throwIfNoEntry: false, bigint: true })?.mtimeNs}`
    if (this.#silent?.sign !== sign) this.#silent = { sign, since: performance.now() }
    return performance.now() - this.#silent.since < this.#patience
  }
}

/** Only within a workplace: one that was removed during a run must not come back. */
function makeRunFolder(folder: string): void {
  try {
    mkdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function held(folder: string, number: number, mine: string): HeldMutex {
  const file = fileOf(folder, number)
  const holds = () => read(file) === mine && numbersIn(folder).at(-1) === number
  const beat = setInterval(() => beatOnce(file, mine), HEARTBEAT)
  beat.unref()
  return {
    proof: file,
    number,
    holds,
    release: () => {
      clearInterval(beat)
      if (!holds()) return
      // The number stays taken, so that a process with an outdated view cannot take it again.
      try {
        writeAtomically(file, 'free')
      } catch {
        // The disk may be full; our exit has the same effect.
      }
    },
  }
}

/** Rewrites the same content, so that the file system records the time. A removed file does not come back. */
function beatOnce(file: string, mine: string): void {
  try {
    const open = openSync(file, 'r+')
    try {
      writeSync(open, mine, 0)
    } finally {
      closeSync(open)
    }
  } catch {
    // `holds` detects it.
  }
}

/** Who runs the workplace, as far as is known without waiting; null if it is not running. */
export function readMutexOwner({
  run,
}: {
  readonly run: string
}): (ProcessIdentity & { readonly isUp: boolean }) | null {
  const highest = numbersIn(run).at(-1)
  if (highest === undefined) return null
  const file = fileOf(run, highest)
  const who = ownerIn(file)
  if (who === null) return null
  const modified = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return { ...who, isUp: isAlive(who) ?? Math.abs(Date.now() - modified) < SILENCE_LIMIT }
}

function ownerIn(file: string): ProcessIdentity | null {
  return parseIdentity(read(file) ?? '')
}

function isUnreadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return false
  } catch (error) {
    return ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')
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
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    return []
  }
  return names
    .map((name) => Number(/^lock\.([1-9]\d*)$/.exec(name)?.[1] ?? 0))
    .filter((number) => number > 0 && number <= LAST)
    .sort((a, b) => a - b)
}

function fileOf(folder: string, number: number): string {
  return join(folder, `lock.${number}`)
}

function read(file: string): string | null {
  try {
    return readRegularText(file)
  } catch {
    return null
  }
}
