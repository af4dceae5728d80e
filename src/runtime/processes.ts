/** Processes, told apart by number and moment of start, and ended by group; never by name. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import type { ProcessId } from '../workplace/records.ts'

/** The moment a process started, in whatever unit the system has; null where there is no such process. */
export function startOf(pid: number, hasProc = process.platform === 'linux'): string | null {
  if (hasProc) return startIn(readQuietly(`/proc/${pid}/stat`))
  const { stdout, status } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { LC_ALL: 'C', PATH: process.env.PATH },
  })
  return status === 0 ? stdout.trim().replace(/\s+/g, '_') || null : null
}

/** Field 22 of Linux's line; the name of the program before it may hold anything, so counting begins behind that. */
function startIn(stat: string | null): string | null {
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  // A dead process that nobody has fetched yet does nothing any more.
  return fields === undefined || fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null)
}

export function thisProcess(): ProcessId {
  return { pid: process.pid, start: startOf(process.pid) ?? '-' }
}

/** Whether this very process still runs. */
export function isRunning({ pid, start }: ProcessId): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const now = startOf(pid)
  return now !== null && (start === '-' || now === start)
}

export function signalGroup(group: number, signal: NodeJS.Signals): void {
  // 0 and 1 would mean ourselves and everybody.
  if (!Number.isInteger(group) || group < 2) return
  try {
    process.kill(-group, signal)
  } catch {
    // Nobody is left in it.
  }
}

/** Processes that carry one of these runs in their environment: also those that left their group (Linux). */
export function processesOf(runs: ReadonlySet<string>): number[] {
  if (runs.size === 0 || process.platform !== 'linux') return []
  const found: number[] = []
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid === process.pid) continue
    const run = runOf(pid)
    if (run !== null && runs.has(run) && startOf(pid) !== null) found.push(pid)
  }
  return found
}

/** When a process of this run started; null where there is none of that number, or no longer (Linux). */
export function startInRun(pid: number, run: string): string | null {
  const start = startOf(pid)
  // Asked for again, so that the answers are about one process.
  return start !== null && runOf(pid) === run && startOf(pid) === start ? start : null
}

/** The run in whose environment a process was started (Linux). */
function runOf(pid: number): string | null {
  return /(?:^|\0)TROUPE_RUN=([^\0]*)/.exec(readQuietly(`/proc/${pid}/environ`) ?? '')?.[1] ?? null
}

export function endProcesses(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
}

function readQuietly(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null
  }
}
