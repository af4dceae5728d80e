/** Processes, told apart by number and moment of start, and ended by group; never by name. */
import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { hostname } from 'node:os'
import type { ProcessId } from '../model/process-id.ts'

/** The moment a process started, in whatever unit the system has; null where there is no such process. */
export function processStart(pid: number, hasProc = process.platform === 'linux'): string | null {
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
  return { pid: process.pid, start: processStart(process.pid) ?? '-' }
}

/** Whether this very process still runs. */
export function isRunning({ pid, start }: ProcessId): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const now = processStart(pid)
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

/**
 * Processes of these runs of a workplace, also those that left their group, their session and their parent (Linux): they
 * carry the run in their environment, or, where that was emptied, its mark among their limits.
 */
export function processesOfRuns(runs: ReadonlySet<string>, root: string): number[] {
  if (runs.size === 0 || process.platform !== 'linux') return []
  const found: number[] = []
  const real = realPath(root)
  const marks = new Set([...runs].map((run) => runMark(real, run)))
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid === process.pid) continue
    const environment = readQuietly(`/proc/${pid}/environ`) ?? ''
    const run = valueIn(environment, 'TROUPE_RUN')
    const workplace = valueIn(environment, 'TROUPE_WORKPLACE')
    // Two workplaces may have runs of one name.
    const isNamed = run !== null && runs.has(run) && (workplace === null || realPath(workplace) === real)
    if ((isNamed || marks.has(readRunMark(pid) ?? '')) && processStart(pid) !== null) found.push(pid)
  }
  return found
}

/**
 * A number that only the processes of one run have. It is the limit for file locks, which Linux has not enforced since
 * 2.4: every child inherits it, whatever becomes of its environment, group, session and parent.
 */
export function runMark(root: string, run: string): string {
  return BigInt(`0x${hash('sha256', `${realPath(root)}\n${run}`, 'hex').slice(0, 15)}`).toString()
}

function readRunMark(pid: number): string | null {
  return /^Max file locks +(\d+) /m.exec(readQuietly(`/proc/${pid}/limits`) ?? '')?.[1] ?? null
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** When a process of this run started; null where there is none of that number, or no longer (Linux). */
export function startInRun(pid: number, run: string): string | null {
  const start = processStart(pid)
  // Asked for again, so that the answers are about one process.
  return start !== null && runOf(pid) === run && processStart(pid) === start ? start : null
}

/** The process of this run that has this number in a namespace below ours, by the number that it has here (Linux). */
export function findInRun(pid: number, run: string): ProcessId | null {
  for (const name of readdirSync('/proc')) {
    const found = Number(name)
    if (!Number.isInteger(found) || runOf(found) !== run) continue
    const numbers = /^NSpid:\s+(.*)$/m.exec(readQuietly(`/proc/${found}/status`) ?? '')?.[1]?.split(/\s+/) ?? []
    const start = numbers.length > 1 && numbers.at(-1) === String(pid) ? startInRun(found, run) : null
    if (start !== null) return { pid: found, start }
  }
  return null
}

/** The run in whose environment a process was started (Linux). */
function runOf(pid: number): string | null {
  return valueIn(readQuietly(`/proc/${pid}/environ`) ?? '', 'TROUPE_RUN')
}

function valueIn(environment: string, name: string): string | null {
  return new RegExp(`(?:^|\\0)${name}=([^\\0]*)`).exec(environment)?.[1] ?? null
}

export function killProcesses(pids: readonly number[]): void {
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
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/**
 * Who a process is, also for others that share nothing with it but a folder: numbers of processes mean something only
 * within their namespace, and only until the machine is started anew.
 */
export interface ProcessIdentity extends ProcessId {
  readonly host: string
  /** Of the machine since it was started; '-' where the system does not say. */
  readonly boot: string
  /** Within which numbers of processes are the same; '-' where a system has only one. */
  readonly space: string
}

let own: ProcessIdentity | null = null

export function ownIdentity(): ProcessIdentity {
  own ??= {
    ...thisProcess(),
    host: hostname().replace(/\s/g, '_') || '-',
    boot: quietly(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()),
    space: ownNamespace(),
  }
  return own
}

/** Within it, numbers of processes are the same; '-' where a system has only one. */
export function ownNamespace(): string {
  return quietly(() => readlinkSync('/proc/self/ns/pid'))
}

/** Whether this process can find out if the other one lives. */
function canProbe({ host, boot, space }: ProcessIdentity, me = ownIdentity()): boolean {
  return boot === me.boot && space === me.space && (boot !== '-' || host === me.host)
}

/** Null: it cannot be asked from here. */
export function isAlive(who: ProcessIdentity): boolean | null {
  return canProbe(who) ? isRunning(who) : null
}

export function formatIdentity({ pid, start, host, boot, space }: ProcessIdentity): string {
  return [pid, start, host, boot, space].join(' ')
}

export function parseIdentity(text: string): ProcessIdentity | null {
  const [, pid, start, host, boot, space] = /^(\d+) (\S+) (\S+) (\S+) (\S+)$/.exec(text) ?? []
  if (pid === undefined || start === undefined || host === undefined || boot === undefined || space === undefined)
    return null
  return { pid: Number(pid), start, host, boot, space }
}

function quietly(read: () => string): string {
  try {
    return read() || '-'
  } catch {
    return '-'
  }
}
