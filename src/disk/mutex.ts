/**
 * One process at a time writes into a project, runs a workplace or changes a list: a lock built from numbered files in a
 * folder, because link(2) is the one primitive that every system, every namespace and every container that shares the
 * folder agrees on. (An abstract socket belongs to a network namespace, and Node has no flock.) The live owner of the
 * highest number holds the lock. A number is taken by linking a finished file to it, which only one process can do; only
 * the owner of a higher number removes lower ones; a process that finds a higher number after taking its own backs off.
 *
 * Whether an owner is alive is asked of the system where possible. Elsewhere its heartbeat decides, and a stopped owner
 * can be mistaken for a dead one; so a run asks before it writes (`keep`), and the journal of a workplace does not rely
 * on the lock at all (journal-writer.ts).
 */
import { linkSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { overwriteInPlace, writeAtomically, writeDraft, writeNewFile } from './atomic-write.ts'
import { formatIdentity, isAlive, ownIdentity, type ProcessIdentity, parseIdentity } from './processes.ts'
import { readRegularText } from './read-file.ts'

export interface HeldMutex {
  readonly release: () => void
  /** Whether we still hold it. */
  readonly holds: () => boolean
  /** For work during which no timer fires: shows from time to time that we are alive. False: we no longer hold it. */
  readonly keep: () => boolean
  /** A file that exists for as long as no other process has taken the lock. */
  readonly proof: string
  /** Higher than that of every previous owner, and never reused. */
  readonly number: number
}

/** Larger file numbers are not exact; they are never reached (paths.ts). */
export const LAST = Number.MAX_SAFE_INTEGER

interface BusyMutex {
  readonly busy: true
  /** Null: its file cannot be read, or is not finished. */
  readonly owner: ProcessIdentity | null
  /** Whether the owner is known to live. Otherwise only more time can tell. */
  readonly isCertain: boolean
}

export type MutexAttempt = HeldMutex | BusyMutex

/** How often an owner refreshes its file, and how long it is trusted by processes that cannot probe it (ms). */
const HEARTBEAT = 3000
export const SILENCE_LIMIT = 15_000
/** The same for a file that is still empty: without links, it is created first and filled then. */
const EMPTY_LIMIT = 2000
/** How often a process that waits looks again (ms). */
const PAUSE = 20

/** The content of a file: what an owner writes in the end, and what we take it for if we may not read it. */
const FREE = 'free'
const UNREADABLE = '?'
/** Files that we let go of and could not mark as free, as on a broken disk. For others, our exit frees them. */
const released = new Set<string>()

interface MutexOptions {
  readonly patience?: number
  readonly me?: ProcessIdentity
  /** Makes a finished file beside those of the mutex, for which there may be other ways on a full disk. */
  readonly draft?: (text: string) => string
}

/** Records since when an owner has shown no sign of life, so a process that waits keeps one of these. */
export class Mutex {
  readonly #folder: string
  readonly #me: ProcessIdentity
  readonly #patience: number
  readonly #draft: (text: string) => string
  #sign: { readonly text: string; readonly since: number; readonly isFirst: boolean } | null = null

  constructor(folder: string, { patience = SILENCE_LIMIT, me = ownIdentity(), draft }: MutexOptions = {}) {
    this.#folder = folder
    this.#me = me
    this.#patience = patience
    this.#draft = draft ?? ((text) => writeDraft(join(folder, 'lock'), text, { mode: null, durable: false }))
  }

  take(): MutexAttempt {
    const folder = this.#folder
    makeFolder(folder)
    const mine = formatIdentity(this.#me)
    let draft: string | null = null
    try {
      for (;;) {
        const highest = numbersIn(folder).at(-1) ?? 0
        const busy = this.#busy(highest)
        if (busy !== null) return busy
        const number = highest + 1
        if (number > LAST) throw new Error(`${fileOf(folder, highest)} has the highest possible number`)
        draft ??= this.#draft(mine)
        if (!create(fileOf(folder, number), draft, mine)) continue
        const numbers = numbersIn(folder)
        if (numbers.at(-1) !== number) {
          remove(fileOf(folder, number))
          continue
        }
        for (const lower of numbers) if (lower < number) remove(fileOf(folder, lower))
        return held(folder, number, mine)
      }
    } finally {
      if (draft !== null) remove(draft)
    }
  }

  /**
   * For a process that cannot come back later: waits until an owner that cannot be probed has shown a sign of life, or
   * was silent for too long. Nothing is written.
   */
  settle(): void {
    while (this.#busy(highestIn(this.#folder))?.isCertain === false) sleep(PAUSE)
  }

  /**
   * Null: there is no owner. One that cannot be probed is trusted until it was silent for the limit while we watched, on
   * a monotonic clock: file times of two machines cannot be compared.
   */
  #busy(number: number): BusyMutex | null {
    if (number === 0) return null
    const file = fileOf(this.#folder, number)
    const text = read(file)
    const owner = parseIdentity(text ?? '')
    // An unreadable file of another user is treated like an owner that cannot be probed.
    if (owner === null && text !== '' && text !== UNREADABLE) return null
    if (released.has(file) && text === formatIdentity(ownIdentity())) return null
    const alive = owner === null ? null : isAlive(owner)
    if (alive !== null) return alive ? { busy: true, owner, isCertain: true } : null
    const sign = `${number} ${text} ${modifiedAt(file)}`
    if (this.#sign?.text !== sign) this.#sign = { text: sign, since: performance.now(), isFirst: this.#sign === null }
    const limit = text === '' ? Math.min(EMPTY_LIMIT, this.#patience) : this.#patience
    if (performance.now() - this.#sign.since >= limit) return null
    return { busy: true, owner, isCertain: !this.#sign.isFirst }
  }
}

/** Does something while no other process does, for which it waits. Blocks the process, so it is for short things. */
export function withMutex<T>(folder: string, work: () => T): T {
  const contender = new Mutex(folder)
  const since = performance.now()
  for (;;) {
    const lock = contender.take()
    if (!('busy' in lock)) {
      try {
        return work()
      } finally {
        lock.release()
      }
    }
    if (performance.now() - since > 2 * SILENCE_LIMIT) {
      throw new Error(`another troupe${ownerText(lock)} is writing there and does not finish`)
    }
    sleep(PAUSE)
  }
}

/** Who has it, in parentheses, for a sentence; empty if unknown. */
export function ownerText({ owner }: BusyMutex): string {
  if (owner === null) return ''
  const where = isAlive(owner) === null ? ` on ${owner.host}, in another container or on another machine` : ''
  return ` (process ${owner.pid}${where})`
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** Never its parents: a workplace that was removed during a run must not come back. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function held(folder: string, number: number, mine: string): HeldMutex {
  const file = fileOf(folder, number)
  released.delete(file)
  const holds = () => read(file) === mine && highestIn(folder) === number
  // The same content again, so that the file system records the time.
  const beat = setInterval(() => overwriteInPlace(file, mine), HEARTBEAT)
  beat.unref()
  let kept = performance.now()
  return {
    proof: file,
    number,
    holds,
    keep: () => {
      if (performance.now() - kept < HEARTBEAT) return true
      overwriteInPlace(file, mine)
      const isOurs = holds()
      if (isOurs) kept = performance.now()
      return isOurs
    },
    release: () => {
      clearInterval(beat)
      released.add(file)
      if (holds() && free(file)) released.delete(file)
    },
  }
}

/** The number stays taken, so that a process with an outdated view cannot take it again. */
function free(file: string): boolean {
  try {
    writeAtomically(file, FREE)
    return true
  } catch {
    // The disk may be full: then in place, which needs no space.
    return overwriteInPlace(file, FREE)
  }
}

/** The owner, as far as is known without waiting; null if there is none. */
export function readMutexOwner(folder: string): (ProcessIdentity & { readonly isUp: boolean }) | null {
  const file = fileOf(folder, highestIn(folder))
  const who = parseIdentity(read(file) ?? '')
  if (who === null) return null
  return { ...who, isUp: isAlive(who) ?? Math.abs(Date.now() - modifiedAt(file)) < SILENCE_LIMIT }
}

/** What file systems without links answer. */
const LINKLESS = ['EPERM', 'EACCES', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']

/** False: the file exists already. */
function create(file: string, draft: string, text: string): boolean {
  try {
    try {
      linkSync(draft, file)
    } catch (error) {
      if (!LINKLESS.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
      writeNewFile(file, text, { mode: null, durable: false })
    }
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Tidying: a folder can have this name, and the file of another user may have to stay. Only the highest number counts. */
function remove(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // It stays.
  }
}

/** 0: there is none, or the folder cannot be read. */
function highestIn(folder: string): number {
  try {
    return numbersIn(folder).at(-1) ?? 0
  } catch {
    return 0
  }
}

function numbersIn(folder: string): number[] {
  return readdirSync(folder)
    .map((name) => Number(/^lock\.([1-9]\d*)$/.exec(name)?.[1] ?? 0))
    .filter((number) => number > 0 && number <= LAST)
    .sort((a, b) => a - b)
}

function fileOf(folder: string, number: number): string {
  return join(folder, `lock.${number}`)
}

/** Null: it is gone, or no regular file. */
function read(file: string): string | null {
  try {
    return readRegularText(file)
  } catch (error) {
    return ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '') ? UNREADABLE : null
  }
}

/** When the file was written, by the clock of the process that wrote it; 0 if that cannot be known. */
function modifiedAt(file: string): number {
  try {
    return statSync(file).mtimeMs
  } catch {
    return 0
  }
}
