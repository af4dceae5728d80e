/** Runs a workplace: ingests messages, starts members, follows their runs. One per workplace, under the lock. */

import type { HeldMutex } from '../../disk/mutex.ts'
import { ownChatLines } from '../engine/chat-memory.ts'
import { ChatReader } from '../engine/chat-reader.ts'
import { type Engine, openEngine, type Workplace } from '../engine/engine.ts'
import { DiskFullNotice, Fenced } from '../engine/journal-writer.ts'
import { SERVER } from '../state/message.ts'
import type { JournalRecord } from '../state/records.ts'
import { cleanUpRuns } from './doctor.ts'
import { ingestChat } from './ingest.ts'
import { ingestInbox } from './ingest-inbox.ts'
import { ChatWriter, StatusFile } from './publish.ts'
import { ActiveRuns } from './runs/active.ts'
import { beginRuns } from './runs/begin.ts'
import { endChains } from './runs/conclude.ts'
import { cancelAll, followRuns, isAnyRunning, stopAgent, stopAll } from './runs/follow.ts'
import { Services } from './runs/services.ts'
import { removeWorktrees } from './runs/worktrees.ts'
import { StructureKeeper } from './structure.ts'
import { WakeTimer, type WorkplaceWatch, watchWorkplace } from './wake-timer.ts'

/**
 * Poll intervals (ms): as a fallback for the watchers with and without work, for running programs or a chat being saved,
 * and for a full disk.
 */
const BUSY_POLL = 1000
const IDLE_POLL = 3000
const RUNS_POLL = 100
const FULL_DISK_POLL = 500
/** A starting run causes several events at once; they are collected for this long (ms). */
const START_DELAY = 10

export interface OrchestratorOptions {
  readonly onRecords?: (records: readonly JournalRecord[]) => void
  /** Called with an obstacle, or with null once it is gone. */
  readonly trouble?: (why: string | null) => void
  readonly keep?: KeepServices
}

/**
 * Which persistent members continue once the condition holds and nothing is open: all of them, those that were up before
 * this process, or none.
 */
export type KeepServices = 'all' | 'earlier' | 'none'

export type OrchestratorEnding = 'done' | 'stopped' | 'lost'

export class Orchestrator {
  readonly #workplace: Workplace
  readonly #lock: HeldMutex
  readonly #engine: Engine
  readonly #chat: ChatReader
  readonly #post: ChatWriter
  readonly #runs: ActiveRuns
  readonly #services: Services
  readonly #tree: StructureKeeper
  readonly #status: StatusFile
  readonly #wakeUps = new WakeTimer(() => this.#pump())
  readonly #trouble: DiskFullNotice
  readonly #keep: KeepServices
  #ended: readonly string[] = []
  #isPumping = false
  #isDrawing = false
  #isFirstLook = true
  #stopping = false
  #isTidying = false
  /** Part of the inbox is not ingested yet. */
  #hasMore = false
  #until: () => boolean = () => false
  #folders: WorkplaceWatch | null = null
  #finish: (ending: OrchestratorEnding) => void = () => {}

  /** The caller holds the lock. */
  constructor(workplace: Workplace, lock: HeldMutex, options: OrchestratorOptions = {}) {
    this.#workplace = workplace
    this.#lock = lock
    this.#keep = options.keep ?? 'all'
    this.#trouble = new DiskFullNotice((why) => options.trouble?.(why))
    this.#engine = openEngine(workplace, lock, (records) => options.onRecords?.(records))
    const chatLines = ownChatLines(workplace.places, lock.number)
    this.#chat = new ChatReader({ ...workplace.places, chatLines }, workplace.clock.steady)
    this.#post = new ChatWriter(this.#engine)
    this.#tree = new StructureKeeper(workplace)
    this.#status = new StatusFile(this.#engine)
    this.#services = new Services(this.#engine, () => this.#tree.entries)
    this.#runs = new ActiveRuns(this.#engine, {
      ingest: () => this.#ingest(true),
      tree: () => this.#tree.entries,
      wake: () => this.#wakeUps.atOnce(),
      serviceOf: (agent) => this.#services.processOf(agent),
      deliver: (agent, handoff, prompt) => this.#services.deliver(agent, handoff, prompt),
    })
  }

  get state() {
    return this.#engine.state
  }

  /** Runs until the condition holds, or it is stopped. */
  run(until: () => boolean): Promise<OrchestratorEnding> {
    this.#until = until
    return new Promise((resolve) => {
      this.#finish = resolve
      this.#tree.keep(true)
      this.#runs.adopt()
      this.#services.adopt()
      cleanUpRuns(this.#engine)
      this.#watch()
      this.#wakeUps.atOnce()
    })
  }

  /** Nothing is open, nothing waits, and no member is persistent. */
  isIdle(): boolean {
    if (this.#hasMore) return false
    const { open, outbox, worktrees } = this.#engine.state
    const { half } = this.#chat
    // A file being saved is waited for, and a partial line, but not forever.
    if (!this.#chat.isAtEnd || (half !== null && !half.isOld)) return false
    const isWritten = outbox.size === 0 || this.#post.hasFailed || this.#post.isWaiting
    return open.size + worktrees.size + this.#runs.size + this.#services.size === 0 && isWritten
  }

  /** Nothing is open; persistent members may be up. */
  isAtRest(): boolean {
    const { open, worktrees } = this.#engine.state
    return !this.#hasMore && open.size + worktrees.size + this.#runs.size === 0
  }

  /** Whether another process must continue when this one ends. */
  hasWork(): boolean {
    return !this.isAtRest() || (this.#keep === 'all' ? this.#services.size : this.#services.up.length) > 0
  }

  /** Persistent members that are up, and those that ended with this process. */
  get services(): { readonly up: readonly string[]; readonly ended: readonly string[] } {
    return { up: this.#services.up, ended: this.#ended }
  }

  /** If nothing is open, services that this process started end with it. */
  #endServices(): void {
    const isKept = this.#keep === 'all' || (this.#keep === 'earlier' && this.#services.isAnyAdopted)
    if (isKept || !this.isAtRest()) return
    this.#ended = this.#services.up
    this.#services.stopAll()
  }

  #watch(): void {
    const wake = () => this.#wakeUps.atOnce()
    const claim = (run: string | null) => {
      // Removed claims of finished runs are reported, too.
      if (run !== null && !this.#runs.isOurs(run) && !run.startsWith('service-')) return
      // Reacting to every step of a start would take CPU time from the starting program.
      if (run !== null && this.#runs.isBeginning(run)) this.#wakeUps.within(START_DELAY)
      else wake()
    }
    const status = () => {
      if (this.#status.isTouched()) this.#draw()
    }
    this.#folders = watchWorkplace(this.#workplace.places, { chat: wake, status, inbox: wake, claim })
  }

  #pump(): void {
    if (this.#isPumping || this.#stopping) return
    this.#isPumping = true
    this.#wakeUps.clear()
    try {
      this.#engine.requireLease()
      this.#ingest()
      if (this.#stopping) return
      this.#services.progress()
      followRuns(this.#runs)
      beginRuns(this.#runs)
      endChains(this.#engine)
      void this.#tidyWorktrees()
      if (this.#chat.isAtEnd) this.#post.write()
      if (!this.#runs.isAnyBlocked) this.#trouble.over()
      this.#engine.compact()
    } catch (error) {
      if (error instanceof Fenced) this.#end('lost')
      else this.#trouble.meet(error)
    } finally {
      this.#isPumping = false
    }
    if (this.#stopping) return
    if (this.#until()) this.#done()
    else {
      // Something may have happened in a new folder before it was watched.
      if (this.#folders?.renew() === true) this.#wakeUps.atOnce()
      this.#wakeUps.after(this.#pause())
      this.#isFirstLook = false
      this.#draw()
    }
  }

  #done(): void {
    try {
      this.#endServices()
    } catch (error) {
      this.#trouble.meet(error)
      this.#wakeUps.after(FULL_DISK_POLL)
      return
    }
    this.#end('done')
  }

  /** Display files are written after the actual work, including starts of programs. */
  #draw(): void {
    if (this.#isDrawing) return
    this.#isDrawing = true
    setImmediate(() => {
      this.#isDrawing = false
      if (this.#stopping) return
      this.#status.save('running', this.#trouble.why)
      this.#tree.keep(this.#engine.state.open.size > 0)
    })
  }

  /** `isWhole`: the whole inbox, in as many rounds as it takes. */
  #ingest(isWhole = false): void {
    ingestChat(this.#engine, this.#chat, () => this.#post.forget())
    this.#hasMore = ingestInbox(this.#engine, { stop: (agent, key) => this.#stopOne(agent, key) }, isWhole)
    if (this.#hasMore) this.#wakeUps.atOnce()
  }

  #pause(): number {
    if (this.#trouble.why !== null) return FULL_DISK_POLL
    const { open, outbox } = this.#engine.state
    const due = this.#runs.nextDue() ?? BUSY_POLL + IDLE_POLL
    // A caller that waits for the end of all work needs a second look, at what arrived during the first.
    if (this.#isFirstLook) return Math.min(RUNS_POLL, due)
    if (this.#runs.size + this.#services.size + outbox.size > 0 || !this.#chat.isAtEnd) return Math.min(RUNS_POLL, due)
    return Math.min(due, open.size > 0 || this.#folders?.isWhole() !== true ? BUSY_POLL : IDLE_POLL)
  }

  #stopOne(agent: string | null, key: string): void {
    if (agent === null) {
      // Processes that wait for the lock read it, and do not continue after this one.
      this.#engine.stage({ t: 'stopped', agent: SERVER, at: this.#engine.at, key })
      this.#engine.flush()
      void this.stop('stopped')
    } else {
      stopAgent(this.#runs, agent, key)
      this.#services.stop(agent)
    }
  }

  async #tidyWorktrees(): Promise<void> {
    if (this.#isTidying || this.#engine.state.worktrees.size === 0) return
    this.#isTidying = true
    try {
      await removeWorktrees(this.#engine)
    } catch {
      // The disk may be full; the next round tries again.
    }
    this.#isTidying = false
  }

  /** Ends every program, gracefully first; the work stays open. */
  async stop(ending: OrchestratorEnding): Promise<void> {
    if (this.#stopping) return
    this.#stopping = true
    cancelAll(this.#runs)
    for (let waited = 0; waited < 2500 && isAnyRunning(this.#runs); waited += 50)
      await new Promise((resolve) => setTimeout(resolve, 50))
    try {
      stopAll(this.#runs)
      this.#services.stopAll()
    } catch (error) {
      if (error instanceof Fenced) ending = 'lost'
      else this.#trouble.meet(error)
    }
    this.#end(ending)
  }

  #end(ending: OrchestratorEnding): void {
    this.#stopping = true
    this.#wakeUps.clear()
    this.#folders?.close()
    this.#chat.close()
    if (ending !== 'lost') {
      this.#workplace.driver.settle()
      this.#status.save('stopped', this.#trouble.why)
    }
    this.#engine.close()
    this.#lock.release()
    this.#finish(ending)
  }
}
