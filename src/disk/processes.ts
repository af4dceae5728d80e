/** Processes, identified by id and start time, and ended by group; never by name. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { ProcessId } from '../model/process-id.ts'

/** The start time of a process, in the system's unit; null if there is no such process. */
export function processStart(pid: number, hasProc = process.platform === 'linux'): string | null {
  if (hasProc) return startIn(readProc(pid, 'stat'))
  const { stdout, status } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { LC_ALL: 'C', PATH: process.env.PATH },
  })
  return status === 0 ? stdout.trim().replace(/\s+/g, '_') || null : null
}

/** Field 22 of Linux's line; the program name before it may contain anything, so counting starts behind it. */
function startIn(stat: string | null): string | null {
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  // A zombie no longer does anything.
  return fields === undefined || fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null)
}

export function thisProcess(): ProcessId {
  return { pid: process.pid, start: processStart(process.pid) ?? '-' }
}

/** Whether this very process still runs. A process hidden by the system (hidepid) is assumed to. */
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

/** Undefined: a process that could not be started has no group. */
export function signalGroup(group: number | undefined, signal: NodeJS.Signals): void {
  // 0 and 1 would mean our own group and every process.
  if (group === undefined || !Number.isInteger(group) || group < 2) return
  try {
    process.kill(-group, signal)
  } catch {
    // The group is empty.
  }
}

/** A file of a process below /proc (Linux); null if there is none, or if it is not readable. */
export function readProc(pid: number, name: 'stat' | 'environ' | 'limits' | 'status'): string | null {
  try {
    // Such files report no size, so they are read to their end.
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return null
  }
}

/** The running processes except our own whose initial environment (`NAME=value\0...`) passes the test (Linux). */
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
      // It has already ended.
    }
  }
}

/**
 * Identifies a process, also for others that share only a folder with it: process ids are meaningful only within their
 * namespace, and only until the machine is restarted.
 */
export interface ProcessIdentity extends ProcessId {
  readonly host: string
  /** The boot id of the machine; '-' where the system has none. */
  readonly boot: string
  /** The namespace of the process id; '-' where the system has only one. */
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

/** The namespace of our process id; '-' where the system has only one. */
export function ownNamespace(): string {
  return quietly(() => readlinkSync('/proc/self/ns/pid'))
}

/** Whether this process can find out if the other one is alive. */
function canProbe({ host, boot, space }: ProcessIdentity, me = ownIdentity()): boolean {
  return boot === me.boot && space === me.space && (boot !== '-' || host === me.host)
}

/** Null: it cannot be probed from here. */
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
