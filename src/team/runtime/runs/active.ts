/** The runs of this process, and the handoffs that wait for their next attempt. */

import type { Engine } from '../../engine/engine.ts'
import { OutputReader } from '../../engine/output.ts'
import type { TreeEntry } from '../../state/config.ts'
import { type Handoff, runName } from '../../state/handoff.ts'

/** A run that this process manages. */
export interface ActiveRun {
  readonly id: string
  readonly run: string
  readonly agent: string
  /** When it began, on the monotonic clock, possibly under another process. */
  readonly since: number
  readonly output: OutputReader
  /** Being prepared: nothing was started yet. */
  preparing: boolean
  /** Why it could not be prepared. */
  obstacle: Error | null
  /** Why it is being ended. */
  ending: string | null
  /** A persistent member has it in its inbox. */
  isDelivered: boolean
}

/** What runs need of the orchestrator around them. */
export interface RunContext {
  /** Reads chat and inbox once more: messages sent by a program come before its end. */
  readonly ingest: () => void
  readonly tree: () => readonly TreeEntry[]
  /** Look again soon. */
  readonly wake: () => void
  /** The run of a persistent member, if it is up. */
  readonly serviceOf: (agent: string) => { readonly pid: number; readonly start: string } | null
  readonly deliver: (agent: string, handoff: Handoff, prompt: string) => void
}

export class ActiveRuns {
  readonly engine: Engine
  readonly around: RunContext
  readonly #active = new Map<string, ActiveRun>()
  /** Retries wait on the monotonic clock. */
  readonly #due = new Map<string, number>()
  /** Handoffs whose last start failed on a full disk. */
  readonly #blocked = new Set<string>()

  constructor(engine: Engine, around: RunContext) {
    this.engine = engine
    this.around = around
    engine.whenRolledBack(() => {
      for (const { output } of this.#active.values()) output.readAgain()
    })
  }

  get size(): number {
    return this.#active.size
  }

  /** A snapshot, safe against changes during iteration. */
  all(): ActiveRun[] {
    return [...this.#active.values()]
  }

  has(id: string): boolean {
    return this.#active.has(id)
  }

  /** Whether this very run is still managed. */
  holds(active: ActiveRun): boolean {
    return this.#active.get(active.id) === active
  }

  /** After a crash: runs that hold a claim are managed again. */
  adopt(): void {
    for (const handoff of this.engine.state.open.values()) {
      if (handoff.run !== null) this.take(handoff)
      else if (handoff.failedAt !== null) this.wait(handoff.id, this.#restOf(handoff, handoff.failedAt))
    }
  }

  /** Even if the clocks were changed, the wait is never longer than intended. */
  #restOf({ due, wait }: Handoff, failedAt: number): number {
    const { at, workplace } = this.engine
    const rest = due === null ? failedAt + wait - at : due - workplace.clock.steady()
    return Math.min(wait, Math.max(0, rest))
  }

  take(handoff: Handoff, preparing = false): ActiveRun {
    const { driver, clock } = this.engine.workplace
    const run = runName(handoff)
    const now = Math.round(clock.steady())
    const active: ActiveRun = {
      id: handoff.id,
      run,
      agent: handoff.to,
      since: handoff.run === run ? Math.min(handoff.since ?? now, now) : now,
      output: new OutputReader(driver, run, () => this.engine.state.heard.get(run) ?? 0),
      preparing,
      obstacle: null,
      ending: null,
      isDelivered: false,
    }
    this.#active.set(handoff.id, active)
    return active
  }

  /** No longer managed. */
  forget(active: ActiveRun): void {
    // Its handoff may have another run by now.
    if (this.holds(active)) this.#active.delete(active.id)
  }

  /** It is over: its remaining processes are ended, and its traces removed; `keep` leaves its output. */
  leave(active: ActiveRun, keep: boolean): void {
    this.forget(active)
    this.engine.workplace.driver.close(active.run, keep)
    this.around.wake()
  }

  /** Ends a running run; it then fails with that reason. */
  end(active: ActiveRun, why: string): void {
    if (active.ending !== null) return
    this.engine.requireLease()
    active.ending = why
    this.engine.workplace.driver.cancel(active.run)
  }

  elapsed({ since }: ActiveRun): number {
    return Math.round(this.engine.workplace.clock.steady() - since)
  }

  /** Whether this run is managed. */
  isOurs(run: string): boolean {
    return this.#active.get(run.split('.')[0] ?? '')?.run === run
  }

  /** Whether it was started, but is not yet known to have begun. */
  isBeginning(run: string): boolean {
    const handoff = this.engine.state.open.get(run.split('.')[0] ?? '')
    return handoff !== undefined && runName(handoff) === run && handoff.status !== 'started'
  }

  block(id: string): void {
    this.#blocked.add(id)
  }

  unblock(id: string): void {
    this.#blocked.delete(id)
  }

  /** Whether the disk still blocks a handoff, as far as is known before the next attempt. */
  get isAnyBlocked(): boolean {
    for (const id of this.#blocked) if (this.engine.state.open.has(id)) return true
    return false
  }

  wait(id: string, ms: number): void {
    this.#due.set(id, this.engine.workplace.clock.steady() + ms)
  }

  /** Whether a handoff need not wait any longer. */
  isDue(id: string): boolean {
    const due = this.#due.get(id)
    if (due !== undefined && due > this.engine.workplace.clock.steady()) return false
    this.#due.delete(id)
    return true
  }

  /** Milliseconds until a retry is due; null: none is waiting. */
  nextDue(): number | null {
    if (this.#due.size === 0) return null
    return Math.max(0, Math.min(...this.#due.values()) - this.engine.workplace.clock.steady())
  }
}
