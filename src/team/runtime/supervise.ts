/** Supervises a workplace until a condition holds: runs it, or watches the process that does. */
import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { type HeldMutex, Mutex, type MutexAttempt } from '../../disk/mutex.ts'
import type { Workplace } from '../engine/engine.ts'
import { JournalReader } from '../engine/journal-reader.ts'
import { isDiskFull } from '../engine/journal-writer.ts'
import type { WorkplacePaths } from '../engine/paths.ts'
import { SERVER } from '../state/message.ts'
import type { JournalRecord } from '../state/records.ts'
import { emptyState, foldRecords, type State } from '../state/state.ts'
import { type KeepServices, Orchestrator } from './orchestrator.ts'

export interface SuperviseOptions {
  /** The awaited condition; `isIdle`: nothing is left to do. */
  readonly until: (state: State, isIdle: boolean) => boolean
  /** Called with the records, in order. */
  readonly onRecords: (records: readonly JournalRecord[], state: State) => void
  readonly trouble: (why: string | null) => void
  /** Which persistent members continue in the background. */
  readonly keep: KeepServices
  /** Resolves when the person wants to leave, by Ctrl-C or a signal. */
  readonly interrupted: Promise<void>
}

export type SuperviseResult = {
  readonly state: State /** This process ran it itself. */
  readonly hosted: boolean
  readonly ending: 'done' | 'stopped' | 'interrupted'
  /** Persistent members that ended with us, and those that continue, in the process with that number. */
  readonly services?: {
    readonly ended: readonly string[]
    readonly left: readonly string[]
    readonly pid: number | null
  }
}

/** How often a watcher checks the journal, and whether it must take over (ms). */
const POLL_INTERVAL = 100

export async function superviseWorkplace(workplace: Workplace, attendance: SuperviseOptions): Promise<SuperviseResult> {
  const contender = new Mutex(workplace.places.run)
  for (;;) {
    const lock = contender.take()
    if (!('busy' in lock)) {
      const attended = await runOrchestrator(workplace, lock, attendance)
      // Another process has taken over, as it may from a suspended one: it is watched.
      if (attended !== 'lost') return attended
    }
    const watched = await watchOwner(workplace, contender, attendance)
    if (watched !== null) return watched
  }
}

async function runOrchestrator(
  workplace: Workplace,
  lock: HeldMutex,
  attendance: SuperviseOptions,
): Promise<SuperviseResult | 'lost'> {
  const orchestrator = createOrchestrator(workplace, lock, attendance)
  let isInterrupted = false
  void attendance.interrupted.then(() => {
    isInterrupted = true
    return orchestrator.stop('stopped')
  })
  const ending = await orchestrator.run(() => attendance.until(orchestrator.state, orchestrator.isIdle()))
  if (ending === 'lost' && !isInterrupted) return 'lost'
  const { state } = orchestrator
  const { up, ended } = orchestrator.services
  // Another chain was started meanwhile, or members continue: a process must manage them.
  const isLeft = ending === 'done' && orchestrator.hasWork()
  const endsAlso = attendance.keep !== 'all' && !orchestrator.isAtRest()
  const pid = isLeft ? startDetached(workplace.places, endsAlso ? ['--finish'] : []) : null
  return {
    state,
    hosted: true,
    ending: isInterrupted ? 'interrupted' : ending === 'done' ? 'done' : 'stopped',
    services: { ended, left: isLeft ? up : [], pid },
  }
}

function createOrchestrator(
  workplace: Workplace,
  lock: HeldMutex,
  { onRecords, trouble, keep }: SuperviseOptions,
): Orchestrator {
  const orchestrator: Orchestrator = new Orchestrator(workplace, lock, {
    trouble,
    keep,
    // The first records arrive before the constructor returns.
    onRecords: (records) => queueMicrotask(() => onRecords(records, orchestrator.state)),
  })
  return orchestrator
}

/** Null: the workplace has no owner, and the condition does not hold yet. */
async function watchOwner(
  workplace: Workplace,
  contender: Mutex,
  { until, onRecords, interrupted }: SuperviseOptions,
): Promise<SuperviseResult | null> {
  const reader = new JournalReader(workplace.places.journal)
  const state = emptyState()
  let isOut = false
  void interrupted.then(() => {
    isOut = true
  })
  for (let isFirst = true; ; isFirst = false) {
    const records = reader.more()
    foldRecords(records, state)
    if (!isFirst) onRecords(records, state)
    if (state.stopped.has(SERVER)) return { state, hosted: false, ending: 'stopped' }
    if (until(state, state.open.size === 0)) return { state, hosted: false, ending: 'done' }
    if (isOut) return { state, hosted: false, ending: 'interrupted' }
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL))
    const lock = takeQuietly(contender)
    if (!('busy' in lock)) {
      lock.release()
      if (reader.more().some((record) => record.t === 'stopped' && record.agent === SERVER))
        return { state, hosted: false, ending: 'stopped' }
      return null
    }
  }
}

/** Without space for a lock, nothing can run either. */
function takeQuietly(contender: Mutex): MutexAttempt {
  try {
    return contender.take()
  } catch (error) {
    if (isDiskFull(error)) return { busy: true, owner: null, isCertain: true }
    throw error
  }
}

/** A separate process that ends when there is nothing left to do; its output goes into a file. */
export function startDetached({ root, log }: WorkplacePaths, words: readonly string[] = []): number | null {
  const [, program] = process.argv
  if (program === undefined) return null
  const out = openSync(log, 'a')
  const child = spawn(process.execPath, [program, '-C', root, 'work', 'resume', '--attached', ...words], {
    cwd: root,
    // It belongs to no run, although an agent may have started it.
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TROUPE_'))),
    detached: true,
    stdio: ['ignore', out, out],
  })
  closeSync(out)
  child.unref()
  return child.pid ?? null
}
