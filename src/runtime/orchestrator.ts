/** Runs a workplace: reads what comes in, starts members, sees their work through. One per workplace, under the lock. */
import { existsSync, type FSWatcher, mkdirSync, readdirSync, rmSync, watch } from 'node:fs'
import { hostname } from 'node:os'
import { SERVER } from '../workplace/names.ts'
import type { JournalRecord } from '../workplace/records.ts'
import { emptyState, fold } from '../workplace/state.ts'
import { processStatus } from '../workplace/status.ts'
import type { TreeEntry } from '../workplace/structure.ts'
import { ChatReader, endOfChat } from './chat-reader.ts'
import { Engine, type Setting } from './engine.ts'
import { derivedId, ingestChat, ingestInbox } from './ingest.ts'
import { Journal, JournalBlocked, readJournal, requireFormat } from './journal-file.ts'
import type { HeldLock } from './lock-file.ts'
import { Post } from './post.ts'
import { isRunning, thisProcess } from './processes.ts'
import { putWhole, removeDrafts } from './put-whole.ts'
import { Runs, runName } from './runs.ts'
import { Services } from './services.ts'
import { saveTree, scanTree } from './structure-file.ts'
import { removeWorktrees } from './worktrees.ts'

/** The safety net behind the watchers, how often running programs are looked at, and how long a full disk is waited for (ms). */
const NET = 1000
const LOOK = 100
const BLOCKED = 500
/** A run that has just begun tells several things at once; so long they are left to come together (ms). */
const BEGINNING = 10

export interface Options {
  readonly told?: (records: readonly JournalRecord[]) => void
  /** Something is in the way, or (null) no longer. */
  readonly trouble?: (why: string | null) => void
}

export type Ending = 'done' | 'stopped' | 'lost'

export class Orchestrator {
  readonly #setting: Setting
  readonly #lock: HeldLock
  readonly #engine: Engine
  readonly #journal: Journal
  readonly #chat: ChatReader
  readonly #post: Post
  readonly #runs: Runs
  readonly #services: Services
  readonly #watchers: FSWatcher[] = []
  readonly #options: Options
  #tree: readonly TreeEntry[] = []
  #treeDue = 0
  #timer: NodeJS.Timeout | null = null
  #isPumping = false
  #isWoken = false
  #isDrawing = false
  #soon: NodeJS.Timeout | null = null
  #blocked: string | null = null
  #status = ''
  #stopping = false
  #isTidying = false
  #until: () => boolean = () => false
  #finish: (ending: Ending) => void = () => {}

  /** Whoever calls holds the lock. */
  constructor(setting: Setting, lock: HeldLock, options: Options = {}) {
    const { places, clock, config } = setting
    for (const folder of [places.run, places.inbox, places.claims, places.runs]) mkdirSync(folder, { recursive: true })
    const { records, length } = readJournal(places.journal)
    requireFormat(records)
    this.#setting = setting
    this.#lock = lock
    this.#options = options
    this.#journal = new Journal(places.journal, length)
    this.#engine = new Engine(setting, this.#journal, fold(records, emptyState()), (told) => options.told?.(told))
    const at = this.#engine.at
    if (records.length === 0)
      this.#engine.stage({ t: 'open', format: 1, uuid: config.uuid, at }, { t: 'read', cursor: endOfChat(places.chat) })
    this.#engine.stage({ t: 'epoch', host: hostname(), at, ...thisProcess() })
    this.#engine.flush()
    putWhole(places.owner, `${JSON.stringify({ ...thisProcess(), host: hostname() })}\n`)
    this.#chat = new ChatReader(places, clock.steady)
    this.#post = new Post(this.#engine)
    this.#services = new Services(this.#engine, () => this.#tree)
    this.#runs = new Runs(this.#engine, {
      ingest: () => this.#ingest(),
      tree: () => this.#tree,
      wake: () => this.#wake(),
      serviceOf: (agent) => this.#services.processOf(agent),
      deliver: (agent, handoff, prompt) => this.#services.deliver(agent, handoff, prompt),
    })
  }

  get state() {
    return this.#engine.state
  }

  /** Goes on until that is so, or it is stopped. */
  run(until: () => boolean): Promise<Ending> {
    this.#until = until
    return new Promise((resolve) => {
      this.#finish = resolve
      this.#scan()
      this.#runs.adopt()
      this.#services.adopt()
      this.#reclaim()
      this.#watch()
      this.#wake()
    })
  }

  /** Nothing is open, nothing waits, and nobody is persistent. */
  isIdle(): boolean {
    const { open, outbox, worktrees } = this.#engine.state
    const isWritten = outbox.size === 0 || this.#post.hasFailed
    return open.size + worktrees.size + this.#runs.size + this.#services.size === 0 && isWritten
  }

  /** Whether somebody must go on when this process does not. */
  hasWork(): boolean {
    return this.#engine.state.open.size + this.#services.size > 0
  }

  #watch(): void {
    const { places } = this.#setting
    const look = (folder: string, changed: (file: string | null) => void) => {
      try {
        const watcher = watch(folder, (_event, file) => changed(file))
        watcher.on('error', () => {})
        this.#watchers.push(watcher)
      } catch {
        // The net catches it, only later.
      }
    }
    look(places.folder, (file) => {
      if (file === null || file === 'chat.md') this.#wake()
    })
    look(places.inbox, () => this.#wake())
    look(places.claims, (run) => {
      // Looking at every step of a beginning would take the processor from the program that begins.
      if (run !== null && this.#runs.isBeginning(run)) this.#soon ??= setTimeout(() => this.#pump(), BEGINNING)
      else this.#wake()
    })
  }

  /** Many reasons to look, one look. */
  #wake(): void {
    if (this.#isWoken) return
    this.#isWoken = true
    setImmediate(() => {
      this.#isWoken = false
      this.#pump()
    })
  }

  #pump(): void {
    if (this.#isPumping || this.#stopping) return
    this.#isPumping = true
    this.#clearTimers()
    try {
      if (!this.#lock.holds()) {
        this.#end('lost')
        return
      }
      this.#ingest()
      if (this.#stopping) return
      this.#services.progress()
      this.#runs.progress()
      this.#runs.dispatch()
      this.#endChains()
      if (this.#chat.isAtEnd) this.#post.write()
      this.#unblock()
    } catch (error) {
      if (!this.#block(error)) throw error
    } finally {
      this.#isPumping = false
    }
    if (this.#until()) this.#end('done')
    else if (!this.#stopping) {
      this.#timer = setTimeout(() => this.#pump(), this.#pause())
      this.#draw()
    }
  }

  #clearTimers(): void {
    for (const timer of [this.#timer, this.#soon]) if (timer !== null) clearTimeout(timer)
    this.#soon = null
  }

  /** What only shows how things are comes after what is to be done, programs that begin at once among it. */
  #draw(): void {
    if (this.#isDrawing) return
    this.#isDrawing = true
    setImmediate(() => {
      this.#isDrawing = false
      if (this.#stopping) return
      this.#saveStatus('running')
      this.#keepTree()
    })
  }

  #ingest(): void {
    ingestChat(this.#engine, this.#chat, () => this.#post.forget())
    ingestInbox(this.#engine, { stop: (agent) => this.#stopOne(agent) })
  }

  #pause(): number {
    if (this.#blocked !== null) return BLOCKED
    const due = this.#runs.nextDue() ?? NET
    return Math.min(
      NET,
      due,
      this.#runs.size + this.#services.size > 0 || this.#engine.state.outbox.size > 0 ? LOOK : NET,
    )
  }

  #stopOne(agent: string | null): void {
    if (agent === null) {
      // Others who wait for the lock read it, and do not go on where this one ends.
      this.#engine.stage({ t: 'stopped', agent: SERVER, at: this.#engine.at })
      this.#engine.flush()
      void this.stop('stopped')
    } else {
      this.#runs.stopAgent(agent)
      this.#services.stop(agent)
    }
  }

  /** The starter hears of the end of a chain, in the chat; attached commands read it from the journal. */
  #endChains(): void {
    const { state, at } = this.#engine
    for (const chain of state.chains.values()) {
      if (chain.ended || chain.open > 0) continue
      const { id, starter, task, handoffs, dead } = chain
      const words = task.split('\n')[0]?.slice(0, 80) ?? ''
      const count = `${handoffs} ${handoffs === 1 ? 'handoff' : 'handoffs'}`
      const text =
        dead === 0
          ? `Finished after ${count}: ${words}`
          : `Ended with ${dead} of ${count} dead: ${words}. \`troupe work status\` says why.`
      this.#engine.stage({ t: 'ended', chain: id, at })
      const message = {
        t: 'seen',
        id: derivedId(id, handoffs, dead, at, 'ended'),
        at,
        from: 'server',
        to: starter,
        text,
      } as const
      this.#engine.stage({ ...message, kind: 'note', chain: id, post: true })
    }
    this.#engine.flush()
    if (state.worktrees.size > 0 && !this.#isTidying) void this.#tidyWorktrees()
  }

  async #tidyWorktrees(): Promise<void> {
    this.#isTidying = true
    try {
      await removeWorktrees(this.#engine)
    } catch {
      // The disk may be full; the next round tries again.
    }
    this.#isTidying = false
  }

  /** The kernel's work, without a model. Large trees are looked at less often. */
  #keepTree(): void {
    if (this.#setting.clock.steady() >= this.#treeDue) this.#scan()
  }

  #scan(): void {
    const { places, config, clock } = this.#setting
    const began = clock.steady()
    this.#tree = scanTree(places.root, config.ignorePatterns)
    try {
      saveTree(places.structure, this.#tree)
    } catch {
      // Next time.
    }
    this.#treeDue = clock.steady() + Math.max(5000, 50 * (clock.steady() - began))
  }

  /** Runs that a crash left behind and nobody waits for: ended, and their traces removed. */
  #reclaim(): void {
    const { places, driver } = this.#setting
    const { open, handoffs, services, attention } = this.#engine.state
    const wanted = new Set([...open.values()].map(runName))
    for (const { run } of services.values()) if (run !== null) wanted.add(run)
    const dead = new Set(attention.filter(({ kind }) => kind === 'dead').map(({ id }) => id))
    for (const run of new Set([...namesIn(places.claims), ...namesIn(places.runs)])) {
      if (wanted.has(run)) continue
      const id = run.split('.')[0] ?? ''
      driver.close(run, dead.has(id) && handoffs.get(id)?.status === 'dead')
    }
    for (const folder of [places.folder, places.run, places.inbox])
      removeDrafts(folder, (pid) => isRunning({ pid, start: '-' }))
  }

  #saveStatus(status: 'running' | 'stopped'): void {
    const error = this.#blocked
    const text = `${JSON.stringify(processStatus(this.#engine.state, this.#setting.roster, { status: error === null ? status : 'error', error }), null, 2)}\n`
    if (text === this.#status && status === 'running') return
    try {
      putWhole(this.#setting.places.status, text)
      this.#status = text
    } catch {
      // Next time: it is only a picture of the journal.
    }
  }

  /** Where nothing can be journalled nothing happens, and nothing is lost. */
  #block(error: unknown): boolean {
    const isDisk =
      error instanceof JournalBlocked || ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')
    if (!isDisk) return false
    const why = (error as Error).message
    if (this.#blocked === null) this.#options.trouble?.(why)
    this.#blocked = why
    return true
  }

  #unblock(): void {
    if (this.#blocked === null) return
    this.#blocked = null
    this.#options.trouble?.(null)
  }

  /** Ends every program, politely first; the work stays open. */
  async stop(ending: Ending): Promise<void> {
    if (this.#stopping) return
    this.#stopping = true
    this.#runs.cancelAll()
    for (let waited = 0; waited < 2500 && this.#runs.isAnyGoing(); waited += 50)
      await new Promise((resolve) => setTimeout(resolve, 50))
    try {
      this.#runs.stopAll()
      this.#services.stopAll()
    } catch (error) {
      if (!this.#block(error)) throw error
    }
    this.#end(ending)
  }

  #end(ending: Ending): void {
    this.#stopping = true
    this.#clearTimers()
    for (const watcher of this.#watchers) watcher.close()
    this.#chat.close()
    if (ending !== 'lost') {
      this.#setting.driver.settle()
      this.#saveStatus('stopped')
      rmSync(this.#setting.places.owner, { force: true })
    }
    this.#journal.close()
    this.#lock.release()
    this.#finish(ending)
  }
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}
