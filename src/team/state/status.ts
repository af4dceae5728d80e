/** process-status.json: what each member does, derived from the journal and written by one process. */
import type { Handoff } from './handoff.ts'
import { KERNEL, SERVER } from './message.ts'
import type { RunProgress } from './records.ts'
import type { Roster, ServiceState } from './roster.ts'
import type { State } from './state.ts'

export type AgentStatus = 'running' | 'idle' | 'completed' | 'error' | 'stopped'

export interface ServerEntry {
  readonly status: 'running' | 'stopped' | 'error'
  readonly pid: number | null
  readonly startedAt: string | null
  readonly lastEvent: string | null
  readonly error: string | null
}

export interface AgentEntry {
  readonly status: AgentStatus
  readonly pid: number | null
  readonly sessionKey: string | null
  readonly startedAt: string | null
  readonly completedAt: string | null
  readonly task: string | null
  readonly error: string | null
  readonly progress?: RunProgress
}

export type ProcessStatus = { readonly server: ServerEntry } & { readonly [agent: string]: AgentEntry | ServerEntry }

export function processStatus(
  state: State,
  roster: Roster,
  server: Pick<ServerEntry, 'status' | 'error'>,
): ProcessStatus {
  const { owner, lastEvent } = state
  const isUp = server.status === 'running'
  const latest = latestOf(state)
  const agents = [...roster.keys()]
    .filter((name) => name !== SERVER)
    .map((name) => [name, entryOf(name, state, latest.get(name), roster.get(name)?.persistent === true, isUp)] as const)
  return {
    server: {
      status: server.status,
      pid: isUp ? (owner?.pid ?? null) : null,
      startedAt: timestamp(owner?.at),
      lastEvent: timestamp(lastEvent),
      error: server.error,
    },
    ...Object.fromEntries(agents),
  }
}

/** Each member's current handoff, else its last one. */
function latestOf({ handoffs, open }: State): Map<string, Handoff> {
  const latest = new Map<string, Handoff>()
  for (const handoff of handoffs.values())
    if (handoff.startedAt !== null || handoff.endedAt !== null) latest.set(handoff.to, handoff)
  for (const handoff of open.values()) if (handoff.run !== null) latest.set(handoff.to, handoff)
  return latest
}

function entryOf(
  name: string,
  state: State,
  handoff: Handoff | undefined,
  persistent: boolean,
  isUp: boolean,
): AgentEntry {
  const service = state.services.get(name)
  if (name === KERNEL || (persistent && service !== undefined)) return serviceEntry(name, state, service, isUp)
  if (handoff === undefined) return { ...idleEntry, status: state.stopped.has(name) ? 'stopped' : 'idle' }
  const isRunning = handoff.run !== null
  const status = state.stopped.has(name) ? 'stopped' : isRunning ? 'running' : (endedStatus[handoff.status] ?? 'idle')
  const failed = handoff.why !== null && handoff.status !== 'completed'
  return {
    status: failed && !isRunning && status !== 'stopped' ? 'error' : status,
    pid: isRunning ? (handoff.program?.pid ?? handoff.wrapper?.pid ?? null) : null,
    sessionKey: handoff.lastRun === null ? null : sessionKey(name, handoff.lastRun),
    startedAt: timestamp(handoff.startedAt),
    completedAt: timestamp(handoff.endedAt),
    task: handoff.text.split('\n')[0] ?? '',
    error: failed ? handoff.why : null,
    ...(handoff.progress !== null && handoff.status !== 'completed' ? { progress: handoff.progress } : {}),
  }
}

/** For a member that has not worked yet. */
export const idleEntry: AgentEntry = {
  status: 'idle',
  pid: null,
  sessionKey: null,
  startedAt: null,
  completedAt: null,
  task: null,
  error: null,
}
const endedStatus: Partial<Record<Handoff['status'], AgentStatus>> = { completed: 'completed', dead: 'error' }

function serviceEntry(name: string, state: State, service: ServiceState | undefined, isUp: boolean): AgentEntry {
  const isKernel = name === KERNEL
  const running = isKernel ? isUp : service?.process != null
  return {
    ...idleEntry,
    status: state.stopped.has(name) ? 'stopped' : running ? 'running' : service?.why ? 'error' : 'stopped',
    pid: isKernel ? (isUp ? (state.owner?.pid ?? null) : null) : (service?.process?.pid ?? null),
    sessionKey: service?.run == null ? null : sessionKey(name, service.run),
    startedAt: timestamp(isKernel ? state.owner?.at : service?.at),
    task: isKernel ? 'Structure monitoring' : 'Running all the time',
    error: service?.why ?? null,
  }
}

function sessionKey(agent: string, run: string): string {
  return `agent:${agent}:run:${run}`
}

/** Not every clock value is a valid date. */
function timestamp(at: number | null | undefined): string | null {
  if (at == null || !Number.isFinite(at) || Math.abs(at) > 8.64e15) return null
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
}
