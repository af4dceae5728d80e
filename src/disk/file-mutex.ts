/** One run at a time per root: `.troupe/running` names the owner. */
import { lstatSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { isRunning, thisProcess } from './processes.ts'
import { readRegularText } from './read-file.ts'

export type FileMutexAttempt = { readonly release: () => void } | { readonly busy: true; readonly pid: number | null }

/** An owner that cannot be probed is trusted for as long as a run may take (ms). */
const PATIENCE = 10 * 60 * 1000
/** An empty file is about to be filled, or is abandoned after this time (ms). */
const EMPTY_GRACE = 2000

export function takeFileMutex(path: string): FileMutexAttempt {
  const { pid, start } = thisProcess()
  const me = `${pid} ${start} ${hostname()}`
  for (let attempt = 0; attempt < 3; attempt++) {
    if (claim(path, me)) {
      sweep(path)
      return { release: () => release(path, me) }
    }
    const other = read(path)
    if (other === null) continue
    if (isAlive(path, other)) return { busy: true, pid: Number.parseInt(other, 10) || null }
    if (!discard(path, other)) break
  }
  return { busy: true, pid: null }
}

/** A link, because it is created together with its content; a file where links are not supported. */
function claim(path: string, me: string): boolean {
  try {
    symlinkSync(me, path)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (code !== 'EPERM' && code !== 'ENOSYS' && code !== 'ENOTSUP') throw error
  }
  try {
    writeFileSync(path, me, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Moved away first: another process may have taken the lock between the check and the removal. */
function discard(path: string, stale: string): boolean {
  const aside = `${path}-${process.pid}`
  try {
    renameSync(path, aside)
  } catch {
    return true
  }
  if (read(aside) !== stale) {
    renameSync(aside, path)
    return false
  }
  rmSync(aside, { force: true })
  return true
}

/** Removes what other processes moved away before they were killed. */
function sweep(path: string): void {
  const aside = `${basename(path)}-`
  for (const name of readdirSync(dirname(path))) {
    const pid = name.startsWith(aside) ? Number(name.slice(aside.length)) : Number.NaN
    if (pid > 0 && !isRunning({ pid, start: '-' })) rmSync(join(dirname(path), name), { force: true })
  }
}

function release(path: string, me: string): void {
  if (read(path) === me) rmSync(path, { force: true })
}

function read(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : readRegularText(path)
  } catch {
    return null
  }
}

function isAlive(path: string, who: string): boolean {
  const [, pid, start, host] = /^([1-9]\d*) (\S+) (\S+)$/.exec(who) ?? []
  if (pid === undefined) return isYoung(path, EMPTY_GRACE)
  if (host !== hostname()) return isYoung(path, PATIENCE)
  return isRunning({ pid: Number(pid), start: start ?? '-' })
}

function isYoung(path: string, age: number): boolean {
  const made = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs
  return made !== undefined && Math.abs(Date.now() - made) < age
}
