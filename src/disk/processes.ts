/** Processes, told apart by number and moment of start, and ended by group; never by name. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { ProcessId } from '../model/process-id.ts'

/** The moment a process started, in whatever unit the system has; null where there is no such process. */
export function processStart(pid: number, hasProc = process.platform === 'linux'): string | null {
  if (hasProc) return startIn(readProc(pid, 'stat'))
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

/** Whether this very process still runs. One that the system hides from us (hidepid) is believed to. */
export function isRunning({ pid, start }: ProcessId): boolean {
  if (!exists(pid)) return false
  const now = processStart(pid)
  if (now !== null) return start === '-' || now === start
  return process.platform === 'linux' && readProc(pid, 'stat') === null && exists(pid)
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** Undefined: what could not be started has no group. */
export function signalGroup(group: number | undefined, signal: NodeJS.Signals): void {
  // 0 and 1 would mean ourselves and everybody.
  if (group === undefined || !Number.isInteger(group) || group < 2) return
  try {
    process.kill(-group, signal)
  } catch {
    // Nobody is left in it.
  }
}

/** What the system tells about a process (Linux); null where there is none, or where it is somebody else's secret. */
export function readProc(pid: number, name: 'stat' | 'environ' | 'limits' | 'status'): string | null {
  try {
    // Such files have no size, so they are read to their end.
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return null
  }
}

/** The running processes but our own for which this is so, told by what they were started with: `NAME=value\0...` (Linux). */
export function processesWhere(test: (environment: string, pid: number) => boolean): number[] {
  const all =
    process.platform === 'linux'
      ? readdirSync('/proc')
          .filter((name) => /^\d+$/.test(name))
          .map(Number)
      : []
  return all.filter((pid) => {
    return pid !== process.pid && test(readProc(pid, 'environ') ?? '', pid) && processStart(pid) !== null
  })
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
