/**
 * Who a process is, also for others that share nothing with it but a folder: numbers of processes mean something only
 * within their namespace, and only until the machine is started anew.
 */
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { ProcessId } from '../workplace/records.ts'
import { isRunning, thisProcess } from './processes.ts'

export interface Identity extends ProcessId {
  readonly host: string
  /** Of the machine since it was started; '-' where the system does not say. */
  readonly boot: string
  /** Within which numbers of processes are the same; '-' where a system has only one. */
  readonly space: string
}

let own: Identity | null = null

export function thisIdentity(): Identity {
  own ??= {
    ...thisProcess(),
    host: hostname().replace(/\s/g, '_') || '-',
    boot: quietly(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()),
    space: quietly(() => readlinkSync('/proc/self/ns/pid')),
  }
  return own
}

/** Whether this process can find out if the other one lives. */
export function canAsk({ host, boot, space }: Identity, me = thisIdentity()): boolean {
  return boot === me.boot && space === me.space && (boot !== '-' || host === me.host)
}

/** Null: it cannot be asked from here. */
export function isAlive(who: Identity): boolean | null {
  return canAsk(who) ? isRunning(who) : null
}

export function identityText({ pid, start, host, boot, space }: Identity): string {
  return [pid, start, host, boot, space].join(' ')
}

export function readIdentity(text: string): Identity | null {
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
