/** The runs of members: begun, watched, finished; each step journalled before anything comes of it. */
import { rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { exceeded } from '../workplace/budget.ts'
import { cleanText } from '../workplace/message.ts'
import { isPerson, KERNEL } from '../workplace/names.ts'
import { nudgePrompt, systemPrompt, taskPrompt } from '../workplace/prompt.ts'
import type { Progress } from '../workplace/records.ts'
import { backoffAfter, type Member } from '../workplace/roster.ts'
import type { Handoff } from '../workplace/state.ts'
import { summarise, type TreeEntry } from '../workplace/structure.ts'
import { judge } from '../workplace/verdict.ts'
import type { Engine } from './engine.ts'
import { gitState } from './git.ts'
import { accept, derivedId } from './ingest.ts'
import { OutputReader } from './output-reader.ts'
import { thisProcess } from './processes.ts'
import type { RunEvents } from './session.ts'
import { folderFor, NoWorktree } from './worktrees.ts'

/** A run that this process looks after. */
interface Active {
  readonly id: string
  readonly run: string
  readonly agent: string
  /** When it began, or came into our hands, on the clock that does not jump. */
  readonly since: number
  readonly output: OutputReader
  /** Being made ready: nothing was started yet. */
  preparing: boolean
  /** Why it is being ended. */
  ending: string | null
}

export interface Surroundings {
  /** Reads chat and inbox once more: what a program said before it ended comes before its end. */
  readonly ingest: () => void
  readonly tree: () => readonly TreeEntry[]
  /** Look again soon. */
  readonly wake: () => void
  /** The run of a persistent member, where it is up. */
  readonly serviceOf: (agent: string) => { readonly pid: number; readonly start: string } | null
  readonly deliver: (agent: string, handoff: Handoff, prompt: string) => void
}

/** How long a claim may be on its way (ms). */
const CLAIMING = 5000

export class Runs {
  readonly #engine: Engine
  readonly #around: Surroundings
  readonly #active = new Map<string, Active>()
  /** Retries wait on the clock that does not jump. */
  readonly #due = new Map<string, number>()

  constructor(engine: Engine, around: Surroundings) {
    this.#engine = engine
    this.#around = around
  }

  get size(): number {
    return this.#active.size
  }

  /** After a crash: whoever holds a claim is in our hands again. */
  adopt(): void {
    const { state, at } = this.#engine
    for (const handoff of state.open.values()) {
      if (handoff.run !== null) this.#take(handoff)
      // However the clock was turned meanwhile, nobody waits longer than was meant.
      else if (handoff.failedAt !== null)
        this.#wait(handoff, Math.min(handoff.wait, Math.max(0, handoff.failedAt + handoff.wait - at)))
    }
  }

  #take(handoff: Handoff, preparing = false): Active {
    const { driver, clock } = this.#engine.setting
    const run = runName(handoff)
    const since = clock.steady()
    const active: Active = {
      id: handoff.id,
      run,
      agent: handoff.to,
      since,
      output: new OutputReader(driver, run),
      preparing,
      ending: null,
    }
    this.#active.set(handoff.id, active)
    return active
  }

  /** Whether it was started, and is not known yet to have begun. */
  isBeginning(run: string): boolean {
    const handoff = this.#engine.state.open.get(run.split('.')[0] ?? '')
    return handoff !== undefined && runName(handoff) === run && handoff.status !== 'started'
  }

  #wait({ id }: { readonly id: string }, ms: number): void {
    this.#due.set(id, this.#engine.setting.clock.steady() + ms)
  }

  /** Milliseconds until a retry is due; null: none is waiting. */
  nextDue(): number | null {
    if (this.#due.size === 0) return null
    return Math.max(0, Math.min(...this.#due.values()) - this.#engine.setting.clock.steady())
  }

  /** Everything that can begin, begins. */
  dispatch(): void {
    const { state, setting } = this.#engine
    const busy = new Set([...this.#active.values()].map(({ agent }) => agent))
    for (const handoff of [...state.open.values()]) {
      if (this.#active.size >= setting.rules.parallel) return
      if (busy.has(handoff.to) || this.#active.has(handoff.id) || isPerson(handoff.to)) continue
      const due = this.#due.get(handoff.id)
      if (due !== undefined && due > setting.clock.steady()) continue
      this.#due.delete(handoff.id)
      busy.add(handoff.to)
      this.#begin(handoff)
    }
  }

  #begin(handoff: Handoff): void {
    const { setting } = this.#engine
    const member = setting.roster.get(handoff.to)
    const hindrance = this.#hindrance(handoff, member)
    if (hindrance !== null || member === undefined) {
      this.#engine.stage({ t: 'dead', id: handoff.id, at: this.#engine.at, why: hindrance ?? '' })
      this.#engine.flush()
      this.#around.wake()
    } else if (member.name === KERNEL) this.#askKernel(handoff)
    else if (member.persistent) this.#deliver(handoff, member)
    else void this.#prepare(this.#take(handoff, true), member)
  }

  /** Why it can never begin, or null. */
  #hindrance({ chain, to }: Handoff, member: Member | undefined): string | null {
    const { state, setting } = this.#engine
    if (member === undefined) return `there is no agent "${to}" any more`
    const known = state.chains.get(chain)
    const spent = known === undefined ? null : exceeded(known, setting.rules.budget)
    if (spent !== null || member.name === KERNEL) return spent
    return member.command === null ? `nothing says how to run ${to}: troupe.yaml names no program` : null
  }

  /** A persistent member has a program already, if it is up. */
  #deliver(handoff: Handoff, member: Member): void {
    const { at } = this.#engine
    const process = this.#around.serviceOf(member.name)
    if (process === null) return
    const { id, attempt } = handoff
    const { run } = this.#take(handoff)
    this.#engine.stage(
      { t: 'claimed', id, attempt, run, at, ...process },
      { t: 'started', id, attempt, at, ...process },
    )
    this.#engine.flush()
    this.#around.deliver(member.name, handoff, this.#taskFor(handoff, null))
  }

  /** Git and its worktrees take their time; others go on meanwhile. */
  async #prepare(active: Active, member: Member): Promise<void> {
    const { driver } = this.#engine.setting
    const isWanted = () => this.#active.get(active.id) === active && active.ending === null
    try {
      const folder = await folderFor(this.#engine, active.id)
      const git = await gitState(folder)
      const handoff = this.#engine.state.open.get(active.id)
      if (handoff === undefined || !isWanted()) {
        this.#active.delete(active.id)
        return
      }
      const work = handoff.nudged ? nudgePrompt(member, handoff.words) : this.#taskFor(handoff, git)
      const prompt = `${systemPrompt(member, this.#place(folder, git))}\n${work}`
      const environment = environmentFor(this.#engine, active.run, handoff)
      const begin = handoff.nudged ? driver.prompt : driver.start
      begin({ run: active.run, agent: member.name, command: member.command ?? [], cwd: folder, prompt, environment })
      active.preparing = false
      this.#trouble = null
    } catch (error) {
      this.#active.delete(active.id)
      this.#notReady(active, error as Error)
      this.#around.wake()
    }
  }

  /** Nothing was started, so nothing has failed: it is tried again when there is room, unless there never will be. */
  #notReady({ id }: Active, error: Error): void {
    this.#trouble = error.message
    if (error instanceof NoWorktree) {
      this.#engine.stage({ t: 'dead', id, at: this.#engine.at, why: error.message })
      this.#engine.flush()
    } else this.#wait({ id }, 1000)
  }

  /** Why a run could not even be made ready; null when it could. */
  #trouble: string | null = null
  get trouble(): string | null {
    return this.#trouble
  }

  #place(path: string, git: string | null) {
    const { config } = this.#engine.setting
    return { name: config.name, uuid: config.uuid, path, structure: summarise(this.#around.tree()), git }
  }

  #taskFor(handoff: Handoff, git: string | null): string {
    const messages = [...this.#engine.state.messages.values()].filter(
      ({ chain, id }) => chain === handoff.chain && id !== handoff.id,
    )
    const sent =
      handoff.attempt === 1
        ? []
        : messages.filter(({ parent, answers }) => parent === handoff.id || answers === handoff.id)
    return taskPrompt({ handoff, conversation: messages, sent }, { git })
  }

  #askKernel(handoff: Handoff): void {
    const { at } = this.#engine
    const { id, attempt } = handoff
    const process = thisProcess()
    const files = this.#around.tree().filter(({ type }) => type === 'file').length
    const answer = `structure.json is current: ${files} files.`
    this.#engine.stage(
      { t: 'claimed', id, attempt, run: runName(handoff), at, ...process },
      { t: 'started', id, attempt, at, ...process },
    )
    this.#answer(handoff, answer)
    this.#engine.stage({ t: 'completed', id, attempt, at, ms: 0, answer, turns: 0 })
    this.#engine.flush()
  }

  /** Looks at every run once. */
  progress(): void {
    for (const active of [...this.#active.values()]) if (!active.preparing) this.#look(active)
  }

  #look(active: Active): void {
    const { state, setting, at } = this.#engine
    const { driver } = setting
    const handoff = state.open.get(active.id)
    if (handoff === undefined || runName(handoff) !== active.run) {
      this.#leave(active, handoff === undefined && state.handoffs.get(active.id)?.status === 'dead')
      return
    }
    if (setting.roster.get(active.agent)?.persistent) {
      this.#lookAtService(active, handoff)
      return
    }
    let events = driver.events(active.run)
    const isGoing = events.ended === null && driver.resume(active.run, events.claimed)
    // It may have written its last words between the two questions.
    if (!isGoing && events.ended === null) events = driver.events(active.run)
    const { id, attempt } = handoff
    const { run } = active
    if (events.claimed !== null && handoff.run === null)
      this.#engine.stage({ t: 'claimed', id, attempt, run, at, ...events.claimed })
    if (events.started !== null && handoff.status === 'claimed')
      this.#engine.stage({ t: 'started', id, attempt, at, ...events.started })
    this.#listen(active, handoff, !isGoing)
    this.#engine.flush()
    if (isGoing) this.#limit(active, handoff, events)
    else if (events.claimed !== null || setting.clock.steady() - active.since > CLAIMING) this.#conclude(active, events)
  }

  /** It is over: what it said before its end comes first. */
  #conclude(active: Active, events: RunEvents): void {
    this.#around.ingest()
    const handoff = this.#engine.state.open.get(active.id)
    if (handoff === undefined || runName(handoff) !== active.run) this.#leave(active, false)
    else this.#finish(active, handoff, events)
  }

  /** Messages that it prints. */
  #listen(active: Active, { to }: Handoff, last: boolean): void {
    for (const { event, at } of active.output.more(last)) {
      if (event.type !== 'message' && event.type !== 'handoff') continue
      const { type, ...message } = event
      const text = type === 'handoff' && !/^handoff:/i.test(event.text) ? `Handoff: ${event.text}` : event.text
      accept(this.#engine, { ...message, from: to, text, id: derivedId(active.run, at) })
    }
  }

  /** Too long, too much, or its chain has used up what it may. */
  #limit(active: Active, handoff: Handoff, { printed }: RunEvents): void {
    const { state, setting } = this.#engine
    const elapsed = setting.clock.steady() - active.since
    const minutes = setting.roster.get(active.agent)?.minutes ?? 0
    const chain = state.chains.get(handoff.chain)
    if (active.ending !== null) return
    if (elapsed > minutes * 60_000)
      this.end(active.id, `it did not end within ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`)
    else if (printed > setting.rules.megabytes * 1024 * 1024) this.end(active.id, this.#flooded())
    else if (chain !== undefined) {
      const why = exceeded(chain, setting.rules.budget, elapsed)
      if (why !== null) this.end(active.id, why)
    }
  }

  /** A persistent member goes on after its answer. */
  #lookAtService(active: Active, handoff: Handoff): void {
    const { setting, at } = this.#engine
    const { id, attempt, report, replies } = handoff
    const ms = this.#elapsed(active)
    const answer = report?.status === 'completed' ? report.text : replies.at(-1)
    const limit = setting.roster.get(active.agent)?.minutes ?? 0
    if (answer !== undefined) {
      if (replies.length === 0) this.#answer(handoff, answer)
      this.#engine.stage({ t: 'completed', id, attempt, at, ms, answer })
      this.#engine.flush()
      this.#active.delete(id)
      this.#around.wake()
    } else if (report?.status === 'error') this.#fail(active, handoff, report.text, 'hopeless')
    else if (active.ending !== null) this.#fail(active, handoff, active.ending, 'counts')
    else if (this.#around.serviceOf(active.agent) === null)
      this.#fail(active, handoff, 'its program ended before it answered', 'counts')
    else if (ms > limit * 60_000) this.#fail(active, handoff, `it did not answer within ${limit} minutes`, 'counts')
  }

  #flooded(): string {
    return `it printed more than ${this.#engine.setting.rules.megabytes} MB`
  }

  #finish(active: Active, handoff: Handoff, { ended, claimed, started, printed, lost }: RunEvents): void {
    const { setting, at } = this.#engine
    const { id, attempt } = handoff
    const { output } = active
    // Cut off by the wrapper, however the program took that; or by the disk.
    const isFlood = printed > setting.rules.megabytes * 1024 * 1024
    const missing = lost ? 'what it printed could not be kept; is the disk full?' : null
    const ending = active.ending ?? (isFlood ? this.#flooded() : missing)
    const ms = this.#elapsed(active)
    const end = {
      isClaimed: claimed !== null,
      isStarted: started !== null,
      code: ended,
      ending,
      text: output.text,
      result: output.result,
      error: output.error,
      complaint: cleanText(setting.driver.complaint(active.run)),
    }
    const verdict = judge(handoff, end, setting.roster.get(active.agent)?.handoffTo ?? [])
    if (verdict.kind === 'failed') {
      this.#fail(active, handoff, verdict.why, verdict.hopeless ? 'hopeless' : 'counts')
      return
    }
    if (verdict.kind !== 'nudge') this.#forgetSession(active)
    if (verdict.kind === 'nudge') this.#engine.stage({ t: 'nudged', id, attempt, at, ms, words: verdict.words })
    else {
      const { answer, owes } = verdict
      if (handoff.replies.length === 0) this.#answer(handoff, answer)
      const owed = owes.length === 0 ? {} : { owes }
      this.#engine.stage({ t: 'completed', id, attempt, at, ms, answer, ...owed, ...spentBy(output) })
    }
    this.#engine.flush()
    this.#leave(active, false)
  }

  #elapsed({ since }: Active): number {
    return Math.round(this.#engine.setting.clock.steady() - since)
  }

  /** What a member printed is its answer to whoever asked. */
  #answer({ id, attempt, chain, from, to }: Handoff, answer: string): void {
    if (answer === '') return
    const message = {
      t: 'seen',
      id: derivedId(id, attempt, 'answer'),
      at: this.#engine.at,
      from: to,
      to: from,
      text: answer,
    } as const
    this.#engine.stage({ ...message, kind: 'reply', chain, answers: id, post: true })
  }

  /** Another attempt, later; after the last one, or where none would help, the handoff is dead. */
  #fail(active: Active, handoff: Handoff, why: string, how: 'counts' | 'hopeless' | 'free'): void {
    const { setting, at } = this.#engine
    const { id, attempt, firstAttempt } = handoff
    const failures = attempt - firstAttempt + 1
    const isDead = how === 'hopeless' || (how === 'counts' && (failures >= setting.rules.attempts || isSpent(why)))
    const wait = isDead || how === 'free' ? 0 : backoffAfter(failures, setting.rules)
    const progress = progressOf(active, handoff)
    const free = how === 'free' ? { free: true as const } : {}
    const ms = this.#elapsed(active)
    this.#engine.stage({ t: 'failed', id, attempt, at, ms, why, wait, progress, ...free, ...spentBy(active.output) })
    if (isDead) {
      const reason = failures === 1 ? why : `after ${failures} attempts: ${why}`
      this.#engine.stage({ t: 'dead', id, at, why: reason, progress })
      this.#forgetSession(active)
    } else this.#wait(handoff, wait)
    this.#engine.flush()
    this.#leave(active, isDead)
  }

  /** Its session in a harness is not gone on with. */
  #forgetSession({ id }: Active): void {
    rmSync(join(this.#engine.setting.places.sessions, `${id}.json`), { force: true })
  }

  #leave(active: Active, keep: boolean): void {
    this.#active.delete(active.id)
    this.#engine.setting.driver.close(active.run, keep)
    this.#around.wake()
  }

  /** Ends the run of a handoff; it is then failed with that reason. */
  end(id: string, why: string): void {
    const active = this.#active.get(id)
    if (active === undefined || active.ending !== null) return
    active.ending = why
    if (active.preparing) this.#active.delete(id)
    else this.#engine.setting.driver.cancel(active.run)
  }

  /** A person stops one member: what it is at is dead, and can be revived. */
  stopAgent(agent: string): void {
    const { state, at } = this.#engine
    for (const active of this.#active.values()) {
      if (active.agent !== agent) continue
      this.#engine.stage({ t: 'dead', id: active.id, at, why: 'it was stopped by hand' })
      if (active.preparing) this.#active.delete(active.id)
    }
    for (const handoff of [...state.open.values()]) {
      if (handoff.to === agent) this.#engine.stage({ t: 'dead', id: handoff.id, at, why: 'it was stopped by hand' })
    }
    this.#engine.stage({ t: 'stopped', agent, at })
    this.#engine.flush()
    this.progress()
  }

  /** Asks every program to end. */
  cancelAll(): void {
    for (const { run, preparing } of this.#active.values()) if (!preparing) this.#engine.setting.driver.cancel(run)
  }

  /** Whether a program still runs. */
  isAnyGoing(): boolean {
    const { driver } = this.#engine.setting
    return [...this.#active.values()].some(
      ({ run, preparing }) => !preparing && driver.resume(run, driver.events(run).claimed),
    )
  }

  /** Everything is stopped: the work stays open, and what was under way does not count as an attempt. */
  stopAll(): void {
    for (const active of [...this.#active.values()]) {
      const handoff = this.#engine.state.open.get(active.id)
      if (handoff === undefined || active.preparing) this.#active.delete(active.id)
      else if (handoff.run === null) this.#leave(active, false)
      else this.#fail(active, handoff, 'the workplace was stopped', 'free')
    }
  }
}

/** A chain that has used up what it may gets no further attempt. */
function isSpent(why: string): boolean {
  return why.startsWith('its chain ')
}

/** One name for each run: attempts and nudges have their own. */
export function runName({ id, attempt, nudged }: Pick<Handoff, 'id' | 'attempt' | 'nudged'>): string {
  return `${id}.${attempt}${nudged ? '.nudge' : ''}`
}

function spentBy({ turns, cost }: OutputReader): { turns?: number; cost?: number } {
  return { ...(turns > 0 ? { turns } : {}), ...(cost > 0 ? { cost } : {}) }
}

function progressOf({ output, run }: Active, { report }: Handoff): Progress {
  const told = report?.status === 'progress' ? report : output.progress
  const words = told?.text || output.text.split('\n').at(-1)?.slice(0, 300) || null
  return { lastSummary: words, files: told?.files ?? [], runId: run }
}

/** The user's own environment, and who the program is in it; `troupe` itself is on the path. */
export function environmentFor(
  { setting }: Engine,
  run: string,
  { to, id, attempt }: Pick<Handoff, 'to' | 'id' | 'attempt'>,
): Record<string, string> {
  const own = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return {
    ...Object.fromEntries(own),
    PATH: [setting.bin, process.env.PATH ?? '/usr/bin:/bin'].filter((one) => one !== null).join(delimiter),
    TROUPE_WORKPLACE: setting.places.root,
    TROUPE_AGENT: to,
    TROUPE_HANDOFF: id,
    TROUPE_ATTEMPT: String(attempt),
    TROUPE_RUN: run,
  }
}
